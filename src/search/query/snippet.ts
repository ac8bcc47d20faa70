import type { Phrase } from './query.ts';
import { UNSPACED } from './words.ts';

/** A part of a text: what was looked for, or what stands around it. */
export interface Span {
  readonly text: string;
  readonly isFound: boolean;
}

/**
 * The part of a text that tells most of what was looked for, on one line.
 *
 * @param length characters of it, at most
 */
export function snippetOf(text: string, phrases: readonly Phrase[], length: number): Span[] {
  const line = text.replace(/\s+/g, ' ').trim();
  const found = placesIn(line, phrases);
  const start = startOf(line, found, length);
  const end = Math.min(line.length, start + length);
  const before = start > 0 ? '…' : '';
  const after = end < line.length ? '…' : '';
  return spansOf(line, found, start + before.length, end - after.length, before, after);
}

/** Whether a text holds one of what was looked for. */
export const holdsAny = (text: string, phrases: readonly Phrase[]): boolean =>
  placesIn(text, phrases).length > 0;

interface Place {
  readonly start: number;
  readonly end: number;
  /** Which phrase it is. */
  readonly of: number;
}

/** Where phrases stand, in order; one that lies within another is left out. */
function placesIn(line: string, phrases: readonly Phrase[]): Place[] {
  const text = folded(line);
  const all = phrases.flatMap((phrase, of) => {
    return [...text.matchAll(expressionOf(phrase))].map(
      ({ 0: { length }, index }): Place => ({ start: index, end: index + length, of }),
    );
  });
  all.sort((a, b) => a.start - b.start || b.end - a.end);
  let end = 0;
  return all.filter((place) => {
    if (place.start < end) return false;
    end = place.end;
    return true;
  });
}

/** A letter for each, without its marks, so that places stay where they are. */
const folded = (text: string): string =>
  text.replace(/[\u00c0-\u1fff]/g, (char) => char.normalize('NFD').charAt(0));

/** Words are told apart without marks, in a text that may have them as characters of their own. */
const expressionFor = (word: string): string =>
  [...folded(word).replace(/\p{M}/gu, '')]
    .map((char) => `${char.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&')}\\p{M}*`)
    .join('');

/** Shorter ones stand in the midst of most words. */
const MIN_INSIDE = 3;

function expressionOf({ words, isBeginning }: Phrase): RegExp {
  const inside = words.map(expressionFor).join('[^\\p{L}\\p{N}]*');
  const [first = ''] = words;
  const isInside = UNSPACED.test(first) || (isBeginning && first.length >= MIN_INSIDE);
  const begin = isInside ? '' : '(?<![\\p{L}\\p{N}])';
  const end = isBeginning || UNSPACED.test(words.at(-1) ?? '') ? '' : '(?![\\p{L}\\p{N}])';
  return new RegExp(`${begin}${inside}${end}`, 'giu');
}

/** Where to begin, so that as many phrases as can be are in it, the first of them early. */
function startOf(line: string, places: readonly Place[], length: number): number {
  if (line.length <= length || places.length === 0) return 0;
  let best = { at: 0, count: 0 };
  places.forEach((place, at) => {
    const within = places.slice(at).filter(({ end }) => end <= place.start + length - 10);
    const count = new Set(within.map(({ of }) => of)).size;
    if (count > best.count) best = { at, count };
  });
  const { start = 0 } = places[best.at] ?? {};
  const lead = Math.floor(length / 5);
  const from = Math.max(0, Math.min(start - lead, line.length - length));
  if (from === 0) return 0;
  const space = line.indexOf(' ', from); // a whole word first, where one is near
  return space !== -1 && space < start && space - from < lead ? space : from;
}

function spansOf(
  line: string,
  places: readonly Place[],
  start: number,
  end: number,
  before: string,
  after: string,
): Span[] {
  const spans: Span[] = [];
  const add = (text: string, isFound: boolean): void => {
    if (text !== '') spans.push({ text, isFound });
  };
  let at = start;
  for (const place of places) {
    if (place.end <= at || place.start >= end) continue;
    add(line.slice(at, Math.max(at, place.start)), false);
    add(line.slice(Math.max(at, place.start), Math.min(end, place.end)), true);
    at = Math.min(end, place.end);
  }
  add(line.slice(at, end), false);
  if (before) spans.unshift({ text: before, isFound: false });
  if (after) spans.push({ text: after, isFound: false });
  return spans;
}
