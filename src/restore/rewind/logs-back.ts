import { sha256Of } from '../../base/hash.ts';
import type { SnapshotRecord } from '../../snapshot/record/snapshot-record.ts';
import { readIfThere } from '../log/logs.ts';
import { parseMore, type ReplacedLog } from './note.ts';

/** What taking a rewind back, or doing it again, comes to for a log. */
export interface LogBack {
  readonly file: string;
  /** Why it is left; empty where it is restored. */
  readonly why: string;
}

/** What taking steps back comes to for the logs that they replaced, by what is in these now. Changes nothing. */
export const lookAtLogs = (steps: readonly SnapshotRecord[]): LogBack[] =>
  steps
    .flatMap(({ effects }) => effects)
    .flatMap(({ isBack, note }) => (parseMore(note)?.logs ?? []).flatMap((log) => look(log, isBack) ?? []));

const CHANGED = 'it was changed since';

/** @param isBack the log was put back, and is replaced again */
function look(
  { file, kept, sha256, bytes, next, refused }: ReplacedLog,
  isBack: boolean,
): LogBack | undefined {
  if (refused !== undefined) return undefined; // it was never replaced
  if (next === undefined && (isBack ? bytes : kept) === undefined) return undefined; // an earlier form, which kept one of the two
  const now = readIfThere(file);
  const isReplaced = now !== undefined && sha256Of(now) === sha256;
  const before = kept === undefined ? undefined : readIfThere(kept);
  const isBefore = before ? now?.equals(before) === true : now === undefined;
  if (isBack ? isReplaced : isBefore) return undefined;
  return { file, why: (isBack ? isBefore : isReplaced) ? '' : CHANGED };
}

/** Logs that were to be restored, and are still what they were, are left. @param after what there is to do now */
export const withFailures = (logs: readonly LogBack[], after: readonly LogBack[]): LogBack[] =>
  logs.map((log) => {
    const isSame = log.why === '' && after.some(({ file, why }) => file === log.file && why === '');
    return isSame ? { ...log, why: 'it could not be written' } : log;
  });
