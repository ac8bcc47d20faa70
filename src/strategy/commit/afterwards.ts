import { describeError } from '../../base/errors.ts';
import { newCheckpointId, type ObjectId, type SessionId } from '../../base/ids.ts';
import { log } from '../../base/log.ts';
import { isAncestor, readCommit } from '../../git/commits.ts';
import { isSequenceInProgress } from '../../git/operation.ts';
import { type HeadMove, readRecentMoves } from '../../git/reflog.ts';
import { noteCheckpoint } from '../../git/trailers.ts';
import { oweCheckpoint } from '../../session/owed.ts';
import { readStateIfReadable } from '../../session/state-store.ts';
import { readVerdicts } from '../../session/verdicts.ts';
import type { Work } from '../work.ts';
import { settleOwed } from './settle.ts';

/** A commit's own hook, where it runs, leaves its verdict within this time. */
const OWN_HOOK_MS = 250;
const POLL_MS = 25;
/** More commits than these without a hook were not made one by one. */
const MAX_COMMITS = 50;

/**
 * Links commits of this worktree for which no git hook of ours ran, as some agents switch off git hooks in their
 * shells. Such a commit is as it is: a git note (`refs/notes/entire`) names its checkpoint. Costs one look at the
 * reflog where there is none. Never throws.
 *
 * @param sessionId commits since this session began are looked at
 * @param isItsShell the session has just run a command: a commit that nobody's edits explain is its own
 */
export async function linkUnhooked(work: Work, sessionId: SessionId, isItsShell: boolean): Promise<void> {
  try {
    await linkAll(work, sessionId, isItsShell);
  } catch (error) {
    // What the hook is called for does not depend on it; the next one looks again.
    log('warn', 'commits without git hooks not looked at', { error: describeError(error) });
  }
}

async function linkAll(work: Work, sessionId: SessionId, isItsShell: boolean): Promise<void> {
  const { gitDir, commonDir, worktreeId } = work.repo;
  const state = readStateIfReadable(work.sessions, sessionId);
  const since = Date.parse(state?.startedAt ?? '');
  if (Number.isNaN(since) || isSequenceInProgress(gitDir)) return;
  const moves = readRecentMoves(gitDir).filter(
    ({ atMs, action }) => atMs >= floor(since) && isCommit(action),
  );
  const unjudged = await waitForHooks(work, moves);
  if (unjudged.length === 0) return;
  const { concludeCommit, holdsWork } = await import('./link.ts'); // seldom needed, and large
  const shell = isItsShell ? sessionId : undefined;
  for (const oid of unjudged.slice(-MAX_COMMITS)) {
    const commit = readCommit(work.git, oid);
    // One that was amended or taken back since is no commit of anybody's any more; what has a trailer, a hook has seen.
    if (!commit || commit.checkpoint || !isAncestor(work.git, oid, 'HEAD')) continue;
    // Made in the second in which the session began, and before it.
    const base = state?.attributionBaseCommit;
    if (base && isAncestor(work.git, oid, base)) continue;
    try {
      if (!holdsWork(work, commit, shell)) {
        await concludeCommit(work, commit, undefined);
        continue;
      }
      const id = newCheckpointId();
      const head = commit.parents[0] ?? '';
      oweCheckpoint(commonDir, { id, worktreeId, head, shell });
      noteCheckpoint(work.git, oid, id);
      log('info', 'a commit whose git hooks did not run is linked', { commit: oid, checkpoint: id });
      await settleOwed(work);
    } catch (error) {
      log('warn', 'commit not linked afterwards', { commit: oid, error: describeError(error) });
    }
  }
}

/** Git counts in seconds. */
const floor = (ms: number): number => Math.floor(ms / 1000) * 1000;

/** Not what replays commits: those keep what their messages say. */
const isCommit = (action: string): boolean => /^commit( \((initial|amend)\))?$/.test(action);

/** Commits without a verdict, oldest first. */
function findUnjudged({ repo }: Work, moves: readonly HeadMove[]): ObjectId[] {
  if (moves.length === 0) return [];
  const judged = new Set(readVerdicts(repo.commonDir, Number.POSITIVE_INFINITY).map(({ commit }) => commit));
  return [...new Set(moves.map(({ to }) => to))].filter((oid) => !judged.has(oid));
}

async function waitForHooks(work: Work, moves: readonly HeadMove[]): Promise<ObjectId[]> {
  const last = Math.max(...moves.map(({ atMs }) => atMs));
  // A commit of some time ago had its hook, or has none.
  const until = Math.min(Date.now(), last + 2_000) + OWN_HOOK_MS;
  for (;;) {
    const unjudged = findUnjudged(work, moves);
    if (unjudged.length === 0 || Date.now() >= until) return unjudged;
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}
