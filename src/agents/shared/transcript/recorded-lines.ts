import { isAbsolute, join } from 'node:path';
import { parseApplyPatch } from '../apply-patch.ts';
import type { RecordedEdit } from './transcript.ts';

/** The lines of a text; its last line end makes no further line. */
export function linesOf(content: string): string[] {
  const lines = content.split('\n');
  if (lines.at(-1) === '') lines.pop();
  return lines;
}

/** A tool wrote a file as a whole: what of it was there before, nobody says. @param isNew there was none before */
export const wroteWhole = (path: string, content: string, isNew = false): RecordedEdit => ({
  ...{ path, lines: linesOf(content), fragments: [] },
  ...(!isNew && { isWhole: true }),
});

/** One piece of text that a tool was asked to put where another was. */
export interface Replacement {
  readonly before: string;
  readonly after: string;
}

/**
 * What a tool was asked to write: the new text without what was there before. The first and last line of a piece may be parts
 * of lines.
 */
export function replacedLines(path: string, replacements: readonly Replacement[]): RecordedEdit {
  const removed = replacements.flatMap(({ before, after }) => {
    const kept = new Set(linesOf(after));
    return linesOf(before).filter((line) => !kept.has(line));
  });
  const fresh = replacements.flatMap(({ before, after }) => {
    const old = new Set(linesOf(before));
    const lines = linesOf(after);
    const edges = [0, lines.length - 1];
    return lines.flatMap((line, at) => (old.has(line) ? [] : [{ line, isEdge: edges.includes(at) }]));
  });
  return {
    path,
    lines: fresh.map(({ line }) => line),
    fragments: fresh.filter(({ isEdge }) => isEdge).map(({ line }) => line),
    ...(removed.length > 0 && { removed }),
  };
}

/** The lines that a unified difference adds and takes away; what stands before its first hunk is its heading. */
export function readPatch(patch: string): Pick<RecordedEdit, 'lines' | 'removed'> {
  const rows = patch.split('\n');
  const begin = rows.findIndex((line) => line.startsWith('@@'));
  return readHunks(begin === -1 ? [] : rows.slice(begin));
}

/** The same of the rows of hunks. */
export function readHunks(rows: readonly string[]): Pick<RecordedEdit, 'lines' | 'removed'> {
  const having = (mark: string) => rows.flatMap((row) => (row.startsWith(mark) ? [row.slice(1)] : []));
  const removed = having('-');
  return { lines: having('+'), ...(removed.length > 0 && { removed }) };
}

/** What is on record of a file that was moved, and perhaps changed: lines go from its old name, and come in under the new one. */
export function moved(
  from: string,
  to: string,
  { lines, removed }: Pick<RecordedEdit, 'lines' | 'removed'>,
): RecordedEdit[] {
  return [
    { path: from, lines: [], fragments: [], ...(removed && { removed }) },
    { path: to, lines, fragments: [], movedFrom: from },
  ];
}

/** What an `apply_patch` envelope asks for. @param at makes a path of one that the model named */
export const envelopeEdits = (envelope: string, at = (path: string): string => path): RecordedEdit[] =>
  parseApplyPatch(envelope).flatMap(({ path, movedTo, lines, removed }) => {
    const made = { lines, ...(removed.length > 0 && { removed }) };
    return movedTo === undefined
      ? [{ path: at(path), ...made, fragments: [] }]
      : moved(at(path), at(movedTo), made);
  });

/** A path that a transcript names, absolute where the folder is known; stays empty where none is named. */
export const absolute = (path: string, folder: string): string =>
  path === '' || folder === '' || isAbsolute(path) ? path : join(folder, path);
