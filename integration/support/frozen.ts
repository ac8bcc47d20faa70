import { join } from 'node:path';
import type { TestRepo } from './test-repo.ts';

/** Makes the git folder read-only, for root too; returns what undoes it. */
export function freeze(repo: TestRepo, skip: (reason: string) => never): () => void {
  const dir = join(repo.dir, '.git');
  if (process.getuid?.() !== 0) {
    repo.run('chmod', ['-R', 'a-w', dir]);
    return () => repo.run('chmod', ['-R', 'u+w', dir]);
  }
  const bound = repo.run('mount', ['--bind', dir, dir]);
  if (bound.code !== 0) skip(`root may write anywhere, and may not mount here: ${bound.stderr.trim()}`);
  repo.run('mount', ['-o', 'remount,bind,ro', dir]);
  let isFrozen = true;
  const thaw = () => {
    if (isFrozen) repo.run('umount', [dir]);
    isFrozen = false;
  };
  repo.onRemove(thaw);
  return thaw;
}
