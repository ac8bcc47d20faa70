import { join } from 'node:path';
import { disk } from '../../base/file/disk.ts';
import { readUserText } from '../../base/file/small-file.ts';

/** What git leaves in a worktree's git folder while it is in the middle of something. */
const MARKS = [
  ['rebase-merge', 'rebase'],
  ['rebase-apply', 'rebase'],
  ['MERGE_HEAD', 'merge'],
  ['CHERRY_PICK_HEAD', 'cherry-pick'],
  ['REVERT_HEAD', 'revert'],
  ['sequencer', 'cherry-pick or revert'], // between two of several commits
  ['BISECT_LOG', 'bisect'],
] as const;

/** Which operation of several steps a worktree is in the middle of, in git's words. */
export const findOperation = (gitDir: string): string | undefined =>
  MARKS.find(([name]) => disk.existsSync(join(gitDir, name)))?.[1];

const isThere = (gitDir: string, isMeant: (operation: string) => boolean): boolean =>
  MARKS.some(([name, operation]) => isMeant(operation) && disk.existsSync(join(gitDir, name)));

const REPLAYING: ReadonlySet<string> = new Set(['revert', 'rebase', 'cherry-pick']);

/** Whether a rebase, cherry-pick or revert is replaying commits in this worktree. */
export const isSequenceInProgress = (gitDir: string): boolean =>
  isThere(gitDir, (operation) => REPLAYING.has(operation));

/** Whether a merge is about to be concluded in this worktree. */
export const isMergeInProgress = (gitDir: string): boolean =>
  isThere(gitDir, (operation) => operation === 'merge');

/**
 * Whether a rebase has stopped for whoever wants to do something between two commits: at `edit`, `break` or after a command, and not for a conflict.
 * What is committed there with `git commit` is made anew, and is no replay.
 *
 * @see https://git-scm.com/docs/git-rebase#_splitting_commits
 */
export function isStoppedBetween(gitDir: string): boolean {
  if (disk.existsSync(join(gitDir, 'CHERRY_PICK_HEAD'))) return false;
  if (disk.existsSync(join(gitDir, 'rebase-merge', 'amend'))) return true;
  const done = readUserText(join(gitDir, 'rebase-merge', 'done'), 'git-list')?.trimEnd() ?? '';
  return /^(?:break|b|exec|x)\b/.test(done.slice(done.lastIndexOf('\n') + 1));
}
