import { describeError } from '../../base/errors.ts';
import { newCheckpointId, type ObjectId, type SessionId } from '../../base/ids.ts';
import { log } from '../../base/log.ts';
import { hasCheckpoint } from '../../checkpoint/committed.ts';
import { type Commit, isAncestor, readChanges, readCommit } from '../../git/commit/commits.ts';
import { withOwn } from '../../git/commit/links.ts';
import { AMENDED } from '../../git/commit/moves.ts';
import { noteCheckpoint } from '../../git/commit/notes.ts';
import { isSequenceInProgress } from '../../git/commit/operation.ts';
import { BRANCHES_OF_PEOPLE } from '../../git/ref/people.ts';
import { type HeadMove, readRecentMoves } from '../../git/ref/reflog.ts';
import { runGit } from '../../git/run.ts';
import { withNotesLock } from '../../session/notes-lock.ts';
import { listOwed, oweCheckpoint } from '../../session/record/owed.ts';
import { readVerdicts } from '../../session/record/verdicts.ts';
import { isPending } from '../../session/state.ts';
import { readStateIfReadable } from '../../session/state-store.ts';
import { type Participant, readRecorded } from '../sessions.ts';
import type { Work } from '../work.ts';
import { only } from './amended.ts';
import { isFree } from './own-id.ts';

/** A commit's own hook, where it runs, leaves its verdict within this time. */
const OWN_HOOK_MS = 250;
const POLL_MS = 25;
/** More commits than these without a hook were not made one by one. */
const MAX_COMMITS = 50;

/**
 * Links commits of this worktree for which no git hook of ours ran, as some agents switch off git hooks in their shells. Such a
 * commit is as it is: a git note (`refs/notes/entire`) names its checkpoint, where its message does not. One that was amended
 * keeps the checkpoint it had. Costs one look at the reflog where there is none. Never throws.
 *
 * @param sessionId commits since this session began are looked at, and since others did that have work without a commit
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
  const { gitDir, commonDir } = work.repo;
  if (isSequenceInProgress(gitDir)) return;
  const own = readStateIfReadable(work.sessions, sessionId); // with its first prompt it has none yet
  const others = isItsShell ? [] : listWaiting(work); // a shell command is over: there are many in a turn
  const sessions = [...(own ? [own] : []), ...others];
  const since = Math.min(...sessions.flatMap(({ startedAt }) => Date.parse(startedAt) || []));
  if (!Number.isFinite(since)) return;
  const moves = readRecentMoves(gitDir).filter(
    ({ atMs, action }) => atMs >= floor(since) && isCommit(action),
  );
  if ((await waitForHooks(work, moves)).length === 0) return;
  // One after the other: two hooks at once would each promise a checkpoint, and git notes know no locks.
  await withNotesLock(commonDir, async () => {
    const reachable = findReachable(work, floor(since));
    const unjudged = findUnjudged(work, moves).filter(({ to }) => reachable.has(to));
    for (const move of unjudged.slice(-MAX_COMMITS)) {
      if (isOlder(work, move, sessions)) continue;
      try {
        await linkOne(work, moves, move, isItsShell ? sessionId : undefined);
      } catch (error) {
        log('warn', 'commit not linked afterwards', { commit: move.to, error: describeError(error) });
      }
    }
  });
}

/** Sessions of this worktree with work that no commit has: one that is over waits, too, and has no prompt of its own. */
const listWaiting = (work: Work): Participant[] =>
  readRecorded(work).participants.filter(
    (session) => !session.isVisitor && (session.isTracked || isPending(session)),
  );

/** Whether a commit was there before what the sessions did that no checkpoint has; they may have begun in the same second. */
const isOlder = (
  work: Work,
  { to }: HeadMove,
  sessions: readonly Pick<Participant, 'sessionId'>[],
): boolean =>
  sessions.every(({ sessionId }) => {
    const base = readStateIfReadable(work.sessions, sessionId)?.attributionBaseCommit;
    return base !== undefined && base !== '' && isAncestor(work.git, to, base);
  });

/** Whether a commit that no hook of ours has seen is one that {@link linkUnhooked} looks at. */
export const isLookedAt = (work: Work, oid: ObjectId): boolean =>
  readRecentMoves(work.repo.gitDir).some(
    ({ to, action, atMs }) => to === oid && isCommit(action) && findReachable(work, floor(atMs)).has(oid),
  );

async function linkOne(
  work: Work,
  moves: readonly HeadMove[],
  move: HeadMove,
  shell: SessionId | undefined,
): Promise<void> {
  const { commonDir, worktreeId } = work.repo;
  const made = readCommit(work.git, move.to);
  if (!made) return;
  const amended = move.action === AMENDED ? findAmended(work, moves, move) : undefined;
  const known = made.links.own ?? amended?.links.own;
  // Its own hook is at work, or was killed: the next one completes it.
  if (known && listOwed(commonDir, worktreeId).some(({ id }) => id === known)) return;
  const changes = amended && only(readChanges(work.git, amended.oid, made.oid), made.changes);
  const commit = changes ? { ...made, changes } : made;
  const { concludeCommit, holdsWork } = await import('./link.ts'); // seldom needed, and large
  const holds = !(known && commit.changes.size === 0) && holdsWork(work, commit, shell);
  if (!holds && !known) return concludeCommit(work, commit, undefined);
  // Copied, or put there by hand: the verdict says so.
  const isForeign = known !== undefined && known !== amended?.links.own && !isFree(work, known, commit.oid);
  if (holds && isForeign) return concludeCommit(work, commit, undefined);
  if (!holds && known && !hasCheckpoint(work.git, known)) return;
  const id = known ?? newCheckpointId();
  const head = amended?.oid ?? commit.parents[0] ?? '';
  const owed = oweCheckpoint(commonDir, { id, worktreeId, head, shell });
  if (!made.links.own) noteCheckpoint(work.git, commit.oid, id);
  log('info', 'a commit whose git hooks did not run is linked', { commit: commit.oid, checkpoint: id });
  await concludeCommit(work, { ...commit, links: withOwn(commit.links, id) }, owed);
}

/** What a commit was before it was amended, once or several times, where that was linked. */
function findAmended({ git }: Work, moves: readonly HeadMove[], made: HeadMove): Commit | undefined {
  let at = moves.lastIndexOf(made);
  for (let move = moves[at]; move?.action === AMENDED; move = moves[at]) {
    const { from } = move;
    const before = readCommit(git, from);
    if (before?.links.own) return before;
    at = moves.slice(0, at).findLastIndex(({ to }) => to === from);
  }
  return undefined;
}

/** Git counts in seconds. */
const floor = (ms: number): number => Math.floor(ms / 1000) * 1000;

/** Not what replays commits: those keep what their messages say. */
const isCommit = (action: string): boolean => /^commit( \((initial|amend)\))?$/.test(action);

/**
 * Commits since then that HEAD has, or a branch that is not ours. One that was amended or taken back is no commit of anybody's
 * any more.
 */
function findReachable({ git }: Work, sinceMs: number): ReadonlySet<string> {
  const args = ['rev-list', `--since=${sinceMs / 1000}`, ...BRANCHES_OF_PEOPLE, 'HEAD', '--'];
  const { stdout } = runGit(git, args, { okUnknown: true }); // a branch may be about to begin
  return new Set(stdout.toString('latin1').split('\n'));
}

/** How commits without a verdict were made, oldest first. */
function findUnjudged({ repo }: Work, moves: readonly HeadMove[]): HeadMove[] {
  if (moves.length === 0) return [];
  const judged = new Set(readVerdicts(repo.commonDir, Number.POSITIVE_INFINITY).map(({ commit }) => commit));
  return [...new Map(moves.map((move) => [move.to, move])).values()].filter(({ to }) => !judged.has(to));
}

async function waitForHooks(work: Work, moves: readonly HeadMove[]): Promise<HeadMove[]> {
  const last = Math.max(...moves.map(({ atMs }) => atMs));
  // A commit of some time ago had its hook, or has none.
  const until = Math.min(Date.now(), last + 2_000) + OWN_HOOK_MS;
  for (;;) {
    const unjudged = findUnjudged(work, moves);
    if (unjudged.length === 0 || Date.now() >= until) return unjudged;
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}
