import { EntireError } from '../../base/errors.ts';
import { isEvident, spellings } from '../../checkpoint/redact/find.ts';
import { locateSecrets } from '../../checkpoint/redact/redact.ts';
import { TextTable } from '../../checkpoint/redact/table.ts';
import { readingTranscript, readRangeOf } from './file.ts';
import { readCachePieces } from './index-file.ts';
import type { LiveTranscript } from './live.ts';
import { findBytes } from './pieces.ts';

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
    return readingTranscript(path, (fd) =>
      index.secrets.flatMap(([at, length]) => readSecret(fd, at, length)),
    );
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

/** The secrets of which it is not known whether older lines hold them. @throws as {@link readSecrets} */
export const readUnchecked = (live: LiveTranscript): string[] =>
  readSecrets(
    { ...live, index: { ...live.index, secrets: live.index.secrets.slice(live.index.checked) } },
    ' ',
  );

/**
 * Where secrets stand, in bytes of the live transcript. Nothing for one in a last line that may change yet. The bytes
 * are searched, not counted: invalid ones are longer in the text. Each search goes on where the last one ended, so that all of
 * them together read the bytes once.
 */
export function placesOf(
  { index, path, fresh, end: last, isShort }: LiveTranscript,
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
    const at = isShort ? placeInFile(path, index.size, last, bytes) : fresh.indexOf(bytes, from);
    if (at === -1) continue;
    places.push([index.size + at, bytes.length]);
    from = at;
  }
  return places;
}

/** Of secrets those that can stand in older lines that did not know them for one. */
export const hiddenOf = (secrets: readonly string[]): string[] =>
  secrets.filter((secret) => secret.length >= MIN_SECRET && !isEvident(secret));

/** Whether redacted lines hold one of the secrets. */
export function standsInCache({ dir, index }: LiveTranscript, secrets: readonly string[]): boolean {
  if (secrets.length === 0) return false;
  const holds = searchFor(secrets);
  const longest = 12 * secrets.reduce((most, secret) => Math.max(most, secret.length), 0); // in any spelling
  let before = Buffer.alloc(0);
  for (const bytes of readCachePieces(dir, index)) {
    if (holds(bytes)) return true;
    // One that stands across the edge of two pieces.
    if (holds(Buffer.concat([before, bytes.subarray(0, longest)]))) return true;
    before = Buffer.from(bytes.subarray(Math.max(0, bytes.length - longest)));
  }
  return false;
}

/** A search for any of many secrets, as they are and as they are written in JSON and addresses: one pass over the bytes. */
export function searchFor(secrets: readonly string[]): (bytes: Buffer) => boolean {
  const spelt = secrets
    .flatMap((secret) => [secret, ...spellings(secret)])
    .flatMap((spelling) => [spelling, JSON.stringify(spelling).slice(1, -1)])
    .map((spelling) => Buffer.from(spelling).toString('latin1')); // bytes as units: a part may begin within a letter
  const table = new TextTable(spelt);
  return (bytes) => !table.find(bytes.toString('latin1')).next().done;
}

/** Of a line in its short form the bytes are not those of the transcript: where they stand there, counted from `start`. */
const placeInFile = (path: string, start: number, end: number, bytes: Buffer): number => {
  const at = findBytes(path, start, end, bytes);
  return at === undefined ? -1 : at - start;
};
