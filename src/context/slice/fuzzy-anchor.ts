import { EntireError } from '../../base/errors.ts';
import { counted } from '../../base/text/text.ts';
import { type CustomSlice, normaliseSlice } from './custom-slice.ts';
import { findLines } from './find-lines.ts';
import {
  type Anchor,
  type AnchoredSlice,
  hashLines,
  parseAnchor,
  renderAnchor,
  sidesOf,
} from './slice-anchor.ts';
import { overlaps, type Site, SliceSites } from './slice-sites.ts';
import { Places } from './surroundings.ts';

/** Lines of a file, counted from 1, the last one included. */
export interface LineRange {
  readonly startLine: number;
  readonly endLine: number;
}

interface Placed extends LineRange {
  /** All places that are as likely, where there are several: the given one is the nearest of them. Else empty. */
  readonly candidates: readonly LineRange[];
}

interface Unplaced {
  readonly startLine: undefined;
  readonly endLine: undefined;
  /** Where it may be, as far as that is known; none of them is more likely than the others. */
  readonly candidates: readonly LineRange[];
}

/**
 * Where a slice is now.
 *
 * - `same`: its text, where it was; `moved`: its text, elsewhere
 * - `changed`: other text (another indentation, too); with its place when what is around it tells
 * - `gone`: nothing is left of it
 * - `unanchored`: its lines, held against nothing, because the slice has no anchor
 */
export type SliceResolution =
  | ({ readonly status: 'same' | 'moved' | 'unanchored' } & Placed)
  | ({ readonly status: 'changed' } & (Placed | Unplaced))
  | ({ readonly status: 'gone' } & Unplaced);

/** What a person says of a slice. */
export interface SliceLabels {
  readonly tag?: string | null | undefined;
  readonly comment?: string | null | undefined;
}

/** Slices of files that are found again after the file was edited. Line ends do not count: `\r\n` is as good as `\n`. */
export const FuzzyAnchor = {
  /**
   * The slice of `text` from `startLine` to `endLine`, with what finds it again.
   *
   * @throws {EntireError} `BAD_FLAGS` for what are no lines (a slice has at least one), `NOT_FOUND` beyond the end
   */
  createSlice(text: string, startLine: number, endLine: number, labels: SliceLabels = {}): AnchoredSlice {
    const lines = linesOf(text);
    requireLines(lines.length, startLine, endLine);
    const start = startLine - 1;
    return normaliseSlice({
      start_line: startLine,
      end_line: endLine,
      tag: labels.tag,
      comment: labels.comment,
      ...renderAnchor(lines, start, endLine),
      ...countCopies(lines, start, endLine),
    }) as AnchoredSlice;
  },

  /** Finds a slice in `text` as it is now. Costs what reading the text costs. */
  resolveSlice(text: string, slice: CustomSlice): SliceResolution {
    const lines = linesOf(text);
    const anchor = parseAnchor(slice);
    if (anchor === undefined) return resolveByLines(lines, slice);
    if (isUntouched(lines, anchor)) return { status: 'same', ...placed([rangeOf(anchor)]) };
    const sites = new SliceSites(lines, anchor);
    const exact = sites.exact();
    return exact.length > 0 ? resolveExact(exact, sites, anchor) : resolveChanged(sites, anchor);
  },
} as const;

function requireLines(count: number, startLine: number, endLine: number): void {
  const areLines = Number.isSafeInteger(startLine) && Number.isSafeInteger(endLine);
  if (!areLines || startLine < 1 || endLine < startLine) {
    throw new EntireError('BAD_FLAGS', `${startLine} to ${endLine} are no lines of a file`, {
      hint: 'Lines are counted from 1; the last one is not before the first.',
    });
  }
  if (endLine > count) {
    throw new EntireError(
      'NOT_FOUND',
      `line ${endLine} is beyond the end: there are ${counted(count, 'line')}`,
      {
        hint: 'Choose lines that the file has.',
      },
    );
  }
}

/** How often the file has the text, and with the same surroundings: whether one that is found later is the slice. */
function countCopies(
  lines: readonly string[],
  start: number,
  end: number,
): { copies: number; twins: number } {
  const { before, after } = sidesOf(lines, start, end);
  const places = new Places(lines);
  const copies = findLines(lines, lines.slice(start, end));
  const twins = copies.filter(
    (at) => places.fitBefore(before, at).isComplete && places.fitAfter(after, at + end - start).isComplete,
  );
  return { copies: copies.length, twins: twins.length };
}

/** Mostly, nothing near the slice was edited: then there is nothing to look for. */
function isUntouched(
  lines: readonly string[],
  { start, length, contentHash, before, after }: Anchor,
): boolean {
  if (hashLines(lines.slice(start, start + length)) !== contentHash) return false;
  const places = new Places(lines);
  return places.fitBefore(before, start).isComplete && places.fitAfter(after, start + length).isComplete;
}

/**
 * The text is there. It is the slice, unless the file had more copies of it: then this may be another copy, and the slice
 * be what stands between the slice's own surroundings now.
 */
function resolveExact(exact: readonly Site[], sites: SliceSites, anchor: Anchor): SliceResolution {
  const [best, ...equal] = likeliest(exact, anchor) as [Site, ...Site[]];
  const here: SliceResolution = {
    status: best.start === anchor.start ? 'same' : 'moved',
    ...placed([best, ...equal]),
  };
  if (exact.length >= anchor.copies || (best.isComplete && best.start === anchor.start)) return here;
  const between = sites.surrounded().filter((site) => site.isComplete && !overlaps(site, exact));
  const edited = likeliest(between, anchor);
  const [other] = edited;
  if (other === undefined) return besideOf(here, [best, ...equal], exact, sites, anchor);
  const isCertain = anchor.twins === 1 && !best.isComplete;
  if (isCertain || other.start === anchor.start) return settle(edited);
  return { ...here, candidates: [best, ...equal, ...edited].map(toRange) };
}

/** A copy was lost, and places with one of the slice's sides may fit it better than the copies that are left: they are named, too. */
function besideOf(
  here: SliceResolution,
  found: readonly [Site, ...Site[]],
  exact: readonly Site[],
  sites: SliceSites,
  anchor: Anchor,
): SliceResolution {
  const better = sites
    .besideOneSide()
    .filter((site) => site.score > found[0].score && !overlaps(site, exact));
  if (better.length === 0) return here;
  return { ...here, candidates: [...found, ...likeliest(better, anchor)].map(toRange) } as SliceResolution;
}

/**
 * The text is not there as it was. What stands between all of its surroundings is it; else the same text with another
 * indentation, or what part of the surroundings tell.
 */
function resolveChanged(sites: SliceSites, anchor: Anchor): SliceResolution {
  const between = sites.surrounded();
  const complete = between.filter((site) => site.isComplete && site.end > site.start);
  if (complete.length > 0) return settle(likeliest(complete, anchor));
  const reindented = sites.reindented();
  const filled = reindented.length > 0 ? between.filter((site) => site.end > site.start) : between;
  const byRange = new Map<string, Site>();
  for (const site of [...filled, ...reindented]) byRange.set(`${site.start}-${site.end}`, site); // the last has more
  const best = likeliest([...byRange.values()], anchor);
  if (best.length > 0) return settle(best);
  return { status: sites.isScattered() ? 'changed' : 'gone', ...nowhere([]) };
}

/** What is said of places that are equally likely, and have other text than the slice. */
function settle(sites: readonly Site[]): SliceResolution {
  const left = sites.filter((site) => site.end > site.start);
  if (left.length === 0) return { status: 'gone', ...nowhere([]) };
  if (sites.length > 1) return { status: 'changed', ...nowhere(left) };
  return { status: 'changed', ...placed(left) };
}

/** The sites with the best surroundings, and among them those that kept the text; the original place decides. Nearest first. */
function likeliest(sites: readonly Site[], { start }: Anchor): Site[] {
  const score = sites.reduce((best, site) => Math.max(best, site.score), 0);
  const best = sites.filter((site) => site.score === score);
  const kept = best.filter((site) => site.isKept);
  const equal = (kept.length > 0 ? kept : best).sort(
    (a, b) => Math.abs(a.start - start) - Math.abs(b.start - start),
  );
  const [nearest] = equal;
  return nearest?.start === start ? [nearest] : equal;
}

/** Without an anchor there is only what the slice says of itself. */
function resolveByLines(lines: readonly string[], slice: CustomSlice): SliceResolution {
  const { start_line: startLine, end_line, content_hash: hash } = slice;
  const endLine = Math.min(end_line, lines.length);
  if (startLine > lines.length) return { status: 'gone', ...nowhere([]) };
  const range = { startLine, endLine, candidates: [] };
  if (typeof hash === 'string') {
    const isSame = hashLines(lines.slice(startLine - 1, end_line)) === hash;
    return isSame ? { status: 'same', ...range } : { status: 'changed', ...nowhere([]) };
  }
  return { status: endLine < end_line ? 'changed' : 'unanchored', ...range };
}

type Span = Pick<Site, 'start' | 'end'>;

const rangeOf = ({ start, length }: Anchor): Span => ({ start, end: start + length });
const toRange = ({ start, end }: Span): LineRange => ({ startLine: start + 1, endLine: end });

function placed(sites: readonly Span[]): Placed {
  const [first] = sites as [Span];
  return { ...toRange(first), candidates: sites.length > 1 ? sites.map(toRange) : [] };
}

const nowhere = (sites: readonly Span[]): Unplaced => ({
  startLine: undefined,
  endLine: undefined,
  candidates: sites.map(toRange),
});

/**
 * The lines of a text without their ends, which are `\n` or `\r\n`. The last one needs none; the empty text has no lines.
 */
export function linesOf(text: string): string[] {
  const lines = text.split(/\r?\n/);
  if (lines.at(-1) === '') lines.pop();
  return lines;
}
