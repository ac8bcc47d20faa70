import type { ObjectId } from '../../base/ids.ts';
import { isDistinctive } from '../../base/text/lines.ts';
import type { Git } from '../run.ts';
import { type CommitSince, type PathChanges, readChangesOfEach } from './commits.ts';
import { type FilePatch, readPatches } from './patch.ts';

/**
 * Whether a commit holds the work of another one that it is said to be made of. Git says so of commits that it skipped, too, and of those
 * that came to nothing: what counts is what the two brought.
 *
 * - `trees`: neither changes anything, and all files are the same
 * - `blobs`: both change the same files, each from the same content to the same
 * - `patch`: both take out and put in the same lines, wherever they stand; where none of these says something by itself, the same person
 *   wrote them at the same moment, too
 * - `lines`: each line of the older one that says something by itself was put into the same file by the newer one, too
 * - `some-lines`: at least one such line, which none of the others that the newer one is made of has
 */
export type HeldBy = 'trees' | 'blobs' | 'patch' | 'lines' | 'some-lines';

/** A commit as far as it is compared. */
export interface Compared {
  readonly oid: ObjectId;
  readonly tree: string;
  readonly parents: readonly ObjectId[];
  /** Who wrote it, and when: git keeps that where it makes commits again. */
  readonly author: string;
}

/** What a commit may be made of. */
export interface MadeOf {
  readonly made: Compared;
  readonly of: readonly Compared[];
}

/** So many commits are compared line by line at once, and so many files of them; more come from a script, which can ask again. */
const MAX_PATCHES = 2_000;
const MAX_FILES = 20_000;

/**
 * For each commit which of those that it may be made of it holds, and how that shows. Two processes, however many there are, and one where what
 * they changed tells.
 */
export function findHeldWork(git: Git, asked: readonly MadeOf[]): Map<ObjectId, HeldBy>[] {
  const changes = readChangesOfEach(git, sinceOf(asked));
  const held = asked.map(({ made, of }) => {
    const own = changes.get(made.oid);
    const found = of.flatMap((old) => {
      const by = compareChanges(changes.get(old.oid), own, old.tree === made.tree);
      return by ? [[old.oid, by] as const] : [];
    });
    return new Map<ObjectId, HeldBy>(found);
  });
  const open = asked.filter(({ of }, at) => of.some(({ oid }) => !held[at]?.has(oid)));
  const patches = readWork(git, few(sinceOf(open), changes));
  asked.forEach(({ made, of }, at) => {
    const own = patches.get(made.oid);
    for (const { oid, author } of own ? of : []) {
      if (held[at]?.has(oid)) continue;
      const others = of.flatMap((one) => (one.oid === oid ? [] : (patches.get(one.oid) ?? [])));
      const isAuthors = of.length === 1 && author === made.author;
      const by = compareWork(patches.get(oid), own as Work, others, isAuthors);
      if (by) held[at]?.set(oid, by);
    }
  });
  return held;
}

/** Each commit once, against its first parent. */
const sinceOf = (asked: readonly MadeOf[]): CommitSince[] => {
  const commits = new Map(asked.flatMap(({ made, of }) => [made, ...of]).map((one) => [one.oid, one]));
  return [...commits.values()].map(({ oid, parents: [parent] }) => ({
    commit: oid,
    ...(parent && { parent }),
  }));
};

/** As many as can be held in memory. */
function few(commits: readonly CommitSince[], changes: ReadonlyMap<ObjectId, PathChanges>): CommitSince[] {
  let files = 0;
  return commits.slice(0, MAX_PATCHES).filter(({ commit }) => {
    const count = changes.get(commit)?.size ?? 0;
    if (files + count > MAX_FILES) return false;
    files += count;
    return true;
  });
}

function compareChanges(
  old: PathChanges = new Map(),
  made: PathChanges = new Map(),
  isSameTree = false,
): HeldBy | undefined {
  if (old.size !== made.size) return undefined;
  if (old.size === 0) return isSameTree ? 'trees' : undefined;
  const isSame = [...old].every(([path, { before, after }]) => {
    const other = made.get(path);
    return other && before?.oid === other.before?.oid && after?.oid === other.after?.oid;
  });
  return isSame ? 'blobs' : undefined;
}

/** What a commit takes out of files and puts into them. */
interface Work {
  /** By file, without where the lines stand; of one that has none, its contents. */
  readonly changes: ReadonlyMap<string, string>;
  /** File and line, of the lines that say something by themselves and were put in. */
  readonly added: ReadonlySet<string>;
}

function compareWork(
  old: Work | undefined,
  made: Work,
  others: readonly Work[],
  isAuthors: boolean,
): HeldBy | undefined {
  if (!old) return undefined;
  const isSame =
    old.changes.size > 0 &&
    old.changes.size === made.changes.size &&
    [...old.changes].every(([path, change]) => change === made.changes.get(path));
  if (isSame && (old.added.size > 0 || isAuthors)) return 'patch';
  const there = [...old.added].filter((line) => made.added.has(line));
  if (there.length === 0) return undefined;
  if (there.length === old.added.size) return 'lines';
  return there.some((line) => others.every(({ added }) => !added.has(line))) ? 'some-lines' : undefined;
}

/** What commits did, line by line: of files that are too large or no text, only which contents they have (`patch.ts`). */
const readWork = (git: Git, commits: readonly CommitSince[]): Map<ObjectId, Work> =>
  new Map(
    readPatches(
      git,
      commits.map(({ commit, parent }) => ({ commit, parent })),
    ).map(({ commit, files }) => [commit, workOf(files)]),
  );

function workOf(files: readonly FilePatch[]): Work {
  const changes = new Map<string, string>();
  const added = new Set<string>();
  for (const { path, before, after, added: runs, removed } of files) {
    const lines = runs.flatMap((run) => run.lines);
    if (lines.length + removed.length > 0) changes.set(path, JSON.stringify([removed, lines]));
    else if (before ?? after) changes.set(path, `${before}..${after}`);
    for (const line of lines) if (isDistinctive(line)) added.add(`${path}\0${line}`);
  }
  return { changes, added };
}
