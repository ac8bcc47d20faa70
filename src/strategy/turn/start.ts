import type { TurnStart } from '../../agents/event.ts';
import { programOf } from '../../agents/names.ts';
import { transcriptFormatOf } from '../../agents/registry.ts';
import { describeError } from '../../base/errors.ts';
import { newId, type ObjectId } from '../../base/ids.ts';
import { log } from '../../base/log.ts';
import { hasStoredSession } from '../../checkpoint/committed.ts';
import { readShadowBranch } from '../../checkpoint/shadow-branch.ts';
import { retryWhenMoved } from '../../git/object/objects.ts';
import { readStatus, type Status, untrackedFiles } from '../../git/worktree/status.ts';
import { isRemoved } from '../../git/worktree/worktrees.ts';
import { findClient, isClientGone } from '../../session/client-process.ts';
import { withSessionLock } from '../../session/lock.ts';
import { noteNewest } from '../../session/record/newest.ts';
import {
  readBaseline,
  type TurnBaseline,
  takeBaseline,
  withChangesUntil,
  writeBaseline,
  writePrePrompt,
} from '../../session/record/turn-snapshot.ts';
import { applyEvent, type SessionState } from '../../session/state.ts';
import { listSetAside, readStateOrSetAside } from '../../session/state-store.ts';
import { readFilesTouched } from '../../session/tracking-file.ts';
import { attributePrompt, type PromptLook } from '../attribution/prompt.ts';
import { settleOwed } from '../commit/settle.ts';
import { followHead } from '../follow-head.ts';
import { openSession } from '../new-session.ts';
import { findPrivatePaths } from '../private-paths.ts';
import { tell } from '../progress.ts';
import { type LiveTranscript, readLive } from '../transcript/live.ts';
import { countItems, lastIdentifier, sliceFrom } from '../transcript/part.ts';
import { noteTotals } from '../transcript/totals.ts';
import { saveState, type ToldTurn, type Work } from '../work.ts';
import { completeTurn } from './end.ts';
import { keepBrokenOff, keepTurnStart } from './keep.ts';
import { firstWords, readLastWords } from './words.ts';

/** What strategies see differently when a turn starts. */
export interface TurnStartRules {
  /** Whether a session has work that no commit holds yet. */
  readonly isPending: (state: SessionState) => boolean;
  /** Takes over a state that may be another strategy's. */
  readonly adopt?: (work: Work, state: SessionState) => SessionState;
  /** What the person who watches is told of a new session; `''` for nothing. */
  readonly greeting: string;
}

/**
 * A prompt was submitted: remembers what the worktree looked like, and opens the session or takes it up again.
 * One `git status`; nothing of it grows with the history.
 */
export async function startTurn(
  work: Work,
  turn: ToldTurn,
  event: TurnStart,
  rules: TurnStartRules,
): Promise<void> {
  await settleOwed(work);
  await withSessionLock(work.sessions, turn.sessionId, async () => {
    const known = readStateOrSetAside(work.sessions, turn.sessionId);
    const status = readStatus(work.git, { ignored: known === undefined });
    const turnId = newId();
    const live = readLive(work.repo.commonDir, turn);
    const before = await readBefore(work, known, live, isInjected(turn, event));
    if (!before.isContinued) await keepBrokenOff(work, turn, known);
    const look = snapshot(work, turn, status, { turnId, live, before });
    if (!status.head) {
      log('info', 'no commits yet: the session starts with the first prompt after the first commit');
      return;
    }
    const opened = known?.baseCommit ? known : met(work, openSession(work, turn, status, status.head), look);
    const adopted = rules.adopt?.(work, opened) ?? opened;
    if (!known && rules.greeting !== '') tell(`${rules.greeting}: ${turn.sessionId}`);
    // A turn that never reached its stop (crash, Ctrl-C) left checkpoints whose transcripts are provisional.
    const state = adopted.turnCheckpointIds.length > 0 ? await completeTurn(work, adopted) : adopted;
    const firstPrompt = state.firstPrompt || (await firstWords(turn, event.prompt));
    const home = follow(work, state, rules);
    const next = { ...rewound(takeUp(work, state, home, turn, status.head), look), turnId, firstPrompt };
    const pendingPromptAttribution = await attributePrompt(work, known, next, look);
    saveState(work, { ...next, pendingPromptAttribution });
    noteNewest(work.repo, turn.sessionId);
  });
}

/** A prompt that the client wrote itself, to tell the agent that a background task is done. */
function isInjected(turn: ToldTurn, { prompt }: TurnStart): boolean {
  return prompt !== '' && transcriptFormatOf(turn.agentType).cleanPrompt(prompt) === '';
}

/** The turn before. */
interface TurnBefore {
  readonly baseline: TurnBaseline | undefined;
  /** The prompt goes on with it. */
  readonly isContinued: boolean;
  /** When it was broken off, where a shell ran in it: what that changed is the session's. In milliseconds since 1970. */
  readonly brokenOffMs: number | undefined;
}

/**
 * What a background task changed is the session's, not something that was there before. So is what a turn without a stop changed, if a
 * shell or something else ran in it that may write without a word; otherwise the hooks have it all, and the rest is the user's.
 */
async function readBefore(
  work: Work,
  known: SessionState | undefined,
  live: LiveTranscript,
  isInjected: boolean,
): Promise<TurnBefore> {
  const baseline = known && readBaseline(work.repo.commonDir, known.sessionId, known.turnId);
  const over = { baseline, isContinued: false, brokenOffMs: undefined };
  if (!baseline || (!isInjected && known.phase !== 'active')) return over;
  if (isInjected) return { ...over, isContinued: true };
  const part = sliceFrom(live, baseline.items);
  if (!mayHaveWritten(live, part)) return over;
  const { isStop, atMs } = readLastWords(known, part);
  return isStop || isClientGone(baseline.client)
    ? { ...over, brokenOffMs: atMs }
    : { ...over, isContinued: true };
}

/** Whether more may have been written than hooks and tools told of: by a shell, a sub-agent, or a tool of somebody else's. */
function mayHaveWritten({ format }: LiveTranscript, part: string): boolean {
  if (format.ranShell(part)) return true;
  const { isComplete, agents } = format.readEdits(part);
  return !isComplete || agents.length > 0;
}

function snapshot(
  work: Work,
  turn: ToldTurn,
  status: Status,
  { turnId, live, before }: { turnId: string; live: LiveTranscript; before: TurnBefore },
): PromptLook & { readonly items: number } {
  const { worktreeRoot, commonDir } = work.repo;
  const untracked = untrackedFiles(status);
  noteTotals(live);
  const stepTranscriptStart = countItems(live);
  const lastTranscriptIdentifier = lastIdentifier(live);
  writePrePrompt(worktreeRoot, turn.sessionId, {
    untrackedFiles: untracked,
    stepTranscriptStart,
    lastTranscriptIdentifier,
  });
  const { baseline: known, isContinued, brokenOffMs } = before;
  const current = takeBaseline(worktreeRoot, status, turnId, stepTranscriptStart);
  const kept = isContinued ? known : undefined;
  const next =
    brokenOffMs === undefined ? current : withChangesUntil(brokenOffMs, known, current, worktreeRoot);
  writeBaseline(commonDir, turn.sessionId, {
    ...(kept ? { ...kept, turnId } : next),
    client: findClient(programOf(turn.agentType)),
  });
  const own = new Set(readFilesTouched(work.sessions, turn.sessionId));
  keepTurnStart(work, turn, isContinued, {
    root: worktreeRoot,
    turnId,
    head: status.head ?? '',
    transcript: { path: live.path, items: stepTranscriptStart, last: lastTranscriptIdentifier },
    fingerprints: current.paths,
    hidden: findPrivatePaths(work, [...current.paths.keys()], own),
  });
  const position = `transcript at line ${stepTranscriptStart} (uuid: ${lastTranscriptIdentifier})`;
  tell(`Captured state before prompt: ${untracked.length} untracked files, ${position}`);
  return { status, previous: known, fingerprints: current.paths, isContinued, items: stepTranscriptStart };
}

/**
 * A session can be resumed in another worktree of its repository: it lives there from then on, unless it still has
 * work in the old one. Where that is gone, its steps come along.
 */
function follow({ repo }: Work, state: SessionState, { isPending }: TurnStartRules): Home {
  const here = { worktreeId: repo.worktreeId, worktreePath: repo.worktreeRoot };
  if (state.worktreeId === repo.worktreeId || !isPending(state)) return { ...here, hasSteps: false };
  return isRemoved(repo.commonDir, state.worktreeId)
    ? { ...here, hasSteps: true }
    : { ...state, hasSteps: false };
}

/** The worktree that a session lives in from now on. */
interface Home extends Pick<SessionState, 'worktreeId' | 'worktreePath'> {
  /** Steps that were made in another one. */
  readonly hasSteps: boolean;
}

/** A transcript that was taken back to an earlier checkpoint goes on from there, and so does its own part. */
function rewound(state: SessionState, { items }: { readonly items: number }): SessionState {
  if (items === 0 || items >= state.checkpointTranscriptStart) return state;
  return { ...state, checkpointTranscriptStart: items };
}

/** A session that we have not met, and that another clone has stored, was resumed here: only what follows is new. */
function met(work: Work, state: SessionState, { items }: { readonly items: number }): SessionState {
  if (items === 0 || listSetAside(work.sessions).includes(state.sessionId)) return state;
  return hasStoredSession(work.git, state.sessionId) ? { ...state, checkpointTranscriptStart: items } : state;
}

function takeUp(
  work: Work,
  state: SessionState,
  { hasSteps, worktreeId, worktreePath }: Home,
  turn: ToldTurn,
  head: ObjectId,
): SessionState {
  const home = { worktreeId, worktreePath };
  const next: SessionState = {
    ...applyEvent(state, 'turn-start'),
    ...(hasSteps ? {} : home),
    agentType: state.agentType === '' || state.agentType === 'Agent' ? turn.agentType : state.agentType,
    transcriptPath: turn.transcriptPath ?? state.transcriptPath,
    lastCheckpointId: undefined,
  };
  try {
    return retryWhenMoved(() => followHead(work, next, head, home));
  } catch (error) {
    log('warn', 'shadow branch not moved', { session_id: state.sessionId, error: describeError(error) });
    return next;
  }
}

/**
 * A state that auto-commit left counts the checkpoints it made; here the count is that of the steps on the shadow
 * branch. One that counts steps, has no files and no branch is such a state.
 */
export function adopt(work: Work, state: SessionState): SessionState {
  if (state.checkpointCount === 0 || state.filesTouched.length > 0) return state;
  const { tip } = readShadowBranch(work.git, state.baseCommit, state.worktreeId);
  return tip ? state : { ...state, checkpointCount: 0 };
}
