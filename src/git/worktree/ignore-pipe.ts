import { join } from 'node:path';
import { describeError } from '../../base/errors.ts';
import { disk, lstatIfExists } from '../../base/file/disk.ts';
import { log } from '../../base/log.ts';

/**
 * Before git looks at a worktree: it opens whatever has the name of an ignore file, and waits at a pipe for ever. The one in our own
 * folder is ours, and a pipe has nothing that could be lost. Never throws.
 */
export function removeIgnorePipe(root: string): void {
  const file = join(root, '.entire', '.gitignore');
  try {
    if (lstatIfExists(file)?.isFIFO()) disk.rmSync(file);
  } catch (error) {
    log('warn', 'a pipe in the place of our .gitignore not removed', { file, error: describeError(error) });
  }
}
