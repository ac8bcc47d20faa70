import { homedir } from 'node:os';
import { join } from 'node:path';
import { disk, lstatIfExists } from '../base/file/disk.ts';

/**
 * Where `entire search` keeps what it has read: a database of redacted texts, and the files that SQLite puts beside it. A cache: whoever
 * takes a session back, or rewrites what is stored, drops it, and the next search makes it again.
 */

/** Sessions of a repository, for all of its worktrees. */
export const searchIndex = (commonDir: string): string => join(commonDir, 'entire', 'search.db');

/** Sessions of every folder, as agents keep them. */
export const searchIndexOfUser = (env: NodeJS.ProcessEnv = process.env): string =>
  join(env.HOME || homedir(), '.entire', 'search.db');

/** The files that one database has. */
const filesOfIndex = (file: string): string[] =>
  ['', '-wal', '-shm', '-journal'].map((ending) => file + ending);

/** Whether a file right in `<common>/entire` is one of them. */
export const isSearchIndex = (name: string): boolean => filesOfIndex('search.db').includes(name);

/** What the index of all folders takes on disk; `undefined` where there is none. */
export function sizeOfUserIndex(
  env: NodeJS.ProcessEnv = process.env,
): { readonly path: string; readonly bytes: number } | undefined {
  const path = searchIndexOfUser(env);
  if (!lstatIfExists(path)?.isFile()) return undefined;
  const sizes = filesOfIndex(path).map((file) => lstatIfExists(file)?.size ?? 0);
  return { path, bytes: sizes.reduce((sum, size) => sum + size, 0) };
}

/** Takes a database away; who has it open reads on in what was there. @throws the system error */
export function dropSearchIndex(file: string): void {
  for (const one of filesOfIndex(file)) disk.rmSync(one, { force: true });
}

/** {@link dropSearchIndex} of a repository, and of the user: nobody knows which of them has a text. @throws the system error */
export function dropSearchIndexes(commonDir: string, env: NodeJS.ProcessEnv = process.env): void {
  dropSearchIndex(searchIndex(commonDir));
  dropSearchIndex(searchIndexOfUser(env));
}
