import { sha256Of } from '../../base/hash.ts';
import type { SnapshotRecord } from '../../snapshot/record/snapshot-record.ts';
import { readIfThere } from '../log/logs.ts';
import { parseMore, type ReplacedLog } from './note.ts';

/** What taking a rewind back, or doing it again, comes to for a log. */
export interface LogBack {
  readonly file: string;
  /** Why it is left; empty where it is restored. */
  readonly why: string;
  /** Where what it was before the rewind lies, as long as it is not there again. */
  readonly kept?: string | undefined;
}

/**
 * What taking steps back, or doing them again, comes to for the logs that they replaced: one entry for each, by what is in it now and what
 * each step leaves for the next. Changes nothing.
 *
 * @param steps in the order in which they are taken back
 */
export function lookAtLogs(steps: readonly SnapshotRecord[]): LogBack[] {
  const backs = new Map<string, LogBack>();
  const digests = new Map<string, string | undefined>();
  for (const { isBack, note } of steps.flatMap(({ effects }) => effects.toReversed()))
    for (const log of parseMore(note)?.logs ?? []) {
      const { file } = log;
      const now = digests.has(file) ? digests.get(file) : digestOf(file);
      const { back, leaves } = look(log, isBack, now);
      digests.set(file, leaves);
      if (back && backs.get(file)?.why !== '') backs.set(file, back);
    }
  return [...backs.values()];
}

/** `undefined` where there is none. */
function digestOf(file: string | undefined): string | undefined {
  const bytes = file === undefined ? undefined : readIfThere(file);
  return bytes && sha256Of(bytes);
}

const CHANGED = 'it was changed since';

/**
 * @param isBack the log was put back, and is replaced again
 * @param now the digest of what is in it by then
 */
function look(
  { file, kept, sha256, bytes, next, refused }: ReplacedLog,
  isBack: boolean,
  now: string | undefined,
): { readonly back?: LogBack; readonly leaves: string | undefined } {
  if (refused !== undefined) return { leaves: now }; // it was never replaced
  if (next === undefined && (isBack ? bytes : kept) === undefined) return { leaves: now }; // an earlier form, which kept one of the two
  const before = digestOf(kept);
  const [from, to] = isBack ? [before, sha256] : [sha256, before];
  if (now === to) return { leaves: now };
  const back = { file, ...(!isBack && kept !== undefined && { kept }) };
  return now === from
    ? { back: { ...back, why: '' }, leaves: to }
    : { back: { ...back, why: CHANGED }, leaves: now };
}

/** Logs that were to be restored, and are still what they were, are left. @param after what there is to do now */
export const withFailures = (logs: readonly LogBack[], after: readonly LogBack[]): LogBack[] =>
  logs.map((log) => {
    const isSame = log.why === '' && after.some(({ file, why }) => file === log.file && why === '');
    return isSame ? { ...log, why: 'it could not be written' } : log;
  });
