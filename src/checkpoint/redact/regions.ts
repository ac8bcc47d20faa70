import { TextTable } from './table.ts';

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
/**
 * Finds every place where one of `secrets` stands; those under six units are left out. One walk over the text whatever
 * the number of secrets.
 */
export function findRepeats(text: string, secrets: ReadonlyMap<string, string>): Finding[] {
  const parts = new Map<string, string>();
  for (const [secret, rule] of secrets) for (const part of partsOf(secret)) parts.set(part, rule);
  const table = new TextTable(parts.keys());
  const found: Finding[] = [];
  for (const { start, end, text: secret } of table.find(text, (place) => standsAlone(text, place)))
    found.push({ start, end, rule: parts.get(secret) ?? '' });
  return found;
}

/** A longer secret is looked up by its parts, one after the other: a place costs no more than the length of one. */
const PART = 512;

function partsOf(secret: string): string[] {
  if (secret.length <= PART) return [secret];
  const parts: string[] = [];
  for (let at = 0; at + PART < secret.length; at += PART) parts.push(secret.slice(at, at + PART));
  return [...parts, secret.slice(-PART)];
}

function standsAlone(text: string, { start, end }: Region): boolean {
  return end - start >= LONG_ENOUGH || (!isWordUnit(text[start - 1]) && !isWordUnit(text[end]));
}

const isWordUnit = (unit: string | undefined): boolean => unit !== undefined && /[A-Za-z0-9_]/.test(unit);
