import type { Replaced } from '../base/file/swaps.ts';
import type { SessionId } from '../base/ids.ts';

/** A payload that names no session, or one whose id must not become part of a path. */
export type Rejected = { readonly rejected: string };

/**
 * What every event says. Events are the normalised vocabulary that every agent is translated into; their paths are as the
 * agent gave them.
 */
export interface EventBase {
  readonly sessionId: SessionId;
  /** Folder the agent was in; relative paths of the event are relative to it. */
  readonly cwd: string | undefined;
  readonly transcriptPath: string | undefined;
}

export interface SessionStart extends EventBase {
  readonly type: 'SessionStart';
  readonly source: string | undefined;
  /** The client tells this and the first prompt at once: the turn may have begun already. */
  readonly mayBeInTurn?: boolean;
  /** With the source `compact`: may have been told before, of the same compaction. Each new one is told before it happens. */
  readonly mayBeRepeated?: boolean;
  /** From clients that go on after a compaction in a session of its own: the one that was compacted. */
  readonly previousSessionId?: SessionId;
}

export interface TurnStart extends EventBase {
  readonly type: 'TurnStart';
  readonly prompt: string;
}

export interface TurnEnd extends EventBase {
  readonly type: 'TurnEnd';
  /** Last words of the agent; the transcript is complete once it holds them. */
  readonly lastAssistantMessage: string | undefined;
  /** What the client writes behind them, from clients that do not tell the words themselves. */
  readonly transcriptMark?: string | undefined;
  /** Ids of sub-agents that go on in the background; `undefined` from clients that do not say. */
  readonly runningAgents: readonly string[] | undefined;
}

export interface FileEdit extends EventBase {
  readonly type: 'FileEdit';
  readonly tool: string;
  readonly paths: readonly string[];
  /** A shell command changed the files; otherwise a tool that names its file did. */
  readonly isShell: boolean;
  /** The sub-agent that made the edit; `undefined` for the main agent, and from clients that do not say. */
  readonly agentId: string | undefined;
  /** What the file held before, as text; `null` when there was none, `undefined` from clients that do not say. */
  readonly before: string | null | undefined;
  /** That text is the file's, byte for byte, as UTF-8: a plugin of ours read it. Other clients leave line ends and more out of it. */
  readonly isBeforeExact?: boolean;
  /** Which texts it replaced, by the path as it stands in `paths`; from clients that tell those, and not what the file was before. */
  readonly replaced?: ReadonlyMap<string, Replaced>;
  /** Where it moved a file to, by the path that this had, as both stand in `paths`. */
  readonly moved?: ReadonlyMap<string, string>;
}

/** The agent read files, with tools that name them. */
export interface FileRead extends EventBase {
  readonly type: 'FileRead';
  readonly paths: readonly string[];
}

/** A shell command of the agent ended. It may have committed, with git hooks that the agent switched off. */
export interface ShellCommand extends EventBase {
  readonly type: 'ShellCommand';
  /** A sub-agent ran it, and hears what the hook says. Left out by clients that do not tell. */
  readonly isSubagent?: boolean;
}

/** More of a transcript was handed over, by a client that has none on the disk; nothing else happened. */
export interface TranscriptPart extends EventBase {
  readonly type: 'TranscriptPart';
}

export interface Compaction extends EventBase {
  readonly type: 'Compaction';
}

/** What the agent was asked to hand on, as far as the payload says. */
interface Task {
  readonly subagentType: string;
  readonly description: string;
}

export interface SubagentStart extends EventBase, Task {
  readonly type: 'SubagentStart';
  readonly toolUseId: string;
  /** From clients that say it at once; then the sub-agent may outlive the turn. */
  readonly agentId?: string | undefined;
}

/** The tool call returned, and the sub-agent works on in the background. */
export interface SubagentLaunch extends EventBase, Task {
  readonly type: 'SubagentLaunch';
  readonly toolUseId: string;
  readonly agentId: string | undefined;
}

/** A sub-agent is done: its tool call returned, or the client says that it stopped. */
export interface SubagentEnd extends EventBase, Task {
  readonly type: 'SubagentEnd';
  /** `undefined` where only the agent is named. */
  readonly toolUseId: string | undefined;
  readonly agentId: string | undefined;
  /** Its transcript, where the payload says. */
  readonly subagentTranscriptPath: string | undefined;
  /** Last words of the sub-agent, where the payload says. */
  readonly lastAssistantMessage: string | undefined;
  /** What the client writes behind them, from clients that may not have begun their transcript by then. */
  readonly transcriptMark?: string | undefined;
}

/** An agent brought its list of things to do up to date. */
export interface TodoUpdate extends EventBase {
  readonly type: 'TodoUpdate';
  /** The sub-agent whose list it is; `undefined` for the main agent, and from clients that do not say. */
  readonly agentId: string | undefined;
  readonly tool: string;
  readonly toolInput: unknown;
  /** What was done last, or how much is planned; empty when there is nothing to say. */
  readonly label: string;
}

export interface SessionEnd extends EventBase {
  readonly type: 'SessionEnd';
  /** Some clients say so after a turn; sub-agents in the background may work on. */
  readonly mayGoOn?: boolean;
}

export type AgentEvent =
  | SessionStart
  | TurnStart
  | TurnEnd
  | FileEdit
  | ShellCommand
  | TranscriptPart
  | Compaction
  | SubagentStart
  | SubagentLaunch
  | SubagentEnd
  | TodoUpdate
  | SessionEnd;

/** How the payloads of one agent's hooks are read. Takes any JSON value; never throws. */
export interface HookReader {
  /** The payload of the hot verb, `post-file-edit`; `undefined` where no file that it names was changed. */
  parseFileEdit(payload: unknown): FileEdit | Rejected | undefined;
  /** The payload of `post-file-read`, which is hot as well; `undefined` where no file was read. Not every client has it. */
  parseFileRead?(payload: unknown): FileRead | Rejected | undefined;
  /** A payload of the hot verb where it says that a shell command is over, of clients that have no other word for it. */
  parseShellInEdit?(payload: unknown): EventBase | undefined;
  /** The payload of any verb; `undefined` where it stands for no event. */
  parseHookInput(verb: string, payload: unknown): AgentEvent | Rejected | undefined;
}
