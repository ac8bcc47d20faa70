import type { ObjectId } from '../../base/ids.ts';
import { REFS_OF_PEOPLE } from '../ref/people.ts';
import { readRevisions } from '../ref/refs.ts';
import { type Git, runGit } from '../run.ts';

/**
 * Which of some commits a branch, a tag, a remote-tracking ref or HEAD leads to. Two processes; the second looks at what is newer than the
 * oldest of them.
 */
export function findLiving(git: Git, commits: readonly ObjectId[]): Set<ObjectId> {
  const living = new Set(readRevisions(git, commits).keys()) as Set<ObjectId>;
  if (living.size === 0) return living;
  const input = [...living].map((oid) => `${oid}\n`).join('');
  const args = ['rev-list', '--ignore-missing', '--stdin', '--not', ...REFS_OF_PEOPLE];
  for (const oid of runGit(git, args, { input }).stdout.toString('latin1').split('\n'))
    living.delete(oid as ObjectId);
  return living;
}
