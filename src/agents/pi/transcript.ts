import { asText, isObject, type JsonObject } from '../../base/text/json.ts';
import type { LinkedRow } from '../shared/transcript/json-lines.ts';
import { beginsWithRecord, countLines, isKindWith, sliceLines } from '../shared/transcript/json-lines.ts';
import type { ModelCall, TranscriptEntry, TranscriptFormat } from '../shared/transcript/transcript.ts';
import {
  callsIn,
  cleanPrompt,
  EDIT_TOOLS,
  fileOf,
  folderIn,
  forkTranscript,
  partsOf,
  promptOf,
  readEdits,
  readRows,
  SHELL_TOOL,
  saidBy,
  textIn,
  timeOf,
} from './rows.ts';

/**
 * Pi's transcript: JSON Lines, one item a line, a tree. What was left behind by going back in it is no longer said; its files
 * and its tokens still count. Pi has no sub-agents of its own.
 */
export const piTranscript: TranscriptFormat = {
  looksLike: (head) =>
    beginsWithRecord(head, (row) => isKindWith(row, ['id', 'timestamp', 'message']), ['type', 'id']),
  readPrompts: (text) => conversation(text).flatMap((row) => promptOf(row) ?? []),
  cleanPrompt,
  readEntries: (text) => conversation(text).flatMap(entriesOf),
  sliceItems: sliceLines,
  countItems: countLines,

  readSummary(text) {
    const last = answers(text).findLast((parts) => parts.some(textIn));
    return last?.map(textIn).find(Boolean);
  },

  readFilesTouched(text) {
    const rows = readRows(text);
    const folder = folderIn(rows);
    const failed = new Set(rows.flatMap((row) => failedCall(row) ?? []));
    const calls = rows.flatMap(callsIn).filter(({ id, name }) => EDIT_TOOLS.has(name) && !failed.has(id));
    return [...new Set(calls.map((call) => fileOf(call, folder)).filter(Boolean))];
  },

  readEdits,
  fork: forkTranscript,
  ranShell: (text) =>
    readRows(text)
      .flatMap(callsIn)
      .some(({ name }) => name === SHELL_TOOL),
  readCalls: (text) => readRows(text).flatMap((row) => callOf(row) ?? []),
  readSubagents: () => [],
  readTime: (text) => readRows(text).map(timeOf).find(Boolean),
  readLastIdentifier: (text) => asText(readRows(text).findLast(isEntry)?.value.id),

  findToolResult(text, toolUseId) {
    const found = readRows(text).find((row) => saidBy(row, 'toolResult')?.toolCallId === toolUseId);
    return asText(found?.value.id);
  },

  subagentTranscripts: () => [],
  subagentNote: (transcript) => `${transcript}.meta.json`,
  parseSubagentNote: () => undefined,

  holdsMessage(text, message) {
    const wanted = message.trim();
    return answers(text).some((parts) => parts.map(textIn).join('').trim() === wanted);
  },
};

const conversation = (text: string): LinkedRow[] => readRows(text).filter(({ isCurrent }) => isCurrent);

const answers = (text: string): Array<readonly JsonObject[]> =>
  conversation(text).map((row) => partsOf(saidBy(row, 'assistant')));

/** An entry has an id to go back to; the header has that of the session. */
const isEntry = ({ value }: LinkedRow): boolean => value.type !== 'session' && asText(value.id) !== '';

function entriesOf(row: LinkedRow): TranscriptEntry[] {
  const prompt = promptOf(row);
  if (prompt !== undefined) return [{ kind: 'user', text: prompt }];
  return partsOf(saidBy(row, 'assistant')).flatMap((part): TranscriptEntry[] => {
    const said = textIn(part);
    if (said !== '') return [{ kind: 'assistant', text: said }];
    if (part.type !== 'toolCall' || asText(part.name) === '') return [];
    return [{ kind: 'tool', name: asText(part.name), detail: detailOf(part.arguments) }];
  });
}

/** Which of a tool's arguments say what it was used on; the first that says something counts. */
const DETAILS = ['description', 'command', 'path', 'file_path', 'pattern', 'query', 'url', 'task'];

const detailOf = (args: unknown): string =>
  isObject(args) ? (DETAILS.map((key) => asText(args[key])).find(Boolean) ?? '') : '';

function failedCall(row: LinkedRow): string | undefined {
  const result = saidBy(row, 'toolResult');
  return result?.isError === true ? asText(result.toolCallId) : undefined;
}

function callOf(row: LinkedRow): ModelCall | undefined {
  const usage = saidBy(row, 'assistant')?.usage;
  if (!isObject(usage) || !isEntry(row)) return undefined;
  return {
    id: asText(row.value.id),
    item: row.item,
    usage: {
      inputTokens: count(usage.input),
      cacheCreationTokens: count(usage.cacheWrite),
      cacheReadTokens: count(usage.cacheRead),
      outputTokens: count(usage.output),
    },
    timeMs: timeOf(row),
  };
}

const count = (value: unknown): number =>
  typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : 0;
