import type { RepoPath } from '../../base/repo-path.ts';
import { isDistinctive, plainLine } from '../../base/text/lines.ts';
import type { TreeEntry } from '../../git/object/objects.ts';
import type { BlobTexts } from './blob-text.ts';
import { isPartOrExtension, type OverlapInput, substantialLines } from './overlap.ts';

/** Where more pairs of a changed file and one that is gone are to be held against each other, only new files are: each has to be read. */
const MAX_FILE_PAIRS = 100;
/** Of more files than that in one commit, only those that are the same as what is gone are found. */
const MAX_READ = 1_000;

interface RenameInput extends OverlapInput {
  readonly readText: BlobTexts;
}

/**
 * Paths of a commit that hold what a session left under a name that nobody has any more: the user renamed the file before it was
 * committed, or a commit did, while the work was in a stash. Each with its old name.
 *
 * @param gone paths the session saved that are no longer there
 */
export function findRenamed(gone: readonly RepoPath[], input: RenameInput): Map<RepoPath, RepoPath> {
  const found = new Map<RepoPath, RepoPath>();
  if (gone.length === 0) return found;
  const { touched, changes, shadow, readText } = input;
  const own = new Set(touched.all);
  const saved = gone.flatMap((path) => {
    const entry = shadow?.get(path);
    return entry ? [{ path, entry }] : [];
  });
  if (saved.length === 0) return found; // it deleted them: nothing of its work can be elsewhere
  const whole = new Map(saved.toReversed().map(({ path, entry }) => [entry.oid, path]));
  const findLike = openLike(() => saved.map(({ path, entry }) => ({ path, text: readText(entry) })));
  const findFrom = (after: TreeEntry, before: TreeEntry | undefined): RepoPath | undefined => {
    const [committed, old] = [readText(after), before ? readText(before) : ''];
    if (committed === undefined || old === undefined) return undefined;
    const isOf = ({ text }: Left): boolean =>
      (!before || bringsMost(text, old, committed)) && isPartOrExtension(text, committed);
    return findLike(committed).find(isOf)?.path;
  };
  const isAsked = (path: RepoPath, before: TreeEntry | undefined): boolean =>
    !own.has(path) && !(before && changes.size * gone.length > MAX_FILE_PAIRS);
  const asked = [...changes].flatMap(([path, { before, after }]) =>
    after && isAsked(path, before) ? { path, before, after } : [],
  );
  const read = asked.filter(({ after }) => !whole.has(after.oid)).slice(0, MAX_READ);
  if (read.length > 0)
    readText.readAhead([
      ...saved.map(({ entry }) => entry),
      ...read.flatMap((one) => [one.before, one.after]),
    ]);
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
      const lines = substantialLines(one.text);
      for (const line of lines) {
        const known = places.get(line) ?? new Map<number, number>();
        places.set(line, known.set(at, (known.get(at) ?? 0) + 1));
      }
      return { ...one, lines: lines.length };
    });
  };
  return (committed) => {
    left ??= open();
    const asked = new Set(substantialLines(committed));
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
  const [old, now] = [new Set(before.split('\n').map(plainLine)), new Set(after.split('\n').map(plainLine))];
  const wrote = agent.split('\n').filter((line) => isDistinctive(line) && !old.has(plainLine(line)));
  return wrote.filter((line) => now.has(plainLine(line))).length * 2 > wrote.length;
}
