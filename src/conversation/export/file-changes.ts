import { parseApplyPatch } from '../../agents/shared/apply-patch.ts';
import { asList, asObject, asText, isObject, type JsonObject } from '../../base/text/json.ts';
import { envelopeIn, type FileChangeKind, type NotedChange, notedChanges, pathIn } from '../called-files.ts';
import { addedLines, type DiffLine, diffLines, patchLines } from './diff-lines.ts';

/** What a tool call was to do to one file. */
export interface FileChange {
  /** As the model gave it; empty where it did not. */
  readonly path: string;
  /** Its new name. */
  readonly movedTo?: string;
  /** Where the call says it. */
  readonly kind?: FileChangeKind;
  readonly lines: readonly DiffLine[];
}

/** Tools that write a whole file, by the names that clients have for them. */
const WRITES = /^(?:write|create|save|new)(?:_?file)?$|str_replace_editor|str_replace_based_edit_tool/i;

/**
 * What a tool call does to files, read from its arguments as all clients write them: replacements, whole files, envelopes of
 * `apply_patch`, and the differences that some note. Nothing for other tools, and for what is not understood.
 */
export function fileChanges(tool: string, input: unknown): FileChange[] {
  const envelope = envelopeIn(tool, input);
  if (envelope !== undefined) return readEnvelope(envelope);
  if (!isObject(input)) return [];
  const path = pathIn(input);
  if (Array.isArray(input.structuredPatch)) return some(path, hunkLines(input.structuredPatch));
  const noted = notedChanges(input);
  if (noted.length > 0) return noted.map(readNoted);
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
  lines.length === 0 && path === '' ? [] : [{ path, lines }];

/** What became of a file, where neither its lines nor its names say it; may be empty. */
export function changeNote({ kind, lines, movedTo }: FileChange): string {
  if (kind === 'delete') return 'deleted';
  if (lines.length > 0 || movedTo !== undefined) return '';
  return kind === 'add' ? 'new' : kind === 'update' ? 'changed' : '';
}

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

function readNoted({ path, kind, movedTo, detail: { unified_diff, content } }: NotedChange): FileChange {
  const lines =
    typeof unified_diff === 'string'
      ? patchLines(unified_diff)
      : addedLines(asText(content)).map((line) =>
          kind === 'delete' ? { ...line, sign: '-' as const } : line,
        );
  return { path, kind, lines, ...(movedTo === undefined ? {} : { movedTo }) };
}

/** The sections of an envelope, with their lines as they stand there. */
const readEnvelope = (text: string): FileChange[] =>
  parseApplyPatch(text).map(({ path, kind, movedTo, body }) => ({
    ...{ path, kind, lines: body.flatMap(patchLines) },
    ...(movedTo === undefined ? {} : { movedTo }),
  }));
