import { isAbsolute, join } from 'node:path';
import { isObject, type JsonObject, parseJson } from '../../base/json.ts';
import { parseApplyPatch } from '../apply-patch.ts';
import { type Block, blocksOf, resultText } from '../message-blocks.ts';
import { addedByPatch, linesOf, replacedLines } from '../recorded-lines.ts';
import type { EditRecord, RecordedEdit } from '../transcript.ts';

const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
const text = (value: unknown): string => (typeof value === 'string' ? value : '');

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
    if (row.type === 'session_start') cwd = text(row.cwd);
    if (row.type !== 'message' || !isObject(row.message)) continue;
    for (const block of blocksOf(row.message.content)) {
      if (block.type === 'tool_use') {
        const unanswered = calls.get(text(block.id));
        if (unanswered) edits.push(...editsOf(unanswered, {}, cwd));
        calls.set(text(block.id), block);
        if (!isQuiet(text(block.name))) isComplete = false;
        if (block.name === 'Task') agents.push(text(block.id));
      }
      if (block.type !== 'tool_result') continue;
      const call = calls.get(text(block.tool_use_id));
      calls.delete(text(block.tool_use_id));
      if (call && block.is_error !== true) edits.push(...editsOf(call, parseAnswer(block), cwd));
    }
  }
  // The client was stopped before the answer: the call may well have done its work.
  for (const call of calls.values()) edits.push(...editsOf(call, {}, cwd));
  return { edits, agents, isComplete };
}

/** Whether a tool writes nothing but what it says: no command, and no tool of another program. */
const isQuiet = (name: string): boolean => !['Execute', 'Script'].includes(name) && !/^mcp_|___/.test(name);

function parseAnswer(block: Block): JsonObject {
  const value = parseJson(resultText(block));
  return isObject(value) ? value : {};
}

function editsOf({ name, input: asked }: Block, answer: JsonObject, cwd: string): RecordedEdit[] {
  const input = isObject(asked) ? asked : {};
  const at = (path: string): string =>
    path === '' || isAbsolute(path) || cwd === '' ? path : join(cwd, path);
  if (name === 'ApplyPatch') return patchEdits(text(input.input), answer, at);
  const path = at(text(answer.file_path) || text(input.file_path) || text(input.notebook_path));
  if (path === '') return [];
  switch (name) {
    case 'Create':
    case 'Write':
      return [{ path, lines: linesOf(text(input.content)), fragments: [] }];
    case 'Edit':
      return [addedBy(path, answer) ?? replacedLines(path, [replacement(input)])];
    case 'MultiEdit':
      return [
        addedBy(path, answer) ?? replacedLines(path, list(input.edits).filter(isObject).map(replacement)),
      ];
    case 'NotebookEdit':
      return [{ path, lines: undefined, fragments: [] }]; // cells are not the lines of the file
    default:
      return [];
  }
}

const replacement = (edit: JsonObject) => ({
  before: text(edit.old_str) || text(edit.old_string),
  after: text(edit.new_str) || text(edit.new_string),
});

/** Lines that the client saw come into the file. */
function addedBy(path: string, { diffLines }: JsonObject): RecordedEdit | undefined {
  if (!Array.isArray(diffLines)) return undefined;
  const added = diffLines.filter(isObject).filter(({ type }) => type === 'added');
  return { path, lines: added.map(({ content }) => text(content)), fragments: [] };
}

/** A file that is moved is gone under its old name. */
function patchEdits(patch: string, answer: JsonObject, at: (path: string) => string): RecordedEdit[] {
  const files = list(answer.files).filter(isObject);
  if (files.length === 0) {
    return parseApplyPatch(patch).flatMap(({ path, movedTo, lines }) => {
      const gone = movedTo === undefined ? [] : [{ path: at(path), lines: [], fragments: [] }];
      return [...gone, { path: at(movedTo ?? path), lines, fragments: [] }];
    });
  }
  return files.flatMap((file) => {
    const [path, movedTo] = [text(file.file_path), text(file.moved_to)];
    const lines = typeof file.content === 'string' ? linesOf(file.content) : addedByPatch(text(file.diff));
    const gone = movedTo === '' ? [] : [{ path, lines: [], fragments: [] }];
    return path === '' ? [] : [...gone, { path: movedTo || path, lines, fragments: [] }];
  });
}
