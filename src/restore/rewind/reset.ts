import { EntireError } from '../../base/errors.ts';
import { lstatInWorktree } from '../../base/file/disk.ts';
import { newId, type ObjectId, parseSessionId, type SessionId } from '../../base/ids.ts';
import { foldersOf, isInfrastructurePath, type RepoPath, sortedUnique } from '../../base/repo-path.ts';
import { countCommitsSince, findUnstaged, readChanges, readStaged } from '../../git/commit/commits.ts';
import { findOperation } from '../../git/commit/operation.ts';
import { readTree, toChange, writeCommit } from '../../git/object/objects.ts';
import { readIdentity } from '../../git/ref/refs.ts';
import type { Git } from '../../git/run.ts';
import { readStatus } from '../../git/worktree/status.ts';
import type { Branch } from '../../history/branch.ts';
import { placeOf } from '../../snapshot/place.ts';
import type { SnapshotRecord } from '../../snapshot/record/snapshot-record.ts';
import { restorePaths } from '../../snapshot/restore.ts';
import { type FileState, type GitMode, MISSING } from '../../snapshot/store/file-state.ts';
import { type Work, workIn } from '../../strategy/work.ts';
import type { CommitPoint } from '../points.ts';
import { keepingLocks, puttingBack, refuseMovedHead } from '../putting-back.ts';

/** What `git reset --hard` to a commit would do. */
export interface ResetPreview {
  readonly from: ObjectId;
  readonly to: ObjectId;
  /** Tracked files with changes that no commit has, by path; not those of ours. */
  readonly uncommitted: ReadonlyMap<RepoPath, 'modified' | 'added' | 'deleted'>;
  /** Files it would overwrite or delete, and whose content no commit may have; also some that git does not track. */
  readonly overwritten: readonly RepoPath[];
  /** Folders with files that no commit has, where the commit has a file. */
  readonly inTheWay: readonly string[];
  /** Commits that are on no branch afterwards, as far as this branch has them. */
  readonly orphaned: number;
}

/** What a reset did. */
export interface ResetResult extends ResetPreview {
  /** Holds what was staged and nowhere else; `undefined` where there was no such thing. */
  readonly stagedRef: string | undefined;
  /** What the files that it overwrote come back by. */
  readonly recordId: string;
}

/** Looks at what a reset would overwrite. Five processes. */
export function previewReset({ git }: Work, branch: Branch, { id: to }: CommitPoint): ResetPreview {
  const from = branch.head as ObjectId;
  const status = readStatus(git, { ignored: true });
  const loose = new Set([...status.changes].flatMap(([path, kind]) => (kind === 'untracked' ? [path] : [])));
  const arriving = [...readChanges(git, from, to)].flatMap(([path, { before, after }]) =>
    !before && after ? [path] : [],
  );
  const staged = readStaged(git);
  const uncommitted = new Map<RepoPath, 'modified' | 'added' | 'deleted'>();
  for (const [path, kind] of status.changes)
    if (kind !== 'untracked')
      uncommitted.set(path, staged.get(path)?.before === undefined && staged.has(path) ? 'added' : kind);
  const unstaged = [...staged].flatMap(([path, { after }]) => (after ? [] : [path]));
  const isThere = (path: RepoPath): boolean => lstatInWorktree(git.cwd, path)?.isDirectory() === false;
  const ignored = new Set<string>(status.ignored);
  const ancestors = arriving.flatMap((path) =>
    foldersOf(path).filter((folder) => loose.has(folder) || ignored.has(folder)),
  );
  return {
    from,
    to,
    uncommitted,
    overwritten: sortedUnique([
      ...uncommitted.keys(),
      ...[...arriving, ...unstaged].filter(isThere),
      ...ancestors,
    ]),
    inTheWay: findInTheWay(arriving, new Set([...loose, ...ignored])),
    orphaned: countCommitsSince(git, to, from),
  };
}

/** Files that arrive where a folder is that holds more than what git knows. */
function findInTheWay(arriving: readonly RepoPath[], loose: ReadonlySet<string>): string[] {
  const files = new Set<string>(arriving);
  const folders = [...loose].flatMap((path) => foldersOf(`${path.replace(/\/$/, '')}/x`));
  return sortedUnique(folders.filter((folder) => files.has(folder) && !loose.has(folder)));
}

/**
 * `git reset --hard` to a commit, after everything that it overwrites was kept: `entire undo` brings the files back. What was
 * staged and nowhere else is kept by a ref.
 *
 * @param onPreview told what is about to happen; what it throws stops it
 * @param moveHead resets: the command that was asked to brings it along
 * @throws {EntireError} `WRITE_FAILED` when something could not be kept, `REF_MOVED` and `GIT_FAILED`: the branch is where it was
 */
export async function resetTo(
  branch: Branch,
  point: CommitPoint,
  onPreview: (preview: ResetPreview) => void,
  moveHead: (git: Git, commit: ObjectId) => void,
): Promise<ResetResult> {
  const work = workIn(branch.repo);
  const sessionId = ownerOf(point);
  return puttingBack(work, sessionId, async (report) => {
    refuseMovedHead(branch);
    const preview = previewReset(work, branch, point);
    onPreview(preview);
    refuse(work, preview);
    const stagedRef = keepStaged(work, preview);
    const record = keepFiles(work, sessionId, point, preview);
    report(record.files);
    moveHead(work.git, preview.to);
    return { ...preview, stagedRef, recordId: record.id };
  });
}

/** Whose undo brings the files back. */
function ownerOf({ checkpoint }: CommitPoint): SessionId {
  const ids = checkpoint.slots.flatMap(({ metadata }) => parseSessionId(metadata.sessionId) ?? []);
  const id = ids.at(-1);
  if (id) return id;
  throw new EntireError('NOT_FOUND', `checkpoint ${checkpoint.id} names no session`, {
    hint: '`git reset --hard` moves the branch without it, and keeps nothing.',
  });
}

function refuse({ repo }: Work, { inTheWay }: ResetPreview): void {
  const operation = findOperation(repo.gitDir);
  if (operation !== undefined) {
    throw new EntireError('COMMIT_REFUSED', `a ${operation} is in progress, so nothing was done`, {
      hint: 'Finish or abort it first.',
    });
  }
  const [folder] = inTheWay;
  if (folder === undefined) return;
  throw new EntireError(
    'WRITE_FAILED',
    `${folder} is a folder with files that git does not have, and a file there`,
    {
      hint: 'Move the folder away and run the command again. Nothing was changed.',
    },
  );
}

type Tree = ReturnType<typeof readTree>;

/** Modes of entries of a tree that are no files. */
const FOLDER = '040000';
const SUBMODULE = '160000';

/** The versions of the commit take the place of what is there, which is kept. */
function keepFiles(
  { git, repo }: Work,
  id: SessionId,
  point: CommitPoint,
  preview: ResetPreview,
): SnapshotRecord {
  const paths = preview.overwritten.filter((path) => !isInfrastructurePath(path));
  const [before, entries] = [preview.from, preview.to].map(
    (commit) => readTree(git, commit, paths) ?? new Map(),
  );
  const stateIn = (tree: Tree, path: RepoPath): FileState => {
    const entry = tree?.get(path);
    // A file makes way for a folder of the commit.
    return entry && entry.mode !== FOLDER
      ? { kind: 'git', oid: entry.oid, mode: entry.mode as GitMode }
      : MISSING;
  };
  const isFile = (path: RepoPath): boolean =>
    [before, entries].every((tree) => tree?.get(path)?.mode !== SUBMODULE);
  // What git makes of a file when somebody moves the branch back comes in between.
  const toTarget = (path: RepoPath) => ({ path, to: stateIn(entries, path), via: stateIn(before, path) });
  const record = restorePaths(placeOf(repo, id), git, {
    kind: 'rewind',
    turnId: '',
    subject: point.subject,
    effects: [],
    targets: paths.filter(isFile).map(toTarget),
    onProgress: keepingLocks(),
  });
  const [left] = record.left;
  if (left === undefined) return record;
  throw new EntireError(
    'WRITE_FAILED',
    `${left[0]} could not be kept (${left[1]}), so the branch was not moved`,
    {
      hint: 'Run `entire undo` to have the other files back as they were.',
    },
  );
}

/** Where neither a commit nor a file has what is staged, a commit of our own keeps it. */
function keepStaged({ git }: Work, { from }: ResetPreview): string | undefined {
  const differs = new Set(findUnstaged(git));
  const changes = [...readStaged(git)].flatMap(([path, { after }]) =>
    after && differs.has(path) ? [toChange(path, after)] : [],
  );
  if (changes.length === 0) return undefined;
  const ref = `refs/entire/staged/${newId()}`;
  writeCommit(git, {
    ref,
    parent: from,
    changes,
    message: 'What was staged before a reset\n',
    author: readIdentity(git),
  });
  return ref;
}
