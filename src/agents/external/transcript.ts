import { isObject, type JsonObject, parseJson } from '../../base/json.ts';
import { countLines, sliceLines } from '../json-lines.ts';
import { toolDetail } from '../message-blocks.ts';
import { stripTags } from '../prompt-tags.ts';
import type { TranscriptEntry, TranscriptFormat } from '../transcript.ts';

/**
 * The transcript of an agent whose format nobody has told us: what most have in common. JSON Lines, an item a line, or one
 * JSON document with a list of messages; a message has a role, and a text or blocks. What is written otherwise is stored
 * as it is, and says nothing. Which files tools wrote, only the agent's executable knows.
 */
export const externalTranscript: TranscriptFormat = {
  isDocument: (text) => readDocument(text) !== undefined,
  readPrompts: (text) =>
    entriesOf(text).flatMap((entry) => (entry.kind === 'user' ? stripTags(entry.text) || [] : [])),
  cleanPrompt: stripTags,
  readEntries: (text) => entriesOf(text),

  sliceItems(text, item) {
    const document = readDocument(text);
    if (document === undefined) return sliceLines(text, item);
    const { whole, key, messages } = document;
    return messages.length <= item ? '' : JSON.stringify({ ...whole, [key]: messages.slice(item) });
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
      const time = Date.parse(String(message.timestamp ?? message.created_at));
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
function readDocument(text: string): Document | undefined {
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

function messagesOf(text: string): JsonObject[] {
  const values = readDocument(text)?.messages ?? text.split('\n').map(parseJson);
  return values.filter(isObject);
}

const entriesOf = (text: string): TranscriptEntry[] => messagesOf(text).flatMap(entriesOfMessage);

const USERS: readonly unknown[] = ['user', 'human'];
const ANSWERERS: readonly unknown[] = ['assistant', 'ai', 'model', 'agent'];

function entriesOfMessage(message: JsonObject): TranscriptEntry[] {
  const inner = isObject(message.message) ? message.message : message;
  const role = inner.role ?? message.role ?? message.type;
  const kind = USERS.includes(role) ? 'user' : ANSWERERS.includes(role) ? 'assistant' : undefined;
  if (kind === undefined) return [];
  const content = inner.content ?? inner.parts ?? inner.text;
  const calls: readonly unknown[] = Array.isArray(inner.tool_calls) ? inner.tool_calls : [];
  const blocks: readonly unknown[] = Array.isArray(content) ? content : [content];
  return [...blocks, ...calls].flatMap((block): TranscriptEntry[] => {
    const words = wordsOf(block);
    if (words !== undefined) return words.trim() === '' ? [] : [{ kind, text: words }];
    const tool = kind === 'assistant' ? toolOf(block) : undefined;
    return tool ? [tool] : [];
  });
}

const TEXTS: readonly unknown[] = [undefined, 'text', 'input_text', 'output_text'];

/** What a block says; `undefined` for one that is no text. */
function wordsOf(block: unknown): string | undefined {
  if (typeof block === 'string') return block;
  return isObject(block) && TEXTS.includes(block.type) && typeof block.text === 'string'
    ? block.text
    : undefined;
}

/** A call of a tool, as the usual programming interfaces write it. */
function toolOf(block: unknown): TranscriptEntry | undefined {
  if (!isObject(block) || block.type === 'tool_result') return undefined;
  const called = isObject(block.function) ? block.function : block;
  const name = called.name ?? block.tool;
  if (typeof name !== 'string' || name === '') return undefined;
  const given = called.input ?? called.arguments ?? called.args;
  const input = typeof given === 'string' ? parseJson(given) : given;
  return { kind: 'tool', name, detail: toolDetail(name, input, ['path']) };
}
