import { join } from 'node:path';
import type { TestRepo } from './test-repo.ts';

/** Makes the git folder, or another one, read-only, for root too; returns what undoes it. */
export function freeze(
  repo: TestRepo,
  skip: (reason: string) => never,
  dir = join(repo.dir, '.git'),
): () => void {
  if (process.getuid?.() !== 0) {
    repo.run('chmod', ['-R', 'a-w', dir]);
    return () => repo.run('chmod', ['-R', 'u+w', dir]);
  }
  const bound = repo.run('mount', ['--bind', dir, dir]);
  if (bound.code !== 0) skip(`root may write anywhere, and may not mount here: ${bound.stderr.trim()}`);
  repo.run('mount', ['-o', 'remount,bind,ro', dir]);
  let isFrozen = true;
  const thaw = () => {
    if (isFrozen) repo.run('umount', [dir], { cwd: '/' });
    isFrozen = false;
  };
  repo.onRemove(thaw);
  return thaw;
}
