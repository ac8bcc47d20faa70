import { isAbsolute, relative, resolve, sep } from 'node:path';

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
