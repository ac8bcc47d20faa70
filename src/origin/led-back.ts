import { isDistinctive } from '../base/text/lines.ts';
import type { BlamedLine } from '../git/commit/blame.ts';
import type { Work } from '../strategy/work.ts';
import type { LineOrigin } from './classify.ts';
import type { BlamedSession } from './context.ts';
import { sourcesIn } from './evidence.ts';
import { type Among, findFormer, type Sought } from './former-commits.ts';

type Origin = LineOrigin<BlamedSession>;

/** Says of lines in commits whose they are, by those commits alone; and whether the making of a commit was seen. */
export interface Judge {
  (lines: readonly BlamedLine[]): Promise<readonly Origin[]>;
  isSeen(commit: BlamedLine['commit']): boolean;
}

/** Places of a line that are looked at, the oldest first. */
const MAX_PLACES = 6;
/** How often a line may have been carried on. */
const MAX_MOVES = 3;

/** A line, and what its own commit tells of it. */
export interface Open extends Pick<Sought, 'line' | 'key'> {
  readonly origin: Origin;
  /** Of a line that many files have, those above it that it was brought with, from one like no other on: its text alone tells little there, too. */
  readonly below: readonly BlamedLine[];
}

/** Lines that could be led back. */
export interface Led {
  readonly found: Map<BlamedLine, Origin>;
  /** Those that stood in another place before, below the same line; whether or not it is known whose they were there. */
  readonly carried: ReadonlySet<BlamedLine>;
}

/** Where lines are looked for. */
export interface Reach extends Among {
  /** What the file of a line was called. */
  readonly namesOf: (line: BlamedLine) => readonly string[];
  /** Places that a line was led here from: it does not go back there. */
  readonly trailOf?: (line: BlamedLine) => readonly BlamedLine[];
}

/**
 * Lines of which their own commit does not tell, or that a session only brought from elsewhere, led back to where they came from: a
 * replayed commit to the one that it was made of, a file to the one that it was moved from, an old version to the commit that first had it.
 */
export async function leadBack(
  work: Work,
  judge: Judge,
  open: readonly Open[],
  reach: Reach,
  moves = 0,
): Promise<Led> {
  let above: readonly string[] = [];
  const sought = open.map(({ line, key, origin }) => {
    const sources = sourcesOf(line, origin);
    if (isDistinctive(line.text)) above = sources;
    return { line, key, paths: [...new Set([line.path, ...sources, ...above, ...reach.namesOf(line)])] };
  });
  const { trailOf = () => [] } = reach;
  const former = await findFormer(work, sought, reach);
  const onwards = (line: BlamedLine, places: readonly BlamedLine[]): readonly BlamedLine[] =>
    places.filter((place) => !trailOf(line).some((one) => isSamePlace(one, place)));
  for (const [line, places] of former) former.set(line, onwards(line, places));
  const found = new Map<BlamedLine, Origin>();
  /** Lines of commits that name a checkpoint which is not here: an agent's, perhaps. */
  const missing = new Map<BlamedLine, Origin>();
  /** Lines that were carried to a place, too. */
  const further: { readonly line: BlamedLine; readonly at: Open }[] = [];
  const tell = async (asked: readonly Placed[]) => {
    const whole = asked.flatMap((one, at) => [...besidesOf(one, asked[at - 1]), one.place]);
    const all = whole.length === 0 ? [] : await judge(whole);
    const origins = new Map(whole.map((place, at) => [place, all[at] as Origin]));
    asked.forEach(({ line, key, below, place }) => {
      const origin = origins.get(place) as Origin;
      const isProved = origin.kind === 'agent' || (origin.kind === 'human' && judge.isSeen(place.commit));
      const told = { place: { commit: place.commit, path: place.path }, ...origin };
      if (isProved) found.set(line, told);
      else if (origin.reason === 'checkpoint-missing') missing.set(line, told);
      else if (origin.isFrom) further.push({ line, at: { line: place, key, origin, below } });
    });
  };
  for (let rank = 0; rank < MAX_PLACES; rank++)
    await tell(
      open.flatMap(({ origin, ...one }) => {
        const places = onwards(one.line, placesOf(one.line, origin, former.get(one.line) ?? []));
        const place = found.has(one.line) ? undefined : places[rank];
        // One of its own: two lines may have been in the same place.
        return place ? [{ ...one, place: { ...place } }] : [];
      }),
    );
  if (moves < MAX_MOVES && further.length > 0) {
    const from = new Map(further.map(({ line, at }) => [at.line, line]));
    const sourceOf = (line: BlamedLine): BlamedLine => from.get(line) ?? line;
    const onward = {
      ...reach,
      namesOf: (line: BlamedLine) => reach.namesOf(sourceOf(line)),
      trailOf: (line: BlamedLine) => [...trailOf(sourceOf(line)), sourceOf(line)],
    };
    const deeperOpen = further.map(({ at }) => at);
    const { found: deeper } = await leadBack(work, judge, deeperOpen, onward, moves + 1);
    for (const { line, at } of further) {
      const origin = deeper.get(at.line);
      if (origin && !found.has(line)) found.set(line, origin);
    }
  }
  for (const [line, origin] of missing) if (!found.has(line)) found.set(line, origin);
  const carried = new Set(
    open.flatMap(({ line }) =>
      (former.get(line) ?? []).some((place) => !isSamePlace(place, line)) ? line : [],
    ),
  );
  for (const { line, origin } of open)
    if (origin.otherwise && !carried.has(line) && !found.has(line)) found.set(line, origin.otherwise);
  return { found, carried };
}

/** A line that is asked about where it was before. */
interface Placed extends Omit<Open, 'origin'> {
  readonly place: BlamedLine;
}

/** What is asked along with a line, there: nothing, where the line above it is. */
function besidesOf({ below, place }: Placed, before: Placed | undefined): BlamedLine[] {
  const isNext = before && before.place.line + 1 === place.line && isSamePlace(before.place, place);
  return isNext ? [] : below.map((line) => ({ ...line, commit: place.commit, path: place.path }));
}

const isSamePlace = (a: BlamedLine, b: BlamedLine): boolean => a.commit === b.commit && a.path === b.path;

/** What a session brought may have been there before its own commit; a line that it moved, in a file that no commit had it in. */
function placesOf(line: BlamedLine, origin: Origin, former: readonly BlamedLine[]): readonly BlamedLine[] {
  const own = former.findIndex((place) => isSamePlace(place, line));
  // What came later has it from here: it only moved the line.
  const earlier = own === -1 ? former : former.slice(0, own);
  if (origin.kind !== 'agent') {
    if (earlier.length > 0 || !isDistinctive(line.text)) return earlier;
    return sourcesOf(line, origin)
      .filter((path) => path !== line.path)
      .map((path) => ({ ...line, path, isBefore: true }));
  }
  return earlier;
}

/** Files of this repository that a session had a line from, by what its tools called them beside this one. */
const sourcesOf = ({ path }: BlamedLine, { isFrom = [] }: Origin): string[] =>
  isFrom.flatMap((one) => sourcesIn(one, path));
