import { asList, asObject, asText, isObject, type JsonObject } from '../../base/json.ts';
import { addedLines, type DiffLine, diffLines, patchLines } from './diff-lines.ts';

/** What a tool call was to do to one file. */
export interface FileChange {
  /** As the model gave it; empty where it did not. */
  readonly path: string;
  /** Its new name. */
  readonly movedTo?: string;
  readonly lines: readonly DiffLine[];
}

/** Tools that write a whole file, by the names that clients have for them. */
const WRITES = /^(?:write|create|save|new)(?:_?file)?$|str_replace_editor|str_replace_based_edit_tool/i;

/**
 * What a tool call does to files, read from its arguments as all clients write them: replacements, whole files, envelopes of
 * `apply_patch`, and the differences that some note. Nothing for other tools, and for what is not understood.
 */
export function fileChanges(tool: string, input: unknown): FileChange[] {
  const envelope = findEnvelope(tool, input);
  if (envelope !== undefined) return readEnvelope(envelope);
  if (!isObject(input)) return [];
  const path = pathOf(input);
  if (Array.isArray(input.structuredPatch)) return some(path, hunkLines(input.structuredPatch));
  if (isObject(input.changes)) return Object.entries(input.changes).flatMap(readChange);
  const difference = asText(input.unified_diff) || asText(input.fileDiff);
  if (difference !== '') return some(path, patchLines(difference));
  const edits = [input, ...asList(input.edits).map(asObject)]
    .map(replacement)
    .filter((lines) => lines !== undefined);
  if (edits.length > 0)
    return some(
      path,
      edits.flatMap((lines, at) => (at === 0 ? lines : [GAP, ...lines])),
    );
  const content = [input.content, input.file_text, input.contents, input.new_source].find(
    (value) => typeof value === 'string',
  );
  const isWrite = WRITES.test(tool) || (typeof input.new_source === 'string' && path !== '');
  return isWrite && content !== undefined ? some(path, addedLines(asText(content))) : [];
}

const GAP: DiffLine = { sign: '@', text: '' };

const some = (path: string, lines: readonly DiffLine[]): FileChange[] =>
  lines.length === 0 ? [] : [{ path, lines }];

const pathOf = (input: JsonObject): string =>
  [input.file_path, input.filePath, input.path, input.notebook_path, input.filename, input.absolute_path]
    .map(asText)
    .find((path) => path !== '') ?? '';

/** Names that clients have for the text that goes and the one that comes. */
const PAIRS = [
  ['old_string', 'new_string'],
  ['old_str', 'new_str'],
  ['oldString', 'newString'],
  ['oldText', 'newText'],
] as const;

function replacement(edit: JsonObject): DiffLine[] | undefined {
  const pair = PAIRS.find(
    ([before, after]) => typeof edit[before] === 'string' || typeof edit[after] === 'string',
  );
  return pair && diffLines(asText(edit[pair[0]]), asText(edit[pair[1]]));
}

const hunkLines = (hunks: readonly unknown[]): DiffLine[] =>
  hunks.map(asObject).flatMap((hunk): DiffLine[] => {
    const [before, after] = [hunk.oldStart, hunk.newStart].map((line) =>
      Number.isInteger(line) ? `${line}` : '?',
    );
    const lines = patchLines(asList(hunk.lines).map(asText).join('\n'));
    return [{ sign: '@', text: `-${before} +${after}` }, ...lines];
  });

/** An item of Codex. */
function readChange([path, value]: [string, unknown]): FileChange[] {
  const { type, content, unified_diff, move_path } = asObject(value);
  const lines =
    typeof unified_diff === 'string'
      ? patchLines(unified_diff)
      : addedLines(asText(content)).map((line) =>
          type === 'delete' ? { ...line, sign: '-' as const } : line,
        );
  const movedTo = asText(move_path);
  return [{ path, lines, ...(movedTo === '' || movedTo === path ? {} : { movedTo }) }];
}

function findEnvelope(tool: string, input: unknown): string | undefined {
  const { command, patchText, input: inner, patch } = asObject(input);
  const texts = [input, command, patchText, inner, patch, ...asList(command)].map(asText);
  return texts.find(
    (text) => /^\*\*\* Begin Patch\s*$/m.test(text) && (/patch/i.test(tool) || /apply_patch/.test(text)),
  );
}

/** The sections of an envelope, with their lines as they stand there. @see agents/apply-patch.ts */
function readEnvelope(text: string): FileChange[] {
  const files: { path: string; movedTo?: string; lines: DiffLine[] }[] = [];
  for (const line of text.split(/\r?\n/)) {
    const [, path] = /^\s*\*\*\* (?:Add|Update|Delete) File:(.*)$/.exec(line) ?? [];
    const [, movedTo] = /^\*\*\* Move to:(.*)$/.exec(line) ?? [];
    const file = files.at(-1);
    if (path !== undefined) files.push({ path: path.trim(), lines: [] });
    else if (/^\s*\*\*\* End Patch/.test(line)) break;
    else if (file && movedTo !== undefined) file.movedTo = movedTo.trim();
    else if (file) file.lines.push(...patchLines(line));
  }
  return files;
}
