import { asObjects, asText } from '../../base/text/json.ts';
import type { Conversation, Said } from '../session/conversation.ts';
import type { ContentBlock } from '../session/message.ts';
import { returnedOf } from './message-blocks.ts';

/**
 * What more than one client writes as Anthropic's API has it.
 *
 * @see https://docs.anthropic.com/en/api/messages
 */

/** Takes an answer: texts, thoughts and calls of tools. */
export function takeAnswer(conversation: Conversation, content: unknown, said: Said): void {
  if (typeof content === 'string') conversation.say({ type: 'text', text: content }, said);
  for (const block of asObjects(content)) {
    if (block.type === 'tool_use') conversation.use(asText(block.id), asText(block.name), block.input, said);
    else if (block.type === 'text') conversation.say({ type: 'text', text: asText(block.text) }, said);
    else if (block.type === 'thinking')
      conversation.say({ type: 'thinking', text: asText(block.thinking) }, said);
  }
}

/** Takes what tools returned, which stands in messages of the user. */
export function takeResults(conversation: Conversation, content: unknown, timeMs: number): void {
  for (const block of asObjects(content))
    if (block.type === 'tool_result')
      conversation.result(
        asText(block.tool_use_id),
        returnedOf(block.content, block.is_error === true),
        timeMs,
      );
}

/** A text as the blocks of a message; none where it is empty. */
export const textBlocks = (text: string): ContentBlock[] => (text === '' ? [] : [{ type: 'text', text }]);
