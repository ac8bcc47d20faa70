import { type Git, gitText, runGit } from '../run.ts';
import { findCommitArguments } from './commit-arguments.ts';

/**
 * How git will clean up the message of this commit, by `--cleanup` or `commit.cleanup`; `default` means `strip` after
 * an editor and `whitespace` without one.
 *
 * @see https://git-scm.com/docs/git-commit#Documentation/git-commit.txt---cleanupmode
 */
export function readCleanup(git: Git): string {
  const told = findCommitArguments()?.cleanup;
  return told ?? (gitText(git, ['config', 'commit.cleanup'], { okCodes: [0, 1] }) || 'default');
}

/** What begins a comment in this repository's messages; `undefined` where git chooses it for each (`auto`). */
export function readCommentChar(git: Git): string | undefined {
  const args = ['config', '--get-regexp', '^core\\.comment(char|string)$'];
  const { stdout } = runGit(git, args, { okCodes: [0, 1] });
  const value = stdout.toString('utf8').trim().split('\n').at(-1)?.split(' ').slice(1).join(' ') ?? '';
  return value === 'auto' ? undefined : value || '#';
}
