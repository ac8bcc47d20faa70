import { disk } from '../../base/disk.ts';
import { EntireError } from '../../base/errors.ts';
import { locateSecret } from '../../checkpoint/redact.ts';
import { isEvident, spellings } from '../../checkpoint/redact-find.ts';
import { openToRead, readRangeOf } from './file.ts';
import { readCache } from './index-file.ts';
import type { LiveTranscript } from './live.ts';

/**
 * Secrets are remembered from hook to hook, since a later line may hold one in surroundings that do not give it away.
 * What is kept is where they stand in the agent's own transcript, never the secrets themselves.
 */

/** Shorter ones are replaced only where they were found. */
const MIN_SECRET = 6;

/**
 * Secrets that older lines gave away.
 *
 * @param text what they may stand in; nothing is read for an empty one
 * @throws {EntireError} `REDACTION_FAILED` when they cannot be read
 */
export function readSecrets(live: LiveTranscript, text: string): string[] {
  const { path, index } = live;
  if (index.secrets.length === 0 || text === '') return [];
  try {
    const fd = openToRead(path);
    try {
      return index.secrets.flatMap(([at, length]) => readSecret(fd, at, length));
    } finally {
      disk.closeSync(fd);
    }
  } catch (cause) {
    throw new EntireError('REDACTION_FAILED', 'known secrets could not be read', { cause });
  }
}

/** A secret as it stands there, and as a JSON parser reads it: its line need not be JSON. */
function readSecret(fd: number, at: number, length: number): string[] {
  const bytes = readRangeOf(fd, at, at + length);
  if (bytes.length < length) throw new Error('the transcript became shorter');
  const raw = bytes.toString('utf8');
  if (!raw.includes('\\')) return [raw];
  try {
    return [raw, JSON.parse(`"${raw}"`) as string];
  } catch {
    return [raw];
  }
}

/**
 * Where a secret stands, in bytes of the live transcript. Nothing for one in a last line that may change yet. The
 * bytes are searched, not counted: invalid ones are longer in the text.
 */
export function placeOf(
  { index, fresh }: LiveTranscript,
  text: string,
  secret: string,
): Array<[number, number]> {
  const found = locateSecret(text, secret);
  if (!found) return [];
  const raw = Buffer.from(text.slice(found.start, found.end));
  const start = fresh.indexOf(raw);
  return start === -1 ? [] : [[index.size + start, raw.length]];
}

/** Whether older lines hold one of the secrets and did not know it for one. */
export function standsInCache({ dir, index }: LiveTranscript, secrets: readonly string[]): boolean {
  const hidden = secrets.filter((secret) => secret.length >= MIN_SECRET && !isEvident(secret));
  if (hidden.length === 0) return false;
  const older = readCache(dir, 0, index.redacted);
  return hidden.some((secret) =>
    [secret, ...spellings(secret)].some(
      (spelling) => older.includes(spelling) || older.includes(JSON.stringify(spelling).slice(1, -1)),
    ),
  );
}
