import { isAbsolute, join } from 'node:path';
import type { TranscriptFormat, TranscriptUsage } from '../transcript.ts';

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
  readonly message?: { readonly id?: unknown; readonly content?: unknown; readonly usage?: unknown };
}

interface Block {
  readonly type?: unknown;
  readonly text?: unknown;
  readonly name?: unknown;
  readonly input?: Readonly<Record<string, unknown>>;
}

/** Claude Code's transcript: JSON Lines, one item a line. Lines that do not parse are counted and passed over. */
export const claudeTranscript: TranscriptFormat = {
  countItems,
  sliceFrom,

  readPrompts(text) {
    return parse(text).flatMap((line) => (isPrompt(line) ? (promptText(line) ?? []) : []));
  },

  cleanPrompt,

  readSummary(text) {
    const answers = parse(text).filter((line) => line.type === 'assistant');
    const last = answers.findLast((line) => blocks(line).some(hasText));
    return last && (blocks(last).find(hasText)?.text as string);
  },

  readFilesTouched(text) {
    const files = parse(text).flatMap((line) => (line.type === 'assistant' ? editedFiles(line) : []));
    return [...new Set(files)];
  },

  ranShell(text) {
    return parse(text).some((line) =>
      blocks(line).some(({ type, name }) => type === 'tool_use' && name === 'Bash'),
    );
  },

  readUsage(text) {
    return readUsage(parse(text));
  },

  readLastIdentifier(text) {
    const last = parse(text).findLast((line) => typeof line.uuid === 'string' && line.uuid !== '');
    return (last?.uuid as string | undefined) ?? '';
  },

  holdsMessage(text, message) {
    const wanted = message.trim();
    return parse(text).some(
      (line) => line.type === 'assistant' && blocks(line).some((block) => isText(block, wanted)),
    );
  },
};

/** Lines, blank and malformed ones included, without blank ones at the end. */
function countItems(text: string): number {
  const end = text.trimEnd().length;
  if (end === 0) return 0;
  let count = 1;
  for (let at = text.indexOf('\n'); at !== -1 && at < end; at = text.indexOf('\n', at + 1)) count++;
  return count;
}

/** The text after the `item`-th line end; everything for 0, nothing where there are not that many lines. */
function sliceFrom(text: string, item: number): string {
  let at = 0;
  for (let passed = 0; passed < item; passed++) {
    const next = text.indexOf('\n', at);
    if (next === -1) return '';
    at = next + 1;
  }
  return text.slice(at);
}

let parsed: { readonly text: string; readonly lines: readonly Line[] } = { text: '', lines: [] };

/** Parses every line; the last text is remembered, since its readers come one after the other. */
function parse(text: string): readonly Line[] {
  if (parsed.text !== text) parsed = { text, lines: parseLines(text) };
  return parsed.lines;
}

function parseLines(text: string): Line[] {
  const lines: Line[] = [];
  for (const raw of text.split('\n')) {
    if (raw === '') continue;
    try {
      const value: unknown = JSON.parse(raw);
      if (typeof value === 'object' && value !== null) lines.push(value);
    } catch {
      // half-written or foreign: the line still counts as an item, it just says nothing
    }
  }
  return lines;
}

function blocks(line: Line): Block[] {
  const content = line.message?.content;
  return Array.isArray(content) ? content.filter((block) => typeof block === 'object' && block !== null) : [];
}

const hasText = (block: Block): boolean =>
  block.type === 'text' && typeof block.text === 'string' && block.text !== '';

const isText = (block: Block, wanted: string): boolean =>
  block.type === 'text' && typeof block.text === 'string' && block.text.trim() === wanted;

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
function readUsage(lines: readonly Line[]): TranscriptUsage {
  const best = new Map<string, Record<string, unknown>>();
  for (const { type, message } of lines) {
    if (type !== 'assistant' || typeof message?.id !== 'string' || message.id === '') continue;
    const usage = message.usage;
    if (typeof usage !== 'object' || usage === null) continue;
    const row = usage as Record<string, unknown>;
    const known = best.get(message.id);
    if (!known || number(row.output_tokens) > number(known.output_tokens)) best.set(message.id, row);
  }
  const sum = (field: string) => [...best.values()].reduce((total, row) => total + number(row[field]), 0);
  return {
    inputTokens: sum('input_tokens'),
    cacheCreationTokens: sum('cache_creation_input_tokens'),
    cacheReadTokens: sum('cache_read_input_tokens'),
    outputTokens: sum('output_tokens'),
    apiCallCount: best.size,
  };
}

const number = (value: unknown): number =>
  typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : 0;
