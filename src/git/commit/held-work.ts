import { type ObjectId, parseObjectId } from '../../base/ids.ts';
import { isDistinctive } from '../../base/text/lines.ts';
import { type Git, runGit } from '../run.ts';
import { type CommitSince, type PathChanges, readChangesOfEach } from './commits.ts';

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

/** So many commits are compared line by line at once; more come from a script, which can ask again. */
const MAX_PATCHES = 2_000;

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
  const patches = readPatches(git, sinceOf(open).slice(0, MAX_PATCHES));
  asked.forEach(({ made, of }, at) => {
    const own = patches.get(made.oid);
    for (const { oid, author } of own ? of : []) {
      if (held[at]?.has(oid)) continue;
      const others = of.flatMap((one) => (one.oid === oid ? [] : (patches.get(one.oid) ?? [])));
      const isAuthors = of.length === 1 && author === made.author;
      const by = comparePatches(patches.get(oid), own as Patch, others, isAuthors);
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
interface Patch {
  /** By file, without where the lines stand. */
  readonly hunks: ReadonlyMap<string, readonly string[]>;
  /** File and line, of the lines that say something by themselves and were put in. */
  readonly added: ReadonlySet<string>;
}

function comparePatches(
  old: Patch | undefined,
  made: Patch,
  others: readonly Patch[],
  isAuthors: boolean,
): HeldBy | undefined {
  if (!old) return undefined;
  const isSame =
    old.hunks.size > 0 &&
    old.hunks.size === made.hunks.size &&
    [...old.hunks].every(([path, rows]) => rows.join('\n') === made.hunks.get(path)?.join('\n'));
  if (isSame && (old.added.size > 0 || isAuthors)) return 'patch';
  const there = [...old.added].filter((line) => made.added.has(line));
  if (there.length === 0) return undefined;
  if (there.length === old.added.size) return 'lines';
  return there.some((line) => others.every(({ added }) => !added.has(line))) ? 'some-lines' : undefined;
}

/** @see https://git-scm.com/docs/git-diff-tree */
function readPatches(git: Git, commits: readonly CommitSince[]): Map<ObjectId, Patch> {
  if (commits.length === 0) return new Map();
  const args = [
    ...['diff-tree', '--stdin', '--root', '-m', '-r', '-p', '--unified=0', '--full-index', '--no-renames'],
    ...['--no-color', '--no-ext-diff', '--no-textconv', '--src-prefix=a/', '--dst-prefix=b/'],
  ];
  const input = commits.map(({ commit, parent }) => `${commit}${parent ? ` ${parent}` : ''}\n`).join('');
  return parsePatches(runGit(git, args, { input }).stdout.toString('utf8'));
}

const HUNK = /^@@ -\d+(?:,(\d+))? \+\d+(?:,(\d+))? @@/;

/** Hunks are read by their counts: a line that looks like a header may be text. */
export function parsePatches(text: string): Map<ObjectId, Patch> {
  const patches = new Map<ObjectId, { hunks: Map<string, string[]>; added: Set<string> }>();
  let patch = { hunks: new Map<string, string[]>(), added: new Set<string>() };
  let [path, blobs, left] = ['', '', 0];
  const keep = (row: string): void => {
    patch.hunks.set(path, [...(patch.hunks.get(path) ?? []), row]);
  };
  for (const row of text.split('\n')) {
    if (left > 0) {
      if (row.startsWith('\\')) continue;
      left--;
      const rows = patch.hunks.get(path) ?? [];
      if (rows.push(row) === 1) patch.hunks.set(path, rows);
      if (row.startsWith('+') && isDistinctive(row)) patch.added.add(`${path}\0${row.slice(1)}`);
      continue;
    }
    const [hunk, gone = '1', come = '1'] = HUNK.exec(row) ?? [];
    const commit = parseObjectId(row);
    if (hunk) left = Number(gone) + Number(come);
    else if (commit) {
      patch = { hunks: new Map(), added: new Set() };
      patches.set(commit, patch);
    } else if (row.startsWith('diff --git ')) path = row;
    else if (row.startsWith('index ')) blobs = row;
    else if (row.startsWith('Binary files ')) keep(blobs);
  }
  return patches;
}
