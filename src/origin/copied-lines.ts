import { describeError } from '../base/errors.ts';
import { log } from '../base/log.ts';
import { type BlamedLine, type BlameReach, blameAside, readLine } from '../git/commit/blame.ts';
import { atOnce, type InLine } from '../git/in-line.ts';
import { linesToCompare, READING } from '../git/search-cost.ts';
import type { Work } from '../strategy/work.ts';

/** Tells where lines of new files were copied from: any file may have had them, and git reads all of them. */
export interface Copies {
  /** Says that such lines will be followed: git begins when its turn comes, and the caller does something else. */
  expect(lines: readonly BlamedLine[], inLine: InLine): void;
  /** Lines, each where it was copied from; as far as git can look in a moment, and of those that are asked about. */
  follow(
    lines: readonly BlamedLine[],
    isAsked?: (line: BlamedLine, at: number) => boolean,
  ): Promise<readonly BlamedLine[]>;
}

/** Lines of a file in the commit that made it, or gave it another name. */
interface Place {
  readonly name: string;
  readonly of: BlamedLine;
  readonly from: number;
  readonly to: number;
}

/** Git is started for each. */
const MAX_PLACES = 8;

/** For the lines of one file. `reach` is how far git looks otherwise. */
export function openCopies({ git, repo }: Work, reach: BlameReach): Copies {
  let room = linesToCompare(repo);
  const asked: (Place & { readonly found: Promise<Sources> })[] = [];
  /** One after the other: each keeps a processor busy, and reads all files. */
  let last: Promise<unknown> = Promise.resolve();
  const ask = (place: Place, inLine: InLine): void => {
    const { name, from, to } = place;
    const isKnown = asked.some((one) => one.name === name && one.from <= from && to <= one.to);
    const cost = to - from + 1 + READING;
    if (isKnown || asked.length >= MAX_PLACES || cost > room) return;
    room -= cost;
    const { path, commit: revision } = place.of;
    const question = { path, revision, range: `${from},${to}`, ...reach, searchesEveryFile: true };
    const before = last;
    const inTurn: InLine = async (begin) => {
      await before;
      return inLine(begin);
    };
    const found = blameAside(git, question, inTurn)().then(
      (told): Sources => new Map(told.map((line) => [line.line, readLine(line)])),
      (error): Sources => {
        // Such as before the first commit: there is nothing to copy from.
        log('info', 'copied lines not looked for', { name, error: describeError(error) });
        return new Map();
      },
    );
    last = found;
    asked.push({ ...place, found });
  };
  const expect = (lines: readonly BlamedLine[], inLine: InLine): void => {
    for (const place of placesOf(lines)) ask(place, inLine);
  };
  return {
    expect,
    async follow(lines, isAsked = () => true) {
      expect(lines.filter(isAsked), atOnce);
      if (asked.length === 0) return lines;
      const sources = new Map<string, BlamedLine>();
      for (const { name, found } of asked)
        for (const [original, line] of await found) sources.set(`${name}:${original}`, line);
      return lines.map((line, at) => {
        const name = nameOf(line);
        const from = isMade(line) && isAsked(line, at) ? sources.get(`${name}:${line.original}`) : undefined;
        if (!from || nameOf(from) === name) return line;
        const { commit, path, original, previous } = from;
        return { ...line, commit, path, original, previous } as BlamedLine;
      });
    },
  };
}

/** Where lines come from, by their numbers in the commit that is asked about. */
type Sources = ReadonlyMap<number, BlamedLine>;

/** Git went on to no parent, or to a file of another name there. */
const isMade = ({ path, previous }: BlamedLine): boolean => previous?.path !== path;

const nameOf = ({ commit, path }: BlamedLine): string => `${commit ?? ''}:${path}`;

/** The places that have most of the lines first. */
function placesOf(lines: readonly BlamedLine[]): Place[] {
  const places = new Map<string, Place & { readonly count: number }>();
  for (const line of lines) {
    const { original } = line;
    if (original === undefined || !isMade(line)) continue;
    const name = nameOf(line);
    const { from, to, count } = places.get(name) ?? { from: original, to: original, count: 0 };
    const range = { from: Math.min(from, original), to: Math.max(to, original) };
    places.set(name, { name, of: line, ...range, count: count + 1 });
  }
  return [...places.values()].sort((a, b) => b.count - a.count);
}
