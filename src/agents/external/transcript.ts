import { asText, isObject, type JsonObject, parseJson } from '../../base/text/json.ts';
import { countLines, sliceLines } from '../shared/transcript/json-lines.ts';
import { toolDetail } from '../shared/transcript/message-blocks.ts';
import { stripTags } from '../shared/transcript/prompt-tags.ts';
import type { TranscriptEntry, TranscriptFormat } from '../shared/transcript/transcript.ts';

/**
 * The transcript of an agent whose format nobody has told us: what most have in common. JSON Lines, an item a line, or one
 * JSON document with a list of messages; a message has a role, and a text or blocks. What is written otherwise is stored
 * as it is, and says nothing. Which files tools wrote, only the agent's executable knows.
 */
export const externalTranscript: TranscriptFormat = {
  // What it looks like only the agent's executable knows, which the user of this machine has let in; but it is a text.
  looksLike: (head) => !head.includes('\0'),
  isDocument: (text) => readDocument(text) !== undefined,
  readPrompts: (text) =>
    entriesOf(text).flatMap((entry) => (entry.kind === 'user' ? stripTags(entry.text) || [] : [])),
  cleanPrompt: stripTags,
  readEntries: (text) => entriesOf(text),

  sliceItems(text, item, end) {
    const document = readDocument(text);
    if (document === undefined) return sliceLines(text, item, end);
    const { whole, key, messages } = document;
    return messages.length <= item ? '' : JSON.stringify({ ...whole, [key]: messages.slice(item, end) });
  },

  countItems: (text) => readDocument(text)?.messages.length ?? countLines(text),
  readSummary: (text) =>
    entriesOf(text)
      .flatMap((entry) => (entry.kind === 'assistant' ? entry.text : []))
      .at(-1),
  readFilesTouched: () => [],
  readEdits: () => ({ edits: [], agents: [], isComplete: false }),
  ranShell: (text) => text.trim() !== '', // it may have
  readCalls: () => [],
  readSubagents: () => [],
  subagentTranscripts: () => [],
  subagentNote: () => '',
  parseSubagentNote: () => undefined,

  readTime(text) {
    for (const message of messagesOf(text)) {
      const time = timeOf(message);
      if (!Number.isNaN(time)) return time;
    }
    return undefined;
  },

  readLastIdentifier(text) {
    const id = messagesOf(text).findLast((message) => typeof (message.id ?? message.uuid) === 'string');
    return id === undefined ? '' : String(id.id ?? id.uuid);
  },

  findToolResult: () => '',
  fork: () => undefined,
  holdsMessage: (text, message) =>
    entriesOf(text).some((entry) => entry.kind === 'assistant' && entry.text.trim() === message.trim()),
};

const entriesOf = (text: string): TranscriptEntry[] => messagesOf(text).flatMap(entriesOfMessage);

function entriesOfMessage(message: JsonObject): TranscriptEntry[] {
  const { role: kind, blocks } = openMessage(message);
  if (kind === undefined) return [];
  return blocks.flatMap((block): TranscriptEntry[] => {
    const words = wordsOf(block);
    if (words !== undefined) return words.trim() === '' ? [] : [{ kind, text: words }];
    const tool = kind === 'assistant' ? toolOf(block) : undefined;
    return tool ? [tool] : [];
  });
}

function toolOf(block: unknown): TranscriptEntry | undefined {
  const call = callIn(block);
  return call && { kind: 'tool', name: call.name, detail: toolDetail(call.name, call.input, ['path']) };
}

/** Under which names documents keep their messages. */
const LISTS = ['messages', 'conversation', 'history', 'items', 'entries', 'events'] as const;

interface Document {
  readonly whole: JsonObject;
  readonly key: string;
  readonly messages: readonly unknown[];
}

let last: { readonly text: string; readonly document: Document | undefined } = {
  text: '',
  document: undefined,
};

/** The last text is remembered, since its readers come one after the other. */
export function readDocument(text: string): Document | undefined {
  if (last.text !== text) last = { text, document: parseDocument(text) };
  return last.document;
}

function parseDocument(text: string): Document | undefined {
  const whole = /^\s*\{/.test(text) ? parseJson(text) : undefined;
  if (!isObject(whole)) return undefined;
  for (const key of LISTS) {
    const messages = whole[key];
    if (Array.isArray(messages)) return { whole, key, messages };
  }
  return undefined;
}

export function messagesOf(text: string): JsonObject[] {
  const values = readDocument(text)?.messages ?? text.split('\n').map(parseJson);
  return values.filter(isObject);
}

/** In milliseconds since 1970; `NaN` where the message does not say. */
export const timeOf = (message: JsonObject): number =>
  Date.parse(String(message.timestamp ?? message.created_at));

/** One message, by whatever names. */
export interface OpenMessage {
  /** `undefined` for what neither side said. */
  readonly role: 'user' | 'assistant' | undefined;
  /** Texts and blocks, with calls of tools where those stand apart. */
  readonly blocks: readonly unknown[];
  readonly fields: JsonObject;
}

const USERS: readonly unknown[] = ['user', 'human'];
const ANSWERERS: readonly unknown[] = ['assistant', 'ai', 'model', 'agent'];

export function openMessage(message: JsonObject): OpenMessage {
  const fields = isObject(message.message) ? message.message : message;
  const told = fields.role ?? message.role ?? message.type;
  const role = USERS.includes(told) ? 'user' : ANSWERERS.includes(told) ? 'assistant' : undefined;
  const content = fields.content ?? fields.parts ?? fields.text;
  const calls: readonly unknown[] = Array.isArray(fields.tool_calls) ? fields.tool_calls : [];
  const blocks: readonly unknown[] = Array.isArray(content) ? content : [content];
  return { role, blocks: [...blocks, ...calls], fields };
}

const TEXTS: readonly unknown[] = [undefined, 'text', 'input_text', 'output_text'];

/** What a block says; `undefined` for one that is no text. */
export function wordsOf(block: unknown): string | undefined {
  if (typeof block === 'string') return block;
  return isObject(block) && TEXTS.includes(block.type) && typeof block.text === 'string'
    ? block.text
    : undefined;
}

/** A call of a tool, as the usual programming interfaces write it. */
export function callIn(
  block: unknown,
): { readonly id: string; readonly name: string; readonly input: unknown } | undefined {
  if (!isObject(block) || block.type === 'tool_result') return undefined;
  const called = isObject(block.function) ? block.function : block;
  const name = called.name ?? block.tool;
  if (typeof name !== 'string' || name === '') return undefined;
  const given = called.input ?? called.arguments ?? called.args;
  const input = typeof given === 'string' ? parseJson(given) : given;
  return { id: asText(block.id ?? block.call_id ?? block.callID), name, input };
}
