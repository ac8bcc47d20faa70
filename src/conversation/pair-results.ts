import type { ContentBlock, Message } from '../agents/shared/session/message.ts';
import { asText } from '../base/text/json.ts';

/** All blocks of messages, in their order; a text is none. */
export const blocksIn = (messages: readonly Message[]): ContentBlock[] =>
  messages.flatMap(({ content }) => (typeof content === 'string' ? [] : content));

/**
 * The result of each call. Ids are of the clients' own making, and some begin anew with every turn: a result is of the first
 * call of its id that has none yet. One that comes before its call is kept for it.
 */
export function pairResults(messages: readonly Message[]): Map<ContentBlock, ContentBlock> {
  const pairs = new Map<ContentBlock, ContentBlock>();
  const open = new Map<string, ContentBlock[]>();
  const early: ContentBlock[] = [];
  const pair = (result: ContentBlock): boolean => {
    const call = open.get(asText(result.tool_use_id))?.shift();
    if (call) pairs.set(call, result);
    return call !== undefined;
  };
  for (const block of blocksIn(messages)) {
    if (block.type === 'tool_result' && !pair(block)) early.push(block);
    if (block.type !== 'tool_use') continue;
    const same = open.get(asText(block.id));
    if (same) same.push(block);
    else open.set(asText(block.id), [block]);
  }
  early.forEach(pair);
  return pairs;
}
