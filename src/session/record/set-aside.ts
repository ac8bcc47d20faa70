import { now } from '../../base/clock.ts';
import { listNames } from '../../base/file/disk.ts';
import type { SessionId } from '../../base/ids.ts';
import { sessionOfStateFile } from '../state-store.ts';

/** What may be the only copy of something is kept for this long. */
export const ONLY_COPY_MS = 30 * 24 * 60 * 60 * 1000;

/**
 * Sessions whose state could not be read and was set aside, as `readStateOrSetAside` names it: what it said may still be
 * needed for a while. May name one several times.
 *
 * @param dir `<git-common-dir>/entire-sessions`
 */
export const listSetAside = (dir: string): SessionId[] =>
  listNames(dir).flatMap((name) => {
    const [, file = '', time] = /^(.+\.json)\.corrupt-(\d+)$/.exec(name) ?? [];
    return now().getTime() - Number(time) <= ONLY_COPY_MS ? (sessionOfStateFile(file) ?? []) : [];
  });
