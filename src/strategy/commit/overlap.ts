import type { ObjectId } from '../../base/ids.ts';
import { once } from '../../base/once.ts';
import type { RepoPath } from '../../base/repo-path.ts';
import { isDistinctive, isImport, isTelling, plainLine, plainLines } from '../../base/text/lines.ts';
import type { PathChange, PathChanges } from '../../git/commit/commits.ts';
import { isSubmodule, type TreeEntry } from '../../git/object/objects.ts';
import { type DiffBudget, shareChanges } from '../attribution/line-diff.ts';
import type { Touched } from '../sessions.ts';
import type { BlobTexts, ReadBudgets, ReadText } from './blob-text.ts';

/** One session and one commit. */
export interface OverlapInput {
  readonly touched: Pick<Touched, 'all' | 'fresh'>;
  /** What is staged, or what the commit changed. */
  readonly changes: PathChanges;
  /** The session's shadow tree at those paths; `undefined` when it has no shadow branch. */
  readonly shadow: ReadonlyMap<string, TreeEntry> | undefined;
  /** Texts of blobs; asked only for files that differ from the agent's version. */
  readonly readText: BlobTexts;
  readonly bytes: ReadBudgets;
  /** The session may have done more than its steps have: its turn goes on. */
  readonly isAtWork: () => boolean;
  /** The session's own records say that it left something there: where the step has no file, another session took it away. */
  readonly hasLeft: (path: RepoPath) => boolean;
  /** A stash has the file as the step has it. Asked only where nothing but the place of a change says that it is the session's. */
  readonly isAside: (path: RepoPath, saved: TreeEntry) => boolean;
  /** The file as the session's own last step has it, where a later one of another session, which has it in hand, too, changed it. */
  readonly ownOf?: (path: RepoPath) => TreeEntry | undefined;
  /** One for all files and sessions of a hook. */
  readonly budget: DiffBudget;
}

/** Paths of a commit that hold work of the session. */
export function findOverlap(input: OverlapInput): RepoPath[] {
  const added = once(() => addedBlobs(input.changes));
  const asked = input.touched.all.flatMap((path) => {
    const change = input.changes.get(path);
    return change ? { path, change, told: overlapsByName(path, change, input, added) } : [];
  });
  const open = asked.filter(({ told }) => told === undefined);
  const texts = open.flatMap(({ path, change }) => [
    change.before,
    input.shadow?.get(path),
    input.ownOf?.(path),
    change.after,
  ]);
  const readText = open.length > 0 ? input.readText.readAhead([texts], input.bytes.own) : () => undefined;
  return asked.flatMap(({ path, change, told }) =>
    (told ?? holdsLines({ path, ...change }, input.shadow?.get(path), readText, input)) ? path : [],
  );
}

/** What new files have. */
const addedBlobs = (changes: PathChanges): ReadonlySet<ObjectId> =>
  new Set([...changes.values()].flatMap(({ before, after }) => (after && !before ? after.oid : [])));

/**
 * A path that existed before counts, deleted or changed, also where somebody worked on what the agent left; not where that was undone
 * as a whole and the change is another one, nor where the file got another name as it was before the agent changed it. A new file counts when
 * it holds the agent's content, half of its lines that tell by themselves, or two of them, one below the other; one that somebody replaced
 * with something else does not.
 *
 * @returns `undefined` where the texts have to be asked
 */
function overlapsByName(
  path: RepoPath,
  change: PathChange,
  input: OverlapInput,
  added: () => ReadonlySet<ObjectId>,
): boolean | undefined {
  const { touched, shadow, isAtWork, hasLeft } = input;
  if (touched.fresh.has(path) || shadow === undefined) return true;
  const saved = shadow.get(path);
  const { before, after } = change;
  if (before === undefined) {
    if (!saved || !after) return false;
    const own = input.ownOf?.(path);
    return (own ?? saved).oid === after.oid ? true : undefined; // somebody may have put its version back over another one's
  }
  const isOnlyMoved = () => added().has(before.oid) && !isAtWork();
  if (!saved) return after !== undefined || !isOnlyMoved() || !hasLeft(path); // it deleted the file, or no step could have it
  if (!after) return saved.oid === before.oid || !isOnlyMoved();
  if (saved.oid === after.oid || (saved.mode !== before.mode && saved.mode === after.mode)) return true;
  if ([before, after].some(isSubmodule)) return true; // steps know no submodules
  return saved.oid === before.oid ? isAtWork() : undefined;
}

/** Whether a file that is neither as it was, nor as the agent left it, has anything of what the agent made of it. */
function holdsLines(
  { path, before, after }: PathChange & { readonly path: RepoPath },
  saved: TreeEntry | undefined,
  readText: ReadText,
  { budget, isAtWork, isAside, ownOf }: OverlapInput,
): boolean {
  const own = before ? undefined : ownOf?.(path);
  const [old, agent, committed] = [before, saved, after].map((entry) => entry && readText(entry));
  const isKnown = agent !== undefined && committed !== undefined;
  if (own) {
    const isOwn = holdsOwn(readText(own), committed);
    if (!isOwn || saved?.oid === after?.oid) return isOwn;
  }
  if (before) {
    if (!isKnown || old === undefined) return true;
    const isShared = shareChanges(old, agent, committed, budget) ?? true;
    // Who changes the file while the work is put away does not work on in it: only its lines count.
    const isNone = () => saved && !bringsAny(agent, old, committed) && isAside(path, saved);
    return (isShared && !isNone()) || isAtWork();
  }
  if (!isKnown) return false;
  return (
    isPartOrExtension(agent, committed) ||
    sharesHalf(agent, committed) ||
    sharesPair(plainLines(agent), plainLines(committed), isDistinctive)
  );
}

/**
 * Whether a text has half of what the agent wrote that nobody writes by chance: an import is none of it, nor is a comment alone, or the head of a
 * block, unless it wrote several of these and nothing else that tells.
 */
function sharesHalf(agent: string, committed: string): boolean {
  const telling = agent.split('\n').filter((line) => isDistinctive(line) && !isImport(line));
  const there = new Set(plainLines(committed));
  const shared = new Set(telling.filter((line) => there.has(plainLine(line))));
  const all = new Set(telling);
  // Of several heads one is of a file like this; a single one may be of a frame that many files have.
  const isOfHeads = all.size > 1 && [...all].every((line) => HEAD.test(line) && !COMMENT.test(line));
  const isProof = shared.size > 1 || [...shared].some((line) => isOfHeads || !isCommon(line));
  return isProof && shared.size * 2 >= all.size;
}

/** A comment as licences and directives are. */
const COMMENT = /^\s*(?:\/[/*]|[#*%;]|--|<!)/;
/** What begins a block. */
const HEAD = /[{([:]\s*$/;

const isCommon = (line: string): boolean => COMMENT.test(line) || HEAD.test(line);

/** Another session made a file what is committed, or what somebody changed then: of what this one wrote there before nothing may be left, as where that was moved away. */
function holdsOwn(own: string | undefined, committed: string | undefined): boolean {
  if (own === undefined || committed === undefined) return true;
  const telling = own.split('\n').filter((line) => isDistinctive(line) && !isImport(line) && !isCommon(line));
  const there = new Set(plainLines(committed));
  // Where it has lines that tell whose they are, one that many files have says nothing; most of it all does, though these were changed.
  return telling.length > 0
    ? telling.some((line) => there.has(plainLine(line))) || isPartOrExtension(own, committed)
    : bringsAny(own, '', committed);
}

/** Whether a change brings a line of what the agent added that says something. */
function bringsAny(agent: string, before: string, after: string): boolean {
  const [old, now] = [new Set(plainLines(before)), new Set(plainLines(after))];
  return plainLines(agent).some((line) => isTelling(line) && now.has(line) && !old.has(line));
}

/**
 * Whether two of some lines stand in both texts, one right below the other: one may be an import that both have.
 *
 * @param a its plain lines, and those of the other one
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
      return isCounted(above) && isCounted(line) ? `${above}\0${line}` : [];
    });
  const pairs = new Set(pairsIn(a));
  return pairsIn(b).some((pair) => pairs.has(pair));
}

/**
 * Whether the committed text is what the agent wrote with lines left out, or holds more than half of its lines in
 * order. Blank lines do not count, nor what a formatter that runs before the commit makes of a line.
 */
export function isPartOrExtension(agent: string, committed: string): boolean {
  const agentLines = plainLines(agent);
  const committedLines = plainLines(committed);
  if (committedLines.length === 0 || agentLines.length === 0) return false;
  if (isSubsequence(committedLines, agentLines)) return true;
  return countCommon(agentLines, committedLines) * 2 > agentLines.length;
}

/**
 * Whether `part` is `whole` with lines left out, and some were. What `part` cut from the text that both came from is not
 * left out: where `whole` still has it, it does not hold the same work.
 */
export function isProperPart(part: string, whole: string, before: string): boolean {
  const [partLines, wholeLines] = [plainLines(part), plainLines(whole)];
  if (partLines.length >= wholeLines.length || !isSubsequence(partLines, wholeLines)) return false;
  const beforeLines = plainLines(before);
  return countCommon(beforeLines, wholeLines) <= countCommon(beforeLines, partLines);
}

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
