import { asObject, asObjects, asText, isObject, type JsonObject } from '../../base/text/json.ts';
import type { Returned } from '../session/conversation.ts';
import type { ContentBlock } from '../session/message.ts';
import { attachment, attachmentAt } from './attachments.ts';
import { returnedOf } from './message-blocks.ts';

/** The `response` of a function, with the parts that came with it, as Gemini's API has them. */
export function responseOf(response: unknown, parts: unknown, failed: boolean): Returned {
  const { output, error } = asObject(response);
  const said = typeof output === 'string' ? output : typeof error === 'string' ? error : response;
  const attachments = asObjects(parts).flatMap((part) => fileIn(part) ?? []);
  return { text: returnedOf(said, failed).text, failed, attachments };
}

/** A picture or a file in a part, as Gemini's API has them; `undefined` for any other part. */
export function fileIn({ inlineData, fileData }: JsonObject): ContentBlock | undefined {
  const { mimeType, data } = asObject(inlineData);
  if (isObject(inlineData)) return attachment({ mediaType: asText(mimeType), data: asText(data) });
  if (isObject(fileData)) return attachmentAt(fileData.fileUri, asText(fileData.mimeType));
  return undefined;
}
