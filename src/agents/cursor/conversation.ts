import { Conversation } from '../session/conversation.ts';
import type { Message } from '../session/message.ts';
import { takeAnswer, takeResults, textBlocks } from '../transcript/anthropic-messages.ts';
import { attachmentsIn } from '../transcript/attachments.ts';
import { parse, promptOf } from './lines.ts';

/** The conversation, as far as the client wrote it down: nothing of times, tokens, and what tools returned. */
export function readMessages(text: string): Message[] {
  const conversation = new Conversation();
  for (const [index, line] of parse(text).entries()) {
    const { role, content } = line;
    takeResults(conversation, content, 0);
    if (role === 'user')
      conversation.prompt([...textBlocks(promptOf(line) ?? ''), ...attachmentsIn(content)], 0);
    if (role === 'assistant') takeAnswer(conversation, content, { timeMs: 0, call: `${index}` });
  }
  return conversation.messages();
}
