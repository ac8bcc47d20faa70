import { asObject, asText, isObject, type JsonObject } from '../../base/text/json.ts';
import { linesOf, replacedLines } from '../transcript/recorded-lines.ts';
import type { EditRecord, RecordedEdit } from '../transcript/transcript.ts';
import { callsIn, fileOf, folderIn, readRows, saidBy, type ToolCall } from './rows.ts';

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
  if (call.name === 'write') return [{ path, lines: linesOf(asText(call.args.content)), fragments: [] }];
  if (typeof details.diff === 'string') return [{ path, lines: addedBy(details.diff), fragments: [] }];
  // Earlier releases took one replacement a call, beside the path.
  const asked: readonly unknown[] = Array.isArray(call.args.edits) ? call.args.edits : [call.args];
  const replacements = asked
    .filter(isObject)
    .map(({ oldText, newText }) => ({ before: asText(oldText), after: asText(newText) }));
  return [replacedLines(path, replacements)];
}

/** Lines that a difference adds, as Pi shows it: a sign, the number of the line, and the line. */
const addedBy = (diff: string): string[] =>
  diff.split('\n').flatMap((line) => /^\+ *\d+ (.*)$/s.exec(line)?.[1] ?? []);
