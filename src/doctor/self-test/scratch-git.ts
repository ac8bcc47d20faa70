import { basename, dirname } from 'node:path';
import { type Git, type GitOutput, type RunOptions, runGit } from '../../git/run.ts';

/** Name that folders with scratch repositories begin with. */
export const PREFIX = 'entire-self-test-';

/**
 * Stages and commits as a person does, with the index: the one place where the product runs such commands, and only in a
 * scratch repository.
 */
export function commitInScratch(
  git: Git,
  paths: readonly string[],
  args: readonly string[],
  options?: RunOptions,
): GitOutput {
  // Never in a repository of the user's, whatever goes wrong before.
  if (!basename(dirname(git.cwd)).startsWith(PREFIX)) throw new Error(`${git.cwd} is no scratch repository`);
  runGit(git, ['add', '--', ...paths]);
  return runGit(git, ['commit', '--quiet', ...args], options);
}
