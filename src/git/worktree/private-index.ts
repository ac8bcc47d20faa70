import { dirname, join } from 'node:path';
import { disk, makeTemporaryFolder, temporaryFolder } from '../../base/file/disk.ts';
import { type Git, runGit } from '../run.ts';

/** Git with an index of its own in place of the user's, whole: parts that indexes share would stay in the repository. */
export const withPrivateIndex = ({ cwd, env }: Git, file: string): Git => {
  const count = Number(env.GIT_CONFIG_COUNT) || 0;
  return {
    cwd,
    env: {
      ...env,
      GIT_INDEX_FILE: file,
      GIT_CONFIG_COUNT: `${count + 1}`,
      [`GIT_CONFIG_KEY_${count}`]: 'core.splitIndex',
      [`GIT_CONFIG_VALUE_${count}`]: 'false',
    },
  };
};

/** Gives `act` the path of a copy of an index, which is gone afterwards; the user's stays as it is. An empty one where there is none. */
export const withIndexCopy = <T>(index: string, act: (file: string) => T): T =>
  withEmptyIndex((file) => {
    if (disk.existsSync(index)) disk.copyFileSync(index, file);
    return act(file);
  });

/** Gives `act` a path at which git may make an index of its own; it is gone afterwards. */
export function withEmptyIndex<T>(act: (file: string) => T): T {
  const folder = makeTemporaryFolder('entire-index-');
  try {
    return act(join(folder, 'index'));
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
