import { dirname, join } from 'node:path';
import { parseToolUseId } from '../../base/ids.ts';
import { asObject, asObjects, asText, isObject, type JsonObject, parseJson } from '../../base/text/json.ts';
import {
  beginsWithKey,
  beginsWithRecord,
  countLines,
  findLines,
  isKindWith,
  readBackwards,
  sliceLines,
} from '../shared/transcript/json-lines.ts';
import type {
  Compacted,
  ModelCall,
  TranscriptEntry,
  TranscriptFormat,
} from '../shared/transcript/transcript.ts';
import { agentIds, editedPaths, readEdits, SHELL } from './edits.ts';
import {
  cleanPrompt,
  isDocument,
  isPending,
  items,
  type Message,
  parseDocument,
  parseTime,
  promptOf,
  readMessages,
  textOf,
  toolCalls,
} from './messages.ts';

/** What its records begin with, and a document, as older versions wrote it. */
const KEYS = ['sessionId', 'projectHash', 'startTime', 'messages', '$set', 'id'];

const isRecord = (record: JsonObject): boolean =>
  'sessionId' in record ||
  '$set' in record ||
  'messages' in record ||
  isKindWith(record, ['content', 'timestamp']);

/**
 * Gemini CLI's transcript. Since version 0.30 JSON Lines, an item a line: a header, messages, and records that begin with
 * `$`. Before, one JSON document, whose items are its messages.
 */
export const geminiTranscript: TranscriptFormat = {
  inputHoldsCached: true,
  looksLike: (head) => beginsWithRecord(head, isRecord, KEYS) || beginsWithKey(head, KEYS),
  isDocument,
  readPrompts: (text) => readMessages(text).flatMap((message) => promptOf(message) ?? []),
  cleanPrompt,
  readEntries: (text) => readMessages(text).flatMap(entriesOf),

  sliceItems(text, item, end) {
    if (item <= 0 && end === undefined) return text;
    if (!isDocument(text)) return sliceLines(text, item, end);
    const document = parseDocument(text);
    if (!document || document.messages.length <= item) return '';
    return JSON.stringify({ ...document, messages: document.messages.slice(Math.max(item, 0), end) });
  },

  countItems: (text) => (isDocument(text) ? items(text).length : countLines(text)),
  readSummary: (text) => readMessages(text).map(answerOf).findLast(Boolean),
  readFilesTouched: (text) => [...new Set(editedPaths(readMessages(text)))],
  readEdits,

  ranShell: (text) =>
    readMessages(text).some(
      (message) => isPending(message) || toolCalls(message).some(({ name }) => name === SHELL),
    ),

  findCompaction: findCompression,
  readCalls: (text) => readMessages(text).flatMap(callOf),

  readSubagents: (text) =>
    readMessages(text).flatMap((message) =>
      agentIds(message).flatMap((id) => {
        const agentId = parseToolUseId(id);
        return agentId ? [{ item: message.item, agentId }] : [];
      }),
    ),

  readTime(text) {
    const said = items(text)
      .filter(isObject)
      .map(({ timestamp, startTime }) => parseTime(timestamp) || parseTime(startTime));
    return said.find(Boolean) ?? (parseTime(parseDocument(text)?.startTime) || undefined);
  },

  readLastIdentifier,

  findToolResult(text, toolUseId) {
    if (!text.includes(toolUseId)) return '';
    const found = readMessages(text).find(
      (message) => message.id !== '' && resultsOf(message).some((id) => id === toolUseId),
    );
    return found?.id ?? '';
  },

  subagentTranscripts: (sessionTranscript, sessionId, agentId) => [
    join(dirname(sessionTranscript), sessionId, `${agentId}.jsonl`),
  ],

  // No file says which tool call a sub-agent works for: the session's own transcript does.
  subagentNote: () => '',
  parseSubagentNote: () => undefined,
  fork: forkTranscript,

  holdsMessage(text, message) {
    const wanted = message.trim();
    return readMessages(text).some((one) => answerOf(one)?.trim() === wanted);
  },
};

/** What the agent said in a message, if anything. */
function answerOf({ type, fields }: Message): string | undefined {
  const text = type === 'gemini' ? textOf(fields.content) : '';
  return text.trim() === '' ? undefined : text;
}

function entriesOf(message: Message): TranscriptEntry[] {
  const prompt = promptOf(message);
  if (prompt !== undefined) return [{ kind: 'user', text: prompt }];
  const answer = answerOf(message);
  const tools = toolCalls(message)
    .filter(({ name }) => name !== '')
    .map(({ name, args }): TranscriptEntry => ({ kind: 'tool', name, detail: detailOf(args) }));
  return [...(answer === undefined ? [] : [{ kind: 'assistant', text: answer } as const]), ...tools];
}

/** Arguments that say what a tool was used on; the first that says something counts. */
const DETAILS = [
  'description',
  'command',
  'file_path',
  'path',
  'filename',
  'dir_path',
  'pattern',
  'query',
  'url',
  'agent_name',
  'prompt',
];

const detailOf = (args: Readonly<Record<string, unknown>>): string =>
  DETAILS.map((key) => asText(args[key])).find(Boolean) ?? '';

/** Tokens come with the message that a call of the model ended in. `input` holds what was read from the cache, too. */
function callOf({ item, id, type, fields }: Message): ModelCall[] {
  const name = id || asText(fields.timestamp);
  if (type !== 'gemini' || name === '' || !isObject(fields.tokens)) return [];
  const { input, output, cached } = fields.tokens;
  const usage = {
    inputTokens: count(input),
    cacheCreationTokens: 0,
    cacheReadTokens: count(cached),
    outputTokens: count(output),
  };
  return [{ id: name, item, usage, timeMs: parseTime(fields.timestamp) }];
}

const count = (value: unknown): number =>
  typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : 0;

/** Tool calls whose results are in a message: the answer to the model, or the note beside the call. */
function resultsOf(message: Message): string[] {
  const answered = asObjects(message.fields.content).map(({ functionResponse }) =>
    isObject(functionResponse) ? asText(functionResponse.id) : '',
  );
  const noted = toolCalls(message).flatMap(({ id, fields }) => (fields.result == null ? [] : [id]));
  return [...answered, ...noted].filter(Boolean);
}

/** A new history in the place of the one before: at the start, on resuming and compressing. */
const HISTORY = '{"$set":{"messages":[';

/**
 * Finds a compression: a new history with an answer that no line before it told of. The client writes the summary, an answer to it
 * and what it keeps under new ids; whatever else it makes of a history, messages keep theirs, or have lines of their own.
 */
export function findCompression(fresh: Buffer, before: () => Buffer): Compacted | undefined {
  for (const { at, line } of findLines(fresh, HISTORY)) {
    const messages = asObjects(asObject(asObject(parseJson(line)).$set).messages);
    const answers = messages.filter(({ type, id }) => type === 'gemini' && asText(id) !== '');
    if (answers.length === 0) continue;
    const older = Buffer.concat([before(), fresh.subarray(0, at)]);
    if (answers.some(({ id }) => !older.includes(JSON.stringify(id))))
      return { tokensBefore: lastPromptTokens(older), tokensAfter: undefined };
  }
  return undefined;
}

/** What the last call of the model was sent, as it counted. */
function lastPromptTokens(transcript: Buffer): number | undefined {
  for (const { line } of findLines(transcript, '"tokens":{')) {
    const { input } = asObject(asObject(parseJson(line)).tokens);
    if (typeof input === 'number') return input;
  }
  return undefined;
}

const REWIND = '$rewindTo:';

/** Id of the last message; after a rewind, which leaves none of its own, the mark of that. Empty without either. */
export function readLastIdentifier(text: string): string {
  if (isDocument(text)) return (parseDocument(text)?.messages ?? []).map(markOf).findLast(Boolean) ?? '';
  return readBackwards(text, (line) => markOf(parseJson(line)));
}

function markOf(item: unknown): string {
  if (!isObject(item)) return '';
  if (typeof item.$rewindTo === 'string') return `${REWIND}${item.$rewindTo}`;
  return asText(item.id);
}

/**
 * The beginning of a transcript as one of another session: every item as the client wrote it, up to and including the
 * last one with the mark `last`, with the id of the session replaced.
 *
 * @returns `undefined` when there is none with that mark
 */
export function forkTranscript(text: string, last: string, id: string): string | undefined {
  if (last === '') return undefined;
  const document = parseDocument(text);
  if (document) {
    const end = document.messages.findLastIndex((message) => markOf(message) === last);
    if (end === -1) return undefined;
    return JSON.stringify(
      { ...document, sessionId: id, messages: document.messages.slice(0, end + 1) },
      null,
      2,
    );
  }
  const lines = text.split('\n');
  const name = last.replace(REWIND, '');
  const end = lines.findLastIndex((line) => line.includes(name) && markOf(parseJson(line)) === last);
  if (end === -1) return undefined;
  return `${lines
    .slice(0, end + 1)
    .map((line) => renamed(line, id))
    .join('\n')}\n`;
}

/** Header and `$set` name the session; what tools were called with is none of ours. */
function renamed(line: string, id: string): string {
  const record = line.includes('"sessionId":') ? parseJson(line) : undefined;
  if (!isObject(record)) return line;
  const named = record.sessionId ?? asObject(record.$set).sessionId;
  if (typeof named !== 'string') return line;
  return line.replace(`"sessionId":${JSON.stringify(named)}`, () => `"sessionId":${JSON.stringify(id)}`);
}
