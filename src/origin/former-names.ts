import type { ObjectId } from '../base/ids.ts';
import type { BlamedLine } from '../git/commit/blame.ts';
import { type PathChanges, readChangesOfEach } from '../git/commit/commits.ts';
import { readTree } from '../git/object/objects.ts';
import type { Git } from '../git/run.ts';

/** More names than a rename of a folder brings; looking for lines in all of them would take long. */
const MAX_NAMES = 200;

/**
 * What a file that a commit brings may have been called before: the names that the same commit takes away, and those of files that its sessions
 * touched and it has not: who amends or squashes a move leaves no trace of the old name. Which one it was is left to the lines: git's guess is
 * about whole files, and the agent need not have written one. A file that was there before has the work of one that is gone where a rebase
 * brought it there: somebody else had moved it.
 *
 * @param findGone those of some files that the commit does not have
 */
export function formerNames(
  changes: PathChanges,
  path: string,
  touched: readonly string[] = [],
  findGone: (names: readonly string[]) => readonly string[] = () => [],
): readonly string[] {
  const change = [...changes].find(([name]) => name === path)?.[1];
  if (!change?.after) return [];
  const names: ReadonlySet<string> = new Set(changes.keys());
  const lost = touched.filter((name) => !names.has(name));
  if (change.before) return lost.length > MAX_NAMES ? [] : findGone(lost);
  const gone = [...changes].flatMap(([name, { before, after }]) => (before && !after ? [name] : []));
  const all = [...new Set([...gone, ...lost])];
  return all.length > MAX_NAMES ? [] : all;
}

/**
 * {@link formerNames} of files in several commits. One process; none where each file was there before, and the sessions touched no other one.
 *
 * @param lines those of which it is asked
 * @param touchedFor what the sessions touched that a commit is linked to
 */
export function openFormerNames(
  git: Git,
  lines: readonly BlamedLine[],
  commits: ReadonlyMap<ObjectId, { readonly parents: readonly ObjectId[] }>,
  touchedFor: (commit: ObjectId) => readonly string[],
): (commit: ObjectId | undefined, path: string) => readonly string[] {
  const known = new Map<string, readonly string[]>();
  const keyOf = (commit: ObjectId, path: string): string => `${commit} ${path}`;
  const open = new Set<ObjectId>();
  for (const { commit, path, previous } of lines) {
    if (commit === undefined || known.has(keyOf(commit, path)) || open.has(commit)) continue;
    // No name goes where the file was there before, but those of others that sessions touched.
    const wasThere = previous?.path === path && previous.commit === commits.get(commit)?.parents[0];
    if (wasThere && touchedFor(commit).every((name) => name === path)) known.set(keyOf(commit, path), []);
    else open.add(commit);
  }
  const changes = new Map<ObjectId, PathChanges | undefined>();
  const read = (some: Iterable<ObjectId>): void => {
    const asked = [...some].map((commit) => {
      const parent = commits.get(commit)?.parents[0];
      return { commit, ...(parent && { parent }) };
    });
    const found = readChangesOfEach(git, asked);
    for (const { commit } of asked) changes.set(commit, found.get(commit));
  };
  read(open);
  const there = new Map<ObjectId, ReadonlySet<string> | undefined>();
  const openGone = (commit: ObjectId) => (names: readonly string[]) => {
    if (names.length === 0) return [];
    if (!there.has(commit)) {
      const found = readTree(git, commit, names);
      there.set(commit, found && new Set(found.keys()));
    }
    return names.filter((name) => there.get(commit)?.has(name) === false);
  };
  return (commit, path) => {
    if (commit === undefined || !commits.has(commit)) return [];
    const key = keyOf(commit, path);
    const found = known.get(key);
    if (found) return found;
    if (!changes.has(commit)) read([commit]);
    const own = changes.get(commit);
    const names = own ? formerNames(own, path, touchedFor(commit), openGone(commit)) : [];
    known.set(key, names);
    return names;
  };
}
