import { sessionOfShell } from '../../agents/names.ts';
import { describeError, EntireError } from '../../base/errors.ts';
import type { CheckpointId, SessionId } from '../../base/ids.ts';
import { log } from '../../base/log.ts';
import { type RepoPath, sortedUnique } from '../../base/repo-path.ts';
import { readSlotMetadata } from '../../checkpoint/committed.ts';
import type { CommitEvidence } from '../../checkpoint/evidence.ts';
import type { InitialAttribution } from '../../checkpoint/initial-attribution.ts';
import type { Commit } from '../../git/commit/commits.ts';
import type { Identity } from '../../git/object/objects.ts';
import { readHead } from '../../git/ref/refs.ts';
import { withSessionLock } from '../../session/lock.ts';
import type { OwedCheckpoint } from '../../session/record/owed.ts';
import { readBaseline, writeBaseline } from '../../session/record/turn-snapshot.ts';
import type { SessionState } from '../../session/state.ts';
import { readState } from '../../session/state-store.ts';
import { claimFilesTouched, trackAgain } from '../../session/tracking-file.ts';
import { carryUserLines } from '../attribution/carry.ts';
import { openAttribution } from '../attribution/open.ts';
import { openState, type Participant } from '../sessions.ts';
import { afterCommit } from '../signs-of-life.ts';
import { forgetRedacted, readTaskFiles } from '../task/condense.ts';
import { type RedactedTranscript, renew } from '../transcript/redacted.ts';
import { saveRedacted } from '../transcript/save.ts';
import { takeIn } from '../transcript/take-in.ts';
import { saveState, type Work } from '../work.ts';
import type { Judged } from './amended.ts';
import type { BlobTexts } from './blob-text.ts';
import { carryForward, findRemaining, type Remainder } from './carry-forward.ts';
import { condense, redactForCheckpoint } from './condense.ts';
import { type Candidate, judgeSessions } from './judge.ts';
import { dropShadowBranch } from './leftovers.ts';
import { withTakenOut } from './taken-out.ts';

/** What a commit is linked with; looked up once for all sessions. */
export interface Linking {
  readonly work: Work;
  readonly commit: Commit;
  readonly id: CheckpointId;
  readonly branch: string | undefined;
  readonly author: Identity;
  readonly readText: BlobTexts;
  /** Paths of the commit that belong to one of the sessions it is linked with. */
  readonly claimed: ReadonlySet<RepoPath>;
  /** What the commit holds; `undefined` where that cannot be read. */
  readonly readEvidence: () => Promise<CommitEvidence | undefined>;
  /** Until then long transcripts are taken in, of all sessions together: somebody waits. In milliseconds since 1970. */
  readonly takesInUntil: number;
  /** Set where a later hook completes what the commit's own hook could not. */
  readonly owed: OwedCheckpoint | undefined;
}

/**
 * The work that a commit holds of one session becomes a checkpoint. The claimer's order: checkpoint, ref,
 * carry-forward, state, and only then the claim.
 *
 * @throws {EntireError} `LOCKED`, `REDACTION_FAILED`, `REF_MOVED`, `STATE_UNREADABLE`; what was done stays done
 */
export async function condenseSession(linking: Linking, judged: Candidate): Promise<void> {
  const { work } = linking;
  const { sessionId, isVisitor } = judged.session;
  const before = openState(work, sessionId);
  if (!before) throw new EntireError('STATE_UNREADABLE', `session ${sessionId} is gone`);
  // Before the lock: a transcript that we never met can take seconds.
  await takeIn(work, before, linking.takesInUntil - Date.now());
  const early = await redactForCheckpoint(work, before, judged.shadow, judged.shadowEntries);
  await withSessionLock(work.sessions, sessionId, async () => {
    const transcript = await renew(early);
    const session = readState(work.sessions, sessionId) ?? before;
    if (!isVisitor && isDone(linking, before, session)) return;
    await (isVisitor ? condenseVisit : condenseOwn)(linking, judged, session, transcript);
  });
}

/** Whether another hook has completed this commit while we waited for the lock; nothing else sets that base. */
const isDone = ({ commit }: Linking, before: SessionState, session: SessionState): boolean =>
  session.attributionBaseCommit === commit.oid && before.attributionBaseCommit !== commit.oid;

async function condenseOwn(
  linking: Linking,
  judged: Candidate,
  session: SessionState,
  transcript: RedactedTranscript,
): Promise<void> {
  const { work, commit, readText, owed } = linking;
  const candidate = judgeAgain(linking, judged, session);
  const claim = claimFilesTouched(work.sessions, session.sessionId);
  const renamed = new Set(candidate.renamed.values());
  const { touched } = candidate;
  const claimed = new Set(claim.paths.filter((path) => !touched.undone.has(path)));
  // What the commit takes away under its old name may be in a stash, with more of the session's work than it has under the new one.
  const isSettled = (path: RepoPath) => renamed.has(path) && !commit.changes.has(path);
  const all = sortedUnique([...touched.all, ...claimed]).filter((path) => !isSettled(path));
  const known = new Set(touched.all);
  const saved = new Set([...touched.saved].filter((path) => !claimed.has(path)));
  const late = [...claimed].filter((path) => !known.has(path) && commit.changes.has(path));
  const find = (paths: readonly RepoPath[]) =>
    findRemaining(work, session, { all: paths, saved }, commit, candidate.shadow, readText);
  const others = all.filter((path) => !commit.changes.has(path));
  // Later HEAD may be elsewhere, and the worktree does not tell what the commit left of the files that it took.
  const isLate = owed && readHead(work.git, work.repo) !== commit.oid;
  const remainder = isLate ? { ...find(others), paths: others } : find(all);

  const files = [...candidate.overlap, ...late];
  // What is not in the worktree either was more likely deleted than left out.
  const left = new Set(remainder.paths.filter((path) => !remainder.elsewhere.has(path)));
  await writeSlot(linking, candidate, session, { files, saved, left }, transcript);
  saveState(work, nextState(linking, session, remainder, transcript));
  if (session.phase === 'active') noteCondensed(work, session, transcript.items, remainder);
  trackAgain(work.sessions, session.sessionId, remainder.unseen);
  claim.release();
  dropShadowBranch(work, session.sessionId, candidate.shadow);
}

/**
 * What its tools wrote up to here is in the commit, or carried forward: the turn's end looks at the rest, and whether
 * what was left in the worktree is there still.
 */
function noteCondensed(
  work: Work,
  { sessionId, turnId }: SessionState,
  items: number,
  { paths, elsewhere }: Remainder,
): void {
  try {
    const baseline = readBaseline(work.repo.commonDir, sessionId, turnId);
    if (!baseline) return;
    const left = paths.filter((path) => !elsewhere.has(path)).map((path) => [path, ''] as const);
    const known = new Map([...left, ...baseline.paths]);
    writeBaseline(work.repo.commonDir, sessionId, { ...baseline, condensedItems: items, paths: known });
  } catch (error) {
    log('warn', 'turn baseline not updated', { session_id: sessionId, error: describeError(error) });
  }
}

/**
 * Work that a session did in another worktree than its own: its state, and the steps it has at home, stay as they are;
 * what the commit left out stays tracked.
 */
async function condenseVisit(
  linking: Linking,
  judged: Candidate,
  session: SessionState,
  transcript: RedactedTranscript,
): Promise<void> {
  const { work, commit, id, readText } = linking;
  const claim = claimFilesTouched(work.sessions, session.sessionId, work.repo.worktreeId);
  const all = claim.paths.filter((path) => !judged.touched.undone.has(path));
  const files = all.filter((path) => commit.changes.has(path));
  const nothing = new Set<RepoPath>();
  const taken = { files: [...judged.overlap, ...files], saved: nothing, left: nothing };
  await writeSlot(linking, judged, { ...session, checkpointCount: 0 }, taken, transcript);
  const touched = { all, saved: nothing };
  const { paths, unseen } = findRemaining(work, session, touched, commit, judged.shadow, readText);
  trackAgain(work.sessions, session.sessionId, [...paths, ...unseen], work.repo.worktreeId);
  if (isProvisional(session, transcript)) {
    const ids = new Set([...session.turnCheckpointIds, id]);
    saveState(work, { ...afterCommit(work.repo.commonDir, session), turnCheckpointIds: [...ids] });
  }
  claim.release();
}

/** What a commit took of a session. */
interface Taken {
  readonly files: readonly RepoPath[];
  /** Paths whose content the last step has. */
  readonly saved: ReadonlySet<RepoPath>;
  /** Paths of which the worktree has something that the commit has not. */
  readonly left: ReadonlySet<RepoPath>;
}

/** Writes the session's slot, unless a hook that was killed afterwards has written it for this commit already. */
async function writeSlot(
  linking: Linking,
  candidate: Candidate,
  session: SessionState,
  taken: Taken,
  transcript: RedactedTranscript,
): Promise<void> {
  const { work, commit, id, branch, author, owed } = linking;
  const { files } = taken;
  const { shadow, shadowEntries } = candidate;
  const { isVisitor } = candidate.session;
  const isWritten =
    owed !== undefined &&
    readSlotMetadata(work.git, id).some(
      ({ sessionId, createdAt }) => sessionId === session.sessionId && Date.parse(createdAt) >= owed.atMs,
    );
  if (isWritten) return;
  const tasks = isVisitor ? [] : await readTaskFiles(work, session, shadow, transcript.live);
  const attribution = await attributeLines(linking, candidate, session, taken);
  const what = { id, commit: commit.oid, files, transcript, shadow, shadowEntries, branch, author, tasks };
  await condense(work, session, { ...what, attribution, evidence: await linking.readEvidence() });
  if (!isVisitor) forgetRedacted(work, session);
  saveRedacted(transcript, commit.oid);
}

async function attributeLines(
  { work, commit, claimed, owed }: Linking,
  { shadow, shadowEntries, renamed, session: { isVisitor } }: Candidate,
  session: SessionState,
  { files, saved, left }: Taken,
): Promise<InitialAttribution | undefined> {
  const hasSteps = session.checkpointCount > 0 || saved.size > 0;
  // A session's first commit without a step has no numbers in this format; those after it have what was recorded since.
  if (isVisitor || (hasSteps ? !shadow.tip : session.checkpointTranscriptStart === 0)) return undefined;
  const attribute = await openAttribution(work, session);
  return attribute({
    changes: commit.changes,
    files,
    left,
    renamed,
    foreign: claimed,
    saved,
    steps: shadowEntries,
    isByAgent: (owed ? owed.shell : sessionOfShell(process.env)) === session.sessionId,
  });
}

/** A stop hook may have saved a step between our look and the lock. A file that nobody reported stays in the commit. */
function judgeAgain(
  { work, commit, readText }: Linking,
  judged: Candidate,
  session: SessionState,
): Candidate {
  const same = session.lastInteractionTime === judged.session.lastInteractionTime;
  if (same && session.checkpointCount === judged.session.checkpointCount) return judged;
  const participant = { ...session, isTracked: true, isVisitor: false };
  const [again] = judgeSessions(work, [participant], commit.changes, readText, () => commit.parents[0]);
  return again && again.overlap.length > 0 ? again : { ...judged, ...again, overlap: judged.overlap };
}

/** Whether a checkpoint of this moment is to be completed: the turn goes on, or a part of a long transcript is not taken in yet. */
const isProvisional = ({ phase }: Pick<SessionState, 'phase'>, { live }: RedactedTranscript): boolean =>
  phase === 'active' || live.rest !== undefined;

/** The state after condensation: based on the new commit, empty, or with what the commit left out. */
function nextState(
  { work, commit, id, author }: Linking,
  session: SessionState,
  remainder: Remainder,
  transcript: RedactedTranscript,
): SessionState {
  const acted = afterCommit(work.repo.commonDir, session);
  const clean: SessionState = {
    ...acted,
    baseCommit: commit.oid,
    attributionBaseCommit: commit.oid,
    checkpointCount: 0,
    checkpointTranscriptStart: transcript.items,
    filesTouched: [],
    promptAttributions: [],
    pendingPromptAttribution: undefined,
    lastCheckpointId: id,
    turnCheckpointIds: isProvisional(acted, transcript)
      ? [...new Set([...acted.turnCheckpointIds, id])]
      : acted.turnCheckpointIds,
  };
  const kept = remainder.paths.filter((path) => !commit.changes.has(path));
  const promptAttributions = carryUserLines(work, session, kept, commit);
  if (remainder.paths.length === 0) return clean;
  try {
    return { ...carryForward(work, clean, commit.oid, remainder, author), promptAttributions };
  } catch (error) {
    log('warn', 'remaining files kept without a step', {
      session_id: session.sessionId,
      error: describeError(error),
    });
    return { ...clean, filesTouched: remainder.paths };
  }
}

/** Whether a session's state was moved on to the commit. */
export const isAdvanced = (session: Participant, commit: Commit): boolean =>
  !session.isVisitor && session.baseCommit === commit.oid;

/** An amended commit keeps its id; the session it belongs to follows the new commit. */
export async function followAmendedCommit(
  linking: Pick<Linking, 'work' | 'commit' | 'id' | 'author'>,
  sessionId: SessionId,
  takenOut: Judged['takenOut'],
): Promise<void> {
  const { work, commit } = linking;
  await withSessionLock(work.sessions, sessionId, () => {
    const session = readState(work.sessions, sessionId);
    if (!session || session.checkpointCount > 0) return; // its shadow branch is named after the old base
    carryUserLines(work, session, [], commit);
    const moved = { ...session, baseCommit: commit.oid, attributionBaseCommit: commit.oid };
    saveState(work, withTakenOut(linking, moved, takenOut));
  });
}
