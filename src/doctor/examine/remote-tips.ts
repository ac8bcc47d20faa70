import type { ObjectId } from '../../base/ids.ts';
import { readRefsBelow } from '../../git/ref/refs.ts';
import type { Git } from '../../git/run.ts';

/** Where the metadata branch stood on each remote when it was last asked. One process. */
export function readRemoteTips(git: Git): ObjectId[] {
  const refs = [...readRefsBelow(git, ['refs/remotes/', 'refs/entire/remotes/'])];
  return refs.flatMap(([ref, tip]) =>
    ref.startsWith('refs/entire/') || ref.endsWith('/entire/checkpoints/v1') ? [tip] : [],
  );
}
