import { asObject, asText, isObject, type JsonObject, parseJson } from '../../base/text/json.ts';
import { patchedPaths } from '../shared/apply-patch.ts';
import {
  beginsWithRecord,
  countLines,
  isKindWith,
  readBackwards,
  sliceLines,
} from '../shared/transcript/json-lines.ts';
import { envelopeEdits, linesOf, moved, readHunks } from '../shared/transcript/recorded-lines.ts';
import type {
  EditRecord,
  ModelCall,
  RecordedEdit,
  TranscriptEntry,
  TranscriptFormat,
} from '../shared/transcript/transcript.ts';
import {
  cleanPrompt,
  contentTexts,
  forkTranscript,
  isShell,
  mentionedAgents,
  parseRow,
  parseRows,
  parseSubagentNote,
  promptOf,
  type Row,
  readSubagents,
  subagentTranscripts,
  toolCall,
  toolOutput,
} from './rows.ts';

/** Old versions began with a record without a kind. */
const isRow = (row: JsonObject): boolean =>
  isKindWith(row, ['payload', 'timestamp', 'role']) ||
  'record_type' in row ||
  ('id' in row && 'timestamp' in row && ('instructions' in row || 'git' in row));

/** Codex's transcript, the rollout: JSON Lines, one item a line. */
export const codexTranscript: TranscriptFormat = {
  looksLike: (head) => beginsWithRecord(head, isRow, ['timestamp', 'type', 'id', 'record_type', 'ordinal']),
  readPrompts: (transcript) => parseRows(transcript).flatMap((row) => promptOf(row) ?? []),
  cleanPrompt,
  readEntries: (transcript) => parseRows(transcript).flatMap(rowEntries),
  sliceItems: sliceLines,
  countItems: countLines,
  readSummary: (transcript) =>
    parseRows(transcript)
      .flatMap((row) => answers(row)[0] ?? [])
      .at(-1),
  readFilesTouched,
  readEdits,
  fork: forkTranscript,
  ranShell: (transcript) => parseRows(transcript).some(isShell),
  readCalls,
  readSubagents,

  readTime(transcript) {
    for (let at = 0; at < transcript.length; ) {
      const end = transcript.indexOf('\n', at);
      const timeMs = parseRow(transcript.slice(at, end === -1 ? undefined : end))?.timeMs ?? 0;
      if (timeMs > 0) return timeMs;
      at = end === -1 ? transcript.length : end + 1;
    }
    return undefined;
  },

  readLastIdentifier: (transcript) => readBackwards(transcript, (raw) => messageId(parseRow(raw))),

  findToolResult(transcript, toolUseId) {
    const answer = parseRows(transcript).find((row) => {
      const { id, output } = toolOutput(row) ?? {};
      return id === toolUseId || (output !== undefined && startedAgent(output) === toolUseId);
    });
    return toolUseId === '' ? '' : messageId(answer);
  },

  subagentTranscripts,
  subagentNote: (transcript) => transcript,
  parseSubagentNote,

  holdsMessage(transcript, message) {
    const wanted = message.trim();
    return parseRows(transcript).some((row) => {
      const parts = answers(row);
      return [...parts, parts.join('')].some((part) => part !== '' && part.trim() === wanted);
    });
  },
};

/** Rows of the conversation have ids; what the client notes beside them has none of its own. */
const messageId = (row: Row | undefined): string =>
  row?.type === 'response_item' ? asText(row.payload.id) : '';

/** The sub-agent that a call started, by what it returned. */
function startedAgent(output: string): string | undefined {
  const answer = output.includes('"agent_id"') ? parseJson(output) : undefined;
  return isObject(answer) ? asText(answer.agent_id) || undefined : undefined;
}

/** The texts of an answer; none for any other row. */
const answers = ({ type, kind, payload }: Row): string[] =>
  type === 'response_item' && kind === 'message' && payload.role === 'assistant' ? contentTexts(payload) : [];

function rowEntries(row: Row): TranscriptEntry[] {
  const prompt = promptOf(row);
  if (prompt !== undefined) return [{ kind: 'user', text: prompt }];
  const call = toolCall(row);
  if (call && call.name !== '')
    return [{ kind: 'tool', name: call.name, detail: detailOf(call.name, call.input) }];
  return answers(row).map((said) => ({ kind: 'assistant', text: said }));
}

/** Members of a call that say what it was used on; the first that says something counts. */
const DETAILS = [
  'cmd',
  'command',
  'path',
  'file_path',
  'message',
  'query',
  'pattern',
  'explanation',
] as const;

function detailOf(name: string, input: string): string {
  const members = input.startsWith('{') ? parseJson(input) : undefined;
  if (name === 'apply_patch') {
    const envelope = isObject(members) ? asText(members.input) : input;
    return patchedPaths(envelope).join(', ');
  }
  if (!isObject(members)) return '';
  const values = DETAILS.map((member) => members[member]);
  return (
    values
      .map((value) => (Array.isArray(value) ? value.filter(isText).join(' ') : asText(value)))
      .find(Boolean) ?? ''
  );
}

const isText = (value: unknown): value is string => typeof value === 'string';

/**
 * Each call of the model is on record with the id of its response. Older clients only count up, and say the same count
 * again whenever their limits change: the sum so far tells their calls apart.
 */
function readCalls(transcript: string): ModelCall[] {
  const calls = new Map<string, ModelCall>();
  for (const { type, kind, payload, item, timeMs, isNumbered } of parseRows(transcript)) {
    const info = asObject(payload.info);
    const isCount = type === 'event_msg' && kind === 'token_count' && !isNumbered;
    const told = type === 'token_usage_record' ? payload.usage : isCount ? info.last_token_usage : undefined;
    const id =
      type === 'token_usage_record' ? asText(payload.response_id) : renderSum(info.total_token_usage);
    if (!isObject(told) || id === '' || calls.has(id)) continue;
    const cacheReadTokens = number(told.cached_input_tokens);
    const cacheCreationTokens = number(told.cache_write_input_tokens);
    const inputTokens = Math.max(0, number(told.input_tokens) - cacheReadTokens - cacheCreationTokens);
    const usage = {
      inputTokens,
      cacheCreationTokens,
      cacheReadTokens,
      outputTokens: number(told.output_tokens),
    };
    calls.set(id, { id, item, usage, timeMs });
  }
  return [...calls.values()];
}

const renderSum = (sum: unknown): string =>
  isObject(sum)
    ? `sum-${number(sum.input_tokens)}-${number(sum.cached_input_tokens)}-${number(sum.output_tokens)}`
    : '';

const number = (value: unknown): number =>
  typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : 0;

/** What patches wrote, the paths in the order in which they were first named. */
function readFilesTouched(transcript: string): string[] {
  return [...new Set(editsOf(parseRows(transcript)).map(({ path }) => path))];
}

/**
 * What patches wrote, line by line. The client notes what each did to which file, whether it came as a call of
 * `apply_patch` or in a shell command; of a call without such a note the envelope has to do, unless it failed. What
 * commands and other programs' tools write is on no record.
 */
function readEdits(transcript: string): EditRecord {
  const rows = parseRows(transcript);
  const noted = new Set(rows.flatMap((row) => changesOf(row)?.id ?? []));
  const isQuiet = (row: Row): boolean => {
    const call = toolCall(row);
    if (call?.isForeign) return true;
    if (!isShell(row)) return false;
    return !noted.has(call?.id ?? (asText(row.payload.id) || asText(row.payload.call_id)));
  };
  return {
    edits: editsOf(rows),
    agents: [...new Set(rows.flatMap(mentionedAgents))],
    isComplete: !rows.some(isQuiet),
  };
}

function editsOf(rows: readonly Row[]): RecordedEdit[] {
  const noted = new Set(rows.flatMap((row) => changesOf(row)?.id ?? []));
  const failed = new Set(
    rows.flatMap((row) => {
      const answer = toolOutput(row);
      return answer && !answer.output.includes(SUCCESS) ? answer.id : [];
    }),
  );
  return rows.flatMap((row) => {
    const changes = changesOf(row);
    if (changes) return changes.edits;
    const call = toolCall(row);
    if (call?.name !== 'apply_patch' || noted.has(call.id) || failed.has(call.id)) return [];
    return envelopeEdits(envelopeOf(call.input));
  });
}

/** What the client tells the model of a patch that it applied. */
const SUCCESS = 'Success. Updated the following files';

/** Older releases have the envelope among the members of a function call. */
function envelopeOf(input: string): string {
  const members = input.startsWith('{') ? parseJson(input) : undefined;
  return isObject(members) ? asText(members.input) || asText(members.patch) : input;
}

/** The note of a patch that was applied: items of today's clients, events of older ones. Paths are absolute. */
function changesOf({ kind, payload }: Row): { id: string; edits: RecordedEdit[] } | undefined {
  const isItem = kind === 'FileChange' && payload.status !== 'failed' && payload.status !== 'declined';
  const isEvent = kind === 'patch_apply_end' && payload.success !== false;
  if ((!isItem && !isEvent) || !isObject(payload.changes)) return undefined;
  const edits = Object.entries(payload.changes).flatMap(([path, change]) =>
    path !== '' && isObject(change) ? changed(path, change) : [],
  );
  return { id: asText(payload.id) || asText(payload.call_id), edits };
}

function changed(path: string, change: JsonObject): RecordedEdit[] {
  switch (change.type) {
    case 'add':
      return [{ path, lines: linesOf(asText(change.content)), fragments: [] }];
    case 'delete': {
      const removed = linesOf(asText(change.content));
      return [{ path, lines: [], fragments: [], ...(removed.length > 0 && { removed }) }];
    }
    case 'update': {
      const to = asText(change.move_path);
      const made = readHunks(asText(change.unified_diff).replaceAll('\r\n', '\n').split('\n'));
      return to === '' || to === path ? [{ path, ...made, fragments: [] }] : moved(path, to, made);
    }
    default:
      return [{ path, lines: undefined, fragments: [] }];
  }
}
