import { type Git, gitText } from './run.ts';

/** Git's version: `2.43.0`; what vendors append is left out. */
export function readGitVersion(git: Git): string {
  const text = gitText(git, ['version']);
  return /\d+(?:\.\d+)+/.exec(text)?.[0] ?? text;
}
