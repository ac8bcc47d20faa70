import type { ObjectId } from '../base/ids.ts';
import { blockAround, isDistinctive, plainLine } from '../base/text/lines.ts';
import { findNewest, type NewestCommits } from '../git/commit/beside.ts';
import type { BlamedLine } from '../git/commit/blame.ts';
import { PATCH_HEAD, parsePatches } from '../git/commit/patch.ts';
import { atOnce, type InLine } from '../git/in-line.ts';
import { type HeadMove, readRecentMoves } from '../git/ref/reflog.ts';
import { readHead, readRef } from '../git/ref/refs.ts';
import type { Git } from '../git/run.ts';
import { askAside } from '../git/talk.ts';
import type { Work } from '../strategy/work.ts';

/** Commits that are looked into for each file, the newest: a rewriting leaves some dozens behind. */
const MAX_COMMITS = 300;

/** Where lines are looked for. */
export interface Among {
  /** The revision whose history it is. */
  readonly history: string;
  /** In commits beside it; in its newest ones; or beside it, and in all of it. */
  readonly among: 'beside' | 'newest' | 'all';
  /** How many files the lines are of. */
  readonly files: number;
}

/** A line that is looked for, and files that may have had it before. */
export interface Sought {
  readonly line: BlamedLine;
  /** What {@link keysOf} its commit's lines knows it by; one without is found nowhere. */
  readonly key: string | undefined;
  readonly paths: readonly string[];
}

/**
 * Finds where lines were before: commits of a history, those that this worktree's HEAD was at, and those of other branches, which
 * brought them into one of the files. A line that many files have is looked for together with the one above it. A few processes.
 *
 * @returns for each line its places, the oldest first
 */
export async function findFormer(
  work: Work,
  sought: readonly Sought[],
  { history, among, files }: Among,
): Promise<Map<BlamedLine, readonly BlamedLine[]>> {
  const paths = [...new Set(sought.flatMap((one) => one.paths))];
  if (!sought.some(({ key }) => key !== undefined)) return new Map();
  const moves = readRecentMoves(work.repo.gitDir);
  const asked = { history, paths, files };
  const parts = among === 'all' ? (['beside', 'history'] as const) : [among];
  let log = '';
  for (const part of parts) log = `${await saidOf(work, part, asked)}${log}`;
  const { added, ages } = readAdded(log, paths);
  const byAge = openByAge(ages, moves);
  return new Map(
    sought.map(({ line, key, paths: own }) => {
      const places = own.flatMap((path) =>
        (key === undefined ? [] : (added.get(`${path}\0${key}`) ?? [])).map((commit) => ({ commit, path })),
      );
      return [line, byAge(places, line.commit).map(({ commit, path }) => ({ ...line, commit, path }))];
    }),
  );
}

/**
 * What lines one below the other are known by: one that many files have is, below one that is like no other; above the first of those, as one of a
 * block that together is like no other, as git's `blame -C` has it.
 */
export function keysOf(lines: readonly string[]): (string | undefined)[] {
  const texts = lines.map(plainLine);
  let above: string | undefined;
  return lines.map((line, at) => {
    const text = texts[at] as string;
    if (!isDistinctive(line)) return above === undefined ? blockAt(texts, at) : `${above}\0${text}`;
    above = text;
    return text;
  });
}

/** A line with those of its block, and where it stands among them. */
function blockAt(texts: readonly string[], at: number): string | undefined {
  const block = blockAround(texts, at);
  return block && [at - block[0], ...texts.slice(...block)].join('\0');
}

interface Age {
  /** In seconds since 1970. */
  readonly committedAt: number;
  /** Where git names it, the oldest first. */
  readonly rank: number;
}

interface Place {
  readonly commit: ObjectId;
  readonly path: string;
}

/**
 * Orders places of a line, the oldest first. Commits of one second, as a script makes them, are in the order in which HEAD was at them; a
 * rewriting that keeps the dates makes those that are as old as what they were made of: that comes first.
 */
function openByAge(
  ages: ReadonlyMap<ObjectId, Age>,
  moves: readonly HeadMove[],
): (places: readonly Place[], own: ObjectId | undefined) => readonly Place[] {
  const made = new Map<ObjectId, number>();
  for (const { to, action } of moves) if (MADE.test(action) && !made.has(to)) made.set(to, made.size);
  const isAfter = (commit: ObjectId, own: ObjectId): boolean =>
    (made.get(commit) ?? -1) > (made.get(own) ?? Number.POSITIVE_INFINITY);
  return (places, own) => {
    const keyOf = ({ commit }: Place): readonly number[] => {
      const { committedAt = 0, rank = 0 } = ages.get(commit) ?? {};
      const side = own === undefined || commit === own ? 1 : isAfter(commit, own) ? 2 : 0;
      return [committedAt, side, made.get(commit) ?? -1, rank];
    };
    const keyed = places.map((place) => ({ place, key: keyOf(place) }));
    return keyed.toSorted((a, b) => compareKeys(a.key, b.key)).map(({ place }) => place);
  };
}

/** Moves of HEAD to a commit that is new. */
const MADE = /^(?!checkout|reset|clone|pull|merge|branch|rebase.*\((?:start|finish|abort)\))/;

const compareKeys = (a: readonly number[], b: readonly number[]): number =>
  a.map((value, at) => value - (b[at] as number)).find((difference) => difference !== 0) ?? 0;

/** What is looked through: a history, for what was done to files. */
interface Asked {
  readonly history: string;
  readonly paths: readonly string[];
  /** How many files the lines are of: each may have had many names. */
  readonly files: number;
}

type Part = 'beside' | 'newest' | 'history';

const said = new WeakMap<Git, Map<string, Promise<string>>>();

/** What commits did, of a history or beside it: git is asked once. */
function saidOf(work: Work, part: Part, asked: Asked, inLine: InLine = atOnce): Promise<string> {
  const { history, files, paths } = asked;
  const name = [part, history, files, ...paths.toSorted()].join('\0');
  const known = said.get(work.git) ?? new Map<string, Promise<string>>();
  const found = known.get(name) ?? inLine(() => logPart(work, part, asked));
  known.set(name, found);
  said.set(work.git, known);
  return found;
}

/** Says that lines of one file will be looked for, by its names: git begins when its turn comes, and the caller does something else. */
export function expectFormer(
  work: Work,
  part: 'beside' | 'newest',
  history: string,
  paths: readonly string[],
  inLine: InLine,
): void {
  saidOf(work, part, { history, paths, files: 1 }, inLine).catch(() => {}); // who needs it waits for it
}

/** What commits did: of a history, the newest of it, or those beside it: those that this worktree's HEAD was at, and those of other branches. */
async function logPart(work: Work, part: Part, asked: Asked): Promise<string> {
  const { git, repo } = work;
  if (part === 'history') return logOf(git, [asked.history], asked);
  const head = asked.history === 'HEAD' ? readHead(git, repo) : readRef(git, asked.history);
  if (!head) return '';
  const tips = [...new Set(readRecentMoves(repo.gitDir).map(({ to }) => to))];
  const { beside, within } = await newestOf(git, head, tips);
  if (part === 'newest') return logOf(git, within, asked);
  return beside.length === 0 ? '' : logOf(git, [...beside, `^${head}`], asked);
}

const known = new WeakMap<Git, Map<ObjectId, Promise<NewestCommits>>>();

/** {@link findNewest}, once. */
function newestOf(git: Git, head: ObjectId, tips: readonly ObjectId[]): Promise<NewestCommits> {
  const found = known.get(git)?.get(head) ?? findNewest(git, head, tips);
  known.set(git, new Map([...(known.get(git) ?? []), [head, found]]));
  return found;
}

/** What commits did to files, in bytes, one a character. */
async function logOf(git: Git, revisions: readonly string[], { paths, files }: Asked): Promise<string> {
  const args = [
    ...['log', '--no-show-signature', '--no-color', '--no-renames', '--no-ext-diff', '--no-textconv'],
    '--date-order',
    ...[PATCH_HEAD, '--patch', '--full-index', '--unified=0', '--src-prefix=a/', '--dst-prefix=b/'],
    ...[`--max-count=${MAX_COMMITS * files}`, '--ignore-missing', '--stdin'],
  ];
  const input = [...revisions, '--', ...paths.toSorted()].map((row) => `${row}\n`).join('');
  return (await askAside(git, args, { input, okUnknown: true })).toString('latin1');
}

/** Which commits brought a line into a file, by the file and {@link keysOf}; and their ages. */
function readAdded(
  log: string,
  paths: readonly string[],
): { added: ReadonlyMap<string, readonly ObjectId[]>; ages: ReadonlyMap<ObjectId, Age> } {
  const added = new Map<string, ObjectId[]>();
  const ages = new Map<ObjectId, Age>();
  const wanted = new Set(paths);
  for (const { commit, committedAt, files } of parsePatches(log).reverse()) {
    ages.set(commit, { committedAt, rank: ages.size });
    for (const { path, added: runs } of files.filter((file) => wanted.has(file.path)))
      for (const key of runs.flatMap(({ lines }) => keysOf(lines))) {
        if (key === undefined) continue;
        const place = `${path}\0${key}`;
        const known = added.get(place);
        if (known) known.push(commit);
        else added.set(place, [commit]);
      }
  }
  return { added, ages };
}
