import { transcriptFormatOf } from '../../agents/registry.ts';
import type { EditRecord, TranscriptFormat } from '../../agents/shared/transcript/transcript.ts';
import { describeError } from '../../base/errors.ts';
import type { ObjectId, SessionId } from '../../base/ids.ts';
import { log } from '../../base/log.ts';
import { type RepoPath, sortedUnique } from '../../base/repo-path.ts';
import { redactText } from '../../checkpoint/redact/redact.ts';
import { readHead } from '../../git/ref/refs.ts';
import { readDirty, readStatus } from '../../git/worktree/status.ts';
import { changedSince, readBaseline } from '../../session/record/turn-snapshot.ts';
import type { SessionState } from '../../session/state.ts';
import { readStateIfReadable } from '../../session/state-store.ts';
import { trackAgain } from '../../session/tracking-file.ts';
import { keepsContents } from '../../settings/snapshots.ts';
import { storeOf } from '../../snapshot/place.ts';
import { listRecordIds, readRecord, readRecordIfSound, recordMs } from '../../snapshot/record/record.ts';
import type { SnapshotRecord } from '../../snapshot/record/snapshot-record.ts';
import { markStep } from '../../snapshot/record/step-marks.ts';
import { hasOpenEdits, readOpenEdits } from '../../snapshot/turn/ledger.ts';
import { beginTurn, continueTurn, type PromptView, readTurnBegin } from '../../snapshot/turn/turn-begin.ts';
import { closeTurn, peekTurn, type TurnView } from '../../snapshot/turn/turn-close.ts';
import { findPrivatePaths } from '../private-paths.ts';
import { isHeardSince, listParticipants, pathsOfOthers } from '../sessions.ts';
import { readLive } from '../transcript/live.ts';
import { readPart } from '../transcript/part.ts';
import type { Work } from '../work.ts';
import type { TurnChanges } from './changes.ts';
import { committedInTurn, committedSince, newHead, type Taken, takenInAll } from './committed.ts';
import { readLastWords, subjectFromPrompt } from './words.ts';

/** What keeping a turn needs of its session. */
type Owner = Pick<SessionState, 'sessionId' | 'agentType' | 'turnId' | 'turnCheckpointIds'>;

/**
 * A prompt was submitted: what the worktree holds, and git does not, is kept, so that what the agent does to it can be undone.
 * A turn that goes on begins where it began. Never throws.
 */
export function keepTurnStart(
  work: Work,
  { sessionId }: Pick<Owner, 'sessionId'>,
  isContinued: boolean,
  view: PromptView,
): void {
  if (!keepsContents(work.repo)) return;
  const store = storeOf(work.repo, sessionId);
  quietly(sessionId, () => (isContinued ? continueTurn(store, view.turnId) : beginTurn(store, view)));
}

/**
 * The agent stopped: what the turn changed becomes a step that can be undone. Never throws.
 *
 * @param saved the step on the shadow branch that it became
 * @param head where HEAD was when the agent stopped
 */
export async function keepTurnEnd(
  work: Work,
  state: Owner,
  step: TurnChanges,
  saved: ObjectId | undefined,
  head: ObjectId | undefined,
): Promise<void> {
  if (!keepsContents(work.repo)) return;
  const format = transcriptFormatOf(state.agentType);
  const subject = await subjectOf(format, step.newPart, state.agentType).catch(() => '');
  quietly(state.sessionId, () => {
    const { isComplete, agents, calls } = format.readEdits(step.newPart);
    const store = storeOf(work.repo, state.sessionId);
    const isAllKnown = isComplete && agents.length === 0 && step.isPartWhole;
    const committed: Taken = isAllKnown ? new Map() : committedInTurn(work, state, store, head);
    const theirs = new Set(isAllKnown ? [] : recordedByOthers(work, state.sessionId, step.sinceMs));
    const foreign = new Set([...step.others, ...theirs]);
    const closed = closeTurn(store, {
      git: work.git,
      turnId: state.turnId,
      subject,
      isComplete: isAllKnown,
      times: agents.length === 0 && step.isPartWhole && calls ? { sinceMs: step.sinceMs, calls } : undefined,
      scanned: [
        ...step.changed.filter((path) => !theirs.has(path)),
        ...[...committed.keys()].filter((path) => !foreign.has(path)),
      ],
      unsure: [...step.unsure, ...step.changed.filter((path) => theirs.has(path))],
      foreign,
      ...newHead(work, head, committed),
      isNow: true,
    });
    if (saved) markStep(store, saved, closed);
  });
}

/** What is known of a turn that had no stop. */
export interface OpenTurn {
  /** Nobody goes on with it: what changed since its agent was at work last is somebody else's. */
  readonly isOver: boolean;
  /** The session in it; as it is stored where it is not given. */
  readonly state?: SessionState | undefined;
}

/**
 * Closes what a session did since its last stop, as far as it is known to be its own: it was stopped before its turn ended, goes on
 * in the background, or edited files of another worktree. For commands that take turns back. Under the session's lock.
 *
 * @returns the id of its record; `undefined` when nothing was changed
 * @throws the system error
 */
export async function keepOpenTurn(
  work: Work,
  sessionId: SessionId,
  turn: OpenTurn,
): Promise<string | undefined> {
  const view = await viewOpenTurn(work, sessionId, turn);
  return view && closeTurn(storeOf(work.repo, sessionId), view);
}

/**
 * {@link keepOpenTurn} of a turn that is over, for hooks: of its end none told. Never throws.
 *
 * @param state the session in that turn; `undefined` where there is none yet, as before the first commit
 */
export async function keepBrokenOff(
  work: Work,
  { sessionId }: Pick<Owner, 'sessionId'>,
  state: SessionState | undefined,
): Promise<void> {
  try {
    await keepOpenTurn(work, sessionId, { isOver: true, state });
  } catch (error) {
    logUnkept(sessionId, error);
  }
}

/**
 * {@link keepBrokenOff} of a session that ended: no stop comes that would look for what its shell changed, so that the next commit hears of
 * it from here.
 */
export async function keepEnded(work: Work, state: SessionState): Promise<void> {
  const { sessionId } = state;
  try {
    const id = await keepOpenTurn(work, sessionId, { isOver: true, state });
    if (id === undefined) return;
    const { files } = readRecord(storeOf(work.repo, sessionId), id);
    const found = [...files].flatMap(([path, { source }]) => (source === 'tool' ? [] : path));
    const open = [...readDirty(work.git, found)] as RepoPath[];
    trackAgain(work.sessions, sessionId, open);
  } catch (error) {
    logUnkept(sessionId, error);
  }
}

/** What {@link keepOpenTurn} would make a step of; the turn stays open. @throws the system error */
export async function peekOpenTurn(
  work: Work,
  sessionId: SessionId,
  turn: OpenTurn,
): Promise<SnapshotRecord | undefined> {
  const view = await viewOpenTurn(work, sessionId, turn);
  return view && peekTurn(storeOf(work.repo, sessionId), view);
}

const ALL_TOLD: EditRecord = { edits: [], agents: [], isComplete: true };

async function viewOpenTurn(
  work: Work,
  sessionId: SessionId,
  { isOver, state = readStateIfReadable(work.sessions, sessionId) }: OpenTurn,
): Promise<TurnView | undefined> {
  const { commonDir, worktreeId, worktreeRoot } = work.repo;
  if (!keepsContents(work.repo)) return undefined;
  const store = storeOf(work.repo, sessionId);
  const isHere = state?.worktreeId === worktreeId;
  const inTurn = isHere && state.phase === 'active';
  if (!hasOpenEdits(store) && !inTurn) return undefined;
  const live = isHere ? readLive(commonDir, state) : undefined;
  const baseline = isHere ? readBaseline(commonDir, sessionId, state.turnId) : undefined;
  const { text: newPart, isWhole } =
    live && baseline ? readPart(live, baseline.items) : { text: '', isWhole: true };
  const { isComplete, agents, calls } = live?.format.readEdits(newPart) ?? ALL_TOLD;
  const isAllKnown = !inTurn || (isComplete && isWhole && agents.length === 0);
  const sinceMs = baseline?.takenAtMs ?? 0;
  const others =
    isAllKnown || !state
      ? new Set<RepoPath>()
      : new Set([
          ...pathsOfOthers(work, state, new Set(), sinceMs),
          ...recordedByOthers(work, sessionId, sinceMs),
        ]);
  const endMs = isOver && inTurn ? readLastSign(state, newPart, store) : undefined;
  const head = readHead(work.git, work.repo);
  const isScanned = !isAllKnown && baseline !== undefined;
  const taken: Taken = isScanned ? committedInTurn(work, state, store, head) : new Map();
  const later: Taken = isScanned && endMs !== undefined ? committedSince(work, endMs, store) : new Map();
  const committed = takenInAll(taken, later);
  const found = isScanned
    ? [...changedSince(baseline, worktreeRoot, readStatus(work.git)), ...committed.keys()]
    : [];
  const hidden = findPrivatePaths(work, [...found, ...(readTurnBegin(store)?.files.keys() ?? [])]);
  const changed = found.filter((path) => !hidden.has(path));
  const subject = live ? await subjectOf(live.format, newPart, state?.agentType ?? '') : '';
  return {
    git: work.git,
    turnId: state?.turnId ?? '',
    subject,
    isComplete: isAllKnown,
    times: agents.length === 0 && isWhole && calls ? { sinceMs, calls } : undefined,
    scanned: sortedUnique(changed.filter((path) => !others.has(path))),
    unsure: changed.filter((path) => others.has(path)),
    foreign: new Set([...others, ...hidden]),
    ...newHead(work, head, committed),
    isNow: !isAllKnown, // its shell goes on where its tools left off
    endMs,
  };
}

/**
 * What turns of other sessions that ended meanwhile changed, also where a commit took it out of their hands since. Costs what those
 * changed.
 */
function recordedByOthers(work: Work, sessionId: SessionId, sinceMs: number): RepoPath[] {
  return listParticipants(work)
    .filter((other) => other.sessionId !== sessionId && !other.isVisitor && isHeardSince(other, sinceMs))
    .map((other) => storeOf(work.repo, other.sessionId))
    .flatMap((store) =>
      listRecordIds(store).flatMap((id) =>
        recordMs(id) >= sinceMs ? (readRecordIfSound(store, id) ?? []) : [],
      ),
    )
    .flatMap(({ kind, files }) => (kind === 'turn' ? [...files.keys()] : []));
}

/** When the agent of a turn was at work last, as far as anything tells: its transcript, a hook, or an edit; milliseconds since 1970. */
function readLastSign(state: SessionState, newPart: string, store: string): number {
  const signs = [state.lastInteractionTime ?? state.startedAt, ...readOpenEdits(store).map(({ at }) => at)];
  const heard = signs.map((at) => Date.parse(at) || 0);
  const { atMs } = readLastWords(state, newPart);
  return heard.reduce((last, at) => Math.max(last, at), atMs ?? 0);
}

/** What a turn is known by; empty where its part of the transcript has no prompt. @throws when it could not be redacted */
async function subjectOf(format: TranscriptFormat, newPart: string, agentType: string): Promise<string> {
  const prompt = await redactText(format.readPrompts(newPart).at(-1) ?? '');
  return prompt === '' ? '' : subjectFromPrompt(prompt, agentType);
}

/** What is recorded for commits does not depend on it. */
function quietly(sessionId: string, body: () => void): void {
  try {
    body();
  } catch (error) {
    logUnkept(sessionId, error);
  }
}

const logUnkept = (sessionId: string, error: unknown): void =>
  log('warn', 'turn not kept for undo', { session_id: sessionId, error: describeError(error) });
