import type { TestRepo } from './test-repo.ts';

/** Where a remote has checkpoints that are on no branch there. */
export const HIDDEN = 'refs/entire/checkpoints/v1';

/** From now on, in this clone. */
export const pushTo = (repo: TestRepo, place: 'ref' | 'branch') =>
  repo.entire('enable', '--push-to', place, '--agent', 'claude-code');

/** What of ours a bare repository has. */
export const refsOf = (repo: TestRepo, dir: string): string[] =>
  repo
    .git('-C', dir, 'for-each-ref', '--format=%(refname)', 'refs/heads/entire', 'refs/entire')
    .split('\n')
    .filter(Boolean);
