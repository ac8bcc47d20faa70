import type { EditRecord, RecordedEdit } from '../agents/shared/transcript/transcript.ts';
import { isDistinctive, plainLine } from '../base/text/lines.ts';
import type { CarriedLine, CarryingEdit } from './evidence.ts';

/**
 * The record without lines that were only carried: what tools took out of a file that had it before, and put somewhere else, or laid out
 * anew, was not written there. It is whose it was. The order does not matter: some make the new place first.
 *
 * @param others of those that worked for it or that it worked for, which put lines into files, too
 */
export function withoutCarried<R extends EditRecord>(
  record: R,
  others: readonly EditRecord[] = [],
): R & { readonly edits: readonly CarryingEdit[] } {
  const found = findFound(
    record.edits,
    others.flatMap(({ edits }) => edits),
  );
  if (found.size === 0) return record;
  return { ...record, edits: record.edits.map((edit) => ({ ...edit, ...leave(edit, found) })) };
}

/** Lines that were taken out of files in which nothing on record had put them, and those files. */
type Found = ReadonlyMap<string, ReadonlySet<string>>;

function findFound(edits: readonly RecordedEdit[], others: readonly RecordedEdit[]): Found {
  const put = new Set(
    others.flatMap(({ path, lines = [] }) => lines.map((line) => `${path}\0${plainLine(line)}`)),
  );
  const found = new Map<string, Set<string>>();
  if (edits.every(({ removed = [] }) => removed.length === 0)) return found; // the usual case
  /** What moved files were called first. */
  const first = new Map<string, string>();
  for (const { path, lines = [], removed = [], movedFrom } of edits) {
    if (movedFrom !== undefined) first.set(path, first.get(movedFrom) ?? movedFrom);
    const file = first.get(path) ?? path;
    for (const line of removed.map(plainLine))
      if (!put.has(`${file}\0${line}`)) found.set(line, (found.get(line) ?? new Set()).add(path));
    for (const line of lines.map(plainLine)) put.add(`${file}\0${line}`);
  }
  return found;
}

function leave({ path, lines, fragments }: RecordedEdit, found: Found): Partial<CarryingEdit> {
  const own: string[] = [];
  const carried: CarriedLine[] = [];
  let above: ReadonlySet<string> | undefined;
  for (const line of lines ?? []) {
    const from = found.get(plainLine(line));
    // A line that many files have is carried along with the one above it.
    above = from && (isDistinctive(line) ? from : above);
    if (above) carried.push({ line, from: [...above], to: path });
    else own.push(line);
  }
  return {
    lines: lines && own,
    carried,
    fragments: fragments.filter((line) => !isDistinctive(line) || !found.has(plainLine(line))),
  };
}
