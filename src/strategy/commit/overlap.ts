import type { RepoPath } from '../../base/repo-path.ts';
import { isDistinctive, plainLine } from '../../base/text/lines.ts';
import type { PathChange, PathChanges } from '../../git/commit/commits.ts';
import type { TreeEntry } from '../../git/object/objects.ts';
import { type DiffBudget, shareChanges } from '../attribution/line-diff.ts';
import type { Touched } from '../sessions.ts';

/** One session and one commit. */
export interface OverlapInput {
  readonly touched: Pick<Touched, 'all' | 'fresh'>;
  /** What is staged, or what the commit changed. */
  readonly changes: PathChanges;
  /** The session's shadow tree at those paths; `undefined` when it has no shadow branch. */
  readonly shadow: ReadonlyMap<string, TreeEntry> | undefined;
  /** Text of a blob; asked only for files that differ from the agent's version. */
  readonly readText: (entry: TreeEntry) => string | undefined;
  /** The session may have done more than its steps have: its turn goes on. */
  readonly isAtWork: () => boolean;
  /** One for all files and sessions of a hook. */
  readonly budget: DiffBudget;
}

/** Paths of a commit that hold work of the session. */
export function findOverlap(input: OverlapInput): RepoPath[] {
  return input.touched.all.filter((path) => {
    const change = input.changes.get(path);
    return change !== undefined && overlaps(path, change, input);
  });
}

/**
 * A path that existed before counts, deleted or changed, also where somebody worked on what the agent left; not where that was undone
 * as a whole and the change is another one. A new file counts when it holds the agent's content, or two lines of it, one below the
 * other, that say something; one that somebody replaced with something else does not.
 */
function overlaps(path: RepoPath, change: PathChange, input: OverlapInput): boolean {
  const { touched, shadow, readText } = input;
  if (touched.fresh.has(path) || shadow === undefined) return true;
  const saved = shadow.get(path);
  const { before, after } = change;
  if (before !== undefined) return !after || holdsWork(before, after, saved, input) || input.isAtWork();
  if (!saved || !after) return false;
  if (saved.oid === after.oid) return true;
  const [agent, committed] = [readText(saved), readText(after)];
  if (agent === undefined || committed === undefined) return false;
  return (
    isPartOrExtension(agent, committed) ||
    sharesPair(filledLines(agent), filledLines(committed), isDistinctive)
  );
}

/**
 * Whether two of some lines stand in both texts, one right below the other: one may be an import that both have.
 *
 * @param isCounted whether a line says something
 */
export function sharesPair(
  a: readonly string[],
  b: readonly string[],
  isCounted: (line: string) => boolean,
): boolean {
  const pairsIn = (lines: readonly string[]): string[] =>
    lines.slice(1).flatMap((line, at) => {
      const above = lines[at] as string;
      return isCounted(above) && isCounted(line) ? `${plainLine(above)}\0${plainLine(line)}` : [];
    });
  const pairs = new Set(pairsIn(a));
  return pairsIn(b).some((pair) => pairs.has(pair));
}

const filledLines = (text: string): string[] => text.split('\n').filter((line) => line.trim() !== '');

const GITLINK = '160000';

/** Whether a changed file has anything of what the agent made of it. */
function holdsWork(
  before: TreeEntry,
  after: TreeEntry,
  saved: TreeEntry | undefined,
  { readText, budget }: OverlapInput,
): boolean {
  if (!saved) return true; // it deleted the file, or no step could have it
  if (saved.oid === after.oid || (saved.mode !== before.mode && saved.mode === after.mode)) return true;
  if ([before, after].some(({ mode }) => mode === GITLINK)) return true; // steps know no submodules
  if (saved.oid === before.oid) return false;
  const [old, agent, committed] = [readText(before), readText(saved), readText(after)];
  if (old === undefined || agent === undefined || committed === undefined) return true;
  return shareChanges(old, agent, committed, budget) ?? true;
}

/**
 * Whether the committed text is what the agent wrote with lines left out, or holds more than half of its lines in
 * order. Blank lines do not count, nor what a formatter that runs before the commit makes of a line.
 */
export function isPartOrExtension(agent: string, committed: string): boolean {
  const agentLines = substantialLines(agent);
  const committedLines = substantialLines(committed);
  if (committedLines.length === 0 || agentLines.length === 0) return false;
  if (isSubsequence(committedLines, agentLines)) return true;
  return countCommon(agentLines, committedLines) * 2 > agentLines.length;
}

/**
 * Whether `part` is `whole` with lines left out, and some were. What `part` cut from the text that both came from is not
 * left out: where `whole` still has it, it does not hold the same work.
 */
export function isProperPart(part: string, whole: string, before: string): boolean {
  const [partLines, wholeLines] = [substantialLines(part), substantialLines(whole)];
  if (partLines.length >= wholeLines.length || !isSubsequence(partLines, wholeLines)) return false;
  const beforeLines = substantialLines(before);
  return countCommon(beforeLines, wholeLines) <= countCommon(beforeLines, partLines);
}

/** Lines without what a formatter decides, less the blank ones. */
export const substantialLines = (text: string): string[] =>
  text
    .split('\n')
    .map(plainLine)
    .filter((line) => line !== '');

function isSubsequence(part: readonly string[], whole: readonly string[]): boolean {
  let at = 0;
  for (const line of whole) if (line === part[at]) at++;
  return at === part.length;
}

/** Pairs of equal lines looked at before the count stops being exact; texts of one repeated line have many. */
const MAX_PAIRS = 2_000_000;

/**
 * Length of the longest common subsequence, after Hunt and Szymanski: for each length, the earliest place in `b`
 * where a common subsequence of it can end.
 *
 * @see https://en.wikipedia.org/wiki/Hunt%E2%80%93Szymanski_algorithm
 */
function countCommon(a: readonly string[], b: readonly string[]): number {
  const places = new Map<string, number[]>();
  b.forEach((line, index) => {
    const known = places.get(line);
    if (known) known.push(index);
    else places.set(line, [index]);
  });
  const ends: number[] = [];
  let pairs = 0;
  for (const line of a) {
    const found = places.get(line) ?? [];
    pairs += found.length;
    if (pairs > MAX_PAIRS) break;
    for (const place of found.toReversed()) ends[firstAtLeast(ends, place)] = place;
  }
  return ends.length;
}

/** Index of the first of the ascending `values` that is not below `value`. */
function firstAtLeast(values: readonly number[], value: number): number {
  let low = 0;
  for (let high = values.length; low < high; ) {
    const middle = (low + high) >> 1;
    if ((values[middle] as number) < value) low = middle + 1;
    else high = middle;
  }
  return low;
}
