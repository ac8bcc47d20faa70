import { Conversation } from '../shared/session/conversation.ts';
import type { Message } from '../shared/session/message.ts';
import { attachmentsIn, takeAnswer, takeResults, textBlocks } from '../shared/transcript/message-blocks.ts';
import { parse, promptOf } from './transcript.ts';

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
