import type { MessageUsage } from '../session/message.ts';

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
