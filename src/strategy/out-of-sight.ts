import { lstatInWorktree } from '../base/disk.ts';
import { describeError } from '../base/errors.ts';
import { type ObjectId, parseObjectId, type SessionId } from '../base/ids.ts';
import { log } from '../base/log.ts';
import type { RepoPath } from '../base/repo-path.ts';
import { type CommitSince, readChangesOfEach } from '../git/commits.ts';
import type { TreeEntry } from '../git/objects.ts';
import { readRef } from '../git/refs.ts';
import { type Git, gitText } from '../git/run.ts';
import { findIgnored } from '../git/status.ts';
import type { SessionState } from '../session/state.ts';
import { sessionStore } from '../snapshot/blobs.ts';
import { readTakenBack } from '../snapshot/taken-back.ts';
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
 *
 * @param others sessions which may have written there since: what was taken back of theirs counts, too
 */
export function findTakenBack(
  { repo }: Pick<Work, 'repo'>,
  { sessionId }: Pick<SessionState, 'sessionId'>,
  among: Iterable<RepoPath>,
  others: readonly SessionId[] = [],
): RepoPath[] {
  const storeOf = (id: SessionId): string => sessionStore(repo.commonDir, id, repo.worktreeId);
  return readTakenBack(storeOf(sessionId), new Set(among), others.map(storeOf));
}

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
