import { join } from 'node:path';
import { now, renderUtc } from '../base/clock.ts';
import { readOwnIfUsable } from '../base/file/small-file.ts';
import { writeFileAtomic } from '../base/file/write-file-atomic.ts';
import { asText, isObject, parseJson } from '../base/text/json.ts';
import type { PushSettings } from '../settings/push.ts';

/** Whether checkpoints may go along with the user's pushes; `undecided` where somebody here has to be asked first. */
export type Consent = 'yes' | 'no' | 'undecided';

/**
 * A yes that was given for another place than the repository asks for now, or than a push goes to, is none.
 *
 * @param unseen of where a push goes, what nobody was shown (`findUnseen`); without it the settings alone are judged
 */
export function judgeConsent(
  { permission, proposal }: PushSettings,
  unseen: readonly string[] = [],
): Consent {
  if (permission.given === undefined) return 'undecided';
  if (!permission.given) return 'no';
  return proposal === undefined && unseen.length === 0 ? 'yes' : 'undecided';
}

const noticeFile = (commonDir: string): string => join(commonDir, 'entire', 'push-notice.json');

/** What the user was told about: another proposal or place changes that. */
const subjectOf = ({ proposal }: PushSettings, unseen: readonly string[]): string =>
  unseen.length > 0 ? unseen.join(' ') : (proposal?.wanted ?? '');

/** Whether the user was told how to decide. */
export function wasTold(commonDir: string, settings: PushSettings, unseen: readonly string[] = []): boolean {
  const notice = parseJson(readOwnIfUsable(noticeFile(commonDir), 'mark') ?? '');
  return isObject(notice) && asText(notice.about) === subjectOf(settings, unseen);
}

/** Remembers it, for the whole repository. @throws the system error */
export function rememberTold(
  commonDir: string,
  settings: PushSettings,
  unseen: readonly string[] = [],
): void {
  const notice = { version: 1, at: renderUtc(now()), about: subjectOf(settings, unseen) };
  writeFileAtomic(noticeFile(commonDir), JSON.stringify(notice));
}
