import type { ObjectId } from '../../base/ids.ts';
import { readRevisions } from '../ref/refs.ts';
import { type Git, runGit } from '../run.ts';

/** What people have is what counts: not what we write, and not what git keeps for somebody to go back to. */
const OF_PEOPLE = [
  ...['refs/heads/entire/*', 'refs/remotes/*/entire/*', 'refs/entire/*', 'refs/notes/*'],
  ...['refs/stash', 'refs/original/*'],
].map((ref) => `--exclude=${ref}`);

/**
 * Which of some commits a branch, a tag, a remote-tracking ref or HEAD leads to. Two processes; the second looks at what is newer than the
 * oldest of them.
 */
export function findLiving(git: Git, commits: readonly ObjectId[]): Set<ObjectId> {
  const living = new Set(readRevisions(git, commits).keys()) as Set<ObjectId>;
  if (living.size === 0) return living;
  const input = [...living].map((oid) => `${oid}\n`).join('');
  const args = ['rev-list', '--ignore-missing', '--stdin', '--not', ...OF_PEOPLE, '--all'];
  for (const oid of runGit(git, args, { input }).stdout.toString('latin1').split('\n'))
    living.delete(oid as ObjectId);
  return living;
}
