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
  /** What the model's calls have cost; together with the other messages of a turn what that has cost, and never twice. */
  readonly usage?: MessageUsage;
  /** Why the turn did not come to its end; on its last message. Left out of one that did. */
  readonly stopped?: TurnStop;
  /** The user said it while the turn was running. */
  readonly steered?: true;
  /** It sums up what went before, and the agent goes on with that: nobody said it. */
  readonly compacted?: true;
  /** The model that said it, where an agent's own transcript tells. */
  readonly model?: string;
  readonly [field: string]: unknown;
}

/** `unfinished`: it was running when this was kept, and may be still; nothing later is known of it. */
export type TurnStop = 'cancelled' | 'failed' | 'timed-out' | 'unfinished';

/**
 * One block: {@link TextBlock}, {@link ThinkingBlock}, {@link ToolUseBlock}, {@link ToolResultBlock}, {@link AttachmentBlock}, or
 * another, which is kept.
 */
export interface ContentBlock {
  readonly type: string;
  readonly text?: string;
  readonly [field: string]: unknown;
}

export interface TextBlock extends ContentBlock {
  readonly type: 'text';
  readonly text: string;
}

/** What the model thought before it went on; in a message of the assistant. */
export interface ThinkingBlock extends ContentBlock {
  readonly type: 'thinking';
  readonly text: string;
}

/** A picture or another file: of the user's, or of a tool's, whose result stands before it. */
export interface AttachmentBlock extends ContentBlock {
  readonly type: 'image' | 'file';
  /** Empty where nobody says it. */
  readonly media_type: string;
  /** Size of the data. */
  readonly bytes?: number;
  /** Base64, as it stands in the transcript; left out where only the place is known. */
  readonly data?: string;
  /** Its path or address. */
  readonly source?: string;
  readonly name?: string;
  /** The call that returned it. */
  readonly tool_use_id?: string;
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
