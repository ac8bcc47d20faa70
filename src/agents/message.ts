/**
 * A message of a conversation with an agent, in the shape that most of them speak: a text, or blocks of text, tool calls
 * and their results. Names are those on disk. Fields and blocks that are not named here are kept as they are.
 *
 * @see https://docs.anthropic.com/en/api/messages
 */
export interface Message {
  /** `user` or `assistant`; other words come from elsewhere and are kept. */
  readonly role: string;
  readonly content: string | readonly ContentBlock[];
  /** When it was said, in seconds since 1970. */
  readonly timestamp?: number;
  /** What the turn has cost; on its last message. */
  readonly usage?: MessageUsage;
  /** Why the turn did not come to its end; on its last message. Left out of one that did. */
  readonly stopped?: TurnStop;
  /** The user said it while the turn was running. */
  readonly steered?: true;
  readonly [field: string]: unknown;
}

export type TurnStop = 'cancelled' | 'failed' | 'timed-out';

/** One block: {@link TextBlock}, {@link ToolUseBlock}, {@link ToolResultBlock}, or another, which is kept. */
export interface ContentBlock {
  readonly type: string;
  readonly text?: string;
  readonly [field: string]: unknown;
}

export interface TextBlock extends ContentBlock {
  readonly type: 'text';
  readonly text: string;
}

/** In a message of the assistant. */
export interface ToolUseBlock extends ContentBlock {
  readonly type: 'tool_use';
  readonly id: string;
  readonly name: string;
  /** The tool's arguments: most often an object. */
  readonly input: unknown;
}

/** In a message of the user. */
export interface ToolResultBlock extends ContentBlock {
  readonly type: 'tool_result';
  readonly tool_use_id: string;
  readonly content: string;
  readonly is_error?: true;
}

/** Tokens of the model's calls, and what they cost where the agent says so. */
export interface MessageUsage {
  readonly input_tokens: number;
  readonly output_tokens: number;
  readonly cache_creation_tokens: number;
  readonly cache_read_tokens: number;
  /** In US dollars. */
  readonly cost_usd?: number;
}
