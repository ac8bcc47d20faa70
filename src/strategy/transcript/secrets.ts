import { disk } from '../../base/disk.ts';
import { EntireError } from '../../base/errors.ts';
import { locateSecrets } from '../../checkpoint/redact.ts';
import { isEvident, spellings } from '../../checkpoint/redact-find.ts';
import { TextTable } from '../../checkpoint/redact-table.ts';
import { openToRead, readRangeOf } from './file.ts';
import { readCache } from './index-file.ts';
import type { LiveTranscript } from './live.ts';

/**
 * Secrets are remembered from hook to hook, since a later line may hold one in surroundings that do not give it away.
 * What is kept is where they stand in the agent's own transcript, never the secrets themselves.
 */

/** Shorter ones are replaced only where they were found. */
const MIN_SECRET = 6;
/** Bytes of the cache that are searched at once. */
const PART = 4 * 1024 * 1024;

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
 * Where secrets stand, in bytes of the live transcript. Nothing for one in a last line that may change yet. The bytes
 * are searched, not counted: invalid ones are longer in the text. Each search goes on where the last one ended, so that all of
 * them together read the bytes once.
 */
export function placesOf(
  { index, fresh }: LiveTranscript,
  text: string,
  secrets: readonly string[],
): Array<[number, number]> {
  if (secrets.length === 0 || fresh.length === 0) return [];
  const units = fresh.toString('utf8').length;
  const inOrder = [...locateSecrets(text, secrets).values()]
    .filter(({ end }) => end <= units)
    .sort((a, b) => a.start - b.start);
  const places: Array<[number, number]> = [];
  let from = 0;
  for (const { start, end } of inOrder) {
    const raw = text.slice(start, end);
    if (raw.includes('\ufffd')) continue; // what those bytes were is not known: not to be found again
    const bytes = Buffer.from(raw);
    const at = fresh.indexOf(bytes, from);
    if (at === -1) continue;
    places.push([index.size + at, bytes.length]);
    from = at;
  }
  return places;
}

/** Whether older lines hold one of the secrets and did not know it for one. */
export function standsInCache({ dir, index }: LiveTranscript, secrets: readonly string[]): boolean {
  const hidden = secrets.filter((secret) => secret.length >= MIN_SECRET && !isEvident(secret));
  if (hidden.length === 0) return false;
  const spelt = hidden
    .flatMap((secret) => [secret, ...spellings(secret)])
    .flatMap((spelling) => [spelling, JSON.stringify(spelling).slice(1, -1)])
    .map((spelling) => Buffer.from(spelling).toString('latin1')); // bytes as units: a part may begin within a letter
  const table = new TextTable(spelt);
  const overlap = spelt.reduce((most, { length }) => Math.max(most, length), 0);
  for (let start = 0; start < index.redacted; start += PART) {
    const part = readCache(dir, start, Math.min(index.redacted, start + PART + overlap));
    if (!table.find(part.toString('latin1')).next().done) return true;
  }
  return false;
}
