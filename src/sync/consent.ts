import { join } from 'node:path';
import { now, renderUtc } from '../base/clock.ts';
import { disk } from '../base/disk.ts';
import { writeFileAtomic } from '../base/write-file-atomic.ts';

/**
 * Whether checkpoints may go along with the user's pushes. Where nobody has decided, a remote that has the branch
 * already is an answer; any other has to be asked about, once.
 */
export type Consent = 'yes' | 'no' | 'undecided';

export function judgeConsent(pushSessions: boolean | undefined, remoteHasBranch: boolean): Consent {
  if (pushSessions !== undefined) return pushSessions ? 'yes' : 'no';
  return remoteHasBranch ? 'yes' : 'undecided';
}

const noticeFile = (commonDir: string): string => join(commonDir, 'entire', 'push-notice.json');

/** Whether the user was told how to decide. */
export const wasTold = (commonDir: string): boolean => disk.existsSync(noticeFile(commonDir));

/** Remembers it, for the whole repository. @throws the system error */
export function rememberTold(commonDir: string): void {
  writeFileAtomic(noticeFile(commonDir), JSON.stringify({ version: 1, at: renderUtc(now()) }));
}
