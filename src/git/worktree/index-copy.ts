import { dirname, join } from 'node:path';
import { disk, makeTemporaryFolder, temporaryFolder } from '../../base/file/disk.ts';
import { type Git, runGit, withPrivateIndex } from '../run.ts';

/** Gives `act` the path of a copy of an index, which is gone afterwards; the user's stays as it is. An empty one where there is none. */
export function withIndexCopy<T>(index: string, act: (file: string) => T): T {
  const folder = makeTemporaryFolder('entire-index-');
  try {
    const file = join(folder, 'index');
    if (disk.existsSync(index)) disk.copyFileSync(index, file);
    return act(file);
  } finally {
    if (dirname(folder) === temporaryFolder()) disk.rmSync(folder, { recursive: true, force: true });
  }
}

/** Has git look again at files that it was told not to look at, as far as such a copy goes. */
export function unhide(git: Git, file: string, paths: readonly string[]): void {
  const input = paths.map((path) => `${path}\0`).join('');
  // One flag at a time: of two git takes the first.
  for (const flag of paths.length > 0 ? ['--no-assume-unchanged', '--no-skip-worktree'] : [])
    runGit(withPrivateIndex(git, file), ['update-index', flag, '-z', '--stdin'], { input });
}
