/** A part of a text, in UTF-16 units; `end` is the first unit after it. */
export interface Region {
  readonly start: number;
  readonly end: number;
}

/** What is to be replaced, and the name of the rule that says so. */
export interface Finding extends Region {
  readonly rule: string;
  /** What takes its place, where that is not {@link REDACTED}. */
  readonly label?: string;
}

/** A region that does not touch another one, and what takes its place. */
export interface Replacement extends Region {
  readonly rule: string;
  readonly by: string;
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

/** What earlier replacements left. */
const EARLIER = /\[REDACTED_[A-Z0-9_]{1,64}\]|REDACTED/g;

/**
 * Prepares findings in `text` for replacement: merged, never through the middle of a surrogate pair, and grown over
 * any earlier replacement they touch. What holds nothing but earlier replacements is no finding. Of several rules for
 * one region the first one given counts.
 */
export function settleFindings(text: string, findings: readonly Finding[]): Replacement[] {
  const whole = findings.map((finding) => ({
    ...finding,
    start: finding.start - (splitsPair(text, finding.start) ? 1 : 0),
    end: finding.end + (splitsPair(text, finding.end) ? 1 : 0),
  }));
  if (whole.length === 0) return [];
  const earlier = [...text.matchAll(EARLIER)].map(({ 0: match, index }) => {
    return { start: index, end: index + match.length };
  });
  const ranked = whole.map((finding, rank) => ({ ...finding, rank })).sort((a, b) => a.start - b.start);
  let next = 0;
  return mergeRegions([...whole, ...earlier]).flatMap(({ start, end }) => {
    const inside: typeof ranked = [];
    for (; (ranked[next]?.start ?? text.length) < end; next++)
      inside.push(ranked[next] as (typeof ranked)[0]);
    const first = inside.reduce((a, b) => (b.rank < a.rank ? b : a), inside[0] as (typeof ranked)[0]);
    if (!first || text.slice(start, end).replaceAll(EARLIER, '') === '') return [];
    const isOneLabel = inside.every(({ label }) => label === first.label);
    return [{ start, end, rule: first.rule, by: (isOneLabel && first.label) || REDACTED }];
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
export function findRepeats(
  text: string,
  secrets: Pick<ReadonlyMap<string, unknown>, 'has' | 'keys'>,
): Region[] {
  const lengths = new Map<string, number[]>();
  const begins = new Uint8Array(1 << 16);
  for (const secret of secrets.keys()) {
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
      if (at + length > text.length) continue; // a slice would be shorter, and may be another secret
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
