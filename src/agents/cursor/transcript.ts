import { asObject, isObject, type JsonObject, parseJson } from '../../base/text/json.ts';
import { beginsWithRecord, countLines, sliceLines } from '../shared/transcript/json-lines.ts';
import {
  type Block,
  blocksOf,
  hasText,
  saysExactly,
  toolDetail,
  wordsOf,
} from '../shared/transcript/message-blocks.ts';
import { stripTags } from '../shared/transcript/prompt-tags.ts';
import { replacedLines, wroteWhole } from '../shared/transcript/recorded-lines.ts';
import type {
  EditRecord,
  RecordedEdit,
  TranscriptEntry,
  TranscriptFormat,
} from '../shared/transcript/transcript.ts';

const isLine = (line: JsonObject): boolean =>
  ('role' in line || 'type' in line) && ('message' in line || 'content' in line);

/**
 * Cursor's transcript: JSON Lines, one item a line, `{"role": …, "message": {"content": […]}}`. Lines have no ids and no
 * times, answers of tools are not among them, and nothing says what a call of the model cost.
 */
export const cursorTranscript: TranscriptFormat = {
  looksLike: (head) => beginsWithRecord(head, isLine, ['role', 'type', 'message']),
  readPrompts: (text) => parse(text).flatMap((line) => promptOf(line) ?? []),
  cleanPrompt,
  readEntries: (text) => parse(text).flatMap(lineEntries),
  sliceItems: sliceLines,
  countItems: countLines,

  readSummary(text) {
    const last = parse(text).findLast((line) => isAnswer(line) && textsOf(line).length > 0);
    return last && textsOf(last)[0];
  },

  readFilesTouched: (text) => [...new Set(readEdits(text).edits.map(({ path }) => path))],
  readEdits,
  ranShell: (text) => calls(text).some(({ name }) => SHELLS.includes(name)),

  readCalls: () => [],
  readSubagents: () => [],
  subagentTranscripts: () => [],
  subagentNote: () => '',
  parseSubagentNote: () => undefined,
  readTime: () => undefined,
  readLastIdentifier: () => '',
  findToolResult: () => '',
  fork: () => undefined,

  holdsMessage(text, message) {
    const wanted = message.trim();
    return parse(text).some(
      ({ role, content }) =>
        role === 'assistant' && blocksOf(content).some((block) => saysExactly(block, wanted)),
    );
  },
};

/** Tools that can change any file without a word, under the names of several versions. */
const SHELLS: readonly unknown[] = ['Shell', 'Bash', 'run_terminal_cmd'];

const isAnswer = ({ role }: Line): boolean => role === 'assistant';

const textsOf = ({ content }: Line): string[] =>
  typeof content === 'string'
    ? [content].filter(Boolean)
    : blocksOf(content)
        .filter(hasText)
        .map(({ text }) => text as string);

function lineEntries(line: Line): TranscriptEntry[] {
  const prompt = promptOf(line);
  if (prompt !== undefined) return [{ kind: 'user', text: prompt }];
  if (!isAnswer(line)) return [];
  if (typeof line.content === 'string') return textsOf(line).map((text) => ({ kind: 'assistant', text }));
  return blocksOf(line.content).flatMap((block): TranscriptEntry[] => {
    if (hasText(block)) return [{ kind: 'assistant', text: block.text as string }];
    if (block.type !== 'tool_use' || typeof block.name !== 'string') return [];
    return [{ kind: 'tool', name: block.name, detail: toolDetail(block.name, block.input, ['path']) }];
  });
}

const calls = (text: string): Block[] =>
  parse(text)
    .filter(isAnswer)
    .flatMap(({ content }) => blocksOf(content))
    .filter(({ type }) => type === 'tool_use');

/** What tools were asked to write: whether they did it is not on record. */
function readEdits(text: string): EditRecord {
  const used = calls(text);
  const isComplete = !used.some(({ name }) => SHELLS.includes(name) || isForeign(name));
  return { edits: used.flatMap(editsOf), agents: [], isComplete };
}

/** Tools of other programs tell nobody what they write. */
const isForeign = (name: unknown): boolean => typeof name === 'string' && /^(mcp|CallMcp)/i.test(name);

function editsOf({ name, input }: Block): RecordedEdit[] {
  const fields = asObject(input);
  const text = (key: string): string | undefined => {
    const value = fields[key];
    return typeof value === 'string' ? value : undefined;
  };
  const path = text('path') ?? '';
  if (path === '') return [];
  if (name === 'Write') {
    const content = text('contents') ?? text('content');
    return [content === undefined ? { path, lines: undefined, fragments: [] } : wroteWhole(path, content)];
  }
  if (name !== 'StrReplace') return [];
  const [before, after] = [text('old_string'), text('new_string')];
  if (after === undefined) return [{ path, lines: undefined, fragments: [] }];
  return [replacedLines(path, [{ before: before ?? '', after }])];
}

export interface Line {
  readonly role: unknown;
  readonly content: unknown;
}

let parsed: { readonly text: string; readonly lines: readonly Line[] } = { text: '', lines: [] };

/** Every message; the last text is remembered, since its readers come one after the other. */
export function parse(text: string): readonly Line[] {
  if (parsed.text !== text) parsed = { text, lines: text.split('\n').flatMap((raw) => parseLine(raw) ?? []) };
  return parsed.lines;
}

function parseLine(raw: string): Line | undefined {
  const value = raw === '' ? undefined : parseJson(raw);
  if (!isObject(value) || !isObject(value.message)) return undefined;
  return { role: value.role, content: value.message.content };
}

export const promptOf = ({ role, content }: Line): string | undefined =>
  role === 'user' ? cleanPrompt(wordsOf(content)) || undefined : undefined;

/** What was typed stands between tags, where there are any; beside them the client says what was open and selected. */
export function cleanPrompt(text: string): string {
  const typed: string[] = [];
  for (let at = 0; ; ) {
    const start = text.indexOf(OPEN, at);
    const end = start === -1 ? -1 : text.indexOf(CLOSE, start);
    if (end === -1) break;
    typed.push(text.slice(start + OPEN.length, end).trim());
    at = end + CLOSE.length;
  }
  return stripTags(typed.length > 0 ? typed.filter(Boolean).join('\n\n') : text);
}

const OPEN = '<user_query>';
const CLOSE = '</user_query>';
