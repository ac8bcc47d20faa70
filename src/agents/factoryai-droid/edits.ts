import { asObject, asObjects, asText, isObject, type JsonObject, parseJson } from '../../base/text/json.ts';
import { type Block, blocksOf, resultText } from '../shared/transcript/message-blocks.ts';
import {
  absolute,
  envelopeEdits,
  linesOf,
  moved,
  type Replacement,
  readPatch,
  replacedLines,
  wroteWhole,
} from '../shared/transcript/recorded-lines.ts';
import type { EditRecord, RecordedEdit } from '../shared/transcript/transcript.ts';

/**
 * What tools wrote, line by line. The answer to a call is a JSON text with absolute paths and the difference that was made;
 * where there is none, what the call asked for has to do. Calls that failed wrote nothing.
 */
export function readEdits(transcript: string): EditRecord {
  const calls = new Map<string, Block>();
  const edits: RecordedEdit[] = [];
  const agents: string[] = [];
  let cwd = '';
  let isComplete = true;
  for (const raw of transcript.split('\n')) {
    if (raw === '') continue;
    const row = parseJson(raw);
    if (!isObject(row)) continue;
    if (row.type === 'session_start') cwd = asText(row.cwd);
    if (row.type !== 'message' || !isObject(row.message)) continue;
    for (const block of blocksOf(row.message.content)) {
      if (block.type === 'tool_use') {
        const unanswered = calls.get(asText(block.id));
        if (unanswered) edits.push(...editsOf(unanswered, {}, cwd));
        calls.set(asText(block.id), block);
        if (!isQuiet(asText(block.name))) isComplete = false;
        if (block.name === 'Task') agents.push(asText(block.id));
      }
      if (block.type !== 'tool_result') continue;
      const call = calls.get(asText(block.tool_use_id));
      calls.delete(asText(block.tool_use_id));
      if (call && block.is_error !== true) edits.push(...editsOf(call, parseAnswer(block), cwd));
    }
  }
  // The client was stopped before the answer: the call may well have done its work.
  for (const call of calls.values()) edits.push(...editsOf(call, {}, cwd));
  return { edits, agents, isComplete };
}

/** Whether a tool writes nothing but what it says: no command, and no tool of another program. */
const isQuiet = (name: string): boolean => !['Execute', 'Script'].includes(name) && !/^mcp_|___/.test(name);

const parseAnswer = (block: Block): JsonObject => asObject(parseJson(resultText(block)));

function editsOf({ name, input: asked }: Block, answer: JsonObject, cwd: string): RecordedEdit[] {
  const input = asObject(asked);
  const at = (path: string): string => absolute(path, cwd);
  if (name === 'ApplyPatch') return patchEdits(asText(input.input), answer, at);
  const path = at(asText(answer.file_path) || asText(input.file_path) || asText(input.notebook_path));
  if (path === '') return [];
  switch (name) {
    case 'Create':
    case 'Write':
      return [wroteWhole(path, asText(input.content))];
    case 'Edit':
      return [addedBy(path, answer) ?? replacedLines(path, [replacement(input)])];
    case 'MultiEdit':
      return [addedBy(path, answer) ?? replacedLines(path, asObjects(input.edits).map(replacement))];
    case 'NotebookEdit':
      return [{ path, lines: undefined, fragments: [] }]; // cells are not the lines of the file
    default:
      return [];
  }
}

const replacement = (edit: JsonObject): Replacement => ({
  before: asText(edit.old_str) || asText(edit.old_string),
  after: asText(edit.new_str) || asText(edit.new_string),
});

/** Lines that the client saw come into the file, and go. */
function addedBy(path: string, { diffLines }: JsonObject): RecordedEdit | undefined {
  if (!Array.isArray(diffLines)) return undefined;
  const having = (kind: string) =>
    asObjects(diffLines).flatMap(({ type, content }) => (type === kind ? asText(content) : []));
  const removed = having('removed');
  return { path, lines: having('added'), fragments: [], ...(removed.length > 0 && { removed }) };
}

function patchEdits(patch: string, answer: JsonObject, at: (path: string) => string): RecordedEdit[] {
  const files = asObjects(answer.files);
  if (files.length === 0) return envelopeEdits(patch, at);
  return files.flatMap((file) => {
    const [path, movedTo] = [asText(file.file_path), asText(file.moved_to)];
    const made =
      typeof file.content === 'string' ? { lines: linesOf(file.content) } : readPatch(asText(file.diff));
    if (path === '') return [];
    return movedTo === '' ? [{ path, ...made, fragments: [] }] : moved(path, movedTo, made);
  });
}
