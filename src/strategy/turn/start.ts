import { join } from 'node:path';
import type { TurnStart } from '../../agents/event.ts';
import { transcriptFormatOf } from '../../agents/registry.ts';
import { disk } from '../../base/disk.ts';
import { describeError } from '../../base/errors.ts';
import { newId, type ObjectId } from '../../base/ids.ts';
import { log } from '../../base/log.ts';
import { retryWhenMoved } from '../../git/objects.ts';
import { readStatus, type Status, untrackedFiles } from '../../git/status.ts';
import { findClient } from '../../session/client-process.ts';
import { withSessionLock } from '../../session/lock.ts';
import { applyEvent, type SessionState } from '../../session/state.ts';
import { readStateOrSetAside } from '../../session/state-store.ts';
import { readFilesTouched } from '../../session/tracking-file.ts';
import { readBaseline, takeBaseline, writeBaseline, writePrePrompt } from '../../session/turn-snapshot.ts';
import { attributePrompt, type PromptLook } from '../attribution/prompt.ts';
import { settleOwed } from '../commit/settle.ts';
import { followHead } from '../follow-head.ts';
import { openSession } from '../new-session.ts';
import { findPrivatePaths } from '../private-paths.ts';
import { tell } from '../progress.ts';
import { readLive } from '../transcript/live.ts';
import { countItems, lastIdentifier, sliceFrom } from '../transcript/part.ts';
import { noteTotals } from '../transcript/totals.ts';
import { saveState, type Turn, type Work } from '../work.ts';
import { completeTurn } from './end.ts';
import { firstWords } from './first-words.ts';
import { keepTurnStart } from './keep.ts';

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
  turn: Turn,
  event: TurnStart,
  rules: TurnStartRules,
): Promise<void> {
  await settleOwed(work);
  await withSessionLock(work.sessions, turn.sessionId, async () => {
    const known = readStateOrSetAside(work.sessions, turn.sessionId);
    const status = readStatus(work.git, { ignored: known === undefined });
    const turnId = newId();
    const look = snapshot(work, turn, status, {
      turnId,
      previous: known?.turnId ?? '',
      continues: isInjected(turn, event) ? 'always' : known?.phase === 'active' ? 'after-shell' : 'never',
    });
    if (!status.head) {
      log('info', 'no commits yet: the session starts with the first prompt after the first commit');
      return;
    }
    const opened = known?.baseCommit ? known : openSession(work, turn, status, status.head);
    const adopted = rules.adopt?.(work, opened) ?? opened;
    if (!known && rules.greeting !== '') tell(`${rules.greeting}: ${turn.sessionId}`);
    // A turn that never reached its stop (crash, Ctrl-C) left checkpoints whose transcripts are provisional.
    const state = adopted.turnCheckpointIds.length > 0 ? await completeTurn(work, adopted) : adopted;
    const firstPrompt = state.firstPrompt || (await firstWords(turn, event.prompt));
    const home = follow(work, state, rules);
    const next = { ...rewound(takeUp(work, state, home, turn, status.head), look), turnId, firstPrompt };
    const pendingPromptAttribution = await attributePrompt(work, known, next, look);
    saveState(work, { ...next, pendingPromptAttribution });
  });
}

/** A prompt that the client wrote itself, to tell the agent that a background task is done. */
function isInjected(turn: Turn, { prompt }: TurnStart): boolean {
  return prompt !== '' && transcriptFormatOf(turn.agentType).cleanPrompt(prompt) === '';
}

function snapshot(
  work: Work,
  turn: Turn,
  status: Status,
  {
    turnId,
    previous,
    continues,
  }: { turnId: string; previous: string; continues: 'always' | 'after-shell' | 'never' },
): PromptLook & { readonly items: number } {
  const { worktreeRoot, commonDir } = work.repo;
  const live = readLive(commonDir, turn);
  const untracked = untrackedFiles(status);
  noteTotals(live);
  const stepTranscriptStart = countItems(live);
  const lastTranscriptIdentifier = lastIdentifier(live);
  writePrePrompt(worktreeRoot, turn.sessionId, {
    untrackedFiles: untracked,
    stepTranscriptStart,
    lastTranscriptIdentifier,
  });
  // What a background task changed is the session's, not something that was there before. So is what a turn without a
  // stop (Esc, a crash) changed, if a shell ran in it; otherwise the hooks have it all, and the rest is the user's.
  const known = readBaseline(commonDir, turn.sessionId, previous);
  const isContinued =
    known !== undefined &&
    continues !== 'never' &&
    (continues === 'always' || live.format.ranShell(sliceFrom(live, known.items)));
  const current = takeBaseline(worktreeRoot, status, turnId, stepTranscriptStart);
  writeBaseline(commonDir, turn.sessionId, {
    ...(isContinued ? { ...known, turnId } : current),
    client: findClient(),
  });
  const own = new Set(readFilesTouched(work.sessions, turn.sessionId));
  keepTurnStart(work, turn, previous, isContinued, {
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
  const isGone =
    state.worktreeId !== '' && !disk.existsSync(join(repo.commonDir, 'worktrees', state.worktreeId));
  return isGone ? { ...here, hasSteps: true } : { ...state, hasSteps: false };
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

function takeUp(
  work: Work,
  state: SessionState,
  { hasSteps, worktreeId, worktreePath }: Home,
  turn: Turn,
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
