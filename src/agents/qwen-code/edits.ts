import { asText, type JsonObject } from '../../base/text/json.ts';
import { addedByPatch, linesOf, replacedLines } from '../transcript/recorded-lines.ts';
import type { EditRecord, RecordedEdit } from '../transcript/transcript.ts';
import { answersIn, callsIn, fileOf, readRows, type ToolCall } from './rows.ts';

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
    return [{ path, lines: addedByPatch(display.fileDiff), fragments: [] }];
  const { content, old_string: before, new_string: after } = call.args;
  if (call.name === 'write_file') return [{ path, lines: linesOf(asText(content)), fragments: [] }];
  return [replacedLines(path, [{ before: asText(before), after: asText(after) }])];
}
