import { asText, isObject, type JsonObject } from '../../base/text/json.ts';
import { Conversation, type Said } from '../shared/session/conversation.ts';
import type { Message } from '../shared/session/message.ts';
import { returnedOf } from '../shared/transcript/message-blocks.ts';
import { stripTags } from '../shared/transcript/prompt-tags.ts';
import { callIn, messagesOf, openMessage, timeOf, wordsOf } from './transcript.ts';

/** What most formats have in common: roles, texts, calls of tools and what they returned. */
export function readMessages(text: string): Message[] {
  const conversation = new Conversation();
  for (const [item, message] of messagesOf(text).entries()) takeMessage(conversation, message, `${item}`);
  return conversation.messages();
}

function takeMessage(conversation: Conversation, message: JsonObject, call: string): void {
  const { role, blocks, fields } = openMessage(message);
  const timeMs = timeOf(message) || 0;
  const said: Said = { timeMs, call, model: asText(fields.model) };
  if (fields.role === 'tool')
    conversation.result(asText(fields.tool_call_id), returnedOf(fields.content, false), timeMs);
  const typed: string[] = [];
  for (const block of blocks) {
    const words = wordsOf(block);
    const used = callIn(block);
    if (isObject(block) && block.type === 'tool_result')
      conversation.result(
        asText(block.tool_use_id),
        returnedOf(block.content, block.is_error === true),
        timeMs,
      );
    else if (role === 'user') typed.push(stripTags(words ?? ''));
    else if (role === undefined) continue;
    else if (words !== undefined)
      conversation.say({ type: 'text', text: words.trim() === '' ? '' : words }, said);
    else if (used) conversation.use(used.id, used.name, used.input, said);
  }
  conversation.prompt(
    typed.filter(Boolean).map((words) => ({ type: 'text', text: words })),
    timeMs,
  );
}
