import type { TurnEnd } from '../../agents/event.ts';
import { transcriptFormatOf } from '../../agents/registry.ts';
import { describeError } from '../../base/errors.ts';
import type { ObjectId } from '../../base/ids.ts';
import { log } from '../../base/log.ts';
import { releaseMemory } from '../../base/memory.ts';
import { sortedUnique } from '../../base/repo-path.ts';
import { finalizeCheckpoint } from '../../checkpoint/committed.ts';
import { readIdentity } from '../../git/ref/refs.ts';
import { readStatus } from '../../git/worktree/status.ts';
import { withSessionLock } from '../../session/lock.ts';
import { removePrePrompt, takeBaseline, writeBaseline } from '../../session/record/turn-snapshot.ts';
import { applyEvent, type SessionState } from '../../session/state.ts';
import { readStateIfReadable, readStateOrSetAside } from '../../session/state-store.ts';
import { claimFilesTouched, trackAgain } from '../../session/tracking-file.ts';
import { noteMissingRules } from '../../settings/unruled.ts';
import { settleOwed } from '../commit/settle.ts';
import { openSession } from '../new-session.ts';
import { tell } from '../progress.ts';
import { waitForLastWords } from '../transcript/file.ts';
import { hasItsCache, type LiveTranscript, readLive, type TranscriptOwner } from '../transcript/live.ts';
import { countItems } from '../transcript/part.ts';
import { type RedactedTranscript, redactLive } from '../transcript/redacted.ts';
import { saveRedacted } from '../transcript/save.ts';
import { slotTexts } from '../transcript/slot-texts.ts';
import { TURN_END_MS, takeIn } from '../transcript/take-in.ts';
import { readUsage } from '../transcript/usage.ts';
import { saveState, type ToldTurn, type Work } from '../work.ts';
import { readTurnChanges, type TurnChanges } from './changes.ts';
import { keepTurnEnd } from './keep.ts';
import type { StatusOnCommit } from './save.ts';

/** What became of a turn's changes. */
export interface SavedTurn {
  readonly state: SessionState;
  /** The step it became. */
  readonly step?: ObjectId | undefined;
  /** What is left to do once the state is saved. */
  readonly conclude?: () => void;
}

/**
 * How a strategy saves what a turn changed. What it throws keeps the paths with the session: the next turn's end
 * tries again.
 *
 * @param redacted the transcript; throws when it could not be redacted
 */
export type SaveTurn = (
  work: Work,
  state: SessionState,
  redacted: () => RedactedTranscript,
  status: StatusOnCommit,
  step: TurnChanges,
) => Promise<SavedTurn>;

/**
 * The agent stopped: what the turn changed is saved, and commits the agent made in the turn get the complete
 * transcript. The session is idle afterwards, also when the changes could not be saved.
 */
export async function endTurn(work: Work, turn: ToldTurn, event: TurnEnd, save: SaveTurn): Promise<void> {
  const path = turn.transcriptPath;
  const format = transcriptFormatOf(turn.agentType);
  await waitForLastWords(format, path, event.lastAssistantMessage, event.transcriptMark);
  await settleOwed(work);
  // Before the lock: a transcript that we never met can take seconds.
  await takeIn(work, ownerOf(work, turn), TURN_END_MS);
  const early = await readTurnTranscript(work, turn);

  await withSessionLock(work.sessions, turn.sessionId, async () => {
    const transcript = hasItsCache(early.live) ? early : await readTurnTranscript(work, turn);
    const known = readStateOrSetAside(work.sessions, turn.sessionId);
    // The claim comes before the look at the worktree: what is recorded later waits for the next look.
    const claim = claimFilesTouched(work.sessions, turn.sessionId);
    let state = known;
    let step: TurnChanges | undefined;
    let saved: ObjectId | undefined;
    let head: ObjectId | undefined;
    let conclude = () => {};
    let failure: unknown;
    try {
      const status = readStatus(work.git);
      if (!status.head) return explainNoCommits();
      head = status.head;
      const opened = known?.baseCommit ? known : openSession(work, turn, status, status.head);
      state = { ...opened, transcriptPath: path ?? opened.transcriptPath };
      releaseMemory(status.changes.size);
      step = readTurnChanges(work, state, transcript.live, status, claim);
      releaseMemory(status.changes.size);
      // From here on it counts what changes after this stop: there can be another one without a prompt between.
      const next = takeBaseline(work.repo.worktreeRoot, status, state.turnId, step.items);
      const onCommit = { ...status, head: status.head };
      ({
        state,
        step: saved,
        conclude = conclude,
      } = await save(work, state, transcript.redacted, onCommit, step));
      writeBaseline(work.repo.commonDir, state.sessionId, next);
      releaseMemory(status.changes.size);
    } catch (error) {
      failure = error;
      // Nothing is lost: the paths wait in the state for the next step or commit.
      const seen = [...claim.paths, ...(step?.paths ?? [])];
      state = state && { ...state, filesTouched: sortedUnique([...state.filesTouched, ...seen]) };
    }
    if (state && step) await keepTurnEnd(work, state, step, saved, head);
    if (state) {
      const finished = await finishTurnCheckpoints(work, state, transcript);
      transcript.keep(state.baseCommit as ObjectId);
      saveState(work, applyEvent(finished, 'turn-end'));
      const unsaved = failure === undefined ? [] : (step?.paths ?? []);
      trackAgain(work.sessions, state.sessionId, [...unsaved, ...(step?.waiting ?? [])]);
      conclude();
      if (failure === undefined) claim.release(); // else no step has its files: the next one takes the claim up
      removePrePrompt(work.repo.worktreeRoot, turn.sessionId);
    }
    if (failure !== undefined) throw failure;
  });
}

function explainNoCommits(): void {
  log('info', 'step skipped: the repository has no commits yet');
  tell('Entire: skipping checkpoint. Will activate after first commit.');
}

/** The transcript at the end of a turn; `redacted` throws when it could not be. */
interface TurnTranscript {
  readonly live: LiveTranscript;
  readonly redacted: () => RedactedTranscript;
  /** Spares the next hook what was redacted, also where nothing was stored of it. `like` is any id of the repository. */
  readonly keep: (like: ObjectId) => void;
}

function ownerOf(work: Work, turn: ToldTurn): TranscriptOwner {
  const known = turn.transcriptPath ? undefined : readStateIfReadable(work.sessions, turn.sessionId);
  return { ...turn, transcriptPath: turn.transcriptPath ?? known?.transcriptPath };
}

async function readTurnTranscript(work: Work, turn: ToldTurn): Promise<TurnTranscript> {
  const live = readLive(work.repo.commonDir, ownerOf(work, turn));
  const [result] = await Promise.allSettled([redactLive(live)]);
  return {
    live,
    redacted: () => {
      if (result.status === 'rejected') throw result.reason;
      return result.value;
    },
    keep: (like) => {
      if (result.status === 'fulfilled') saveRedacted(result.value, like);
    },
  };
}

/** Completes the checkpoints of commits made in a turn that had no stop. */
export async function completeTurn(work: Work, state: SessionState): Promise<SessionState> {
  return finishTurnCheckpoints(work, state, await readTurnTranscript(work, state));
}

async function finishTurnCheckpoints(
  work: Work,
  state: SessionState,
  { live, redacted }: TurnTranscript,
): Promise<SessionState> {
  if (state.turnCheckpointIds.length === 0) return state;
  const checkpointTranscriptStart = countItems(live) || state.checkpointTranscriptStart;
  if (live.rest) {
    log('info', 'checkpoints of the turn wait for the rest of the transcript', {
      session_id: state.sessionId,
    });
    return { ...state, checkpointTranscriptStart };
  }
  try {
    await finalizeTurnCheckpoints(work, state, redacted(), state.baseCommit as ObjectId);
  } catch (error) {
    log('warn', 'checkpoints of the turn not completed', {
      session_id: state.sessionId,
      error: describeError(error),
    });
  }
  return { ...state, turnCheckpointIds: [], checkpointTranscriptStart };
}

/**
 * Completes the checkpoints of commits the agent made during its turn: they were written with the transcript as it
 * was at that moment. A failure leaves the provisional texts; the work is linked all the same.
 */
export async function finalizeTurnCheckpoints(
  work: Work,
  state: SessionState,
  transcript: RedactedTranscript,
  like: ObjectId,
): Promise<void> {
  if (transcript.items === 0) {
    log('warn', 'checkpoints of the turn not completed: no transcript', { session_id: state.sessionId });
    return;
  }
  const texts = await slotTexts(transcript, state.firstPrompt, like);
  const author = readIdentity(work.git);
  const tokensFrom = (item: number) => readUsage(transcript, state.sessionId, item);
  for (const id of state.turnCheckpointIds) {
    // The rest of the turn belongs to its last commit; the earlier ones keep the tokens they were written with.
    const last = id === state.turnCheckpointIds.at(-1);
    try {
      const update = { texts, usageFrom: last ? tokensFrom : undefined, author };
      noteMissingRules(work.repo.commonDir);
      const found = finalizeCheckpoint(work.git, id, state.sessionId, update);
      if (!found)
        log('warn', 'checkpoint to complete not found', { session_id: state.sessionId, checkpoint: id });
    } catch (error) {
      log('warn', 'checkpoint not completed', {
        session_id: state.sessionId,
        checkpoint: id,
        error: describeError(error),
      });
    }
  }
}
