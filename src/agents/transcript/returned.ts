import { asList, asObject, describeJson, isObject } from '../../base/text/json.ts';
import type { Returned } from '../session/conversation.ts';
import { attachmentIn } from './attachments.ts';

/**
 * What a tool returned, from a text or the blocks that the programming interfaces of Anthropic, OpenAI and MCP have for it. A block that
 * is neither text nor a picture is there as JSON.
 */
export function returnedOf(content: unknown, failed: boolean): Returned {
  if (typeof content === 'string') return { text: content, failed };
  const parts = isObject(content) ? [content] : asList(content);
  const attachments = parts.flatMap((part) => attachmentIn(asObject(part)) ?? []);
  const texts = parts.flatMap((part) => {
    if (isObject(part) && typeof part.text === 'string') return part.text;
    return part === null || attachmentIn(asObject(part)) ? [] : describeJson(part);
  });
  return { text: texts.join('\n'), failed, attachments };
}
