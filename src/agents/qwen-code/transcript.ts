import { dirname, join } from 'node:path';
import { parseToolUseId } from '../../base/ids.ts';
import { asText, isObject, type JsonObject, parseJson } from '../../base/text/json.ts';
import type { LinkedRow } from '../shared/transcript/json-lines.ts';
import {
  beginsWithRecord,
  countLines,
  forkTranscript,
  isKindWith,
  sliceLines,
} from '../shared/transcript/json-lines.ts';
import type { ModelCall, TranscriptEntry, TranscriptFormat } from '../shared/transcript/transcript.ts';
import {
  AGENT_TOOL,
  answersIn,
  callsIn,
  cleanPrompt,
  EDIT_TOOLS,
  fileOf,
  isAnswer,
  isPrompt,
  partsOf,
  promptOf,
  readEdits,
  readRows,
  SHELL_TOOL,
  saidIn,
  timeOf,
} from './rows.ts';

/**
 * Qwen Code's transcript: JSON Lines, one item a line. What was taken back with `/rewind` is no longer said; its files and
 * its tokens still count.
 */
export const qwenTranscript: TranscriptFormat = {
  looksLike: (head) =>
    beginsWithRecord(head, (row) => isKindWith(row, ['uuid', 'sessionId', 'message']), [
      'uuid',
      'parentUuid',
      'sessionId',
      'type',
    ]),
  readPrompts: (text) => conversation(text).flatMap((row) => (isPrompt(row) ? (promptOf(row) ?? []) : [])),
  cleanPrompt,
  readEntries: (text) => conversation(text).flatMap(entriesOf),
  sliceItems: sliceLines,
  countItems: countLines,

  readSummary(text) {
    const last = answers(text).findLast((row) => partsOf(row).some(saidIn));
    return last && partsOf(last).map(saidIn).find(Boolean);
  },

  readFilesTouched(text) {
    const rows = readRows(text);
    const failed = new Set(rows.flatMap(answersIn).flatMap((answer) => (answer.failed ? [answer.id] : [])));
    const calls = rows.flatMap(callsIn).filter(({ id, name }) => EDIT_TOOLS.has(name) && !failed.has(id));
    return [...new Set(calls.map(fileOf).filter(Boolean))];
  },

  readEdits,
  fork: forkTranscript,
  ranShell: (text) =>
    readRows(text)
      .flatMap(callsIn)
      .some(({ name }) => name === SHELL_TOOL),
  readCalls: (text) => readRows(text).flatMap((row) => callOf(row) ?? []),

  readSubagents(text) {
    return readRows(text).flatMap((row) =>
      answersIn(row).flatMap(({ id, display }) => {
        if (display.type !== 'task_execution') return [];
        const agentId = parseToolUseId(`${asText(display.subagentName)}-${id}`);
        return agentId === undefined ? [] : [{ item: row.item, agentId }];
      }),
    );
  },

  readTime: (text) => readRows(text).map(timeOf).find(Boolean),
  readLastIdentifier: (text) =>
    asText(readRows(text).findLast(({ value }) => asText(value.uuid))?.value.uuid),

  findToolResult(text, toolUseId) {
    const found = readRows(text).find((row) => answersIn(row).some(({ id }) => id === toolUseId));
    return asText(found?.value.uuid);
  },

  // `<project>/chats/<session>.jsonl` and `<project>/subagents/<session>/agent-<id>.jsonl`
  subagentTranscripts: (sessionTranscript, sessionId, agentId) => [
    join(dirname(dirname(sessionTranscript)), 'subagents', safeName(sessionId), `agent-${agentId}.jsonl`),
  ],
  subagentNote: (transcript) => transcript.replace(/\.jsonl$/, '.meta.json'),
  parseSubagentNote(text) {
    const note = parseJson(text);
    if (!isObject(note) || typeof note.toolUseId !== 'string') return undefined;
    return { toolUseId: note.toolUseId, description: asText(note.description) };
  },

  holdsMessage(text, message) {
    const wanted = message.trim();
    return answers(text).some((row) => partsOf(row).map(saidIn).join('').trim() === wanted);
  },
};

const conversation = (text: string): LinkedRow[] => readRows(text).filter(({ isCurrent }) => isCurrent);

const answers = (text: string): LinkedRow[] => conversation(text).filter(isAnswer);

/** As the client makes a file name of an id. */
const safeName = (id: string): string => id.replace(/[^a-zA-Z0-9_-]/g, '_');

function entriesOf(row: LinkedRow): TranscriptEntry[] {
  if (isPrompt(row)) {
    const text = promptOf(row);
    return text === undefined ? [] : [{ kind: 'user', text }];
  }
  if (!isAnswer(row)) return [];
  return partsOf(row).flatMap((part): TranscriptEntry[] => {
    const said = saidIn(part);
    if (said !== '') return [{ kind: 'assistant', text: said }];
    const { functionCall: call } = part;
    if (!isObject(call) || asText(call.name) === '') return [];
    return [{ kind: 'tool', name: asText(call.name), detail: detailOf(asText(call.name), call.args) }];
  });
}

/** Which of a tool's arguments say what it was used on; the first that says something counts. */
const DETAILS = ['description', 'command', 'file_path', 'notebook_path', 'pattern', 'path', 'url', 'query'];

function detailOf(name: string, args: unknown): string {
  if (!isObject(args)) return '';
  const keys = name === AGENT_TOOL ? ['description', 'prompt'] : DETAILS;
  return keys.map((key) => asText(args[key])).find(Boolean) ?? '';
}

/** A call of the model is the row that has its usage; what it said may be on others. */
function callOf(row: LinkedRow): ModelCall | undefined {
  const { uuid, usageMetadata: usage } = row.value;
  if (!isAnswer(row) || asText(uuid) === '' || !isObject(usage)) return undefined;
  return { id: asText(uuid), item: row.item, usage: usageOf(usage), timeMs: timeOf(row) };
}

/** What came from the cache is in the count of the prompt; thoughts may be in that of the answer, which the total shows. */
function usageOf(usage: JsonObject): ModelCall['usage'] {
  const prompt = count(usage.promptTokenCount);
  const [answer, thoughts] = [count(usage.candidatesTokenCount), count(usage.thoughtsTokenCount)];
  const cached = Math.min(prompt, count(usage.cachedContentTokenCount));
  const areApart = count(usage.totalTokenCount) === prompt + answer + thoughts;
  return {
    inputTokens: prompt - cached,
    cacheCreationTokens: 0,
    cacheReadTokens: cached,
    outputTokens: areApart ? answer + thoughts : answer,
  };
}

const count = (value: unknown): number =>
  typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : 0;
