import { join } from 'node:path';
import { describeError } from '../base/errors.ts';
import { readOwnIfUsable } from '../base/file/small-file.ts';
import { writeFileAtomic } from '../base/file/write-file-atomic.ts';
import { log } from '../base/log.ts';
import { asText, isObject, parseJson } from '../base/text/json.ts';
import type { SyncPlace } from './destination.ts';

/**
 * Under which URL a tracking ref was last made true: `<git-common-dir>/entire/remote-urls.json`. After `git remote set-url` the ref
 * still says what the old place had.
 */
const file = (commonDir: string): string => join(commonDir, 'entire', 'remote-urls.json');

function read(commonDir: string): Readonly<Record<string, unknown>> {
  const value = parseJson(readOwnIfUsable(file(commonDir), 'mark') ?? '');
  return isObject(value) && isObject(value.refs) ? value.refs : {};
}

/** Whether what we know of a place was learned at another URL. Where nothing is noted, git's word counts. */
export function isOfOldUrl(commonDir: string, places: readonly SyncPlace[]): boolean {
  const named = places.filter(({ url }) => url !== undefined);
  if (named.length === 0) return false;
  const noted = read(commonDir);
  return named.some(({ trackingRef, url }) => {
    const before = asText(noted[trackingRef]);
    return before !== '' && before !== url;
  });
}

/** Notes that the remote has just said where its branch is. */
export function noteUrls(commonDir: string, places: readonly SyncPlace[]): void {
  try {
    const noted = read(commonDir);
    const news = places.filter(({ trackingRef, url }) => url !== undefined && noted[trackingRef] !== url);
    if (news.length === 0) return;
    const refs = { ...noted, ...Object.fromEntries(news.map(({ trackingRef, url }) => [trackingRef, url])) };
    writeFileAtomic(file(commonDir), JSON.stringify({ version: 1, refs }));
  } catch (error) {
    log('info', 'URL of a remote not noted', { error: describeError(error) }); // it is asked again
  }
}
