import { join } from 'node:path';
import type { TestRepo } from './test-repo.ts';

/** Puts repository and home back as they are now, times included, any number of times. */
export function keepCopy(repo: TestRepo): () => void {
  const saved = join(repo.scratch, 'saved');
  repo.run('mkdir', [saved]);
  repo.run('cp', ['-a', repo.dir, repo.home, saved]);
  return () => {
    repo.run('rm', ['-rf', repo.dir, repo.home], { cwd: repo.scratch });
    repo.run('cp', ['-a', join(saved, 'repo'), join(saved, 'home'), repo.scratch], { cwd: repo.scratch });
  };
}
