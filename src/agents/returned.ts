import { asList, asObject, asText, describeJson, isObject, type JsonObject } from '../base/json.ts';
import { attachment, attachmentAt } from './attachments.ts';
import type { Returned } from './conversation.ts';
import type { ContentBlock } from './message.ts';

/**
 * What a tool returned, from a text or the blocks that the programming interfaces of Anthropic, OpenAI and MCP have for it. A block that
 * is neither text nor a picture is there as JSON.
 */
export function returnedOf(content: unknown, failed: boolean): Returned {
  if (typeof content === 'string') return { text: content, failed };
  const parts = isObject(content) ? [content] : asList(content);
  const attachments = parts.flatMap((part) => pictureIn(asObject(part)) ?? []);
  const texts = parts.flatMap((part) => {
    if (isObject(part) && typeof part.text === 'string') return part.text;
    return part === null || pictureIn(asObject(part)) ? [] : describeJson(part);
  });
  return { text: texts.join('\n'), failed, attachments };
}

function pictureIn({
  type,
  source,
  data,
  mimeType,
  image_url: address,
}: JsonObject): ContentBlock | undefined {
  if (type === 'input_image') return attachmentAt(address);
  if (type !== 'image') return undefined;
  if (!isObject(source)) return attachment({ mediaType: asText(mimeType), data: asText(data) });
  if (source.type === 'url') return attachmentAt(source.url);
  return attachment({ mediaType: asText(source.media_type), data: asText(source.data) });
}
