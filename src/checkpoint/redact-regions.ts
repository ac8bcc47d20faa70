/** A part of a text, in UTF-16 units; `end` is the first unit after it. */
export interface Region {
  readonly start: number;
  readonly end: number;
}

/** A secret in a text, and the name of the rule that found it. */
export interface Finding extends Region {
  readonly rule: string;
}

export const REDACTED = 'REDACTED';

/** Sorts, and makes one of regions that overlap or touch. */
export function mergeRegions(regions: readonly Region[]): Region[] {
  const merged: { start: number; end: number }[] = [];
  for (const { start, end } of [...regions].sort((a, b) => a.start - b.start)) {
    const last = merged.at(-1);
    if (last && start <= last.end) last.end = Math.max(last.end, end);
    else merged.push({ start, end });
  }
  return merged;
}

/**
 * Prepares regions of `text` for replacement: merged, never through the middle of a surrogate pair, and grown over
 * any `REDACTED` they touch. A region that holds nothing but earlier replacements is no finding.
 */
export function settleRegions(text: string, regions: readonly Region[]): Region[] {
  const whole = mergeRegions(regions).map((region) => ({
    start: region.start - (splitsPair(text, region.start) ? 1 : 0),
    end: region.end + (splitsPair(text, region.end) ? 1 : 0),
  }));
  if (whole.length === 0) return [];
  const earlier: Region[] = [];
  for (let at = text.indexOf(REDACTED); at >= 0; at = text.indexOf(REDACTED, at + REDACTED.length)) {
    earlier.push({ start: at, end: at + REDACTED.length });
  }
  if (earlier.length === 0) return mergeRegions(whole);
  let next = 0;
  return mergeRegions([...whole, ...earlier]).filter(({ start, end }) => {
    while (next < whole.length && (whole[next]?.start ?? 0) < start) next++;
    const touched = (whole[next]?.start ?? text.length) < end;
    return touched && text.slice(start, end).replaceAll(REDACTED, '') !== '';
  });
}

function splitsPair(text: string, at: number): boolean {
  const before = text.charCodeAt(at - 1);
  const after = text.charCodeAt(at);
  return before >= 0xd800 && before < 0xdc00 && after >= 0xdc00 && after < 0xe000;
}

/** A shorter secret is replaced elsewhere only where it stands as a word of its own. */
const LONG_ENOUGH = 12;
/** Units that every secret has, and by which the table of secrets is looked up. */
const PREFIX = 6;

/**
 * Finds every place where one of `secrets` stands; those under six units are left out.
 *
 * One walk over the text whatever the number of secrets: a bit per hash of three units says at most places that
 * nothing begins here; a table by prefix knows the lengths to try at the others.
 */
export function findRepeats(text: string, secrets: ReadonlySet<string>): Region[] {
  const lengths = new Map<string, number[]>();
  const begins = new Uint8Array(1 << 16);
  for (const secret of secrets) {
    if (secret.length < PREFIX) continue;
    const prefix = secret.slice(0, PREFIX);
    const known = lengths.get(prefix) ?? [];
    if (!known.includes(secret.length))
      lengths.set(
        prefix,
        [...known, secret.length].sort((a, b) => b - a),
      );
    begins[hashAt(secret, 0)] = 1;
  }
  const found: Region[] = [];
  if (lengths.size === 0) return found;
  for (let at = 0; at <= text.length - PREFIX; at++) {
    if (begins[hashAt(text, at)] === 0) continue;
    for (const length of lengths.get(text.slice(at, at + PREFIX)) ?? []) {
      if (!secrets.has(text.slice(at, at + length)) || !standsAlone(text, at, length)) continue;
      found.push({ start: at, end: at + length });
      at += length - 1;
      break;
    }
  }
  return found;
}

/** A hash of the three units at `at`, below 65,536. */
export function hashAt(text: string, at: number): number {
  return ((text.charCodeAt(at) * 31 + text.charCodeAt(at + 1)) * 31 + text.charCodeAt(at + 2)) & 0xffff;
}

function standsAlone(text: string, at: number, length: number): boolean {
  return length >= LONG_ENOUGH || (!isWordUnit(text[at - 1]) && !isWordUnit(text[at + length]));
}

const isWordUnit = (unit: string | undefined): boolean => unit !== undefined && /[A-Za-z0-9_]/.test(unit);
