import { dirname, isAbsolute, join } from 'node:path';
import { asText, isObject, parseJson } from '../../base/text/json.ts';
import {
  beginsWithRecord,
  countLines,
  forkTranscript,
  isKindWith,
  readBackwards,
  sliceLines,
} from '../shared/transcript/json-lines.ts';
import {
  type Block,
  blocksOf,
  hasText,
  isResultOf,
  resultText,
  saysExactly,
  tokens,
  toolDetail,
  wordsOf,
} from '../shared/transcript/message-blocks.ts';
import { stripTags } from '../shared/transcript/prompt-tags.ts';
import type { ModelCall, TranscriptEntry, TranscriptFormat } from '../shared/transcript/transcript.ts';
import { readEdits } from './edits.ts';

/** Tools that write the file they name. */
const EDIT_TOOLS = new Set([
  'Write',
  'Edit',
  'MultiEdit',
  'NotebookEdit',
  'mcp__acp__Write',
  'mcp__acp__Edit',
]);

/** What its records have, all of them the id of the session, or of themselves. */
const KEYS = [
  'sessionId',
  'uuid',
  'parentUuid',
  'leafUuid',
  'agentId',
  'message',
  'timestamp',
  'summary',
  'isSidechain',
];

/** Claude Code's transcript: JSON Lines, one item a line. Lines that do not parse are counted and passed over. */
export const claudeTranscript: TranscriptFormat = {
  looksLike: (head) => beginsWithRecord(head, (row) => isKindWith(row, KEYS), ['type', ...KEYS]),
  readPrompts(text) {
    return parse(text).flatMap((line) => (isPrompt(line) ? (promptText(line) ?? []) : []));
  },

  cleanPrompt,

  readEntries: (text) => parse(text).flatMap(lineEntries),
  sliceItems: sliceLines,
  countItems: countLines,

  readSummary(text) {
    const answers = parse(text).filter((line) => line.type === 'assistant');
    const last = answers.findLast((line) => blocks(line).some(hasText));
    return last && (blocks(last).find(hasText)?.text as string);
  },

  readFilesTouched(text) {
    const files = parse(text).flatMap((line) => (line.type === 'assistant' ? editedFiles(line) : []));
    return [...new Set(files)];
  },

  readEdits,
  fork: forkTranscript,

  ranShell(text) {
    return parse(text).some((line) =>
      blocks(line).some(({ type, name }) => type === 'tool_use' && name === 'Bash'),
    );
  },

  readCalls,

  readSubagents(text) {
    return text.split('\n').flatMap((raw, item) => {
      if (!raw.includes('agentId: ')) return [];
      const line = parseLine(raw);
      const said = line?.type === 'user' ? blocks(line).map(resultText).join('\n') : '';
      return [...said.matchAll(AGENT_ID)].map(([, agentId]) => ({ item, agentId: agentId as string }));
    });
  },

  readTime(text) {
    for (let at = 0; at < text.length; ) {
      const end = text.indexOf('\n', at);
      const time = timeOf(parseLine(text.slice(at, end === -1 ? undefined : end)));
      if (time > 0) return time;
      at = end === -1 ? text.length : end + 1;
    }
    return undefined;
  },

  readLastIdentifier: (text) => readBackwards(text, (raw) => asText(parseLine(raw)?.uuid)),

  findToolResult(text, toolUseId) {
    const rows = text.split('\n').filter((row) => row.includes(toolUseId) && row.includes('tool_result'));
    const found = rows
      .flatMap((row) => parseLine(row) ?? [])
      .find((line) => line.type === 'user' && blocks(line).some((block) => isResultOf(block, toolUseId)));
    return typeof found?.uuid === 'string' ? found.uuid : '';
  },

  // Older clients put the transcripts of sub-agents beside that of the session.
  subagentTranscripts(sessionTranscript, sessionId, agentId) {
    const dir = dirname(sessionTranscript);
    return [join(dir, sessionId, 'subagents'), dir].map((folder) => join(folder, `agent-${agentId}.jsonl`));
  },

  subagentNote: (transcript) => transcript.replace(/\.jsonl$/, '.meta.json'),

  parseSubagentNote(text) {
    const note = parseLine(text) as Readonly<Record<string, unknown>> | undefined;
    if (typeof note?.toolUseId !== 'string') return undefined;
    return { toolUseId: note.toolUseId, description: asText(note.description) };
  },

  holdsMessage(text, message) {
    const wanted = message.trim();
    return parse(text).some(
      (line) => line.type === 'assistant' && blocks(line).some((block) => saysExactly(block, wanted)),
    );
  },
};

let parsed: { readonly text: string; readonly lines: readonly Line[] } = { text: '', lines: [] };

/** Parses every line; the last text is remembered, since its readers come one after the other. */
function parse(text: string): readonly Line[] {
  if (parsed.text !== text) parsed = { text, lines: text.split('\n').flatMap((raw) => parseLine(raw) ?? []) };
  return parsed.lines;
}

/** As clients tell the model which sub-agent worked; at most as long as ids of ours. */
const AGENT_ID = /agentId: ([A-Za-z0-9_-]{1,128})(?![A-Za-z0-9_-])/g;

/** What a line tells a person, in the order of its blocks. */
function lineEntries(line: Line): TranscriptEntry[] {
  if (isPrompt(line)) {
    const text = promptText(line);
    return text ? [{ kind: 'user', text }] : [];
  }
  if (line.type !== 'assistant') return [];
  return blocks(line).flatMap((block): TranscriptEntry[] => {
    if (hasText(block)) return [{ kind: 'assistant', text: block.text as string }];
    if (block.type !== 'tool_use' || typeof block.name !== 'string') return [];
    return [{ kind: 'tool', name: block.name, detail: toolDetail(block.name, block.input) }];
  });
}

/** Paths as tools named them; relative ones belong to the folder the agent was in at that moment. */
function editedFiles(line: Line): string[] {
  return blocks(line).flatMap((block) => {
    if (block.type !== 'tool_use' || typeof block.name !== 'string' || !EDIT_TOOLS.has(block.name)) return [];
    const path = block.input?.file_path ?? block.input?.notebook_path;
    if (typeof path !== 'string' || path === '') return [];
    return [isAbsolute(path) || typeof line.cwd !== 'string' ? path : join(line.cwd, path)];
  });
}

/** A streamed message appears on several lines under one id: the one with most output counts, the first on ties. */
function readCalls(text: string): ModelCall[] {
  const best = new Map<string, ModelCall>();
  text.split('\n').forEach((raw, item) => {
    if (!raw.includes('"assistant"')) return;
    const line = parseLine(raw);
    const { type, message } = line ?? {};
    if (type !== 'assistant' || typeof message?.id !== 'string' || message.id === '') return;
    if (typeof message.usage !== 'object' || message.usage === null) return;
    const row = message.usage as Record<string, unknown>;
    const usage = {
      inputTokens: tokens(row.input_tokens),
      cacheCreationTokens: tokens(row.cache_creation_input_tokens),
      cacheReadTokens: tokens(row.cache_read_input_tokens),
      outputTokens: tokens(row.output_tokens),
    };
    const known = best.get(message.id);
    if (!known || usage.outputTokens > known.usage.outputTokens)
      best.set(message.id, { id: message.id, item, usage, timeMs: timeOf(line) });
  });
  return [...best.values()];
}

/** A line of a transcript; nothing of it is checked. */
export interface Line {
  readonly type?: unknown;
  readonly uuid?: unknown;
  readonly cwd?: unknown;
  readonly isMeta?: unknown;
  readonly isCompactSummary?: unknown;
  readonly timestamp?: unknown;
  readonly message?: { readonly id?: unknown; readonly content?: unknown; readonly usage?: unknown };
}

/** `undefined` for what is half-written or foreign: the line still counts as an item, it just says nothing. */
export function parseLine(raw: string): Line | undefined {
  if (raw === '') return undefined;
  const value = parseJson(raw);
  return isObject(value) ? value : undefined;
}

export const blocks = (line: Line): Block[] => blocksOf(line.message?.content);

/** In milliseconds since 1970; 0 where the line does not say. */
export const timeOf = (line: Line | undefined): number =>
  (typeof line?.timestamp === 'string' && Date.parse(line.timestamp)) || 0;

/** Rows typed by a person: not injected by the client, by a skill, or by a finished background task. */
export function isPrompt(line: Line): boolean {
  return isUsers(line) && line.isCompactSummary !== true && !saysInterrupted(line);
}

/** The client sums up what went before, in the user's name. */
export const isSummary = (line: Line): boolean => isUsers(line) && line.isCompactSummary === true;

/** The client says in the user's name that the turn was stopped. */
export const isInterruption = (line: Line): boolean => isUsers(line) && saysInterrupted(line);

const isUsers = (line: Line): boolean =>
  (line.type === 'user' || line.type === 'human') && line.isMeta !== true;

const saysInterrupted = (line: Line): boolean => INTERRUPTED.test(wordsOf(line.message?.content).trim());
const INTERRUPTED = /^\[Request interrupted by user(?: for tool use)?\]$/;

export const promptText = (line: Line): string | undefined =>
  cleanPrompt(wordsOf(line.message?.content)) || undefined;

/** One prompt without what clients wrap around it; empty when nobody typed anything. */
export function cleanPrompt(text: string): string {
  const clean = stripTags(text);
  const injected = ['Base directory for this skill:', '<task-notification>'].some((start) =>
    clean.startsWith(start),
  );
  return injected ? '' : clean;
}
