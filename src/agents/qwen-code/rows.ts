import { asObject, asObjects, asText, isObject, type JsonObject } from '../../base/text/json.ts';
import { type LinkedRow, readLinkedRows, rememberLast } from '../shared/transcript/json-lines.ts';
import { absolute, readPatch, replacedLines, wroteWhole } from '../shared/transcript/recorded-lines.ts';
import type { EditRecord, RecordedEdit } from '../shared/transcript/transcript.ts';

/** A call of a tool as the model asked for it. */
export interface ToolCall {
  readonly id: string;
  readonly name: string;
  readonly args: JsonObject;
  /** Folder that the client was in. */
  readonly cwd: string;
}

/** What came back from a call. */
export interface ToolAnswer {
  readonly id: string;
  /** What the client shows of it; empty where it shows a text or nothing. */
  readonly display: JsonObject;
  readonly failed: boolean;
}

/**
 * The rows of a transcript: the envelope is that of Claude Code (`uuid`, `parentUuid`, `type`), a message that of Gemini
 * (`parts`). After `/rewind` a row follows an older one.
 */
export const readRows: (text: string) => readonly LinkedRow[] = rememberLast((text) =>
  readLinkedRows(text, ({ uuid, parentUuid }) =>
    asText(uuid) === '' ? undefined : { id: asText(uuid), parent: asText(parentUuid) || null },
  ),
);

/** Parts of the message of a row; empty where it has none. */
export function partsOf({ value }: LinkedRow): readonly JsonObject[] {
  return asObjects(asObject(value.message).parts);
}

/** What was said in a part; thoughts are not said. */
export const saidIn = (part: JsonObject): string => (part.thought === true ? '' : asText(part.text));

export const isAnswer = ({ value }: LinkedRow): boolean => value.type === 'assistant';

export function callsIn(row: LinkedRow): ToolCall[] {
  if (!isAnswer(row)) return [];
  return partsOf(row).flatMap(({ functionCall: call }) => {
    if (!isObject(call)) return [];
    const args = asObject(call.args);
    return [{ id: asText(call.id), name: asText(call.name), args, cwd: asText(row.value.cwd) }];
  });
}

export function answersIn(row: LinkedRow): ToolAnswer[] {
  if (row.value.type !== 'tool_result') return [];
  const { toolCallResult: kept } = row.value;
  const result = asObject(kept);
  const display = asObject(result.resultDisplay);
  return partsOf(row).flatMap(({ functionResponse: answer }) => {
    if (!isObject(answer)) return [];
    const response = asObject(answer.response);
    // Sub-agents' transcripts have no status.
    const failed = 'error' in response || ['error', 'cancelled'].includes(asText(result.status));
    return [{ id: asText(answer.id), display, failed }];
  });
}

/** The file that a call names, absolute where the row says in which folder; empty where it names none. */
export function fileOf({ args, cwd }: ToolCall): string {
  return absolute(asText(args.file_path) || asText(args.notebook_path), cwd);
}

/** In milliseconds since 1970; 0 where the row does not say. */
export const timeOf = ({ value }: LinkedRow): number => Date.parse(asText(value.timestamp)) || 0;

/** What hooks add to a prompt, and what the client adds for the model. */
const WRAPPERS = ['qwen:user-prompt-submit-context', 'system-reminder'] as const;
/** Behind this the client puts the files that were named with `@`. */
const FILES_HEADING = '--- Content from referenced files ---';

/** Rows that a person typed: also those for the model while it worked, not what timers and finished tasks say. */
export function isPrompt({ value }: LinkedRow): boolean {
  const isTyped = value.provenance === undefined || value.provenance === 'real_user';
  return value.type === 'user' && isTyped && !['cron', 'notification'].includes(asText(value.subtype));
}

/** What was typed; `undefined` when nothing was. Beside a prompt that hooks added to, the client keeps it as it was. */
export function promptOf(row: LinkedRow): string | undefined {
  const payload = asObject(row.value.systemPayload);
  const kept = typeof payload.hookContext === 'string' ? asText(payload.displayText) : '';
  return cleanPrompt(kept || partsOf(row).map(saidIn).filter(Boolean).join('\n')) || undefined;
}

/** One prompt without what the client wraps around it. Linear, whatever the text holds. */
export function cleanPrompt(text: string): string {
  const files = text.indexOf(FILES_HEADING);
  const typed = files > 0 ? text.slice(0, files) : text;
  return WRAPPERS.reduce(withoutElement, typed).trim();
}

function withoutElement(text: string, name: string): string {
  const [opening, closing] = [`<${name}>`, `</${name}>`];
  const kept: string[] = [];
  let at = 0;
  for (let open = text.indexOf(opening); open !== -1; open = text.indexOf(opening, at)) {
    const close = text.indexOf(closing, open);
    if (close === -1) break;
    kept.push(text.slice(at, open));
    at = close + closing.length;
  }
  return [...kept, text.slice(at)].join('');
}

/** Tools that write the file they name. */
export const EDIT_TOOLS: ReadonlySet<string> = new Set(['write_file', 'edit', 'notebook_edit']);

export const SHELL_TOOL = 'run_shell_command';
export const AGENT_TOOL = 'agent';

/**
 * What tools wrote, line by line: the client keeps the difference that each edit made beside its answer. Where it did not
 * (sub-agents, long files) what the call asked for has to do. Calls that failed wrote nothing; those that were never
 * answered may well have. What shell commands and tools of other programs write nobody says.
 */
export function readEdits(transcript: string): EditRecord {
  const calls = new Map<string, ToolCall>();
  const edits: RecordedEdit[] = [];
  const agents: string[] = [];
  let isComplete = true;
  for (const row of readRows(transcript)) {
    for (const call of callsIn(row)) {
      const unanswered = calls.get(call.id);
      if (unanswered) edits.push(...editsOf(unanswered, {}));
      calls.set(call.id, call);
      if (call.name === SHELL_TOOL || call.name.startsWith('mcp__')) isComplete = false;
      if (call.name === AGENT_TOOL) agents.push(call.id);
    }
    for (const { id, display, failed } of answersIn(row)) {
      const call = calls.get(id);
      calls.delete(id);
      if (call && !failed) edits.push(...editsOf(call, display));
    }
  }
  for (const call of calls.values()) edits.push(...editsOf(call, {}));
  return { edits, agents, isComplete };
}

function editsOf(call: ToolCall, display: JsonObject): RecordedEdit[] {
  const path = fileOf(call);
  if (path === '' || !EDIT_TOOLS.has(call.name)) return [];
  if (call.name === 'notebook_edit') return [{ path, lines: undefined, fragments: [] }]; // cells are no lines
  if (typeof display.fileDiff === 'string' && display.fileDiffTruncated !== true)
    return [{ path, ...readPatch(display.fileDiff), fragments: [] }];
  const { content, old_string: before, new_string: after } = call.args;
  if (call.name === 'write_file') return [wroteWhole(path, asText(content))];
  return [replacedLines(path, [{ before: asText(before), after: asText(after) }])];
}
