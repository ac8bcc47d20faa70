import type { Finding, Region } from '../regions.ts';
import { decodeText, findPublic, isPublicId, isPublicPlace, nameLength } from './public.ts';

/** Bits per character above which a run of letters and digits is taken for random. */
const RANDOM_BITS = 4.5;
/** What repeats a few letters has less. */
const MIXED_BITS = 3.2;
/** A run of n characters has at most log2(n) bits, so 22 can never be over the line. */
const MIN_RUN = 23;
const IN_RUN = new Uint8Array(1 << 16);
for (const unit of 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+_=-/')
  IN_RUN[unit.charCodeAt(0)] = 1;

/**
 * Finds runs that look random: keys of vendors nobody has heard of.
 *
 * @param holdsSecret says of what a run of base64 holds whether a secret is in it
 */
export function findRandomRuns(
  text: string,
  holdsSecret: (decoded: string) => boolean = () => false,
): Finding[] {
  let known: Region[] | undefined;
  const found: Finding[] = [];
  let next = 0;
  for (const { start, end } of findCandidates(text, holdsSecret)) {
    known ??= findPublic(text); // most texts have nothing to ask about
    while ((known[next]?.end ?? text.length) < end) next++;
    const around = known[next];
    if (around && around.start <= start && end <= around.end) continue;
    found.push({ start, end, rule: 'entropy' });
  }
  return found;
}

function* findCandidates(text: string, holdsSecret: (decoded: string) => boolean): Generator<Region> {
  for (const run of longRuns(text)) {
    const { end } = run;
    let start = run.start + escapeLetters(text, run.start);
    const isQuoted = /["'`]/.test(text[start - 1] ?? '') && text[start + 1] !== '-';
    while (!isQuoted && start < end && /[+-]/.test(text[start] ?? '')) start++; // the sign of a patch
    const letters = text.slice(start, end);
    const decoded = decodeText(letters.slice(nameLength(letters)));
    if (decoded !== undefined) {
      if (holdsSecret(decoded)) yield { start, end };
    } else if (!letters.includes('/')) {
      if (isRandom(letters) && !isPublicHere(text, start, end)) yield { start, end };
    } else {
      // Of base64 the slash is a letter; else it stands between names.
      const parts = isRandomBase64(text, start, end)
        ? [{ start, end }]
        : [...findParts(text, start, letters)];
      if (parts.length > 0 && !isPublicPlace(text, start, end)) yield* parts;
    }
  }
}

function* findParts(text: string, start: number, letters: string): Generator<Region> {
  for (const { 0: part, index } of letters.matchAll(/[^/]{23,}/g)) {
    const region = { start: start + index, end: start + index + part.length };
    if (isRandom(part) && !isPublicHere(text, region.start, region.end)) yield region;
  }
}

const isPublicHere = (text: string, start: number, end: number): boolean =>
  isPublicId(text.slice(start, end)) || isPublicPlace(text, start, end);

function isRandom(run: string): boolean {
  if (run.length < MIN_RUN) return false;
  const own = run.slice(nameLength(run));
  const bits = entropy(run);
  if (bits <= RANDOM_BITS && (bits < MIXED_BITS || !isMixed(withoutHex(own)))) return false;
  return !isWordy(withoutHex(run));
}

function isRandomBase64(text: string, start: number, end: number): boolean {
  const from = start + nameLength(text.slice(start, end));
  const run = text.slice(from, end).replace(/=+$/, '');
  if (run.length < 32 || !/^[A-Za-z0-9+/]+$/.test(run) || run.startsWith('/')) return false;
  const follows = /[\w./~@:-]/.test(text[from - 1] ?? '') && !/\\[nrt]$/.test(text.slice(from - 2, from));
  if (follows || text[end] === '.') return false;
  const parts = run.split('/');
  if (parts.length - 1 > run.length / 10 || isWordy(parts.join('-'))) return false;
  return isMixed(parts.join('')) && !isPublicId(run);
}

/** Runs of letters and digits of at least {@link MIN_RUN}. Looks only at each so manieth unit where there are none. */
function longRuns(text: string): Region[] {
  const runs: Region[] = [];
  let start = 0; // the first place where one may begin
  while (start + MIN_RUN <= text.length) {
    let first = start + MIN_RUN;
    while (first > start && isInRun(text, first - 1)) first--;
    if (first > start) {
      start = first;
      continue;
    }
    let end = start + MIN_RUN;
    while (end < text.length && isInRun(text, end)) end++;
    runs.push({ start, end });
    start = end + 1;
  }
  return runs;
}

/**
 * Whether letters and digits change places as in no name, in a run too short for {@link entropy} to tell: capitals, small
 * letters and digits from 24 on, small letters and digits from 28 on, capitals and digits, or letters alone, from 32 on. Hexadecimal digits are
 * taken for ids.
 */
function isMixed(run: string): boolean {
  if (run.length < 24 || /^(?:0x|[A-Z]{1,4})?(?:[0-9a-f-]+|[0-9A-F-]+)$/.test(run)) return false;
  let digits = 0;
  let capitals = 0;
  let small = 0;
  let changes = 0;
  let before = 0;
  for (let at = 0; at < run.length; at++) {
    const code = run.charCodeAt(at);
    const kind = code >= 97 ? 1 : code >= 65 && code <= 90 ? 2 : code >= 48 && code <= 57 ? 3 : 4;
    if (kind === 1) small++;
    else if (kind === 2) capitals++;
    else if (kind === 3) digits++;
    if (kind !== before && kind !== 4) changes++;
    before = kind;
  }
  const others = run.length - digits - capitals - small;
  if (others > run.length / 8) return false;
  if (capitals > 2 && small > 2 && (digits >= 1 || run.length >= 32)) return changes >= 0.42 * run.length;
  return run.length >= (small > 0 ? 28 : 32) && digits >= 3 && changes >= 0.27 * run.length;
}

const isInRun = (text: string, at: number): boolean => IN_RUN[text.charCodeAt(at)] === 1;

/** UUIDs, object ids and time stamps stand in the middle of many names. */
const withoutHex = (run: string): string =>
  run.replaceAll(/(?<![A-Za-z0-9])[0-9a-f]{6,}(?![A-Za-z0-9])/g, '');

/** In text that is still escaped, the `n` of `\nmodel` belongs to the backslash. */
function escapeLetters(text: string, at: number): number {
  if (text[at - 1] !== '\\') return 0;
  const length = /^(?:[nrtbf]|u[0-9A-Fa-f]{4})/.exec(text.slice(at, at + 5))?.[0].length;
  return length ?? 0;
}

const counts = new Uint32Array(128);

/** Shannon entropy of ASCII text, bits per character. */
export function entropy(run: string): number {
  counts.fill(0);
  for (let at = 0; at < run.length; at++) {
    const code = run.charCodeAt(at) & 127;
    counts[code] = (counts[code] ?? 0) + 1;
  }
  let bits = 0;
  for (let code = 0; code < 128; code++) {
    const count = counts[code] ?? 0;
    if (count > 0) bits -= (count / run.length) * Math.log2(count / run.length);
  }
  return bits;
}

/** A vowel in each five letters or so, and no crowd of consonants. */
const isPronounceable = (part: string): boolean =>
  (part.match(/[aeiouy]/gi)?.length ?? 0) >= part.length * 0.15 && !/[bcdfghjklmnpqrstvwxz]{6}/i.test(part);

/** `OnTheFlyLinks`: words that capitals join, also short ones; in noise capitals stand closer to each other. */
const isCamel = (group: string): boolean =>
  /^[A-Z]?[a-z]+(?:[A-Z][a-z]+){2,}$/.test(group) &&
  group.length >= 4 * (group.match(/[A-Z]/g)?.length ?? 0) &&
  isPronounceable(group);

/**
 * Tells names from noise: `mcp__contextServer__listDesignTokens-v2` is words, `k9Jx2mQz` is not.
 *
 * Three quarters of the letters and digits stand in words of four letters or more that have a vowel, between
 * separators also in shorter ones; few are digits.
 */
export function isWordy(run: string): boolean {
  if (/ABCDEFGHIJKLMNOPQRSTUVWXYZ|abcdefghijklmnopqrstuvwxyz/.test(run)) return true; // an encoder's alphabet
  if (run.length > 200) return false; // nobody types such a name
  if (/^[A-Z2-7=]*[2-7][A-Z2-7=]*$/.test(run)) return false; // base32
  let wordy = 0;
  let digits = 0;
  let total = 0;
  for (const [group] of run.matchAll(/[A-Za-z0-9]+/g)) {
    total += group.length;
    if (/^(?:[A-Z]?[a-z]{2,3}|[A-Z]{2,3})$/.test(group) || isCamel(group)) {
      wordy += group.length;
      continue;
    }
    for (const [part] of group.matchAll(/[A-Z]?[a-z]+|[A-Z]+|[0-9]+/g)) {
      if (/^[0-9]/.test(part)) digits += part.length;
      else if (part.length > 3 && isPronounceable(part)) wordy += part.length;
    }
  }
  // `max-old-space-size=4096` is words and a number, and nothing else.
  return wordy >= total * 0.75 && digits <= total * (wordy + digits === total ? 0.2 : 0.12);
}
