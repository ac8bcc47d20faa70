import { basename, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { globSync, isDynamicPattern } from 'tinyglobby';
import { disk } from '../../base/file/disk.ts';

/** Nobody means these by `**`. An entry that names one of them on its way is followed into it. */
const NEVER_SEARCHED = ['**/node_modules/**', '**/.git/**'];

/** No system has longer paths, and globs are not read at any length. */
const MAX_ENTRY_LENGTH = 4096;

/**
 * The files that an entry of a context stands for, as absolute paths without duplicates, ordered by their code units.
 *
 * An entry is a path or a glob, relative to `baseDir` or absolute. A path stands for itself, whether there is such a file
 * or not, and so does what looks like a glob and is the name of a file (`app/[id].tsx`). A glob that matches nothing
 * gives no paths. It does not match hidden files unless it says so, follows no links to folders (which may lead in a
 * circle), and finds links to files, but for those that lead out of `baseDir` and the folder that it begins with: who
 * writes a repository does not choose which other files of the machine are shown.
 *
 * Conversations are no part of what stays the same between turns: `history.toml` and `*_history.toml` are left out.
 */
export function resolvePaths(baseDir: string, entry: string): string[] {
  if (entry === '' || entry.length > MAX_ENTRY_LENGTH) return [];
  const paths = isPath(baseDir, entry) ? [resolve(baseDir, entry)] : findMatches(resolve(baseDir), entry);
  return paths.filter((found) => !isHistoryFile(found));
}

/** Whether an entry is a pattern, if no file has it for a name. */
export const isGlob = (entry: string): boolean => isDynamicPattern(entry);

/** The folder in which a pattern is searched; `undefined` for an entry that is a path. */
export const searchRoot = (baseDir: string, entry: string): string | undefined =>
  isPath(baseDir, entry) ? undefined : splitRoot(resolve(baseDir), entry).root;

const isPath = (baseDir: string, entry: string): boolean =>
  !isGlob(entry) || disk.existsSync(resolve(baseDir, entry));

/** Whether a path is one of those that hold a conversation. */
export const isHistoryFile = (path: string): boolean => /^(?:.+_)?history\.toml$/.test(basename(path));

function findMatches(baseDir: string, entry: string): string[] {
  const { root, pattern } = splitRoot(baseDir, entry);
  const found = globSync(pattern, {
    cwd: root,
    absolute: true,
    expandDirectories: false,
    followSymbolicLinks: false,
    ignore: NEVER_SEARCHED,
    fs: { readdirSync: listLinkedFilesIn([baseDir, root]) as typeof disk.readdirSync },
  });
  return [...new Set(found.map((path) => resolve(path)))].sort(byCodeUnits);
}

/** The part of a glob that is there by name is where the search begins, brackets in it included. */
function splitRoot(baseDir: string, entry: string): { readonly root: string; readonly pattern: string } {
  const names = (process.platform === 'win32' ? entry.replaceAll('\\', '/') : entry).split('/');
  let root = entry.startsWith('/') ? '/' : baseDir;
  let at = 0;
  for (; at < names.length - 1; at++) {
    const next = join(root, names[at] as string); // an empty name, as in `a//b`, is the folder itself
    if (isGlob(names[at] as string) && !disk.existsSync(next)) break;
    root = next;
  }
  return {
    root,
    pattern: names
      .slice(at)
      .join('/')
      .replace(/^!(?!\()/, '\\!'),
  };
}

/** The search leaves out all links. Those to files within the folders are told as files. */
function listLinkedFilesIn(folders: readonly string[]) {
  const homes = folders.map((folder) => `${physical(folder) ?? folder}/`.replace(/\/\/$/, '/'));
  const leadsToFile = (link: string): boolean => {
    const target = physical(link);
    const isWithin = target !== undefined && homes.some((home) => slashes(target).startsWith(slashes(home)));
    return isWithin && disk.statSync(target, { throwIfNoEntry: false })?.isFile() === true;
  };
  return (folder: string, options: { readonly withFileTypes: true }) =>
    disk
      .readdirSync(folder, options)
      .map((found) =>
        found.isSymbolicLink() && leadsToFile(resolve(folder, found.name))
          ? Object.assign(found, { isFile: () => true, isSymbolicLink: () => false })
          : found,
      );
}

/** Where a path really is; `undefined` where it leads nowhere, in a circle, or where we may not look. */
function physical(path: string): string | undefined {
  try {
    return disk.realpathSync(path);
  } catch {
    return undefined; // the search goes on without it
  }
}

const slashes = (path: string): string => path.split(sep).join('/');
const byCodeUnits = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/**
 * How a file is named in a context: relative to `baseDir`, `/`-separated, so that the same project reads the same on every
 * machine. What lies on another branch of the disk is told by its last two names, `…/shared/notes.md`: the folders
 * above are nobody's business.
 *
 * @param entry what the file was asked for by: a relative one that leads out of the folder says so itself
 */
export function shownPath(baseDir: string, path: string, entry: string = path): string {
  const inBase = relative(resolve(baseDir), resolve(baseDir, path)).split(sep).join('/');
  if (inBase === '') return '.';
  if (inBase !== '..' && !inBase.startsWith('../') && !isAbsolute(inBase)) return inBase;
  if (!isAbsolute(entry)) return inBase;
  return `…/${path.split(/[\\/]/).filter(Boolean).slice(-2).join('/')}`;
}
