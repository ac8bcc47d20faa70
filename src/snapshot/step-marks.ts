import { join } from 'node:path';
import { disk, readTextIfExists } from '../base/disk.ts';
import { type ObjectId, parseObjectId } from '../base/ids.ts';
import { listRecordIds } from './record.ts';

/**
 * Which records there were when a step was saved: lines of `<step> <newest record>` in `<store>/steps`, oldest first. Steps have
 * whole seconds, and a turn may have several records, or none: the time does not tell.
 */
const marksFile = (store: string): string => join(store, 'steps');

/** No record yet. */
const NONE = '-';

/** Notes that a step was saved, and that all records there are were made before. @throws the system error */
export function markStep(store: string, step: ObjectId): void {
  disk.mkdirSync(store, { recursive: true });
  disk.appendFileSync(marksFile(store), `${step} ${listRecordIds(store).at(-1) ?? NONE}\n`);
}

/** Ids of records, oldest first, on both sides of a step. */
export interface SplitRecords {
  readonly upTo: readonly string[];
  readonly since: readonly string[];
}

/**
 * Splits the records of a store at the newest of these steps that is marked.
 *
 * @returns `undefined` when none of them is: it is not known which records are older
 */
export function splitRecords(store: string, isKept: (step: ObjectId) => boolean): SplitRecords | undefined {
  const lines = (readTextIfExists(marksFile(store)) ?? '').split('\n');
  const marks = lines.flatMap((line) => {
    const [name = '', last] = line.split(' ');
    const step = parseObjectId(name);
    return step && last ? { step, last } : [];
  });
  const mark = marks.findLast(({ step }) => isKept(step));
  if (!mark) return undefined;
  const ids = listRecordIds(store);
  const isOlder = (id: string): boolean => mark.last !== NONE && id <= mark.last;
  return { upTo: ids.filter(isOlder), since: ids.filter((id) => !isOlder(id)) };
}
