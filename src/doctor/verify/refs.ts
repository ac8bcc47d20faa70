import { join, relative, sep } from 'node:path';
import { readRefsBelow } from '../../git/ref/refs.ts';
import type { Work } from '../../strategy/work.ts';
import { walk } from './walk.ts';

const PLACES = ['refs/heads/entire/', 'refs/entire/'];

/** Refs of ours whose files say nothing that git understands: it goes on as if they were not there. */
export function findBrokenRefs({ repo, git }: Pick<Work, 'repo' | 'git'>): string[] {
  const unknown = findUnknown(repo.commonDir, readRefsBelow(git, PLACES));
  if (unknown.length === 0) return [];
  // A hook may have made one between the two looks, or removed one since.
  const still = new Set(findUnknown(repo.commonDir, readRefsBelow(git, PLACES)));
  return unknown.filter((ref) => still.has(ref));
}

/** Files of refs that are not among those that git lists. */
const findUnknown = (commonDir: string, known: ReadonlyMap<string, unknown>): string[] =>
  PLACES.flatMap((place) =>
    [...walk(join(commonDir, place))].flatMap(({ file }) => {
      const ref = relative(commonDir, file).replaceAll(sep, '/');
      return known.has(ref) || ref.endsWith('.lock') ? [] : [ref];
    }),
  );
