import type { Git } from '../run.ts';
import { renderData, runFastImport } from './objects.ts';

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
