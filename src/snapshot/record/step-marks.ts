import { join } from 'node:path';
import { FileRefused } from '../../base/errors.ts';
import { appendText, disk } from '../../base/file/disk.ts';
import { readOwnIfUsable, readOwnText } from '../../base/file/small-file.ts';
import { writeFileAtomic } from '../../base/file/write-file-atomic.ts';
import { type ObjectId, parseObjectId } from '../../base/ids.ts';
import { readTurnBegin } from '../turn/turn-begin.ts';
import { hasRecord, listRecordIds } from './record.ts';

/**
 * Which records there were when a step was saved: lines of `<step> <newest record>` in `<store>/steps`, oldest first. Steps have
 * whole seconds, and a turn may have several records, or none: the time does not tell. A step that was made again under another
 * name has one more line, with the old name behind it.
 */
const marksFile = (store: string): string => join(store, 'steps');

/** No record yet. */
const NONE = '-';

/** More than these are not kept for long. */
const MAX_MARKS = 1000;

/**
 * Notes that a step was saved, and that all records there are were made before.
 *
 * @param closed the record that was made of its turn right before
 * @throws the system error
 */
export function markStep(store: string, step: ObjectId, closed: string | undefined): void {
  disk.mkdirSync(store, { recursive: true, mode: 0o750 });
  appendText(marksFile(store), toLine({ step, last: closed ?? newestRecord(store) ?? NONE }));
}

/** A step that was made again, as it is, with another name. */
export interface StepAgain {
  readonly step: ObjectId;
  readonly old: ObjectId;
}

/**
 * Notes that steps were made again: what is known of the old ones holds for them. Both are kept, since what made them again may be taken
 * back.
 *
 * @throws the system error
 */
export function markAgain(store: string, again: readonly StepAgain[]): void {
  const marks = new Map(listMarks(store).map((mark) => [mark.step, mark]));
  const lines: string[] = [];
  for (const { step, old } of again) {
    const known = marks.get(old);
    if (!known || marks.has(step)) continue;
    const mark = { step, last: known.last, old };
    marks.set(step, mark);
    lines.push(toLine(mark));
  }
  if (lines.length > 0) appendText(marksFile(store), lines.join(''));
}

const toLine = ({ step, last, old }: Mark): string =>
  `${step} ${last}${old === undefined ? '' : ` ${old}`}\n`;

/** A hook does not look at all records of a session, unless it has to. */
function newestRecord(store: string): string | undefined {
  const last = readTurnBegin(store)?.last;
  return last !== undefined && hasRecord(store, last) ? last : listRecordIds(store).at(-1);
}

/** A step that is marked, and the newest record of that moment. */
interface Mark {
  readonly step: ObjectId;
  /** {@link NONE} where there was none. */
  readonly last: string;
  /** The name that it had before it was made again. */
  readonly old?: string;
}

/**
 * The marks of a store, oldest first, those of a step and its other names together. What stands in the place of no regular file counts as
 * none; what the disk refuses to read does not: whoever took its records for gone would go over what others wrote.
 *
 * @throws the system error
 */
export const listMarks = (store: string): Mark[] => parseMarks(readMarks(store));

function parseMarks(text: string): Mark[] {
  const marks: Mark[] = [];
  for (const line of text.split('\n')) {
    const [name = '', last, old] = line.split(' ');
    const step = parseObjectId(name);
    if (!step || !last) continue;
    const at = old === undefined ? -1 : marks.findLastIndex((mark) => mark.step === old);
    marks.splice(at < 0 ? marks.length : at + 1, 0, { step, last, ...(old !== undefined && { old }) });
  }
  return marks;
}

function readMarks(store: string): string {
  try {
    return readOwnText(marksFile(store), 'list') ?? '';
  } catch (error) {
    if (error instanceof FileRefused) return '';
    throw error;
  }
}

/** Finds the first step that was saved when a record had been made. Marks that cannot be read tell of none. */
export function openStepAfter(store: string): (record: string) => ObjectId | undefined {
  const marks = parseMarks(readOwnIfUsable(marksFile(store), 'list') ?? '');
  return (record) => marks.find(({ last }) => last !== NONE && last >= record)?.step;
}

/** Drops the oldest marks where there are many, those of a step and its other names together. Only under the session's lock. @throws the system error */
export function trimMarks(store: string): void {
  const marks = parseMarks(readOwnIfUsable(marksFile(store), 'list') ?? '');
  if (marks.length <= MAX_MARKS) return;
  // A step made again without the one that it was would stand among the newest.
  const at = marks.findIndex(({ old }, index) => index >= marks.length - MAX_MARKS && old === undefined);
  writeFileAtomic(
    marksFile(store),
    marks
      .slice(at < 0 ? -MAX_MARKS : at)
      .map(toLine)
      .join(''),
  );
}

/** Ids of records, oldest first, on both sides of a step. */
export interface SplitRecords {
  readonly upTo: readonly string[];
  readonly since: readonly string[];
  /** Whether a record was made after a step was saved; of a step that is not marked it is not known, and it was not. */
  readonly isAfter: (id: string, step: ObjectId) => boolean;
  /** Whether the records of the time when a step was saved are gone: what became of its files until the oldest one is not known. */
  readonly isForgotten: (step: ObjectId) => boolean;
  /** Whether a step is marked; of the turn of another one there is no record. */
  readonly isMarked: (step: ObjectId) => boolean;
}

/**
 * Splits the records of a store at the newest of these steps that is marked.
 *
 * @returns `undefined` when none of them is, or records of that time are gone: it is not known which there were since
 * @throws the system error
 */
export function splitRecords(store: string, isKept: (step: ObjectId) => boolean): SplitRecords | undefined {
  const marks = listMarks(store);
  const mark = marks.findLast(({ step }) => isKept(step));
  if (!mark) return undefined;
  const ids = listRecordIds(store);
  const marked = marks.slice(marks.indexOf(mark)).filter(({ last }) => last !== NONE);
  if (marked.some(({ last }) => !ids.includes(last))) return undefined; // evicted: the oldest go first
  const newest = new Map(marks.map(({ step, last }) => [step, last]));
  const isAfter = (id: string, step: ObjectId): boolean => {
    const last = newest.get(step);
    return last !== undefined && (last === NONE || id > last);
  };
  const isForgotten = (step: ObjectId): boolean => {
    const last = newest.get(step) ?? NONE;
    return last !== NONE && !ids.includes(last);
  };
  return {
    upTo: ids.filter((id) => !isAfter(id, mark.step)),
    since: ids.filter((id) => isAfter(id, mark.step)),
    isAfter,
    isForgotten,
    isMarked: (step) => newest.has(step),
  };
}

/** Whether there are records of a session's last steps: none was made while contents were not kept, and no record is gone. */
export function hasRecordsOf(store: string, steps: number, ids: ReadonlySet<string>): boolean {
  const all = steps === 0 ? [] : listMarks(store).filter(({ old }) => old === undefined);
  const marks = all.slice(-steps);
  return marks.length === steps && marks.every(({ last }) => last === NONE || ids.has(last));
}
