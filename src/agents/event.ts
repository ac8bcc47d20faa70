import type { SessionId } from '../base/ids.ts';

/** The normalised vocabulary every agent is translated into. Paths are as the agent gave them. */
interface Base {
  readonly sessionId: SessionId;
  /** Folder the agent was in; relative paths of the event are relative to it. */
  readonly cwd: string | undefined;
  readonly transcriptPath: string | undefined;
}

export interface SessionStart extends Base {
  readonly type: 'SessionStart';
  readonly source: string | undefined;
}

export interface TurnStart extends Base {
  readonly type: 'TurnStart';
  readonly prompt: string;
}

export interface TurnEnd extends Base {
  readonly type: 'TurnEnd';
  /** Last words of the agent; the transcript is complete once it holds them. */
  readonly lastAssistantMessage: string | undefined;
}

export interface FileEdit extends Base {
  readonly type: 'FileEdit';
  readonly tool: string;
  readonly paths: readonly string[];
}

export interface Compaction extends Base {
  readonly type: 'Compaction';
}

export interface SubagentStart extends Base {
  readonly type: 'SubagentStart';
  readonly toolUseId: string;
}

export interface SubagentEnd extends Base {
  readonly type: 'SubagentEnd';
  readonly toolUseId: string | undefined;
  readonly agentId: string | undefined;
  /** True for the agent's own word that the sub-agent stopped, false for the return of the tool call. */
  readonly final: boolean;
}

export interface SessionEnd extends Base {
  readonly type: 'SessionEnd';
  readonly reason: string | undefined;
}

export type AgentEvent =
  | SessionStart
  | TurnStart
  | TurnEnd
  | FileEdit
  | Compaction
  | SubagentStart
  | SubagentEnd
  | SessionEnd;
