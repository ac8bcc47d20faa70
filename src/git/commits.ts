import { join } from 'node:path';
import { disk, readTextIfExists } from '../base/disk.ts';
import { type CheckpointId, type ObjectId, parseObjectId } from '../base/ids.ts';
import { isUnrecordable, parseRepoPath, type RepoPath } from '../base/repo-path.ts';
import type { TreeEntry } from './objects.ts';
import { type Git, gitText, inBatches, runGit, splitNul } from './run.ts';
import { CHECKPOINT_TRAILER, chooseCheckpoint } from './trailers.ts';

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
  /** The checkpoint the message names; see {@link readCheckpointTrailer}. */
  readonly checkpoint: CheckpointId | undefined;
  /** Paths that differ from the first parent; all paths of a root commit. A rename is both its names. */
  readonly changes: PathChanges;
  /** Names of changed files that are not among them, since they are not UTF-8 or have several lines. */
  readonly unrecordable: readonly string[];
}

/** HEAD with its message and changes, from one process. `undefined` before the first commit. */
export const readHeadCommit = (git: Git): Commit | undefined => readCommit(git, 'HEAD');

/**
 * The newest commit that came after `since` (`''`: any) and names a checkpoint, whatever else happened in between.
 * `undefined` when there is none.
 */
export function findCommitOf(git: Git, id: CheckpointId, since: string): Commit | undefined {
  const range = since === '' ? 'HEAD' : `${since}..HEAD`;
  const grep = ['--max-count=1', '--fixed-strings', `--grep=${CHECKPOINT_TRAILER}: ${id}`];
  const { code, stdout } = runGit(git, ['log', ...grep, '--format=%H', range, '--'], { okCodes: [0, 128] });
  const oid = code === 0 ? parseObjectId(stdout.toString('latin1').trim()) : undefined;
  const commit = oid && readCommit(git, oid);
  return commit?.checkpoint === id ? commit : undefined;
}

function readCommit(git: Git, revision: string): Commit | undefined {
  const trailers = `%(trailers:key=${CHECKPOINT_TRAILER},unfold)`;
  const format = `--format=%H%x00%P%x00%B%x00${trailers}%x00`;
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
    [...args, '--no-show-signature', '--no-color', '--encoding=UTF-8', format, revision, '--'],
    {
      okCodes: [0, 128],
    },
  );
  if (code !== 0) return undefined;
  const [oid, parents, text, trailerLines, ...raw] = splitNul(stdout);
  const message = (text ?? '').replace(/\0$/, '');
  return {
    oid: parseObjectId(oid) as ObjectId,
    parents: (parents ?? '').split(' ').flatMap((parent) => parseObjectId(parent) ?? []),
    message,
    checkpoint: chooseCheckpoint(trailerLines ?? '', message),
    changes: parseRawDiff(raw),
    unrecordable: raw
      .filter(isUnrecordable)
      .flatMap((name) => (RAW.test(name) ? [] : name.replace(/\0$/, ''))),
  };
}

/**
 * What is staged against HEAD, in the environment of the running git hook: with `git commit -a` and
 * `git commit -- path` git commits from an index of its own.
 */
export function readStaged(git: Git): PathChanges {
  const args = ['--cached', '--raw', '-z', '--no-renames', '--no-abbrev', '--ignore-submodules=none'];
  const { code, stdout } = runGit(git, ['diff-index', ...args, 'HEAD', '--'], { okCodes: [0, 128] });
  if (code === 0) return parseRawDiff(splitNul(stdout));
  const { stdout: emptyTree } = runGit(git, ['hash-object', '-t', 'tree', '-w', '--stdin']); // no commit yet
  const { stdout: all } = runGit(git, ['diff-index', ...args, emptyTree.toString('latin1').trim(), '--']);
  return parseRawDiff(splitNul(all));
}

const RAW = /^\n?:(\d+) (\d+) ([0-9a-f]+) ([0-9a-f]+) [A-Z]\d*$/;
/** What differs between two commits at some paths. */
export function readTreeChanges(git: Git, from: string, to: string, paths: readonly RepoPath[]): PathChanges {
  const args = ['diff-tree', '-r', '--raw', '-z', '--no-renames', '--no-abbrev', from, to, '--'];
  const found = inBatches(paths).map((batch) => splitNul(runGit(git, [...args, ...batch]).stdout));
  return parseRawDiff(found.flat());
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
  const head = /^ref: refs\/heads\/(.+?)\s*$/.exec(readTextIfExists(join(gitDir, 'HEAD')) ?? '')?.[1];
  if (head !== '.invalid') return head;
  // A repository with reftable keeps HEAD elsewhere, and says so by this name.
  return gitText(git, ['symbolic-ref', '--short', '--quiet', 'HEAD'], { okCodes: [0, 1] }) || undefined;
}

/** Whether a rebase, cherry-pick or revert is replaying commits in this worktree. */
export function isSequenceInProgress(gitDir: string): boolean {
  const marks = ['rebase-merge', 'rebase-apply', 'CHERRY_PICK_HEAD', 'REVERT_HEAD'];
  return marks.some((name) => disk.existsSync(join(gitDir, name)));
}

/** Whether a merge is about to be concluded in this worktree. */
export const isMergeInProgress = (gitDir: string): boolean => disk.existsSync(join(gitDir, 'MERGE_HEAD'));
