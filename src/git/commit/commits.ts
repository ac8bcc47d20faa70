import { join } from 'node:path';
import { readUserText } from '../../base/file/small-file.ts';
import { type CheckpointId, type ObjectId, parseObjectId } from '../../base/ids.ts';
import { isUnrecordable, parseRepoPath, type RepoPath } from '../../base/repo-path.ts';
import type { TreeEntry } from '../object/objects.ts';
import { type Git, gitText, inBatches, inBatchesOrAll, MAX_NAMED, runGit, splitNul } from '../run.ts';
import { LINK_FIELDS, type Links, readLinks, WITH_NOTES } from './links.ts';
import { CHECKPOINT_TRAILER } from './trailers.ts';

/** A path on both sides of a commit; `undefined` on a side where it does not exist. */
export interface PathChange {
  readonly before: TreeEntry | undefined;
  readonly after: TreeEntry | undefined;
}

export type PathChanges = ReadonlyMap<RepoPath, PathChange>;

export interface Commit {
  readonly oid: ObjectId;
  readonly parents: readonly ObjectId[];
  readonly message: string;
  /** The checkpoints that it names. */
  readonly links: Links;
  /** Paths that differ from the first parent; all paths of a root commit. A rename is both its names. */
  readonly changes: PathChanges;
  /** Names of changed files that are not among them, since they are not UTF-8 or have several lines. */
  readonly unrecordable: readonly string[];
}

/** HEAD with its message and changes, from one process. `undefined` before the first commit. */
export const readHeadCommit = (git: Git): Commit | undefined => readCommit(git, 'HEAD');

/** Where the commits of checkpoints are looked for. */
export interface CommitSearch {
  /** Only commits that came after this one; `''` for any. */
  readonly since: string;
  /** On all local branches, in commits that are not older than this; otherwise in HEAD's history. */
  readonly onBranchesSinceMs?: number | undefined;
  readonly withoutMerges?: true;
}

/** The newest commits whose own the checkpoints are, as far as there are any. One process, however many are asked for. */
export function findCommitsOf(
  git: Git,
  ids: readonly CheckpointId[],
  search: CommitSearch,
): Map<CheckpointId, ObjectId> {
  return new Map(listCommitsOf(git, ids, search).reverse()); // the newest is the last that is set
}

/** All commits whose own the checkpoints are, newest first, where one is named by several. */
export function listCommitsOf(
  git: Git,
  ids: readonly CheckpointId[],
  { since, onBranchesSinceMs, withoutMerges }: CommitSearch,
): Array<readonly [CheckpointId, ObjectId]> {
  const found: Array<readonly [CheckpointId, ObjectId]> = [];
  const where =
    onBranchesSinceMs === undefined
      ? ['HEAD']
      : [`--since=${Math.floor(onBranchesSinceMs / 1000)}`, '--branches'];
  const range = since === '' ? where : [...where, '--not', since];
  for (const batch of inBatches(ids.map((id) => `--grep=${CHECKPOINT_TRAILER}: ${id}`))) {
    const shown = ['-z', '--no-show-signature', '--no-color', WITH_NOTES, `--format=%H%x00${LINK_FIELDS}`];
    if (withoutMerges) shown.push('--no-merges');
    const args = ['log', ...shown, '--fixed-strings', ...batch];
    const { code, stdout } = runGit(git, [...args, ...range, '--'], { okUnknown: true });
    const fields = code === 0 ? stdout.toString('utf8').split('\0') : [];
    for (let at = 0; at + 3 < fields.length; at += 4) {
      const oid = parseObjectId(fields[at]);
      const id = readLinks(...fields.slice(at + 1, at + 4)).own;
      if (oid && id && ids.includes(id)) found.push([id, oid]);
    }
  }
  return found;
}

/** So many commits are somebody's work; more have been fetched. */
const MAX_LATER = 100;

/**
 * Commits of the first parents between one and HEAD that were made after some time, in milliseconds since 1970; merges are left out, and
 * where there are very many, the older ones.
 */
export function listCommitsAfter(git: Git, since: string, ms: number): ObjectId[] {
  const args = [
    'log',
    '--first-parent',
    '--no-merges',
    '--no-show-signature',
    '--no-color',
    '--format=%ct %H',
    `--max-count=${MAX_LATER}`,
  ];
  const { code, stdout } = runGit(git, [...args, `${since}..HEAD`, '--'], { okUnknown: true });
  const rows = code === 0 ? stdout.toString('utf8').split('\n') : [];
  return rows.flatMap((row) => {
    const [seconds, oid] = row.split(' ');
    return Number(seconds) * 1000 > ms ? (parseObjectId(oid) ?? []) : [];
  });
}

/** A commit with its message and changes, from one process. `undefined` where there is none of that name. */
export function readCommit(git: Git, revision: string): Commit | undefined {
  const format = `--format=%H%x00%P%x00${LINK_FIELDS}%x00`;
  const args = [
    'log',
    '-1',
    '--first-parent',
    '-m',
    '--root',
    '--raw',
    '-r',
    '-z',
    '--no-renames',
    '--no-abbrev',
  ];
  const { code, stdout } = runGit(
    git,
    [...args, '--no-show-signature', '--no-color', '--encoding=UTF-8', WITH_NOTES, format, revision, '--'],
    { okUnknown: true },
  );
  if (code !== 0) return undefined;
  const [oid, parents, text, note, trailers, ...raw] = splitNul(stdout);
  const message = (text ?? '').replace(/\0$/, '');
  return {
    oid: parseObjectId(oid) as ObjectId,
    parents: (parents ?? '').split(' ').flatMap((parent) => parseObjectId(parent) ?? []),
    message,
    links: readLinks(message, note, trailers),
    changes: parseRawDiff(raw),
    unrecordable: raw
      .filter(isUnrecordable)
      .flatMap((name) => (RAW.test(name) ? [] : name.replace(/\0$/, ''))),
  };
}

/**
 * What is staged against HEAD, in the environment of the running git hook: with `git commit -a` and
 * `git commit -- path` git commits from an index of its own.
 *
 * @param base another commit than HEAD to hold it against; where there is none of that name, everything is staged
 */
export function readStaged(git: Git, base = 'HEAD'): PathChanges {
  const args = ['--cached', '--raw', '-z', '--no-renames', '--no-abbrev', '--ignore-submodules=none'];
  const { code, stdout } = runGit(git, ['diff-index', ...args, base, '--'], { okUnknown: true });
  if (code === 0) return parseRawDiff(splitNul(stdout));
  const { stdout: emptyTree } = runGit(git, ['hash-object', '-t', 'tree', '-w', '--stdin']); // no commit yet
  const { stdout: all } = runGit(git, ['diff-index', ...args, emptyTree.toString('latin1').trim(), '--']);
  return parseRawDiff(splitNul(all));
}

/** What git says of a path before it names it. */
const RAW = /^\n?:(\d+) (\d+) ([0-9a-f]+) ([0-9a-f]+) [A-Z]\d*$/;

/** What differs between two commits, or at some paths of them. */
export function readChanges(
  git: Git,
  from: ObjectId,
  to: ObjectId,
  paths?: readonly RepoPath[],
): PathChanges {
  const args = ['diff-tree', '-r', '--raw', '-z', '--no-renames', '--no-abbrev', from, to, '--'];
  const batches = paths ? inBatchesOrAll(paths) : [[]];
  const asked = paths && paths.length > MAX_NAMED ? new Set(paths) : undefined;
  const changes = parseRawDiff(batches.flatMap((batch) => splitNul(runGit(git, [...args, ...batch]).stdout)));
  return asked ? new Map([...changes].filter(([path]) => asked.has(path))) : changes;
}

/** What a commit changed since a parent of it; without one, everything it has. */
export interface CommitSince {
  readonly commit: ObjectId;
  readonly parent?: ObjectId;
}

/**
 * What several commits changed at some paths, or anywhere, with one process. Where a path is a folder, nothing is said of
 * what is in it. Commits without a change there are left out.
 */
export function readChangesOfEach(
  git: Git,
  commits: readonly CommitSince[],
  paths?: readonly RepoPath[],
): Map<ObjectId, PathChanges> {
  if (commits.length === 0) return new Map();
  const args = ['diff-tree', '--stdin', '--root', '-m', '-r', '--raw', '-z', '--no-renames', '--no-abbrev'];
  const input = commits.map(({ commit, parent }) => `${commit}${parent ? ` ${parent}` : ''}\n`).join('');
  const groups = new Map<ObjectId, string[]>();
  for (const batch of paths ? inBatchesOrAll(paths) : [[]]) {
    const tokens = splitNul(runGit(git, [...args, '--', ...batch], { input }).stdout);
    let group: string[] = [];
    for (let at = 0; at < tokens.length; at++) {
      const commit = parseObjectId(tokens[at]);
      if (commit) {
        group = groups.get(commit) ?? [];
        groups.set(commit, group);
      } else group.push(tokens[at] ?? '', tokens[++at] ?? '');
    }
  }
  const asked = paths && new Set(paths);
  const ofAsked = (tokens: readonly string[]) =>
    [...parseRawDiff(tokens)].filter(([path]) => asked?.has(path) ?? true);
  return new Map([...groups].map(([commit, tokens]) => [commit, new Map(ofAsked(tokens))]));
}

/** `:<mode> <mode> <oid> <oid> <status>` and the path, each ended by NUL. */
function parseRawDiff(tokens: readonly string[]): PathChanges {
  const changes = new Map<RepoPath, PathChange>();
  for (let at = 0; at + 1 < tokens.length; at++) {
    const match = RAW.exec(tokens[at] ?? '');
    const path = match && parseRepoPath(tokens[at + 1] ?? '');
    if (!match || !path) continue;
    changes.set(path, { before: side(match[1], match[3]), after: side(match[2], match[4]) });
    at++;
  }
  return changes;
}

function side(mode: string | undefined, oid: string | undefined): TreeEntry | undefined {
  return mode === '000000' ? undefined : { mode: mode as string, oid: oid as ObjectId };
}

/** Short name of the checked-out branch; `undefined` when detached. */
export function readBranchName(git: Git, gitDir: string): string | undefined {
  const head = /^ref: refs\/heads\/(.+?)\s*$/.exec(readUserText(join(gitDir, 'HEAD'), 'git') ?? '')?.[1];
  if (head !== '.invalid') return head;
  // A repository with reftable keeps HEAD elsewhere, and says so by this name.
  return gitText(git, ['symbolic-ref', '--short', '--quiet', 'HEAD'], { okCodes: [0, 1] }) || undefined;
}

/** The checkpoint that is HEAD's own; `undefined` also before the first commit. */
export const readHeadCheckpoint = (git: Git): CheckpointId | undefined => readCheckpointOf(git, 'HEAD');

/** The checkpoint that is a commit's own; `undefined` also where there is no commit of that name. */
export const readCheckpointOf = (git: Git, revision: string): CheckpointId | undefined =>
  readLinksOf(git, revision).own;

/** The checkpoints that a commit names; none also where there is no commit of that name. */
export function readLinksOf(git: Git, revision: string): Links {
  const format = `--format=${LINK_FIELDS}%x00`;
  const args = ['log', '-1', '--no-show-signature', '--no-color', WITH_NOTES, format, revision, '--'];
  const { code, stdout } = runGit(git, args, { okUnknown: true });
  return readLinks(...(code === 0 ? stdout.toString('utf8').split('\0', 3) : []));
}

/** Paths whose file is not what is staged. */
export const findUnstaged = (git: Git): string[] =>
  splitNul(runGit(git, ['diff-files', '--name-only', '-z', '--ignore-submodules']).stdout).filter(Boolean);

/** Paths with a conflict that nobody has resolved, below the folder. One process. */
export const readUnmerged = (git: Git): string[] => [
  ...new Set(
    splitNul(runGit(git, ['ls-files', '--unmerged', '-z']).stdout).flatMap(
      (line) => /^\d+ [0-9a-f]+ \d\t(.*)$/s.exec(line.replace(/\0$/, ''))?.[1] ?? [],
    ),
  ),
];

/** Commits whose parents are not here though they have some, where a clone is shallow: nobody can say what they changed. */
export const readCutOff = (commonDir: string): ReadonlySet<string> =>
  new Set(readUserText(join(commonDir, 'shallow'), 'git-list')?.split('\n'));

/** Whether a commit is in the history of another, or is that one. Of one that is not here nothing is. */
export const isAncestor = (git: Git, commit: ObjectId, of: string): boolean =>
  runGit(git, ['merge-base', '--is-ancestor', commit, of], { okCodes: [0, 1, 128] }).code === 0;

/** Where the histories of two commits part; `undefined` where they have nothing in common, or one is not here. */
export const findMergeBase = (git: Git, a: string, b: string): ObjectId | undefined =>
  parseObjectId(gitText(git, ['merge-base', a, b], { okCodes: [0, 1, 128] }));

/** Commits of `tip` that `commit` does not have. */
export const countCommitsSince = (git: Git, commit: ObjectId, tip: ObjectId): number =>
  Number(runGit(git, ['rev-list', '--count', tip, '--not', commit, '--']).stdout.toString('latin1').trim());

/**
 * Files of one commit that have another name in a later one, as git sees that by their contents: new names by old ones.
 *
 * @see https://git-scm.com/docs/git-diff-tree#Documentation/git-diff-tree.txt--M
 */
export function readRenames(git: Git, from: ObjectId, to: ObjectId): Map<string, string> {
  const args = ['diff-tree', '-r', '-M', '--name-status', '-z', '--diff-filter=R', from, to];
  const fields = runGit(git, args).stdout.toString('utf8').split('\0');
  const found = new Map<string, string>();
  for (let at = 0; at + 2 < fields.length; at += 3) found.set(fields[at + 1] ?? '', fields[at + 2] ?? '');
  return found;
}
