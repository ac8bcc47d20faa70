import { now, renderUtc } from '../base/clock.ts';
import type { ObjectId } from '../base/ids.ts';
import { VERSION } from '../base/version.ts';
import { type Status, untrackedFiles } from '../git/worktree/status.ts';
import type { SessionState } from '../session/state.ts';
import type { ToldTurn, Work } from './work.ts';

/** A state for a session we have not met. `head` is the commit its work sits on. */
export function newSession(
  work: Work,
  turn: ToldTurn,
  { head, untracked }: { readonly head: string; readonly untracked: readonly string[] },
): SessionState {
  const time = renderUtc(now());
  return {
    sessionId: turn.sessionId,
    cliVersion: VERSION,
    baseCommit: head,
    attributionBaseCommit: head,
    worktreePath: work.repo.worktreeRoot,
    worktreeId: work.repo.worktreeId,
    startedAt: time,
    endedAt: undefined,
    phase: 'idle',
    turnId: '',
    turnCheckpointIds: [],
    lastInteractionTime: time,
    checkpointCount: 0,
    checkpointTranscriptStart: 0,
    untrackedFilesAtStart: [...untracked].sort(),
    filesTouched: [],
    lastCheckpointId: undefined,
    agentType: turn.agentType,
    tokenUsage: undefined,
    transcriptIdentifierAtStart: '',
    transcriptPath: turn.transcriptPath ?? '',
    firstPrompt: '',
    promptAttributions: [],
    pendingPromptAttribution: undefined,
    other: {},
  };
}

/** {@link newSession} on the commit that HEAD names, for the first hook that meets it. */
export const openSession = (work: Work, turn: ToldTurn, status: Status, head: ObjectId): SessionState =>
  newSession(work, turn, { head, untracked: [...untrackedFiles(status), ...status.ignored] });
