import { join } from 'node:path';
import { listNames } from '../../base/file/disk.ts';
import { writeFileAtomic } from '../../base/file/write-file-atomic.ts';
import { readSoundRecords, snapsDir } from './record.ts';
import type { SnapshotRecord } from './snapshot-record.ts';

/** Whether a record is a turn that has a number: those of a session that changed files have, 1 is the oldest that is kept. */
const isNumberedTurn = ({ kind, files }: SnapshotRecord): boolean => kind === 'turn' && files.size > 0;

/** Turns as people count them. */
export interface NumberedTurns {
  readonly turns: ReadonlyArray<{ readonly number: number; readonly record: SnapshotRecord }>;
  /** Numbers of turns that were forgotten. */
  readonly forgotten: readonly number[];
  /** The number of the next turn. */
  readonly next: number;
}

/**
 * The turns that a store keeps, in the order of their numbers. What cannot be read has none; one that was forgotten leaves its number
 * empty.
 *
 * @param open what a turn that goes on did so far
 * @param stored the records of the store, where they were read before
 */
export function numberTurns(
  store: string,
  open: readonly SnapshotRecord[] = [],
  stored: readonly SnapshotRecord[] = readSoundRecords(store),
): NumberedTurns {
  const ids = new Set(stored.map(({ id }) => id));
  const records = [...stored, ...open.filter(({ id }) => !ids.has(id))].filter(isNumberedTurn);
  const gone = listForgotten(store).filter((id) => !ids.has(id));
  const before = (id: string, among: readonly string[]): number => among.filter((other) => other < id).length;
  const kept = records.map(({ id }) => id);
  return {
    turns: records.map((record, at) => ({ number: at + 1 + before(record.id, gone), record })),
    forgotten: gone.map((id, at) => at + 1 + before(id, kept)),
    next: records.length + gone.length + 1,
  };
}

const MARK = /^(\d{13}-[0-9a-f]{12})\.forgotten$/;

/** Ids of the turns that had a number and were forgotten, oldest first. */
const listForgotten = (store: string): string[] =>
  listNames(snapsDir(store))
    .flatMap((name) => MARK.exec(name)?.[1] ?? [])
    .sort();

/** Keeps the number of a turn, whose record goes next, from becoming that of another one. @throws the system error */
export function keepNumber(store: string, record: SnapshotRecord): void {
  if (isNumberedTurn(record))
    writeFileAtomic(join(snapsDir(store), `${record.id}.forgotten`), '', { fsync: true });
}
