import { asObject, asObjects, asText, isObject, type JsonObject } from '../../base/text/json.ts';
import type { AttachmentBlock } from '../session/message.ts';

/** What is known of a picture or a file. */
interface Attachment {
  readonly mediaType: string;
  /** Base64; empty where only its place is known. */
  readonly data?: string;
  /** Its path or address. */
  readonly source?: string;
  readonly name?: string;
}

/**
 * A block for a picture, or for another file. What is no Base64 is left out, so that whoever shows a picture can put what is
 * there into a `data:` address.
 */
export function attachment({ mediaType, data = '', source = '', name = '' }: Attachment): AttachmentBlock {
  const media = MEDIA_TYPE.test(mediaType) ? mediaType.toLowerCase() : '';
  const isData = data !== '' && BASE64.test(data);
  return {
    type: media.startsWith('image/') ? 'image' : 'file',
    media_type: media,
    ...(isData ? { bytes: sizeOf(data), data } : {}),
    ...(source === '' ? {} : { source }),
    ...(name === '' ? {} : { name }),
  };
}

/** A block for what stands at an address, which may be a `data:` one. */
export function attachmentAt(address: unknown, mediaType = '', name = ''): AttachmentBlock {
  const text = asText(address);
  const head = DATA_ADDRESS.exec(text.slice(0, MAX_HEAD));
  if (!head) return attachment({ mediaType, source: text.startsWith('data:') ? '' : text, name });
  return attachment({ mediaType: head[1] || mediaType, data: text.slice(head[0].length), name });
}

/**
 * The picture or document in a block of the programming interfaces of Anthropic, OpenAI and MCP; `undefined` for any other
 * block.
 */
export function attachmentIn(block: JsonObject): AttachmentBlock | undefined {
  const { type, source, data, mimeType, image_url: address, title } = block;
  if (type === 'input_image') return attachmentAt(address, 'image/*');
  if (type !== 'image' && type !== 'document') return undefined;
  if (!isObject(source)) return attachment({ mediaType: asText(mimeType), data: asText(data) });
  if (source.type === 'url') return attachmentAt(source.url, type === 'image' ? 'image/*' : '');
  const { media_type: mediaType, data: own } = asObject(source);
  return attachment({ mediaType: asText(mediaType), data: asText(own), name: asText(title) });
}

/** Pictures and documents among the blocks of a message. */
export const attachmentsIn = (content: unknown): AttachmentBlock[] =>
  asObjects(content).flatMap((block) => attachmentIn(block) ?? []);

const MEDIA_TYPE = /^[a-z]+\/[\w.+*-]{1,100}$/i;
const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/;
const DATA_ADDRESS = /^data:([^;,]*)(?:;[^;,]*)*;base64,/;
const MAX_HEAD = 300;

function sizeOf(base64: string): number {
  const padding = base64.endsWith('==') ? 2 : base64.endsWith('=') ? 1 : 0;
  return Math.floor((base64.length * 3) / 4) - padding;
}
