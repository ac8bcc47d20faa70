import { type BlamedLine, type BlameReach, blameAside, readLine } from '../git/commit/blame.ts';
import { atOnce, type InLine } from '../git/in-line.ts';
import { linesToSearchFor } from '../git/search-cost.ts';
import type { Work } from '../strategy/work.ts';

/** Tells where lines of new files were copied from: any file may have had them, and git reads all of them. */
export interface Copies {
  /** Says that such lines will be followed: git begins when its turn comes, and the caller does something else. */
  expect(lines: readonly BlamedLine[], inLine: InLine): void;
  /** Lines, each where it was copied from; as far as git can look in a moment. */
  follow(lines: readonly BlamedLine[]): Promise<readonly BlamedLine[]>;
}

/** Lines of a file in the commit that made it, or gave it another name. */
interface Place {
  readonly name: string;
  readonly of: BlamedLine;
  readonly from: number;
  readonly to: number;
}

/** For the lines of one file. `reach` is how far git looks otherwise. */
export function openCopies({ git, repo }: Work, reach: BlameReach): Copies {
  let room = linesToSearchFor(repo);
  const sources = new Map<string, Promise<ReadonlyMap<number | undefined, BlamedLine>>>();
  const ask = ({ name, of: { path, commit: revision }, from, to }: Place, inLine: InLine): void => {
    if (sources.has(name) || to - from >= room) return;
    room -= to - from + 1;
    const question = { path, revision, range: `${from},${to}`, ...reach, searchesEveryFile: true };
    const asking = blameAside(git, question, inLine)().then(
      (told) => new Map(told.map((line) => [line.line, readLine(line)])),
      () => new Map(), // as before the first commit: there is nothing to copy from
    );
    sources.set(name, asking);
  };
  const expect = (lines: readonly BlamedLine[], inLine: InLine): void => {
    for (const place of placesOf(lines)) ask(place, inLine);
  };
  return {
    expect,
    async follow(lines) {
      expect(lines, atOnce);
      const found = new Map<string, ReadonlyMap<number | undefined, BlamedLine>>();
      for (const [name, source] of sources) found.set(name, await source);
      return lines.map((line) => {
        const from = isMade(line) ? found.get(nameOf(line))?.get(line.original) : undefined;
        if (!from || nameOf(from) === nameOf(line)) return line;
        const { commit, path, original, previous } = from;
        return { ...line, commit, path, original, previous } as BlamedLine;
      });
    },
  };
}

/** Git went on to no parent, or to a file of another name there. */
const isMade = ({ path, previous }: BlamedLine): boolean => previous?.path !== path;

const nameOf = ({ commit, path }: BlamedLine): string => `${commit ?? ''}:${path}`;

function placesOf(lines: readonly BlamedLine[]): Iterable<Place> {
  const places = new Map<string, Place>();
  for (const line of lines) {
    const { original } = line;
    if (original === undefined || !isMade(line)) continue;
    const name = nameOf(line);
    const { from, to } = places.get(name) ?? { from: original, to: original };
    places.set(name, { name, of: line, from: Math.min(from, original), to: Math.max(to, original) });
  }
  return places.values();
}
