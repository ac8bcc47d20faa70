import { asObject, asObjects, asText, isObject, type JsonObject, parseJson } from '../../base/text/json.ts';
import { type LinkedRow, readLinkedRows, rememberLast } from '../shared/transcript/json-lines.ts';
import { absolute, readHunks, replacedLines, wroteWhole } from '../shared/transcript/recorded-lines.ts';
import type { EditRecord, RecordedEdit } from '../shared/transcript/transcript.ts';

/** A call of a tool as the model asked for it. */
export interface ToolCall {
  readonly id: string;
  readonly name: string;
  readonly args: JsonObject;
}

/**
 * The rows of a session: a header, then entries that each name the one they follow. Whoever goes back to an older entry goes
 * on in the same file. The oldest sessions have no such names; Pi gives them some when it opens them.
 */
export const readRows: (text: string) => readonly LinkedRow[] = rememberLast((text) =>
  readLinkedRows(text, ({ type, id, parentId }) =>
    type === 'session' || asText(id) === ''
      ? undefined
      : { id: asText(id), parent: asText(parentId) || null },
  ),
);

/** The message of an entry where the given side said it. */
export function saidBy(
  { value }: LinkedRow,
  role: 'user' | 'assistant' | 'toolResult',
): JsonObject | undefined {
  const { type, message } = value;
  return type === 'message' && isObject(message) && message.role === role ? message : undefined;
}

/** Parts of a message; a text alone is one part. */
export function partsOf(message: JsonObject | undefined): readonly JsonObject[] {
  const content = message?.content;
  if (typeof content === 'string') return [{ type: 'text', text: content }];
  return asObjects(content);
}

/** The text of a part; empty where it is another kind of part. */
export const textIn = (part: JsonObject): string => (part.type === 'text' ? asText(part.text) : '');

export function callsIn(row: LinkedRow): ToolCall[] {
  return partsOf(saidBy(row, 'assistant')).flatMap((part) => {
    if (part.type !== 'toolCall') return [];
    const args = asObject(part.arguments);
    return [{ id: asText(part.id), name: asText(part.name), args }];
  });
}

/** The folder of the session, where the header is in the text. */
export const folderIn = (rows: readonly LinkedRow[]): string =>
  asText(rows.find(({ value }) => value.type === 'session')?.value.cwd);

/** The file that a call names, absolute where the folder is known; empty where it names none. */
export function fileOf({ args }: ToolCall, folder: string): string {
  const path = (asText(args.path) || asText(args.file_path)).replace(/^@/, '');
  return path.startsWith('~') ? path : absolute(path, folder);
}

/** What was typed; `undefined` where nobody typed anything. */
export function promptOf(row: LinkedRow): string | undefined {
  return cleanPrompt(partsOf(saidBy(row, 'user')).map(textIn).filter(Boolean).join('\n')) || undefined;
}

/** In milliseconds since 1970; 0 where the entry does not say. */
export const timeOf = ({ value }: LinkedRow): number => Date.parse(asText(value.timestamp)) || 0;

/** A skill that was called is in the prompt with all that it says; what was typed behind it follows. */
const SKILL = /^<skill name="([^"<>]*)"[^<>]*>/;
const SKILL_END = '\n</skill>';

/** One prompt as it was typed. */
export function cleanPrompt(text: string): string {
  const trimmed = text.trim();
  const [opening, name] = SKILL.exec(trimmed) ?? [];
  const end = opening === undefined ? -1 : trimmed.indexOf(SKILL_END, opening.length);
  if (end === -1) return trimmed;
  return `/skill:${name} ${trimmed.slice(end + SKILL_END.length).trim()}`.trim();
}

/**
 * The beginning of a session as one of another id: every line as Pi wrote it, up to and including the entry `last`, which then
 * is where the conversation goes on from. Only the header has the id of the session.
 *
 * @returns `undefined` when that entry is not in it, or there is no header
 */
export function forkTranscript(text: string, last: string, id: string): string | undefined {
  const lines = text.split('\n');
  const at = lines.findIndex((line) => idOf(line, 'header') !== undefined);
  const end = lines.findIndex((line) => line.includes(last) && idOf(line, 'entry') === last);
  const header = lines[at];
  if (last === '' || header === undefined || end < at) return undefined;
  const old = JSON.stringify(idOf(header, 'header'));
  const kept = lines.slice(0, end + 1);
  kept[at] = header.replace(`"id":${old}`, () => `"id":${JSON.stringify(id)}`);
  return `${kept.join('\n')}\n`;
}

function idOf(line: string, of: 'header' | 'entry'): string | undefined {
  const row = parseJson(line);
  if (!isObject(row) || typeof row.id !== 'string') return undefined;
  return (row.type === 'session') === (of === 'header') ? row.id : undefined;
}

/** Tools that write the file they name. */
export const EDIT_TOOLS: ReadonlySet<string> = new Set(['write', 'edit']);

export const SHELL_TOOL = 'bash';

/** Tools that leave files as they are. Other ones come from extensions: what they write they tell nobody. */
const READING_TOOLS: ReadonlySet<string> = new Set(['read', 'grep', 'find', 'ls']);

/**
 * What tools wrote, line by line: `edit` leaves the difference that it made with its answer, of `write` the call says it.
 * Calls that failed wrote nothing; those that were never answered may well have.
 */
export function readEdits(transcript: string): EditRecord {
  const rows = readRows(transcript);
  const folder = folderIn(rows);
  const calls = new Map<string, ToolCall>();
  const edits: RecordedEdit[] = [];
  let isComplete = true;
  for (const row of rows) {
    for (const call of callsIn(row)) {
      const unanswered = calls.get(call.id);
      if (unanswered) edits.push(...editsOf(unanswered, folder, {}));
      calls.set(call.id, call);
      if (!EDIT_TOOLS.has(call.name) && !READING_TOOLS.has(call.name)) isComplete = false;
    }
    const result = saidBy(row, 'toolResult');
    const call = calls.get(asText(result?.toolCallId));
    if (!result || !call) continue;
    calls.delete(call.id);
    if (result.isError !== true) edits.push(...editsOf(call, folder, asObject(result.details)));
  }
  for (const call of calls.values()) edits.push(...editsOf(call, folder, {}));
  return { edits, agents: [], isComplete };
}

function editsOf(call: ToolCall, folder: string, details: JsonObject): RecordedEdit[] {
  const path = fileOf(call, folder);
  if (path === '' || !EDIT_TOOLS.has(call.name)) return [];
  if (call.name === 'write') return [wroteWhole(path, asText(call.args.content))];
  if (typeof details.diff === 'string') return [{ path, ...readDifference(details.diff), fragments: [] }];
  // Earlier releases took one replacement a call, beside the path.
  const asked: readonly unknown[] = Array.isArray(call.args.edits) ? call.args.edits : [call.args];
  const replacements = asked
    .filter(isObject)
    .map(({ oldText, newText }) => ({ before: asText(oldText), after: asText(newText) }));
  return [replacedLines(path, replacements)];
}

/** The lines that a difference adds and takes away, as Pi shows it: a sign, the number of the line, and the line. */
const readDifference = (diff: string) =>
  readHunks(
    diff.split('\n').flatMap((row) => {
      const [, sign, line] = /^([+-]) *\d+ (.*)$/s.exec(row) ?? [];
      return sign === undefined ? [] : `${sign}${line}`;
    }),
  );
