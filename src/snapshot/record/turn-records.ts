import { listRecordIds, readRecordIfSound } from './record.ts';
import type { SnapshotRecord } from './snapshot-record.ts';

/** Whether a record is a turn that has a number: those of a session that changed files have, 1 is the oldest that is kept. */
export const isNumberedTurn = ({ kind, files }: SnapshotRecord): boolean => kind === 'turn' && files.size > 0;

/** The turns that a store keeps, in the order of their numbers. What cannot be read has none. */
export const listTurnRecords = (store: string): SnapshotRecord[] =>
  listRecordIds(store)
    .flatMap((id) => readRecordIfSound(store, id) ?? [])
    .filter(isNumberedTurn);
