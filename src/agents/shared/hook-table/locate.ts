import { basename, dirname, join, relative } from 'node:path';
import { EntireError } from '../../../base/errors.ts';
import { disk } from '../../../base/file/disk.ts';
import { toRepoPath } from '../../../base/repo-path.ts';

/**
 * An agent's file itself, symlinks resolved: they are written through, but not out of the repository.
 *
 * @param name relative to the worktree root
 * @throws {EntireError} `CONFIG_UNREADABLE`
 */
export function locateSettings(root: string, name: string): string {
  const dir = join(root, dirname(name));
  const file = realPath(join(root, name)) ?? join(realPathOfFolder(root, dir), basename(name));
  if (toRepoPath(root, file) !== undefined && !isDanglingLink(file)) return file;
  throw new EntireError('CONFIG_UNREADABLE', `${name} is a symbolic link that leads out of the repository.`, {
    hint: 'Replace the link by a file of its own, then run the command again.',
  });
}

/** Of a folder that is not there yet, where its nearest ancestor really is. */
function realPathOfFolder(root: string, dir: string): string {
  const real = realPath(dir);
  if (real !== undefined || dir === root) return real ?? dir;
  return join(realPathOfFolder(root, dirname(dir)), basename(dir));
}

const realPath = (path: string): string | undefined =>
  disk.existsSync(path) ? disk.realpathSync(path) : undefined;

const isDanglingLink = (file: string): boolean =>
  disk.lstatSync(file, { throwIfNoEntry: false })?.isSymbolicLink() === true;

/** Folders on the way to a file that are not there, relative to the root, the innermost first. */
export function missingFolders(root: string, name: string): string[] {
  const missing: string[] = [];
  for (let dir = dirname(join(root, name)); dir !== root && !disk.existsSync(dir); dir = dirname(dir))
    missing.push(relative(root, dir));
  return missing;
}

/** Removes folders that nothing is in. Somebody may have put something there, or have removed them. @throws the system error */
export function removeEmptyFolders(root: string, names: readonly string[]): void {
  for (const dir of names.map((name) => join(root, name)))
    if (disk.lstatSync(dir, { throwIfNoEntry: false })?.isDirectory() && disk.readdirSync(dir).length === 0)
      disk.rmdirSync(dir);
}
