import type { MessageUsage } from '../session/message.ts';

/** How an agent is driven without a terminal: one process for each turn. Pure: nothing here starts anything. */
export interface Headless {
  /** How a turn is begun. */
  start(request: HeadlessRequest): HeadlessStart;
  /** Reads what the process prints in one turn. */
  reader(request: HeadlessRequest): HeadlessReader;
  /**
   * What the process is told, on stdin, when the user says something into the turn; the reader then says when it was heard
   * (`steered`), and an `end` before that is none. Left out by agents that cannot hear.
   */
  steer?(message: string): string;
  /** What it says that a turn has cost is the sum since its session began. */
  readonly sumsCost?: true;
  /** The tokens that it tells of are the sum since its session began. */
  readonly sumsTokens?: true;
  /** What it is told so that the turn ends early. Left out by agents that have to be stopped by a signal. */
  interrupt?(): string;
}

export interface HeadlessRequest {
  /** What the user says. */
  readonly prompt: string;
  /** The agent's own id of the session to go on with; a new session without it. */
  readonly resume: string | undefined;
  /** What stands above the conversation; told when a session begins. */
  readonly system: string | undefined;
  /** More arguments, in the agent's own words. */
  readonly words: readonly string[];
  /** The folder that it works in, absolute. */
  readonly cwd: string;
  /** Where a file can be put that the process reads, absolute: for what does not fit into a command. See {@link HeadlessStart.file}. */
  readonly file: string;
}

export interface HeadlessStart {
  readonly program: string;
  readonly args: readonly string[];
  /** Variables on top of those it inherits. */
  readonly env?: Readonly<Record<string, string>>;
  /** What it gets on stdin. */
  readonly input: string;
  /** What {@link HeadlessRequest.file} is to hold while the process runs; without it there is no file. */
  readonly file?: string;
  /** Stdin stays open until the turn is over: there may be more to say. */
  readonly staysOpen?: true;
  /** The agent's own id of the session, where it is we who give it one; else the reader says it. */
  readonly sessionId?: string;
}

/** Reads a turn, line by line; remembers what it needs to. */
export interface HeadlessReader {
  /** What a line of stdout says; nothing for one that is not understood. Never throws. */
  read(line: string): readonly HeadlessSign[];
  /** What the end of the process says. @param stderr the last of what it printed there */
  end?(code: number | undefined, stderr: string): readonly HeadlessSign[];
}

export type HeadlessSign =
  | TurnEvent
  /** The agent's own id of the session. */
  | { readonly type: 'session'; readonly sessionId: string }
  /** To be written to stdin now, if that is open. */
  | { readonly type: 'say'; readonly text: string }
  /** The turn is over: nothing more comes, whether the process has ended or not. */
  | { readonly type: 'end'; readonly failure?: HeadlessFailure };

export interface HeadlessFailure {
  /** What the agent says of it, as it says it. */
  readonly message: string;
  /** Somebody has to log in first. */
  readonly needsLogin?: true;
  /** The session to go on with is not there (any more); nothing of the turn has happened. */
  readonly hasNoSession?: true;
}

/** What happens in a turn of an agent, as it happens. */
export type TurnEvent =
  /** A piece of what the agent says; pieces that follow one another are one text. */
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'tool_use'; readonly id: string; readonly name: string; readonly input: unknown }
  | {
      readonly type: 'tool_result';
      readonly tool_use_id: string;
      readonly content: string;
      readonly is_error?: true;
    }
  /** The agent has heard what the user said into the turn, and goes on with it in mind. */
  | { readonly type: 'steered'; readonly text: string }
  /** Tokens of this turn so far: a later one takes the place of an earlier one. */
  | { readonly type: 'usage'; readonly usage: MessageUsage }
  /** Something for the person who waits, which is no part of the conversation. */
  | { readonly type: 'notice'; readonly text: string };
