import {
  asList,
  asObject,
  asObjects,
  asText,
  describeJson,
  isObject,
  type JsonObject,
} from '../../../base/text/json.ts';
import type { Conversation, Returned, Said } from '../session/conversation.ts';
import type { AttachmentBlock, ContentBlock } from '../session/message.ts';

/**
 * One block of a message as Anthropic's API has them, which more than one client writes into its transcripts. Nothing of it
 * is checked.
 */
export interface Block {
  readonly type?: unknown;
  readonly id?: unknown;
  readonly text?: unknown;
  readonly name?: unknown;
  readonly tool_use_id?: unknown;
  readonly is_error?: unknown;
  readonly content?: unknown;
  readonly input?: Readonly<Record<string, unknown>>;
}

/** The blocks of a message's `content`; none where it is a text. */
export const blocksOf = (content: unknown): Block[] =>
  Array.isArray(content) ? content.filter((block) => typeof block === 'object' && block !== null) : [];

export const hasText = (block: Block): boolean =>
  block.type === 'text' && typeof block.text === 'string' && block.text !== '';

/** Whether a block says exactly that, blanks around it aside. */
export const saysExactly = (block: Block, wanted: string): boolean =>
  block.type === 'text' && typeof block.text === 'string' && block.text.trim() === wanted;

/** A message's own words: its text, or its text blocks with a blank line between them. */
export const wordsOf = (content: unknown): string =>
  typeof content === 'string'
    ? content
    : blocksOf(content)
        .filter(hasText)
        .map((block) => block.text)
        .join('\n\n');

export const isResultOf = (block: Block, toolUseId: string): boolean =>
  block.type === 'tool_result' && block.tool_use_id === toolUseId;

/** What a tool returned, as text. */
export function resultText({ type, content }: Block): string {
  if (type !== 'tool_result') return '';
  if (typeof content === 'string') return content;
  const parts = Array.isArray(content) ? (content as readonly (Block | null)[]) : [];
  return parts.map((part) => (typeof part?.text === 'string' ? part.text : '')).join('\n');
}

/** Which of a tool's arguments say what it was used on; the first that says something counts. */
const DETAILS: Readonly<Record<string, readonly string[]>> = {
  Skill: ['skill'],
  Read: ['file_path', 'notebook_path'],
  WebFetch: ['url'],
};
const OTHER_DETAILS = ['description', 'command', 'file_path', 'notebook_path', 'pattern'];

/** What a tool was used on, in a few words; may be empty. `more` are arguments that only some clients' tools have. */
export function toolDetail(name: string, input: unknown, more: readonly string[] = []): string {
  const keys = Object.hasOwn(DETAILS, name) ? (DETAILS[name] ?? []) : [...OTHER_DETAILS, ...more];
  const values = isObject(input) ? keys.map((key) => input[key]) : [];
  return values.find((value): value is string => typeof value === 'string' && value !== '') ?? '';
}

/** Tokens in a transcript; 0 for what is no number of them. */
export const tokens = (value: unknown): number =>
  typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : 0;

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

/** Takes an answer: texts, thoughts and calls of tools. @see https://docs.anthropic.com/en/api/messages */
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
function attachmentIn(block: JsonObject): AttachmentBlock | undefined {
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
