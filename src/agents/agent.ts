import type { AgentEvent, SessionStart } from './event.ts';
import type { Headless } from './shared/headless/headless.ts';
import type { Rehearsal } from './shared/headless/rehearsal.ts';
import type { Message } from './shared/session/message.ts';
import type { SessionHome } from './shared/session/session-home.ts';
import type { TranscriptFormat } from './shared/transcript/transcript.ts';

/**
 * What is known of one coding agent beyond its name (`names.ts`), the payloads of its hooks (`<agent>/hook-input.ts`, which an edit loads without
 * the rest), and how it is set up (`setup.ts`, which no hook needs). What only some commands need is loaded when they ask.
 */
export interface Agent {
  /** How its transcripts are read. */
  readonly transcript: TranscriptFormat;
  /**
   * Reads the messages of a transcript as it now is, the oldest first: what people typed, what the agent said and thought, and calls of tools
   * with their results. What the client tells the model is no part of it, and neither is what sub-agents did: their result is that
   * of the tool that started them. Takes any bytes, and never throws; linear in their number.
   */
  readMessages(text: string): Message[];
  /** Where it keeps its sessions. */
  readonly home: SessionHome;
  /** Which files `entire enable` and the agent write for themselves, as paths from the folder that holds them. */
  readonly settingsFiles: RegExp;
  /**
   * What its client is told on the hook's stdout, so that it shows the user a text when a session starts. Left out where it shows
   * nothing, or what it is told goes to the model.
   */
  banner?(text: string): string;
  /**
   * The same for the model, when a session goes on after a compaction: on the hook that says so, or on the next one that the model hears,
   * at a prompt or when a shell command is over. Left out by clients that have no such hook, or none that the model hears.
   */
  remind?(text: string, on: AgentEvent['type']): string;
  /**
   * It does not keep in a session what its start told the model: once it is started again, it goes on with a conversation that is
   * compacted, and without it.
   */
  readonly forgets?: true;
  /**
   * The prompt that a session begins with, for clients that have ways to run in which no hook tells of it; `undefined`
   * where one will. With such clients the start of the session is that of its turn.
   */
  findUnsaidPrompt?(event: SessionStart): string | undefined;
  /**
   * Puts what a payload hands over of a transcript where we read it, for agents that have none on the disk, or do not always say where.
   * Returns the transcript of the payload's session; `undefined` where there is none. Never throws.
   */
  importTranscript?(worktreeRoot: string, payload: unknown): string | undefined;
  /** How it is driven without a terminal. Left out where it cannot be. */
  loadHeadless?(): Promise<Headless>;
  /** How its sessions are played without it. */
  loadRehearsal(): Promise<Rehearsal>;
}
