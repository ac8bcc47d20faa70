import type { SubagentEnd, TodoUpdate, TurnEnd, TurnStart } from '../agents/event.ts';
import type { SessionState } from '../session/state.ts';
import type { StrategyName } from '../settings/settings.ts';
import type { ToldTurn, Work } from './work.ts';

/**
 * What happens with a session's work, and when it becomes a commit. What every strategy shares (what a turn changed,
 * whose it is, transcripts, sub-agents that begin) is not here.
 */
export interface Strategy {
  readonly name: StrategyName;
  /** Commits that the user makes are linked with the sessions whose work they hold. */
  readonly linksUsersCommits: boolean;
  /** Whether a session has work that no commit holds yet. */
  isPending(state: Pick<SessionState, 'checkpointCount' | 'filesTouched'>): boolean;
  /** A prompt was submitted. */
  startTurn(work: Work, turn: ToldTurn, event: TurnStart): Promise<void>;
  /** The agent stopped. */
  endTurn(work: Work, turn: ToldTurn, event: TurnEnd): Promise<void>;
  /** A sub-agent is done. */
  endTask(work: Work, turn: ToldTurn, event: SubagentEnd): Promise<void>;
  /** A sub-agent brought its todo list up to date. */
  saveIncrement(work: Work, turn: ToldTurn, event: TodoUpdate): Promise<void>;
  /** Git is about to show or use a message. `source`: its second argument to the hook. */
  prepareCommitMessage(work: Work, messageFile: string, source: string | undefined): Promise<void>;
  /** The message was written. */
  checkCommitMessage(work: Work, messageFile: string): Promise<void>;
  /** A commit was made by somebody else than the strategy. */
  afterCommit(work: Work): Promise<void>;
}
