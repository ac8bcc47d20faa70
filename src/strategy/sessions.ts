import { basename } from 'node:path';
import { mayBeShellOf, sessionOfShell } from '../agents/names.ts';
import { now } from '../base/clock.ts';
import type { SessionId } from '../base/ids.ts';
import { log } from '../base/log.ts';
import { type RepoPath, sortedUnique } from '../base/repo-path.ts';
import { branchRef, readStepSessions, shadowBranch } from '../checkpoint/shadow-branch.ts';
import { readIntroduction } from '../session/record/introduction.ts';
import { listOwed } from '../session/record/owed.ts';
import { readPausesOf } from '../session/record/pause.ts';
import { readTaskRecord } from '../session/record/task-record.ts';
import { readBaseline } from '../session/record/turn-snapshot.ts';
import { listSummaries, listTracked, type SessionSummary } from '../session/session-index.ts';
import { isPending, type SessionState } from '../session/state.ts';
import { listSetAside, readState, readStateIfReadable, sessionOfStateFile } from '../session/state-store.ts';
import { isTrackedSince, readFilesTouched } from '../session/tracking-file.ts';
import { newSession } from './new-session.ts';
import { findTakenBack } from './out-of-sight.ts';
import { resolveFilesTouched, toWorktreePaths } from './resolve-files-touched.ts';
import { canBeAtWork, heardMs, isHeard, isRecent } from './signs-of-life.ts';
import { readLive } from './transcript/live.ts';
import { sliceFrom } from './transcript/part.ts';
import type { Work } from './work.ts';

/** A session as seen from a worktree. */
export interface Participant extends SessionSummary {
  /** It lives in another worktree of the repository, and has edits of its agent, or its agent's shell, in this one. */
  readonly isVisitor: boolean;
}

/** Files of a session, by how well we know what the agent made of them. */
export interface Touched {
  /** Saved by a step: the shadow tree has the agent's content. */
  readonly saved: ReadonlySet<RepoPath>;
  /** Written since the last step: only the name is known. */
  readonly fresh: ReadonlySet<RepoPath>;
  readonly all: readonly RepoPath[];
  /** Written since the last step, and taken back since by an undo or a rewind: in none of the others, unless a step has them. */
  readonly undone: ReadonlySet<RepoPath>;
}

/**
 * Sessions that live in this worktree, archived ones without new edits left out, and then those that have tracked edits
 * here and live elsewhere. Reads only; nothing is ever deleted by looking.
 */
export const listParticipants = (work: Work): Participant[] => readSessions(work).participants;

/** {@link listParticipants}, and whether one may be missing that could not be read at this moment. */
export function readSessions(work: Work): { participants: Participant[]; isPartial: boolean } {
  const { sessions, unreadable, isPartial, strangers, away } = listSummaries(work.sessions, work.settled);
  for (const file of unreadable) log('warn', 'unreadable session state', { file });
  const { worktreeId } = work.repo;
  // By id, not by path: a repository that was moved, or is reached through a link, keeps its sessions.
  const own = sessions.filter((session) => session.worktreeId === worktreeId);
  const met = strangers.flatMap((id) => introduced(work, id) ?? []);
  const named = sessionOfShell(process.env);
  const visiting = new Set([...(away.get(worktreeId) ?? []), ...(named ? [named] : [])]);
  const visitors = sessions.filter((s) => s.worktreeId !== worktreeId && visiting.has(s.sessionId));
  const participants = [
    ...own.map((session) => ({ ...session, isVisitor: false })),
    ...met.map((session) => ({ ...session, isTracked: true, isVisitor: false })),
    ...visitors.map((session) => ({ ...session, isVisitor: true })),
  ];
  return { participants, isPartial };
}

/** {@link readSessions} without those that are paused; `isPaused` says that there are such, or that the worktree is paused. */
export function readRecorded(work: Work): ReturnType<typeof readSessions> & { readonly isPaused: boolean } {
  const { participants, isPartial } = readSessions(work);
  const isPaused = readPausesOf(work.repo);
  const recorded = participants.filter(({ sessionId }) => !isPaused(sessionId));
  const isHidden = recorded.length < participants.length || isPaused(undefined);
  return { participants: recorded, isPartial, isPaused: isHidden };
}

/**
 * Whether no session has work here that a commit could hold, and none can have any before something is recorded of it: each is between its
 * turns, or over, and all that it wrote is committed.
 */
export function isIdle(work: Work): boolean {
  const { participants, isPartial, isPaused } = readRecorded(work);
  if (isPartial || isPaused || listOwed(work.repo.commonDir, work.repo.worktreeId).length > 0) return false;
  return participants.every(
    (session) =>
      session.phase !== 'active' &&
      !session.isTracked &&
      !session.isVisitor &&
      !isPending(session) &&
      !isInBackground(work, session),
  );
}

/** The state that a session without one would have, as far as it was introduced. */
function introduced(work: Work, id: SessionId): SessionState | undefined {
  const known = readIntroduction(work.repo.commonDir, id);
  return known && newSession(work, { sessionId: id, ...known }, { head: '', untracked: [] });
}

/** A session's state; where there is none, the one it gets with the first commit that holds work of it. */
export function openState(work: Work, id: SessionId): SessionState | undefined {
  return readState(work.sessions, id) ?? introduced(work, id);
}

/** Whether another session of the same worktree has steps on a shadow branch. */
export function isUsedByOthers(work: Work, sessionId: SessionId | undefined, branch: string): boolean {
  const { sessions, unreadable } = listSummaries(work.sessions, work.settled);
  const isUsed = sessions.some(
    (other) =>
      other.sessionId !== sessionId &&
      isPending(other) &&
      shadowBranch(other.baseCommit, other.worktreeId) === branch,
  );
  if (isUsed) return true;
  const lost = [
    ...unreadable.flatMap((file) => sessionOfStateFile(basename(file)) ?? []),
    ...listSetAside(work.sessions),
  ].filter((id) => id !== sessionId);
  if (lost.length === 0) return false;
  // Of a session whose state cannot be read, at this moment or at all, or could not, the steps say that it has some.
  const named = readStepSessions(work.git, branchRef(branch));
  return !named || lost.some((id) => named.has(id));
}

/** What a session touched in this worktree and no checkpoint holds yet. */
export function readTouched(work: Work, session: Participant): Touched {
  const { sessionId, phase } = session;
  if (session.isVisitor) {
    const visited = readFilesTouched(work.sessions, sessionId, work.repo.worktreeId);
    return withoutTakenBack(work, session, visited, visited);
  }
  const tracked = session.isTracked ? readFilesTouched(work.sessions, sessionId) : [];
  let fresh: readonly RepoPath[] = tracked;
  const all = resolveFilesTouched({
    fromState: session.filesTouched,
    fromTrackingFile: tracked,
    fromTranscript: () => {
      if (phase !== 'active') return []; // after a turn's end the state says it all
      fresh = filesInTranscript(work, sessionId);
      log('debug', 'files touched: read from the transcript', { session_id: sessionId, count: fresh.length });
      return fresh;
    },
  });
  return withoutTakenBack(work, session, fresh, all);
}

/** The name of a file says that a session wrote it, and not whether that still stands. */
function withoutTakenBack(
  work: Work,
  { sessionId, filesTouched, isVisitor }: Participant,
  named: readonly RepoPath[],
  all: readonly RepoPath[],
): Touched {
  const undone = new Set(findTakenBack(work, { sessionId }, named));
  const fresh = new Set(named.filter((path) => !undone.has(path)));
  const saved = new Set(isVisitor ? [] : filesTouched.filter((path) => !fresh.has(path)));
  return { saved, fresh, undone, all: all.filter((path) => saved.has(path) || !undone.has(path)) };
}

/** Files that tools wrote in the part of the live transcript that neither a checkpoint nor a turn's end has seen. */
export function filesInTranscript(work: Work, sessionId: SessionId): RepoPath[] {
  const state = readStateIfReadable(work.sessions, sessionId);
  if (!state) return [];
  const live = readLive(work.repo.commonDir, state);
  const seen = readBaseline(work.repo.commonDir, sessionId, state.turnId)?.items ?? 0;
  const newPart = sliceFrom(live, Math.max(seen, state.checkpointTranscriptStart));
  return sortedUnique(toWorktreePaths(work.repo.worktreeRoot, live.format.readFilesTouched(newPart)));
}

/**
 * Other sessions of this worktree that are in a turn, or were in one since some time; one whose client died stays in its turn for good, and is
 * none of them.
 *
 * @param sinceMs in milliseconds since 1970
 */
export const listOthersAtWork = (
  work: Work,
  { sessionId }: Pick<SessionSummary, 'sessionId'>,
  sinceMs = Number.POSITIVE_INFINITY,
): Participant[] =>
  readRecorded(work).participants.filter(
    (other) =>
      other.sessionId !== sessionId &&
      !other.isVisitor &&
      (other.phase === 'active' ? isAlive(work, other) : isHeardSince(other, sinceMs)),
  );

/** Whether anything was heard of a session at some time, in milliseconds since 1970, or later; its times are whole seconds. */
export const isHeardSince = (
  { lastInteractionTime }: Pick<Participant, 'lastInteractionTime'>,
  sinceMs: number,
): boolean => (Date.parse(lastInteractionTime ?? '') || 0) + 999 >= sinceMs;

/**
 * Paths that another session in this worktree recorded since we last looked, and this one did not. What a session
 * recorded before that is no reason to think that a change of today is its work.
 */
export function pathsOfOthers(
  work: Work,
  { sessionId }: Pick<SessionSummary, 'sessionId'>,
  own: ReadonlySet<string>,
  sinceMs: number,
): Set<RepoPath> {
  const others = new Set<RepoPath>();
  // Before the states: a stop writes its paths into the state, and only then takes the tracking file away.
  const tracked = new Map(
    [...listTracked(work.sessions)].map((id) => [id, readFilesTouched(work.sessions, id)]),
  );
  for (const other of listParticipants(work)) {
    if (other.sessionId === sessionId) continue;
    if (other.isVisitor) {
      for (const path of readTouched(work, other).all) if (!own.has(path)) others.add(path);
      continue;
    }
    const lately = (Date.parse(other.lastInteractionTime ?? '') || 0) >= sinceMs || other.phase === 'active';
    const saved = lately ? other.filesTouched : [];
    const isNamed = lately || isTrackedSince(work.sessions, other.sessionId, sinceMs);
    const named = (isNamed && tracked.get(other.sessionId)) || [];
    const undone = new Set(findTakenBack(work, other, named)); // a redo, and an undo after it, leave the name
    for (const path of [...saved, ...named.filter((one) => !undone.has(one))]) {
      if (!own.has(path)) others.add(path);
    }
  }
  return others;
}

/**
 * The session in whose turn a commit is made that nobody's recorded edits explain: the one whose agent runs the
 * command, if the agent says which, else the one heard of last of those whose shell it can be. Between turns an agent commits only in
 * the background.
 *
 * @param shell the session that the shell names
 * @param env the shell's variables; `undefined` where it was another one than this
 */
export function findCommitter(
  work: Work,
  sessions: readonly Participant[],
  shell: string | undefined,
  env: NodeJS.ProcessEnv | undefined,
): Participant | undefined {
  const active = sessions.filter(({ phase }) => phase === 'active').sort((a, b) => heardMs(b) - heardMs(a));
  const named = sessions.find(({ sessionId }) => sessionId === shell);
  if (named && (named.phase === 'active' || isInBackground(work, named))) return named;
  // A program without a terminal (an editor's button, a job) makes commits, too, also beside a session that was killed in its turn.
  const canRun = (state: SessionState) =>
    env ? mayBeShellOf(state.agentType, env) && canBeAtWork(work.repo.commonDir, state) : isHeard(state);
  return active.find((session) => !session.isVisitor && isAlive(work, session, canRun));
}

/** Whether a sub-agent of a session works in the background: between its turns, too, the session may write. */
export function isInBackground(work: Work, { sessionId }: Pick<SessionSummary, 'sessionId'>): boolean {
  return readTaskRecord(work.repo.commonDir, sessionId).running.some(({ agentId }) => agentId !== undefined);
}

/** {@link canBeAtWork} of a session in a turn. */
export function isAlive(
  work: Work,
  session: SessionSummary,
  judge = (state: SessionState) => canBeAtWork(work.repo.commonDir, state),
): boolean {
  const state = readStateIfReadable(work.sessions, session.sessionId);
  return state ? judge(state) : isRecent(heardMs(session), now().getTime());
}
