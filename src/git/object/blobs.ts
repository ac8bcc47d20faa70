import type { ObjectId } from '../../base/ids.ts';
import { type Git, runGit } from '../run.ts';
import { quotePath, renderData, runFastImport } from './objects.ts';

/**
 * Writes contents as blobs, all with one process, compressed. They are reachable from nothing until a commit names them: git keeps
 * such objects for two weeks.
 *
 * @throws {EntireError} `GIT_FAILED`
 */
export function writeBlobs(git: Git, contents: readonly Uint8Array[]): void {
  if (contents.length === 0) return;
  const parts = contents.flatMap((content, at) => [`blob\nmark :${at + 1}\n`, ...renderData(content)]);
  const what = 'blobs could not be written';
  runFastImport(git, ['feature done\n', ...parts, `get-mark :${contents.length}\ndone\n`], {
    options: [],
    count: contents.length,
    what,
  });
}

type HashHow = 'write' | 'look' | 'raw';

/**
 * Writes worktree files as blobs, through the filters of `.gitattributes`, so that the ids are those of `git add`.
 * The paths must exist and be regular files; the ids come back in the same order.
 *
 * @param how `look`: only says which blobs they would be; `raw`: without the filters, which are programs of the user's
 */
export function hashFiles(git: Git, paths: readonly string[], how: HashHow = 'write'): ObjectId[] {
  if (paths.length === 0) return [];
  // safecrlf would make git refuse a file that `git add` merely warns about.
  const flags = { write: ['-w'], look: [], raw: ['--no-filters'] }[how];
  const args = ['-c', 'core.safecrlf=false', 'hash-object', ...flags, '--stdin-paths'];
  const input = paths
    .map((path) => `${path.startsWith('"') || path.includes('\n') ? quotePath(path) : path}\n`)
    .join('');
  const ids = runGit(git, args, { input }).stdout.toString('latin1').trim().split('\n');
  return ids as ObjectId[];
}
