import { join, relative, sep } from 'node:path';
import { readRefsBelow } from '../git/refs.ts';
import type { Work } from '../strategy/work.ts';
import { walk } from './walk.ts';

/** Refs of ours whose files say nothing that git understands: it goes on as if they were not there. */
export function findBrokenRefs({ repo, git }: Pick<Work, 'repo' | 'git'>): string[] {
  const places = ['refs/heads/entire/', 'refs/entire/'];
  const known = readRefsBelow(git, places);
  return places.flatMap((place) =>
    [...walk(join(repo.commonDir, place))].flatMap(({ file }) => {
      const ref = relative(repo.commonDir, file).replaceAll(sep, '/');
      return known.has(ref) || ref.endsWith('.lock') ? [] : [ref];
    }),
  );
}
