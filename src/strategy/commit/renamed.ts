import type { RepoPath } from '../../base/repo-path.ts';
import { isDistinctive, plainLines } from '../../base/text/lines.ts';
import type { TreeEntry } from '../../git/object/objects.ts';
import { isPartOrExtension, type OverlapInput } from './overlap.ts';

/** Where more pairs of a changed file and one that is gone are to be held against each other, only new files are: each has to be read. */
const MAX_FILE_PAIRS = 100;
/** Of more files than that in one commit, or more bytes than {@link ReadBudgets} has, only those that are the same as what is gone are found. */
const MAX_READ = 1_000;

/**
 * Paths of a commit that hold what a session left under a name that nobody has any more: the user renamed the file before it was
 * committed, or a commit did, while the work was in a stash. Each with its old name.
 *
 * @param gone paths the session saved that are no longer there
 */
export function findRenamed(gone: readonly RepoPath[], input: OverlapInput): Map<RepoPath, RepoPath> {
  const found = new Map<RepoPath, RepoPath>();
  if (gone.length === 0) return found;
  const { touched, changes, shadow } = input;
  const own = new Set(touched.all);
  const saved = gone.flatMap((path) => {
    const entry = shadow?.get(path);
    return entry ? [{ path, entry }] : [];
  });
  if (saved.length === 0) return found; // it deleted them: nothing of its work can be elsewhere
  const whole = new Map(saved.toReversed().map(({ path, entry }) => [entry.oid, path]));
  const isAsked = (path: RepoPath, before: TreeEntry | undefined): boolean =>
    !own.has(path) && !(before && changes.size * gone.length > MAX_FILE_PAIRS);
  const asked = [...changes].flatMap(([path, { before, after }]) =>
    after && isAsked(path, before) ? { path, before, after } : [],
  );
  const read = asked.filter(({ after }) => !whole.has(after.oid)).slice(0, MAX_READ);
  const groups = [saved.map(({ entry }) => entry), read.flatMap(({ before, after }) => [before, after])];
  const readText = read.length > 0 ? input.readText.readAhead(groups, input.bytes.other) : () => undefined;
  const findLike = openLike(() => saved.map(({ path, entry }) => ({ path, text: readText(entry) })));
  const findFrom = (after: TreeEntry, before: TreeEntry | undefined): RepoPath | undefined => {
    const [committed, old] = [readText(after), before ? readText(before) : ''];
    if (committed === undefined || old === undefined) return undefined;
    const isOf = ({ text }: Left): boolean =>
      (!before || bringsMost(text, old, committed)) && isPartOrExtension(text, committed);
    return findLike(committed).find(isOf)?.path;
  };
  const isRead = new Set(read);
  for (const one of asked) {
    const from = whole.get(one.after.oid) ?? (isRead.has(one) ? findFrom(one.after, one.before) : undefined);
    if (from) found.set(one.path, from);
  }
  return found;
}

/** What a session left of a file. */
interface Left {
  readonly path: RepoPath;
  readonly text: string;
}

/**
 * Finds those texts that share so many lines with another one that it may be a part or an extension of them, in their order: only these are held
 * against it line by line. Two hundred files that were moved to another folder, and changed there, are forty thousand pairs.
 *
 * @param read called once, for the first that is asked about
 */
function openLike(
  read: () => readonly { path: RepoPath; text: string | undefined }[],
): (committed: string) => Left[] {
  let left: readonly (Left & { readonly lines: number })[] | undefined;
  /** For each line, in which of them it stands, and how often. */
  const places = new Map<string, Map<number, number>>();
  const open = () => {
    const texts = read().flatMap(({ path, text }) => (text === undefined ? [] : [{ path, text }]));
    return texts.map((one, at) => {
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
