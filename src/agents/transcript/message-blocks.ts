import { asList, asObject, describeJson, isObject } from '../../base/text/json.ts';
import type { Returned } from '../session/conversation.ts';
import { attachmentIn } from './attachments.ts';

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
