import { groupBy } from '../../base/group-by.ts';
import { once } from '../../base/once.ts';
import type { RepoPath } from '../../base/repo-path.ts';
import { isDistinctive, isImport, isTelling, plainLine, plainLines } from '../../base/text/lines.ts';
import type { PathChange } from '../../git/commit/commits.ts';
import { blobId, type TreeEntry } from '../../git/object/objects.ts';
import type { ReadBefore } from './before.ts';
import type { ReadText } from './blob-text.ts';
import { isPartOrExtension, type OverlapInput } from './overlap.ts';

/** Where more pairs of a changed file and one that is gone are to be held against each other, only new files are: each has to be read. */
const MAX_FILE_PAIRS = 100;
/** Of more files than that in one commit, or more bytes than {@link ReadBudgets} has, only those that are the same as what is gone are found. */
const MAX_READ = 1_000;

interface RenameInput extends Omit<OverlapInput, 'hasLeft' | 'isAside'> {
  readonly readBefore: ReadBefore;
  /**
   * Whether the session wrote a line under a name that is gone, as far as it is known: its last step also has what others made of the file
   * meanwhile. Asked only where a file may be what is gone; Latin-1, so that each byte is a character.
   */
  readonly mayHaveWritten: (path: RepoPath, line: string) => boolean;
}

/**
 * Paths of a commit that hold what a session left under a name that nobody has any more: the user renamed the file before it was
 * committed, or a commit did, while the work was in a stash. Each with its old name; as far as there are enough of them, with one of its own.
 *
 * It has to have something that the session did: what the commit before had under the old name is no work of it, nor what the commit leaves
 * in another file that it changes. Lines that the session copied from a file that the commit leaves alone are taken for its own: to tell them,
 * all files of the commit would have to be read.
 *
 * @param gone paths the session saved that are no longer there
 */
export function findRenamed(gone: readonly RepoPath[], input: RenameInput): Map<RepoPath, RepoPath> {
  const found = new Map<RepoPath, RepoPath>();
  if (gone.length === 0) return found;
  const { touched, changes, shadow } = input;
  const own = new Set(touched.all);
  const saved = gone.flatMap((path) => {
    const entry = shadow?.get(path);
    return entry && entry.oid !== blobId('', entry.oid) ? [{ path, entry }] : [];
  });
  const isAsked = (path: RepoPath, before: TreeEntry | undefined): boolean =>
    !own.has(path) && !(before && changes.size * gone.length > MAX_FILE_PAIRS);
  const asked = [...changes].flatMap(([path, { before, after }]) =>
    after && isAsked(path, before) ? { path, before, after } : [],
  );
  if (saved.length === 0 || asked.length === 0) return found; // where it deleted them, nothing of its work can be elsewhere
  const beforeOf = input.readBefore(saved.map(({ path }) => path));
  const left = saved.flatMap(({ path, entry }) => {
    const before = beforeOf(path);
    return before?.oid === entry.oid ? [] : [{ path, entry, before }];
  });
  const taken = new Set<RepoPath>();
  /** @param is asked of as few as possible */
  const give = <T extends Pick<Saved, 'path'>>(
    path: RepoPath,
    those: readonly T[],
    is = (_: T) => true,
  ): void => {
    const from =
      those.find((one) => !taken.has(one.path) && is(one)) ??
      those.find((one) => taken.has(one.path) && is(one));
    if (!from) return;
    found.set(path, from.path);
    taken.add(from.path);
  };
  const whole = groupBy(left, ({ entry }) => entry.oid);
  const known = new Set([...changes.values()].map(({ before }) => before?.oid));
  for (const { path, after } of asked) if (!known.has(after.oid)) give(path, whole.get(after.oid) ?? []);

  const read = asked.filter(({ after }) => !whole.has(after.oid)).slice(0, MAX_READ);
  if (read.length === 0 || left.length === 0) return found;
  const entries = left.flatMap(({ entry, before }) => [entry, before]);
  const readAny = input.readText.readAhead(
    [entries, read.flatMap(({ before, after }) => [before, after])],
    input.bytes.other,
  );
  const readText: ReadText = (entry) => readAny(entry, 'latin1');
  const isLeft = openIsLeft(read, readText);
  const findLike = openLike(() => left.flatMap((one) => readLeft(one, readText) ?? []));
  for (const { path, before, after } of read) {
    const [committed, old] = [readText(after), before ? readText(before) : ''];
    if (committed === undefined || old === undefined) continue;
    give(
      path,
      findLike(committed),
      (one) =>
        (!before || bringsMost(one.text, old, committed)) &&
        isPartOrExtension(one.text, committed) &&
        hasOf(one, committed, { isLeft, mayHaveWritten: input.mayHaveWritten }),
    );
  }
  return found;
}

/** What a session left of a file. */
interface Left {
  readonly path: RepoPath;
  readonly text: string;
  /** Lines of it that say something, and that the commit before has not there. */
  readonly added: ReadonlySet<string>;
  /** Those that tell by themselves whose they are. */
  readonly telling: ReadonlySet<string>;
}

interface Saved {
  readonly path: RepoPath;
  readonly entry: TreeEntry;
  readonly before: TreeEntry | undefined;
}

/** `undefined` where it is not known what the session did. */
function readLeft({ path, entry, before }: Saved, readText: ReadText): Left | undefined {
  const [text, old] = [readText(entry), before ? readText(before) : ''];
  if (text === undefined || old === undefined) return undefined;
  const known = new Set(plainLines(old));
  const added = new Set(plainLines(text).filter((line) => isTelling(line) && !known.has(line)));
  const telling = text.split('\n').filter((line) => isDistinctive(line) && !isImport(line));
  return { path, text, added, telling: new Set(telling.map(plainLine).filter((line) => added.has(line))) };
}

/**
 * Whether a text has a line of what the session added that nobody writes by chance, or most of it all.
 *
 * @param isLeft tells lines that the session may have copied: where it added others that tell whose they are, only those count
 */
function hasOf(
  { path, added, telling }: Left,
  committed: string,
  { isLeft, mayHaveWritten }: Pick<RenameInput, 'mayHaveWritten'> & { isLeft: (line: string) => boolean },
): boolean {
  const lines = new Set(plainLines(committed));
  const isIn = (line: string): boolean => lines.has(line) && mayHaveWritten(path, line);
  const isMostIn = (asked: readonly string[]): boolean => asked.filter(isIn).length * 2 > asked.length;
  const own = [...telling].filter((line) => !isLeft(line));
  if (own.length === 0) return [...telling].some(isIn) || isMostIn([...added]);
  return own.some(isIn) || isMostIn([...added].filter((line) => !isLeft(line)));
}

/** Tells whether a line stood in a file before a commit changed that, and stands there still: whoever has it elsewhere may have copied it. */
function openIsLeft(changes: readonly PathChange[], readText: ReadText): (line: string) => boolean {
  const linesOf = (entry: TreeEntry | undefined): string[] => plainLines((entry && readText(entry)) ?? '');
  const left = once(() => {
    const those = changes.filter(({ before }) => before);
    return new Set(
      those.flatMap(({ before, after }) => {
        const old = new Set(linesOf(before));
        return linesOf(after).filter((line) => old.has(line));
      }),
    );
  });
  return (line) => left().has(line);
}

/**
 * Finds those texts that share so many lines with another one that it may be a part or an extension of them, in their order: only these are held
 * against it line by line. Two hundred files that were moved to another folder, and changed there, are forty thousand pairs.
 *
 * @param read called once, for the first that is asked about
 */
function openLike(read: () => readonly Left[]): (committed: string) => Left[] {
  let left: readonly (Left & { readonly lines: number })[] | undefined;
  /** For each line, in which of them it stands, and how often. */
  const places = new Map<string, Map<number, number>>();
  const open = () => {
    return read().map((one, at) => {
      const lines = plainLines(one.text);
      for (const line of lines) {
        const known = places.get(line) ?? new Map<number, number>();
        places.set(line, known.set(at, (known.get(at) ?? 0) + 1));
      }
      return { ...one, lines: lines.length };
    });
  };
  return (committed) => {
    left ??= open();
    const asked = new Set(plainLines(committed));
    const counts = new Map<number, { lines: number; asked: number }>();
    for (const line of asked)
      for (const [at, times] of places.get(line) ?? []) {
        const count = counts.get(at) ?? { lines: 0, asked: 0 };
        counts.set(at, { lines: count.lines + times, asked: count.asked + 1 });
      }
    return left.filter(({ lines }, at) => {
      const count = counts.get(at);
      return count && (count.asked === asked.size || count.lines * 2 > lines);
    });
  };
}

/** Whether a change brings more than half of what the agent wrote and was not there; lines that many files have say nothing. */
function bringsMost(agent: string, before: string, after: string): boolean {
  const [old, now] = [new Set(plainLines(before)), new Set(plainLines(after))];
  const wrote = plainLines(agent).filter((line) => isDistinctive(line) && !old.has(line));
  return wrote.filter((line) => now.has(line)).length * 2 > wrote.length;
}
