import type { ObjectId } from '../../base/ids.ts';
import { isFolder } from '../object/tree-object.ts';
import { readFolders } from '../object/trees.ts';
import { type Git, gitText, runGit } from '../run.ts';

/** So many folders are in memory at once. */
const FOLDERS_AT_ONCE = 200;

/**
 * Which paths git has at all: in the index, or at the tip of a branch, of here or of a remote. Under any case, since on some
 * systems they are one; a file, a link or a submodule in the place of a folder on the way counts as well, and so does
 * everything where git does not answer. Asks no remote for objects that a partial clone lacks.
 */
export function findTracked(git: Git, paths: readonly string[]): Set<string> {
  try {
    return new Set([...findInIndex(git, paths), ...findInTips(git, paths)]);
  } catch {
    return new Set(paths);
  }
}

/**
 * Whether git has what a file holds, under whatever name: then some commit brought it here, of a tag or of somebody's request, say,
 * which no branch need have any more. It counts as known where git does not answer.
 */
export function isContentKnown(git: Git, path: string): boolean {
  try {
    const oid = gitText(git, ['hash-object', '--no-filters', '--', path]);
    return runGit(withoutFetching(git), ['cat-file', '-e', oid], { okCodes: [0, 1] }).code === 0;
  } catch {
    return true;
  }
}

function findInIndex(git: Git, paths: readonly string[]): string[] {
  const env = { ...git.env, GIT_LITERAL_PATHSPECS: '0', GIT_ICASE_PATHSPECS: '1' };
  // The folders on the way as well: one may be a link, or a submodule.
  const specs = [...new Set(paths.flatMap(withFolders))];
  const { stdout } = runGit({ cwd: git.cwd, env }, ['ls-files', '-z', '--', ...specs]);
  const tracked = new Set(stdout.toString('utf8').split('\0').map(fold));
  return paths.filter((path) => withFolders(path).some((name) => tracked.has(fold(name))));
}

/** `a/b/c` → `a`, `a/b`, `a/b/c`. */
const withFolders = (path: string): string[] =>
  path.split('/').map((_, at, names) => names.slice(0, at + 1).join('/'));

/** Folders of one depth, each with the paths that may lie below it. */
type Level = ReadonlyMap<ObjectId, ReadonlySet<string>>;

function findInTips(git: Git, paths: readonly string[]): Set<string> {
  const found = new Set<string>();
  let level: Level = new Map(readTipTrees(git).map((tree) => [tree, new Set(paths)]));
  for (let depth = 0; level.size > 0 && found.size < paths.length; depth++) {
    const next = new Map<ObjectId, Set<string>>();
    for (const trees of inParts([...level.keys()])) {
      for (const [tree, entries] of readFolders(withoutFetching(git), trees)) {
        const matches = [...entries].map(([bytes, entry]) => ({ name: fold(decode(bytes)), entry }));
        for (const path of level.get(tree) ?? []) {
          const names = path.split('/');
          for (const { entry } of matches.filter(({ name }) => name === fold(names[depth] ?? ''))) {
            if (depth === names.length - 1 || !isFolder(entry)) found.add(path);
            else next.set(entry.oid, (next.get(entry.oid) ?? new Set()).add(path));
          }
        }
      }
    }
    level = next;
  }
  return found;
}

const inParts = (trees: readonly ObjectId[]): ObjectId[][] =>
  Array.from({ length: Math.ceil(trees.length / FOLDERS_AT_ONCE) }, (_, part) =>
    trees.slice(part * FOLDERS_AT_ONCE, (part + 1) * FOLDERS_AT_ONCE),
  );

/** A name in a tree is bytes. */
const decode = (bytes: string): string => Buffer.from(bytes, 'latin1').toString('utf8');

/** The trees of all tips, each once. */
function readTipTrees(git: Git): ObjectId[] {
  const args = ['for-each-ref', '--format=%(tree)', 'refs/heads', 'refs/remotes'];
  const { stdout } = runGit(withoutFetching(git), args);
  return [...new Set(stdout.toString('latin1').split('\n').filter(Boolean))] as ObjectId[];
}

/** Git 2.44 and newer heed it. */
const withoutFetching = ({ cwd, env }: Git): Git => ({ cwd, env: { ...env, GIT_NO_LAZY_FETCH: '1' } });

/** As file systems that know no case take it. */
const fold = (name: string): string => name.normalize('NFKC').toLowerCase();
