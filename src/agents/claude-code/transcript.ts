import { dirname, isAbsolute, join } from 'node:path';
import { isObject, parseJson } from '../../base/json.ts';
import { countLines, sliceLines } from '../json-lines.ts';
import type { ModelCall, TranscriptEntry, TranscriptFormat } from '../transcript.ts';
import { readEdits } from './edits.ts';
import { forkTranscript } from './fork.ts';

/** Tools that write the file they name. */
const EDIT_TOOLS = new Set([
  'Write',
  'Edit',
  'MultiEdit',
  'NotebookEdit',
  'mcp__acp__Write',
  'mcp__acp__Edit',
]);

interface Line {
  readonly type?: unknown;
  readonly uuid?: unknown;
  readonly cwd?: unknown;
  readonly isMeta?: unknown;
  readonly timestamp?: unknown;
  readonly message?: { readonly id?: unknown; readonly content?: unknown; readonly usage?: unknown };
}

interface Block {
  readonly type?: unknown;
  readonly text?: unknown;
  readonly name?: unknown;
  readonly tool_use_id?: unknown;
  readonly content?: unknown;
  readonly input?: Readonly<Record<string, unknown>>;
}

/** Claude Code's transcript: JSON Lines, one item a line. Lines that do not parse are counted and passed over. */
export const claudeTranscript: TranscriptFormat = {
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

  readLastIdentifier(text) {
    for (let end = text.length; end > 0; ) {
      const start = text.lastIndexOf('\n', end - 1);
      const { uuid } = parseLine(text.slice(start + 1, end)) ?? {};
      if (typeof uuid === 'string' && uuid !== '') return uuid;
      end = start;
    }
    return '';
  },

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
    const description = typeof note.description === 'string' ? note.description : '';
    return { toolUseId: note.toolUseId, description };
  },

  holdsMessage(text, message) {
    const wanted = message.trim();
    return parse(text).some(
      (line) => line.type === 'assistant' && blocks(line).some((block) => isText(block, wanted)),
    );
  },
};

let parsed: { readonly text: string; readonly lines: readonly Line[] } = { text: '', lines: [] };

/** Parses every line; the last text is remembered, since its readers come one after the other. */
function parse(text: string): readonly Line[] {
  if (parsed.text !== text) parsed = { text, lines: text.split('\n').flatMap((raw) => parseLine(raw) ?? []) };
  return parsed.lines;
}

/** `undefined` for what is half-written or foreign: the line still counts as an item, it just says nothing. */
function parseLine(raw: string): Line | undefined {
  if (raw === '') return undefined;
  const value = parseJson(raw);
  return isObject(value) ? value : undefined;
}

function blocks(line: Line): Block[] {
  const content = line.message?.content;
  return Array.isArray(content) ? content.filter((block) => typeof block === 'object' && block !== null) : [];
}

const hasText = (block: Block): boolean =>
  block.type === 'text' && typeof block.text === 'string' && block.text !== '';

const isText = (block: Block, wanted: string): boolean =>
  block.type === 'text' && typeof block.text === 'string' && block.text.trim() === wanted;

/** As clients tell the model which sub-agent worked; at most as long as ids of ours. */
const AGENT_ID = /agentId: ([A-Za-z0-9_-]{1,128})(?![A-Za-z0-9_-])/g;

/** What a tool returned, as text. */
function resultText({ type, content }: Block): string {
  if (type !== 'tool_result') return '';
  if (typeof content === 'string') return content;
  const parts = Array.isArray(content) ? (content as readonly (Block | null)[]) : [];
  return parts.map((part) => (typeof part?.text === 'string' ? part.text : '')).join('\n');
}

/** In milliseconds since 1970; 0 where the line does not say. */
const timeOf = (line: Line | undefined): number =>
  (typeof line?.timestamp === 'string' && Date.parse(line.timestamp)) || 0;

const isResultOf = (block: Block, toolUseId: string): boolean =>
  block.type === 'tool_result' && block.tool_use_id === toolUseId;

/** Rows typed by a person: not injected by the client, by a skill, or by a finished background task. */
function isPrompt(line: Line): boolean {
  return (line.type === 'user' || line.type === 'human') && line.isMeta !== true;
}

function promptText(line: Line): string | undefined {
  const content = line.message?.content;
  const text =
    typeof content === 'string'
      ? content
      : blocks(line)
          .filter(hasText)
          .map((block) => block.text)
          .join('\n\n');
  return cleanPrompt(text) || undefined;
}

function cleanPrompt(text: string): string {
  const clean = stripTags(text);
  const injected = ['Base directory for this skill:', '<task-notification>'].some((start) =>
    clean.startsWith(start),
  );
  return injected ? '' : clean;
}

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

/** Which of a tool's arguments say what it was used on; the first that says something counts. */
const DETAILS: Readonly<Record<string, readonly string[]>> = {
  Skill: ['skill'],
  Read: ['file_path', 'notebook_path'],
  WebFetch: ['url'],
};
const OTHER_DETAILS = ['description', 'command', 'file_path', 'notebook_path', 'pattern'];

function toolDetail(name: string, input: Block['input']): string {
  const keys = Object.hasOwn(DETAILS, name) ? (DETAILS[name] ?? []) : OTHER_DETAILS;
  const values = keys.map((key) => input?.[key]);
  return values.find((value): value is string => typeof value === 'string' && value !== '') ?? '';
}

const OPENING =
  /<(ide_[a-z_]*|local-command-caveat|system-reminder|command-name|command-message|command-args|local-command-stdout)(?:\s[^<>]*)?>/g;
const CLOSING_IDE = /<\/ide_[a-z_]*[^<>]*>/g;

/** Removes the complete elements that IDEs and the client wrap around a prompt. Linear, whatever the text holds. */
export function stripTags(text: string): string {
  const kept: string[] = [];
  const unclosed = new Set<string>();
  let at = 0;
  OPENING.lastIndex = 0;
  for (let open = OPENING.exec(text); open; open = OPENING.exec(text)) {
    const name = (open[1] as string).startsWith('ide_') ? 'ide_' : (open[1] as string);
    const end = unclosed.has(name) ? undefined : endOfElement(text, name, OPENING.lastIndex);
    if (end === undefined) {
      unclosed.add(name);
      continue;
    }
    kept.push(text.slice(at, open.index));
    at = end;
    OPENING.lastIndex = end;
  }
  return [...kept, text.slice(at)].join('').trim();
}

/** Where the element ends whose opening tag ends at `from`; any `ide_` tag closes any other. */
function endOfElement(text: string, name: string, from: number): number | undefined {
  if (name === 'ide_') {
    CLOSING_IDE.lastIndex = from;
    return CLOSING_IDE.exec(text) ? CLOSING_IDE.lastIndex : undefined;
  }
  const closing = `</${name}>`;
  const found = text.indexOf(closing, from);
  return found === -1 ? undefined : found + closing.length;
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
      inputTokens: number(row.input_tokens),
      cacheCreationTokens: number(row.cache_creation_input_tokens),
      cacheReadTokens: number(row.cache_read_input_tokens),
      outputTokens: number(row.output_tokens),
    };
    const known = best.get(message.id);
    if (!known || usage.outputTokens > known.usage.outputTokens)
      best.set(message.id, { id: message.id, item, usage, timeMs: timeOf(line) });
  });
  return [...best.values()];
}

const number = (value: unknown): number =>
  typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : 0;
