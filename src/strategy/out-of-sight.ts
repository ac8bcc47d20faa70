import { describeError } from '../base/errors.ts';
import { lstatInWorktree } from '../base/file/disk.ts';
import { type ObjectId, parseObjectId, type SessionId } from '../base/ids.ts';
import { log } from '../base/log.ts';
import type { RepoPath } from '../base/repo-path.ts';
import { type CommitSince, readChangesOfEach } from '../git/commit/commits.ts';
import { blobId, type TreeEntry } from '../git/object/objects.ts';
import { readRef } from '../git/ref/refs.ts';
import { type Git, gitText } from '../git/run.ts';
import { findIgnored } from '../git/worktree/status.ts';
import type { SessionState } from '../session/state.ts';
import { storeOf } from '../snapshot/place.ts';
import type { FileState } from '../snapshot/store/file-state.ts';
import { readLast, readTakenBack } from '../snapshot/undo/taken-back.ts';
import { readKept } from './versions.ts';
import type { Work } from './work.ts';

/** Older stashes are not looked into. */
const MAX_STASHES = 100;
const STASH = 'refs/stash';

/**
 * What stashes made since then hold of files that the worktree does not show as changed: work that was put away for a
 * while, and comes back by `git stash pop` when nobody may be there to tell whose it is. The newest stash of a file
 * counts. `undefined`: the stash has it deleted.
 */
export function readStashed(
  git: Git,
  paths: readonly RepoPath[],
  sinceMs: number,
): ReadonlyMap<RepoPath, TreeEntry | undefined> {
  const found = new Map<RepoPath, TreeEntry | undefined>();
  if (paths.length === 0 || !hasStash(git)) return found;
  const stashes = readStashesSince(git, sinceMs);
  const parts = stashes.flatMap(({ stash, base, untracked }): CommitSince[] => [
    ...(untracked ? [{ commit: untracked }] : []),
    { commit: stash, parent: base },
  ]);
  if (parts.length === 0) return found;
  const changes = readChangesOfEach(git, parts, paths);
  for (const { commit } of parts) {
    for (const [path, { after }] of changes.get(commit) ?? []) {
      if (!found.has(path)) found.set(path, after);
    }
  }
  return found;
}

/**
 * Those of some paths that an undo or a rewind was the last to write: of what a stash or an older step has there nothing is the
 * session's work any more.
 */
export function findTakenBack(
  { repo }: { readonly repo: Pick<Work['repo'], 'commonDir' | 'worktreeId'> },
  { sessionId }: Pick<SessionState, 'sessionId'>,
  among: Iterable<RepoPath>,
): RepoPath[] {
  return readTakenBack(storeOf(repo, sessionId), new Set(among));
}

/** Those of some paths that a step back, or one that was done again, was the last to write: the last step says nothing of them. */
export function findSteppedBack(
  { repo }: Pick<Work, 'repo'>,
  { sessionId }: Pick<SessionState, 'sessionId'>,
  among: readonly RepoPath[],
): RepoPath[] {
  const store = storeOf(repo, sessionId);
  return [...readLast(store, new Set(among))].flatMap(([path, { isTurn }]) => (isTurn ? [] : path));
}

/**
 * Those of some files that hold what other sessions wrote over a session's work, and had taken back since, as the last step on a branch that
 * they share has it still; each with what the session itself left, as far as that is known.
 *
 * @param entries what the steps have of the files
 * @param others those sessions
 */
export function findOverwritten(
  { repo }: Pick<Work, 'repo'>,
  { sessionId }: Pick<SessionState, 'sessionId'>,
  entries: ReadonlyMap<RepoPath, TreeEntry | undefined>,
  others: readonly SessionId[],
): Map<RepoPath, FileState | undefined> {
  const own = readLast(storeOf(repo, sessionId), new Set(entries.keys()));
  const found = new Map<RepoPath, FileState | undefined>();
  const isAs = openIsAs(storeOf(repo, sessionId));
  const foreign = [...own].flatMap(([path, { id, after }]) => {
    const entry = entries.get(path);
    return !entry || isAs(after, entry) ? [] : [{ path, id, after }];
  });
  const oldest = foreign.map(({ id }) => id).sort()[0];
  if (oldest === undefined) return found;
  const paths = new Set(foreign.map(({ path }) => path));
  const since = others.map((id) => readLast(storeOf(repo, id), paths, oldest));
  for (const { path, id, after } of foreign)
    if (since.some((last) => last.get(path)?.isTakenBack && (last.get(path)?.id ?? '') > id))
      found.set(path, after);
  return found;
}

/** Those of some files that a session left as an entry has them, by what is kept of its turns: steps of others may have come since. */
export function findLeftAs(
  { repo }: Pick<Work, 'repo'>,
  { sessionId }: Pick<SessionState, 'sessionId'>,
  entries: ReadonlyMap<RepoPath, TreeEntry>,
): RepoPath[] {
  if (entries.size === 0) return [];
  const store = storeOf(repo, sessionId);
  const isAs = openIsAs(store);
  return [...readLast(store, new Set(entries.keys()))].flatMap(([path, { after, isTakenBack }]) => {
    const entry = entries.get(path);
    return entry && !isTakenBack && isAs(after, entry) ? path : [];
  });
}

/** Whether what is kept of a file is the content of an entry. */
const openIsAs =
  (store: ReturnType<typeof storeOf>) =>
  (state: FileState | undefined, entry: TreeEntry): boolean => {
    if (state?.kind === 'git') return state.oid === entry.oid;
    const bytes = readKept(store, state);
    return bytes !== undefined && blobId(bytes, entry.oid) === entry.oid;
  };

/** One that is damaged tells nothing any more, and is nothing to wait for. */
function hasStash(git: Git): boolean {
  try {
    return readRef(git, STASH) !== undefined;
  } catch (error) {
    if (!/\b(corrupt|empty|bad object)\b/.test(describeError(error))) throw error;
    log('warn', 'the stash is damaged and not looked into', { error: describeError(error) });
    return false;
  }
}

interface Stash {
  readonly stash: ObjectId;
  readonly base: ObjectId;
  /** Commit of the untracked files, if there were any. */
  readonly untracked: ObjectId | undefined;
}

/** Newest first. */
function readStashesSince(git: Git, sinceMs: number): Stash[] {
  const stashes: Stash[] = [];
  const text = gitText(git, ['log', '-g', `--max-count=${MAX_STASHES}`, '--format=%ct %H %P', STASH]);
  for (const line of text.split('\n')) {
    const [seconds, ...ids] = line.split(' ');
    const [stash, base, , untracked] = ids.map(parseObjectId);
    if ((Number(seconds) + 1) * 1000 <= sinceMs) break;
    if (stash && base) stashes.push({ stash, base, untracked });
  }
  return stashes;
}

/** Files that are there and that git ignores: `git status` says nothing of them, and no step has them. */
export function findIgnoredFiles({ git, repo }: Work, paths: readonly RepoPath[]): readonly RepoPath[] {
  return findIgnored(
    git,
    paths.filter((path) => lstatInWorktree(repo.worktreeRoot, path)),
  ) as RepoPath[];
}
