import { dirname, join } from 'node:path';
import { readUserText } from '../../base/file/small-file.ts';
import { parseSessionId } from '../../base/ids.ts';
import { asObject, asObjects, asText, isObject, type JsonObject, parseJson } from '../../base/text/json.ts';
import type { SessionStart } from '../event.ts';
import {
  beginsWithRecord,
  countLines,
  findLines,
  isKindWith,
  readBackwards,
  sliceLines,
} from '../shared/transcript/json-lines.ts';
import { readHead } from '../shared/transcript/kept-transcripts.ts';
import {
  type Block,
  blocksOf,
  hasText,
  isResultOf,
  saysExactly,
  tokens,
  toolDetail,
  wordsOf,
} from '../shared/transcript/message-blocks.ts';
import { stripTags } from '../shared/transcript/prompt-tags.ts';
import type {
  Compacted,
  ModelCall,
  TokenTotals,
  TranscriptEntry,
  TranscriptFormat,
} from '../shared/transcript/transcript.ts';
import { lookAtTranscript } from '../shared/transcript/transcript-door.ts';
import { readEdits } from './edits.ts';
import { settingsFile } from './session-home.ts';

/**
 * Factory Droid's transcript: JSON Lines, one item a line. The first line is about the session and is written anew when its
 * title changes; messages follow, among them what hooks did and what the client told the model. Tokens are in a file of
 * their own.
 */
export const droidTranscript: TranscriptFormat = {
  looksLike: (head) =>
    beginsWithRecord(head, (row) => isKindWith(row, ['id', 'message', 'timestamp', 'turnId', 'title']), [
      'type',
      'id',
    ]),
  readPrompts: (text) => messages(text).flatMap((line) => promptOf(line) ?? []),
  cleanPrompt: stripTags,
  readEntries: (text) => messages(text).flatMap(lineEntries),
  sliceItems: sliceLines,
  countItems: countLines,

  readSummary(text) {
    const last = messages(text).findLast((line) => isAnswer(line) && blocks(line).some(hasText));
    return last && (blocks(last).find(hasText)?.text as string);
  },

  readFilesTouched: (text) => [...new Set(readEdits(text).edits.map(({ path }) => path))],
  readEdits,

  ranShell: (text) =>
    messages(text).some((line) =>
      blocks(line).some(({ type, name }) => type === 'tool_use' && SHELLS.includes(name)),
    ),

  findCompaction,
  readCalls,
  readTotals,

  readSubagents: () => [], // each has a session of its own
  subagentTranscripts: () => [],
  subagentNote: () => '',
  parseSubagentNote: () => undefined,

  readTime(text) {
    const line = messages(text).find((one) => timeOf(one) > 0);
    return line && timeOf(line);
  },

  readLastIdentifier: (text) =>
    readBackwards(text, (raw) => {
      const line = parseLine(raw);
      return line && isMessage(line) ? asText(line.id) : '';
    }),

  findToolResult(text, toolUseId) {
    const rows = text.split('\n').filter((row) => row.includes(toolUseId) && row.includes('tool_result'));
    const found = rows
      .flatMap((row) => parseLine(row) ?? [])
      .find((line) => blocks(line).some((block) => isResultOf(block, toolUseId)));
    return typeof found?.id === 'string' ? found.id : '';
  },

  fork(text, last, id) {
    const lines = text.split('\n');
    const end = lines.findIndex((raw) => raw.includes(last) && parseLine(raw)?.id === last);
    if (last === '' || end === -1) return undefined;
    return `${lines
      .slice(0, end + 1)
      .map((raw) => renamed(raw, id))
      .join('\n')}\n`;
  },

  holdsMessage(text, message) {
    const wanted = message.trim();
    return messages(text).some(
      (line) => isAnswer(line) && blocks(line).some((block) => saysExactly(block, wanted)),
    );
  },
};

/**
 * Of a compaction that the client does by itself no hook tells: it goes on in the same file, behind a line with the summary. It
 * counts the tokens of the summary only.
 */
function findCompaction(fresh: Buffer): Compacted | undefined {
  for (const { line } of findLines(fresh, '"compaction_state"')) {
    if (asObject(parseJson(line)).type === 'compaction_state')
      return { tokensBefore: undefined, tokensAfter: undefined };
  }
  return undefined;
}

/** Tools that can change any file without a word. */
const SHELLS: readonly unknown[] = ['Execute', 'Script'];

let parsed: { readonly text: string; readonly lines: readonly Line[] } = { text: '', lines: [] };

/** Every message; the last text is remembered, since its readers come one after the other. */
function messages(text: string): readonly Line[] {
  if (parsed.text !== text) {
    const lines = text.split('\n').flatMap((raw) => parseLine(raw) ?? []);
    parsed = { text, lines: lines.filter(isMessage) };
  }
  return parsed.lines;
}

const blocks = (line: Line): Block[] => blocksOf(line.message?.content);

function lineEntries(line: Line): TranscriptEntry[] {
  const prompt = promptOf(line);
  if (prompt !== undefined) return [{ kind: 'user', text: prompt }];
  if (!isAnswer(line)) return [];
  return blocks(line).flatMap((block): TranscriptEntry[] => {
    if (hasText(block)) return [{ kind: 'assistant', text: block.text as string }];
    if (block.type !== 'tool_use' || typeof block.name !== 'string') return [];
    return [{ kind: 'tool', name: block.name, detail: toolDetail(block.name, block.input, ['summary']) }];
  });
}

/** Each answer is a call. Older clients noted beside it what it cost; today's keep the sum elsewhere. */
function readCalls(text: string): ModelCall[] {
  const calls = new Map<string, ModelCall>();
  text.split('\n').forEach((raw, item) => {
    if (!raw.includes('"assistant"')) return;
    const line = parseLine(raw);
    if (!line || !isMessage(line) || !isAnswer(line) || typeof line.id !== 'string' || line.id === '') return;
    const row = asObject(line.message?.usage);
    const usage = {
      inputTokens: tokens(row.input_tokens),
      cacheCreationTokens: tokens(row.cache_creation_input_tokens),
      cacheReadTokens: tokens(row.cache_read_input_tokens),
      outputTokens: tokens(row.output_tokens),
    };
    if (!calls.has(line.id)) calls.set(line.id, { id: line.id, item, usage, timeMs: timeOf(line) });
  });
  return [...calls.values()];
}

/** The line about the session names it; ids of messages stay. */
function renamed(raw: string, id: string): string {
  const line = parseLine(raw);
  return line?.type === 'session_start' ? JSON.stringify({ ...line, id }) : raw;
}

/**
 * What a session has cost so far: the client keeps the sum in `<session>.settings.json` beside the transcript. A session
 * that a compaction began goes on counting from where its parent was, so the parent's part is taken off.
 */
export function readTotals(transcript: string, beginning: string): TokenTotals | undefined {
  const own = readSum(settingsFile(transcript));
  if (own === undefined) return undefined;
  const first = parseJson(beginning.split('\n', 1)[0] ?? '');
  const parent = isObject(first) && first.type === 'session_start' ? parseSessionId(first.parent) : undefined;
  const before = parent && readSum(settingsFile(join(dirname(transcript), `${parent}.jsonl`)));
  return before ? difference(own, before) : own;
}

function readSum(file: string): TokenTotals | undefined {
  const usage = readObject(file).tokenUsage;
  if (!isObject(usage)) return undefined;
  return {
    inputTokens: tokens(usage.inputTokens),
    cacheCreationTokens: tokens(usage.cacheCreationTokens),
    cacheReadTokens: tokens(usage.cacheReadTokens),
    outputTokens: tokens(usage.outputTokens),
  };
}

/** A parent that went on itself has more by now than the child began with: then nothing is known of the child's part. */
function difference(own: TokenTotals, before: TokenTotals): TokenTotals {
  const less = (key: keyof TokenTotals) => Math.max(0, own[key] - before[key]);
  return {
    inputTokens: less('inputTokens'),
    cacheCreationTokens: less('cacheCreationTokens'),
    cacheReadTokens: less('cacheReadTokens'),
    outputTokens: less('outputTokens'),
  };
}

function readObject(file: string): JsonObject {
  try {
    return asObject(parseJson(readUserText(file, 'home') ?? ''));
  } catch {
    return {}; // the client may be writing it, or keep none
  }
}

/** A line of a transcript; nothing of it is checked. */
export interface Line {
  readonly type?: unknown;
  readonly id?: unknown;
  readonly timestamp?: unknown;
  readonly summaryText?: unknown;
  readonly reason?: unknown;
  readonly message?: {
    readonly role?: unknown;
    readonly content?: unknown;
    readonly usage?: unknown;
    readonly modelId?: unknown;
    readonly visibility?: unknown;
  };
}

/** `undefined` for what is half-written or foreign. */
export function parseLine(raw: string): Line | undefined {
  const value = raw === '' ? undefined : parseJson(raw);
  return isObject(value) ? value : undefined;
}

export const isMessage = (line: Line): boolean => line.type === 'message' && isObject(line.message);
export const isAnswer = (line: Line): boolean => line.message?.role === 'assistant';

/** In milliseconds since 1970; 0 where the line does not say. */
export const timeOf = (line: Line): number =>
  (typeof line.timestamp === 'string' && Date.parse(line.timestamp)) || 0;

/** What only the model sees was written by the client, and what only the user sees tells of hooks. */
export function promptOf({ message }: Line): string | undefined {
  if (message?.role !== 'user' || message.visibility === 'llm_only' || message.visibility === 'user_only')
    return undefined;
  return stripTags(wordsOf(message.content)) || undefined;
}

/** More than the first line of a transcript has, which is about the session. */
const FIRST_LINE_BYTES = 64 * 1024;

/**
 * The prompt that a session begins with and that no hook will tell: `droid exec` runs none of `UserPromptSubmit`. It marks its
 * sessions with a tag, and calls them after the prompt, which it cuts. `undefined` for a session that has prompts of its own.
 * Never throws.
 */
export function findUnsaidPrompt({ transcriptPath }: SessionStart): string | undefined {
  if (transcriptPath === undefined) return undefined;
  try {
    const settings = parseJson(readUserText(settingsFile(transcriptPath), 'home') ?? '');
    const tags = asObjects(asObject(settings).tags);
    if (!tags.some(({ name }) => name === 'exec')) return undefined;
    // Nothing but this line is there yet where the session is new.
    if (!lookAtTranscript(transcriptPath, droidTranscript.looksLike)) return '';
    const [line = ''] = (readHead(transcriptPath, FIRST_LINE_BYTES) ?? '').split('\n', 1);
    const session = parseJson(line);
    return isObject(session) && typeof session.title === 'string' ? stripTags(session.title) : '';
  } catch {
    return undefined; // the turn then begins with what it changes
  }
}
