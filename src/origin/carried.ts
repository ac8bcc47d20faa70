import type { EditRecord, RecordedEdit } from '../agents/shared/transcript/transcript.ts';
import { isDistinctive, plainLine } from '../base/text/lines.ts';
import type { CarryingEdit } from './evidence.ts';

/**
 * The record without lines that were only carried: what tools took out of a file that had it before, and put somewhere else, or laid out
 * anew, was not written there. It is whose it was. The order does not matter: some make the new place first.
 */
export function withoutCarried(record: EditRecord): EditRecord & { readonly edits: readonly CarryingEdit[] } {
  const found = findFound(record.edits);
  if (found.size === 0) return record;
  return { ...record, edits: record.edits.map((edit) => ({ ...edit, ...leave(edit, found) })) };
}

/** Lines that were taken out of files in which nothing on record had put them. */
function findFound(edits: readonly RecordedEdit[]): ReadonlySet<string> {
  const put = new Set<string>();
  const found = new Set<string>();
  for (const { path, lines = [], removed = [] } of edits) {
    for (const line of removed.map(plainLine)) if (!put.has(`${path}\0${line}`)) found.add(line);
    for (const line of lines.map(plainLine)) put.add(`${path}\0${line}`);
  }
  return found;
}

function leave({ lines, fragments }: RecordedEdit, found: ReadonlySet<string>): Partial<CarryingEdit> {
  const isCarried = (line: string): boolean => found.has(plainLine(line));
  let isBelow = false;
  // A line that many files have is carried along with the one above it.
  const marked = lines?.map((line) => {
    isBelow = isCarried(line) && (isBelow || isDistinctive(line));
    return { line, isOwn: !isBelow };
  });
  return {
    lines: marked?.flatMap(({ line, isOwn }) => (isOwn ? line : [])),
    carried: (marked ?? []).flatMap(({ line, isOwn }) => (isOwn ? [] : line)),
    fragments: fragments.filter((line) => !isDistinctive(line) || !isCarried(line)),
  };
}
