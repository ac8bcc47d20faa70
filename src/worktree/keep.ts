import { dirname, join } from 'node:path';
import { EntireError } from '../base/errors.ts';
import { disk } from '../base/file/disk.ts';
import { readUserText } from '../base/file/small-file.ts';
import { type ObjectId, parseObjectId } from '../base/ids.ts';
import { readIdentity, readRefs, updateRefs } from '../git/ref/refs.ts';
import { type Git, gitText, runGit } from '../git/run.ts';
import { unhide, withIndexCopy, withPrivateIndex } from '../git/worktree/private-index.ts';
import type { Worktree } from '../git/worktree/worktree-list.ts';
import { gitInFolder } from '../git/worktree/worktree-work.ts';
import { keepLocks } from '../session/lock.ts';
import type { WorktreeFacts } from './facts.ts';

/** What was kept of a worktree before it was removed. */
export interface Kept {
  /** Leads to a commit of what was not committed, on top of HEAD; with what was staged as its second parent, where that differed. */
  readonly ref: string | undefined;
  readonly commit: ObjectId | undefined;
  /** Lead to what refs of the worktree's own led to. */
  readonly refs: readonly string[];
  /** Holds what git ignores, and repositories of their own, as they lay in the worktree. */
  readonly folder: string | undefined;
  /** What git had stashed by itself for an operation that is not finished; among the stashes now, which belong to all worktrees. */
  readonly autostash: ObjectId | undefined;
}

/** Where the refs of removed worktrees are. Nothing deletes them but a person. */
export const REMOVED_REFS = 'refs/entire/removed/';

/** Leads to what one removal kept in commits; refs of the worktree's own are below `<ref>-worktree/`. */
export const removedRef = (label: string, id: string): string => `${REMOVED_REFS}${label}/${id}`;

/** Of what cannot go into commits. It is no part of what `disable --uninstall` takes away: it is the user's. */
export const removedFolders = (commonDir: string): string => join(commonDir, 'entire-removed');

/** That of one removal. */
export const removedFolder = (commonDir: string, name: string, id: string): string =>
  join(removedFolders(commonDir), `${name}-${id}`);

/**
 * Keeps what a worktree would take along: changes and untracked files as a commit, which may also be the only thing that leads to
 * commits; ignored files, which may be secrets, as files for nobody but their owner, and so repositories of their own.
 *
 * @throws {EntireError} `GIT_FAILED`, `UNSUPPORTED` for a name that is no UTF-8, and the system error; what was kept by then stays
 */
export function keepWork(
  git: Git,
  worktree: Worktree,
  facts: WorktreeFacts,
  to: {
    readonly ref: string;
    readonly folder: string;
    readonly subject: string;
    readonly keepsCommits: boolean;
  },
): Kept {
  const files = facts.untracked.filter((path) => !path.endsWith('/'));
  const paths = [...facts.changed, ...facts.hidden, ...files];
  const copies = [
    ...facts.ignored,
    ...facts.repositories,
    ...facts.untracked.filter((path) => path.endsWith('/')),
  ];
  const odd = [...paths, ...copies].find((path) => path.includes('\0'));
  if (odd !== undefined)
    throw new EntireError(
      'UNSUPPORTED',
      `the name of ${odd.replaceAll('\0', '')} is not UTF-8, and it cannot be kept`,
      {
        hint: 'Rename or move it, then run the command again.',
      },
    );
  for (const path of copies) copyAll(join(worktree.root, path), join(to.folder, path));
  const commit = paths.length > 0 ? commitWork(git, worktree, paths, facts.hidden, to.subject) : undefined;
  const tip = commit ?? (to.keepsCommits ? worktree.head : undefined);
  if (tip) updateRefs(git, [{ ref: to.ref, to: tip, from: undefined }], to.subject);
  const own = [...readRefs(gitInFolder(worktree.gitDir), facts.refs)].map(([ref, oid]) => ({
    ...{ ref: ref.replace('refs/', `${to.ref}-`), to: oid, from: undefined },
  }));
  if (own.length > 0) updateRefs(git, own, to.subject);
  const autostash = findAutostash(worktree);
  if (autostash) runGit(git, ['stash', 'store', '-m', to.subject, autostash]);
  const folder = copies.length > 0 ? to.folder : undefined;
  return { ref: tip && to.ref, commit: tip, refs: own.map(({ ref }) => ref), folder, autostash };
}

/** Nothing else leads to it until the operation is over. @see https://git-scm.com/docs/git-rebase */
function findAutostash({ gitDir }: Worktree): ObjectId | undefined {
  const places = ['rebase-merge/autostash', 'rebase-apply/autostash', 'MERGE_AUTOSTASH'];
  return places.map((name) => parseObjectId(readUserText(join(gitDir, name), 'git')?.trim())).find(Boolean);
}

function commitWork(
  git: Git,
  { gitDir, head, isMissing }: Worktree,
  paths: readonly string[],
  hidden: readonly string[],
  subject: string,
): ObjectId {
  return withIndexCopy(join(gitDir, 'index'), (file) => {
    const staged = writeStaged(git, file);
    unhide(git, file, hidden);
    // Of one whose folder is gone the index is all there is.
    const input = (isMissing ? [] : paths).map((path) => `${path}\0`).join('');
    // Line ends that a checkout would not give back are no reason to lose the file. What is gone here and there is passed over.
    const how = ['--add', '--remove', '--replace', '-z', '--stdin'];
    runGit(withPrivateIndex(git, file), ['-c', 'core.safecrlf=false', 'update-index', ...how], { input });
    const tree = gitText(withPrivateIndex(git, file), ['write-tree']);
    const parents = head ? [head] : [];
    const isOther = staged !== undefined && staged !== tree && staged !== treeOf(git, head);
    const second = isOther ? [commitTree(git, staged, parents, `${subject}: staged`)] : [];
    return commitTree(git, tree, [...parents, ...second], subject);
  });
}

/** `undefined` in the middle of conflicts, of which no tree can be made. */
function writeStaged(git: Git, file: string): string | undefined {
  const { code, stdout } = runGit(withPrivateIndex(git, file), ['write-tree'], { okCodes: [0, 128] });
  return code === 0 ? stdout.toString('latin1').trim() : undefined;
}

const treeOf = (git: Git, head: ObjectId | undefined): string =>
  head ? gitText(git, ['rev-parse', `${head}^{tree}`]) : '';

function commitTree(git: Git, tree: string, parents: readonly ObjectId[], message: string): ObjectId {
  const { name, email } = readIdentity(git);
  const who = ['-c', `user.name=${name}`, '-c', `user.email=${email}`];
  const args = [...who, 'commit-tree', tree, ...parents.flatMap((parent) => ['-p', parent])];
  return parseObjectId(gitText(git, args, { input: `${message}\n` })) as ObjectId;
}

/** Copies a file, a link or a folder. What is none of these (sockets, pipes) has nothing to keep. */
function copyAll(from: string, to: string): void {
  keepLocks();
  const stat = disk.lstatSync(from);
  if (stat.isDirectory()) {
    disk.mkdirSync(to, { recursive: true, mode: 0o700 });
    for (const name of disk.readdirSync(from)) copyAll(join(from, name), join(to, name));
    return;
  }
  disk.mkdirSync(dirname(to), { recursive: true, mode: 0o700 });
  if (stat.isSymbolicLink()) disk.symlinkSync(disk.readlinkSync(from), to);
  else if (stat.isFile()) disk.copyFileSync(from, to);
}
