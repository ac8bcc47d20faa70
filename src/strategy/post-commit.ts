import { sessionOfShell } from '../agents/names.ts';
import { describeError, EntireError } from '../base/errors.ts';
import type { CheckpointId } from '../base/ids.ts';
import { log } from '../base/log.ts';
import { sortedUnique } from '../base/repo-path.ts';
import { hasCheckpoint } from '../checkpoint/committed.ts';
import type { ShadowBranch } from '../checkpoint/shadow-branch.ts';
import { type Commit, isSequenceInProgress, readBranchName, readHeadCommit } from '../git/commits.ts';
import type { Identity, TreeEntry } from '../git/objects.ts';
import { readIdentity, updateRefs } from '../git/refs.ts';
import { withSessionLock } from '../session/lock.ts';
import { applyEvent, type SessionState } from '../session/state.ts';
import { readState, writeState } from '../session/state-store.ts';
import { claimFilesTouched } from '../session/tracking-file.ts';
import { recordVerdict, type VerdictReason } from '../session/verdicts.ts';
import { blobTextReader } from './blob-text.ts';
import { carryForward, findRemaining, type Remainder } from './carry-forward.ts';
import { condense } from './condense.ts';
import { isUsedByOthers } from './migrate.ts';
import { tell } from './progress.ts';
import { type Candidate, findCommitter, judgeSessions, listSessions } from './sessions.ts';
import type { Work } from './work.ts';

/** What the commit hook works with; looked up once for all sessions. */
interface Context {
  readonly work: Work;
  readonly commit: Commit;
  readonly id: CheckpointId;
  readonly branch: string | undefined;
  readonly author: Identity;
  readonly readText: (entry: TreeEntry) => string | undefined;
}

interface Outcome {
  readonly reason: VerdictReason;
  readonly sessions?: readonly SessionState[];
  readonly detail?: string | undefined;
}

/**
 * After a commit: the work of every session that is in it becomes a checkpoint under the id in the trailer, and
 * what was left out stays with its session. Leaves one verdict, whatever happens.
 */
export async function afterCommit(work: Work): Promise<void> {
  const commit = readHeadCommit(work.git);
  if (!commit) return;
  const record = ({ reason, sessions = [], detail }: Outcome) =>
    recordVerdict(work.repo.commonDir, {
      commit: commit.oid,
      reason,
      checkpoint: commit.checkpoint,
      sessions: sessions.map(({ sessionId }) => sessionId),
      detail,
    });
  try {
    record(await linkCommit(work, commit));
  } catch (error) {
    record({ reason: 'condense-failed', detail: describeError(error) });
    throw error;
  }
}

async function linkCommit(work: Work, commit: Commit): Promise<Outcome> {
  const id = commit.checkpoint;
  if (isSequenceInProgress(work.repo.gitDir)) return { reason: 'sequence' };
  const sessions = listSessions(work);
  if (sessions.length === 0) return { reason: id ? 'unknown-checkpoint' : 'no-session' };

  const readText = blobTextReader(work.git);
  const candidates = judgeSessions(work, sessions, commit.changes, readText);
  if (!id) {
    if (commit.parents.length > 1) return { reason: 'merge' };
    const missed = candidates.filter(({ overlap }) => overlap.length > 0).map(({ session }) => session);
    return missed.length > 0 ? { reason: 'trailer-missing', sessions: missed } : { reason: 'no-overlap' };
  }

  const branch = readBranchName(work.git, work.repo.gitDir);
  const context: Context = { work, commit, id, branch, author: readIdentity(work.git), readText };
  const isStored = () => hasCheckpoint(work.git, id); // a process that the usual commit does without
  const chosen = chooseSessions(candidates, commit, isStored);
  if (chosen.length > 0) return condenseSessions(context, chosen);
  const owners = sessions.filter((session) => session.lastCheckpointId === id);
  for (const owner of owners) await followAmendedCommit(context, owner);
  return {
    reason: owners.length > 0 || isStored() ? 'kept' : 'unknown-checkpoint',
    sessions: owners,
  };
}

/** One session that fails does not keep the others out. */
async function condenseSessions(context: Context, chosen: readonly Candidate[]): Promise<Outcome> {
  const linked: SessionState[] = [];
  const failures: string[] = [];
  for (const candidate of chosen) {
    const { session } = candidate;
    try {
      await condenseSession(context, candidate);
      linked.push(session);
    } catch (error) {
      const reason = describeError(error);
      failures.push(reason);
      log('error', 'condensation failed', { session_id: session.sessionId, error: reason });
      tell(`[entire] Warning: condensation failed for session ${session.sessionId}: ${reason}`);
    }
  }
  return { reason: linked.length > 0 ? 'linked' : 'condense-failed', sessions: linked, detail: failures[0] };
}

/**
 * Sessions whose work is in the commit, and the one whose shell makes it. When there is none of either, but one is in
 * a turn, the agent changed the files in a way nobody reported (a shell command), and the commit is its work: the
 * trailer promises a checkpoint, unless it led to one before (a commit that is amended).
 */
function chooseSessions(
  candidates: readonly Candidate[],
  commit: Commit,
  isStored: () => boolean,
): Candidate[] {
  const overlapping = candidates.filter(({ overlap }) => overlap.length > 0);
  const committer = findCommitter(
    candidates.map(({ session }) => session),
    process.env,
  );
  const isNamed = committer !== undefined && committer.sessionId === sessionOfShell(process.env);
  if (!committer || (!isNamed && (overlapping.length > 0 || isStored()))) return overlapping;
  if (overlapping.some(({ session }) => session === committer)) return overlapping;
  const taken = new Set(overlapping.flatMap(({ overlap }) => overlap));
  const rest = [...commit.changes.keys()].filter((path) => !taken.has(path));
  const own = candidates.find(({ session }) => session === committer) as Candidate;
  return [...overlapping, { ...own, overlap: rest.length > 0 ? rest : [...commit.changes.keys()] }];
}

/** The claimer's order: checkpoint, ref, carry-forward, state, and only then the claim. */
async function condenseSession(context: Context, judged: Candidate): Promise<void> {
  const { work, commit, id, branch, author, readText } = context;
  const sessionId = judged.session.sessionId;
  await withSessionLock(work.sessions, sessionId, async () => {
    const session = readState(work.sessions, sessionId);
    if (!session) throw new EntireError('STATE_UNREADABLE', `session ${sessionId} is gone`);
    const candidate = judgeAgain(context, judged, session);
    const { shadow, shadowEntries } = candidate;
    const claim = claimFilesTouched(work.sessions, sessionId);
    const touched = sortedUnique([...candidate.touched.all, ...claim.paths]);
    const late = claim.paths.filter(
      (path) => !candidate.touched.all.includes(path) && commit.changes.has(path),
    );
    const files = [...candidate.overlap, ...late];
    const remainder = findRemaining(work, touched, commit, shadow, readText);

    const items = await condense(work, session, { id, files, shadow, shadowEntries, branch, author });
    writeState(work.sessions, nextState(context, session, remainder, items));
    claim.release();
    dropShadowBranch(work, session, shadow);
    tell(
      `[entire] Condensed session ${sessionId.slice(0, 8)}: ${id} (${session.checkpointCount} checkpoints)`,
    );
  });
}

/** A stop hook may have saved a step between our look and the lock. A file that nobody reported stays in the commit. */
function judgeAgain(
  { work, commit, readText }: Context,
  judged: Candidate,
  session: SessionState,
): Candidate {
  const same = session.lastInteractionTime === judged.session.lastInteractionTime;
  if (same && session.checkpointCount === judged.session.checkpointCount) return judged;
  const [again] = judgeSessions(work, [session], commit.changes, readText);
  return again && again.overlap.length > 0 ? again : { ...judged, ...again, overlap: judged.overlap };
}

/** The state after condensation: based on the new commit, empty, or with what the commit left out. */
function nextState(
  { work, commit, id, author }: Context,
  session: SessionState,
  remainder: Remainder,
  items: number,
): SessionState {
  const acted = applyEvent(session, 'git-commit');
  const clean: SessionState = {
    ...acted,
    baseCommit: commit.oid,
    attributionBaseCommit: commit.oid,
    checkpointCount: 0,
    checkpointTranscriptStart: items,
    filesTouched: [],
    lastCheckpointId: id,
    turnCheckpointIds:
      acted.phase === 'active' ? [...new Set([...acted.turnCheckpointIds, id])] : acted.turnCheckpointIds,
  };
  if (remainder.paths.length === 0) return clean;
  try {
    return carryForward(work, clean, commit.oid, remainder, author);
  } catch (error) {
    log('warn', 'remaining files kept without a step', {
      session_id: session.sessionId,
      error: describeError(error),
    });
    return { ...clean, filesTouched: remainder.paths };
  }
}

/** Deletes the session's shadow branch, unless another session's steps are on it or it moved meanwhile. */
function dropShadowBranch(work: Work, session: SessionState, shadow: ShadowBranch): void {
  if (!shadow.tip || isUsedByOthers(work, session, shadow.name)) return;
  try {
    updateRefs(work.git, [{ ref: shadow.ref, from: shadow.tip, to: undefined }]);
  } catch (error) {
    log('info', 'shadow branch not deleted', { branch: shadow.name, error: describeError(error) });
  }
}

/** An amended commit keeps its id; the session it belongs to follows the new commit. */
async function followAmendedCommit({ work, commit }: Context, owner: SessionState): Promise<void> {
  await withSessionLock(work.sessions, owner.sessionId, () => {
    const session = readState(work.sessions, owner.sessionId);
    if (!session || session.checkpointCount > 0) return; // its shadow branch is named after the old base
    writeState(work.sessions, { ...session, baseCommit: commit.oid, attributionBaseCommit: commit.oid });
  });
}
