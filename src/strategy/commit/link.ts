import { sessionOfShell } from '../../agents/names.ts';
import { describeError } from '../../base/errors.ts';
import { log } from '../../base/log.ts';
import { once } from '../../base/once.ts';
import type { RepoPath } from '../../base/repo-path.ts';
import { counted } from '../../base/text/text.ts';
import { hasCheckpoint, readSlotMetadata } from '../../checkpoint/committed.ts';
import { shadowBranch } from '../../checkpoint/shadow-branch.ts';
import { findCallingGits, isReplay } from '../../git/caller.ts';
import { type Commit, readBranchName } from '../../git/commit/commits.ts';
import { AMENDED, isReplayed, isSquashMessage, readLastMove } from '../../git/commit/moves.ts';
import { isBySomebody } from '../../git/ref/reflog.ts';
import { readIdentity } from '../../git/ref/refs.ts';
import { forgetOwed, type OwedCheckpoint } from '../../session/record/owed.ts';
import {
  readVerdicts,
  recordVerdict,
  type Verdict,
  type VerdictReason,
} from '../../session/record/verdicts.ts';
import { tell } from '../progress.ts';
import { findCommitter, type Participant, readRecorded } from '../sessions.ts';
import { COMMIT_MS } from '../transcript/take-in.ts';
import type { Work } from '../work.ts';
import { type Judged, sinceAmended } from './amended.ts';
import { blobTextReader } from './blob-text.ts';
import { condenseSession, followAmendedCommit, isAdvanced, type Linking } from './condense-session.ts';
import { type Candidate, judgeSessions } from './judge.ts';
import { dropLeftovers } from './leftovers.ts';
import { isIdOf } from './own-id.ts';
import { findUnsure } from './unsure-paths.ts';

/** What became of a commit. */
interface Outcome {
  readonly reason: VerdictReason;
  /** Sessions whose work the commit holds. */
  readonly sessions: readonly string[];
  readonly detail?: string | undefined;
  readonly unsure?: Verdict['unsure'];
  /** Nothing is left that a later hook would have to do. */
  readonly isComplete: boolean;
}

const done = (reason: VerdictReason, sessions: readonly { readonly sessionId: string }[] = []): Outcome => ({
  reason,
  sessions: sessions.map(({ sessionId }) => sessionId),
  isComplete: true,
});

/** Links a commit and leaves its verdict; with `owed` it completes what another hook began. */
export async function concludeCommit(
  work: Work,
  commit: Commit,
  owed: OwedCheckpoint | undefined,
): Promise<void> {
  const record = ({ reason, sessions, detail, unsure }: Omit<Outcome, 'isComplete'>) =>
    recordVerdict(work.repo.commonDir, {
      commit: commit.oid,
      reason,
      checkpoint: commit.links.own,
      sessions,
      detail,
      unsure,
    });
  try {
    const outcome = await linkCommit(work, commit, owed);
    if (!isSaid(work, commit, outcome)) record(outcome);
    if (commit.links.own && outcome.isComplete) forgetOwed(work.repo.commonDir, commit.links.own);
  } catch (error) {
    record({ reason: 'condense-failed', sessions: [], detail: describeError(error) });
    throw error;
  }
}

/**
 * Whether a hook that ran between the commit and this one has linked it: then there is nothing new to say. An amend
 * within the same second makes the same commit again, and is not that.
 */
function isSaid(work: Work, commit: Commit, outcome: Outcome): boolean {
  if (outcome.reason !== 'kept') return false;
  if (readLastMove(work.repo.gitDir, commit.oid)?.action === AMENDED) return false;
  const [last] = readVerdicts(work.repo.commonDir, 1);
  return last?.commit === commit.oid && last.reason === 'linked';
}

/**
 * Turns the work of every session that is in a commit into a checkpoint under the id in its trailer; what was left
 * out stays with its session. With `owed` it completes what the commit's own hook could not: sessions that are done
 * already are left as they are.
 */
async function linkCommit(work: Work, made: Commit, owed?: OwedCheckpoint): Promise<Outcome> {
  const action = (!owed && readLastMove(work.repo.gitDir, made.oid)?.action) || '';
  if (!owed && (isReplayed(work.repo.gitDir, made, action) || isReplay(findCallingGits()))) {
    // Git does not write by itself what nobody has asked it for: who resolved a conflict may be the shell of a session.
    const unsure = isBySomebody(action) ? findUnsure(work, readRecorded(work).participants, made) : undefined;
    return { ...done('sequence'), unsure, isComplete: false }; // what is owed for the commit that was replayed is so still
  }
  const { participants, isPartial, isPaused } = readRecorded(work);
  // Before it is linked: what the sessions were in the middle of is what counts.
  const unsure = findUnsure(work, participants, made);
  const judged = { ...(await linkWith(work, participants, made, owed)), unsure };
  // What was promised before the pause, or before its record could not be read, waits for its end.
  if (isPaused && UNSEEN.has(judged.reason)) return { ...done('paused'), isComplete: false };
  if (isPaused && judged.reason === 'unknown-checkpoint') return { ...judged, isComplete: false };
  return isPartial ? { ...judged, isComplete: false } : judged;
}

/** What sessions that are paused would have been asked for first. */
const UNSEEN: ReadonlySet<VerdictReason> = new Set(['no-session', 'no-overlap']);

async function linkWith(
  work: Work,
  sessions: readonly Participant[],
  made: Commit,
  owed: OwedCheckpoint | undefined,
): Promise<Outcome> {
  const id = made.links.own;
  if (sessions.length === 0 && !id) return done('no-session');

  const readText = blobTextReader(work.git);
  const { commit, amended, takenOut } = sinceAmended(work, made);
  const candidates = judgeSessions(work, sessions, commit.changes, readText, () => commit.parents[0]);
  if (!id) {
    if (commit.parents.length > 1 || isSquashMessage(commit.message)) return done('merge');
    const missed = candidates.filter(({ overlap }) => overlap.length > 0).map(({ session }) => session);
    if (missed.length > 0) return done('trailer-missing', missed);
    return { ...done('no-overlap'), detail: explainUnrecordable(commit) };
  }

  const branch = readBranchName(work.git, work.repo.gitDir);
  const author = readIdentity(work.git);
  const linking = { work, commit, id, branch, author, readText, owed };
  if (owed) return completeLink(linking, candidates, owed);
  const outcome = await linkOrKeep(linking, made, sessions, { candidates, takenOut });
  if (amended) (await import('./evidence.ts')).renewEvidenceOf(linking, { commit: made, amended });
  return outcome;
}

async function linkOrKeep(
  linking: Unclaimed,
  made: Commit,
  sessions: readonly Participant[],
  { candidates, takenOut }: Pick<Judged, 'takenOut'> & { readonly candidates: readonly Candidate[] },
): Promise<Outcome> {
  const { work, commit, id } = linking;
  const isStored = () => hasCheckpoint(work.git, id); // a process that the usual commit does without
  const chosen = chooseSessions(work, candidates, commit, isStored);
  if (chosen.length > 0) {
    if (isIdOf(work, id, made)) return condenseSessions(linking, chosen);
    const foreign = chosen.map(({ session }) => session);
    return { ...done('foreign-checkpoint', foreign), detail: FOREIGN };
  }
  const owners = sessions.filter((session) => session.lastCheckpointId === id);
  for (const { sessionId } of owners) await followAmendedCommit(linking, sessionId, takenOut);
  return done(owners.length > 0 || isStored() ? 'kept' : 'unknown-checkpoint', owners);
}

/** What stands in the verdict beside the sessions whose work waits for another commit. */
const FOREIGN =
  'the checkpoint that its message names is that of another commit, and nothing was added to it';

/**
 * Whether a commit whose message names no checkpoint holds work of a session here. Where it is not known who made it, only
 * what a session is known to have touched counts: it may have been pulled.
 *
 * @param shell the session that made it, where that is known
 */
export function holdsWork(work: Work, made: Commit, shell: string | undefined): boolean {
  if (made.parents.length > 1 || isSquashMessage(made.message)) return false;
  const { participants } = readRecorded(work);
  if (participants.length === 0) return false;
  const { commit } = sinceAmended(work, made);
  const readText = blobTextReader(work.git);
  const candidates = judgeSessions(work, participants, commit.changes, readText, () => commit.parents[0]);
  if (shell === undefined) return candidates.some(({ overlap }) => overlap.length > 0);
  return chooseSessions(work, candidates, commit, () => false, { shell }).length > 0;
}

/** Names that are not UTF-8, or of several lines, cannot be told from one another in our files. */
function explainUnrecordable({ unrecordable }: Commit): string | undefined {
  if (unrecordable.length === 0) return undefined;
  const more = unrecordable.length > 1 ? ` and ${unrecordable.length - 1} more` : '';
  return `${JSON.stringify(unrecordable[0])}${more} cannot be recorded: not UTF-8, or of several lines`;
}

/** Before it is known whose the commit's paths are. */
type Unclaimed = Omit<Linking, 'claimed' | 'takesInUntil' | 'readEvidence'>;

async function completeLink(
  linking: Unclaimed,
  candidates: readonly Candidate[],
  owed: OwedCheckpoint,
): Promise<Outcome> {
  const { work, commit, id } = linking;
  const open = candidates.filter(({ session }) => !isAdvanced(session, commit));
  for (const { session } of candidates) {
    if (isAdvanced(session, commit))
      await dropLeftovers(work, session.sessionId, shadowBranch(owed.head, work.repo.worktreeId));
  }
  const chosen = chooseSessions(work, open, commit, () => hasCheckpoint(work.git, id), owed);
  const outcome = await condenseSessions(linking, chosen);
  if (!outcome.isComplete) return outcome;
  const stored = readSlotMetadata(work.git, id).filter(({ createdAt }) => Date.parse(createdAt) >= owed.atMs);
  if (stored.length > 0) return done('linked', stored);
  return done(hasCheckpoint(work.git, id) ? 'kept' : 'unknown-checkpoint');
}

/** One session that fails does not keep the others out. */
async function condenseSessions(unclaimed: Unclaimed, chosen: readonly Candidate[]): Promise<Outcome> {
  const linking: Linking = {
    ...unclaimed,
    claimed: claimedPaths(unclaimed, chosen),
    readEvidence: once(async () =>
      (await import('./evidence.ts')).readEvidence(unclaimed.work.git, unclaimed.commit),
    ),
    takesInUntil: Date.now() + COMMIT_MS,
  };
  const linked: Participant[] = [];
  const failures: string[] = [];
  for (const candidate of chosen) {
    const { session } = candidate;
    try {
      await condenseSession(linking, candidate);
      linked.push(session);
    } catch (error) {
      const reason = describeError(error);
      failures.push(reason);
      log('error', 'condensation failed', { session_id: session.sessionId, error: reason });
      tell(`[entire] Warning: session ${session.sessionId} could not be stored with this commit: ${reason}`);
    }
  }
  if (linked.length > 0) {
    const which = linking.owed ? ` ${linking.commit.oid.slice(0, 7)}` : ''; // an older one, which nobody has in mind
    tell(`[entire] Linked${which} to ${linking.id} (${counted(linked.length, 'session')})`);
  }
  const outcome = done(linked.length > 0 ? 'linked' : 'condense-failed', linked);
  return failures.length === 0 ? outcome : { ...outcome, detail: failures[0], isComplete: false };
}

/** Those of sessions that another hook has linked already stand in their slots. */
function claimedPaths({ work, id, owed }: Unclaimed, chosen: readonly Candidate[]): ReadonlySet<RepoPath> {
  const stored = owed && chosen.length > 0 ? readSlotMetadata(work.git, id) : [];
  return new Set([
    ...chosen.flatMap(({ overlap }) => overlap),
    ...stored.flatMap(({ filesTouched }) => filesTouched as RepoPath[]),
  ]);
}

/** Who made a commit that no recorded edit explains. */
interface Committer {
  readonly session: Participant | undefined;
  /** The shell in which the commit was made names the session. */
  readonly isNamed: boolean;
}

/** A commit that is completed later was made in another shell than that of this hook, and in a turn that may be over. */
function committerOf(
  work: Work,
  sessions: readonly Participant[],
  owed?: Pick<OwedCheckpoint, 'shell'>,
): Committer {
  const shell = owed ? owed.shell : sessionOfShell(process.env);
  const recorded = owed && sessions.find(({ sessionId }) => sessionId === shell);
  const session = recorded ?? findCommitter(work, sessions, shell, owed ? undefined : process.env);
  return { session, isNamed: session !== undefined && session.sessionId === shell };
}

/**
 * Sessions whose work is in the commit, and the one whose shell makes it. When there is none of either, but one is in
 * a turn, the agent changed the files in a way nobody reported (a shell command), and the commit is its work: the
 * trailer promises a checkpoint, unless it led to one before (a commit that is amended).
 */
function chooseSessions(
  work: Work,
  candidates: readonly Candidate[],
  commit: Commit,
  isStored: () => boolean,
  owed?: Pick<OwedCheckpoint, 'shell'>,
): Candidate[] {
  const overlapping = candidates.filter(({ overlap }) => overlap.length > 0);
  const everybody = candidates.map(({ session }) => session);
  const { session: committer, isNamed } = committerOf(work, everybody, owed);
  if (!committer || (!isNamed && (overlapping.length > 0 || isStored()))) return overlapping;
  if (commit.changes.size === 0 && isStored()) return overlapping; // an amend that only rewords
  if (overlapping.some(({ session }) => session === committer)) return overlapping;
  const taken = new Set(overlapping.flatMap(({ overlap }) => overlap));
  const rest = [...commit.changes.keys()].filter((path) => !taken.has(path));
  const own = candidates.find(({ session }) => session === committer) as Candidate;
  return [...overlapping, { ...own, overlap: rest.length > 0 ? rest : [...commit.changes.keys()] }];
}
