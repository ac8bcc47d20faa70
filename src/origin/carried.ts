import type { EditRecord, RecordedEdit } from '../agents/shared/transcript/transcript.ts';
import { isDistinctive, plainLine } from '../base/text/lines.ts';
import type { CarriedLine, CarryingEdit } from './evidence.ts';

/**
 * The record without lines that were only carried: what tools took out of a file that had it before, and put somewhere else, or laid out
 * anew, was not written there. It is whose it was. The order does not matter: some make the new place first. Nor was written what git brought
 * from wherever it was, but for lines that are on record in another way.
 *
 * @param others of those that worked for it or that it worked for, which put lines into files, too
 */
export function withoutCarried<R extends EditRecord>(
  record: R,
  others: readonly EditRecord[] = [],
): R & { readonly edits: readonly CarryingEdit[] } {
  const rest = others.flatMap(({ edits }) => edits);
  const found = findFound(record.edits, rest);
  const isBringing = record.edits.some(({ isBroughtByGit }) => isBroughtByGit);
  if (found.size === 0 && !isBringing) return record;
  const written = isBringing ? findWritten([...record.edits, ...rest]) : NOWHERE;
  return { ...record, edits: record.edits.map((edit) => ({ ...edit, ...leave(edit, found, written) })) };
}

/** Where a line was that git brought, nobody says. */
const NOWHERE: ReadonlySet<string> = new Set();

/** Lines that were put into files, and not by git. */
const findWritten = (edits: readonly RecordedEdit[]): ReadonlySet<string> =>
  new Set(edits.flatMap(({ lines = [], isBroughtByGit }) => (isBroughtByGit ? [] : lines)).map(plainLine));

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

function leave(
  { path, lines, fragments, isBroughtByGit = false }: RecordedEdit,
  found: Found,
  written: ReadonlySet<string>,
): Partial<CarryingEdit> {
  const own: string[] = [];
  const carried: CarriedLine[] = [];
  let above = isBroughtByGit ? NOWHERE : undefined;
  for (const line of lines ?? []) {
    const isBrought = isBroughtByGit && !(isDistinctive(line) && written.has(plainLine(line)));
    const from = found.get(plainLine(line)) ?? (isBrought ? NOWHERE : undefined);
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
