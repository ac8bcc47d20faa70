import { type ObjectId, parseObjectId } from '../../base/ids.ts';
import { readLastLine } from '../ref/reflog.ts';
import type { Commit } from './commits.ts';
import { isSequenceInProgress, isStoppedBetween } from './operation.ts';

/** How HEAD came to be where it is, in the reflog's words: `commit`, `commit (amend)`, `commit (cherry-pick)`, `revert` … */
export interface Move {
  readonly action: string;
  readonly from: ObjectId;
}

/** The action of `git commit --amend`. */
export const AMENDED = 'commit (amend)';

/** The last move of HEAD; `undefined` where there is no reflog, or it does not speak of this commit. */
export function readLastMove(gitDir: string, head: ObjectId): Move | undefined {
  const [who = '', what = ''] = readLastLine(gitDir, 'HEAD').split('\t');
  const [before, after] = who.split(' ');
  const from = parseObjectId(before);
  return from && after === head ? { from, action: what.split(': ')[0] ?? '' } : undefined;
}

/**
 * Whether a commit was replayed from another one. A conflict is resolved by an ordinary `git commit`, which removes
 * the marks of {@link isSequenceInProgress} before it calls us; what is committed where a rebase has stopped between two commits is new.
 *
 * @param action of the {@link Move} that made it; empty where that is not known
 */
export function isReplayed(gitDir: string, commit: Commit, action: string): boolean {
  if (isSequenceInProgress(gitDir))
    return !((action === 'commit' || action === AMENDED) && isStoppedBetween(gitDir));
  if (/^(revert|cherry-pick|rebase|commit \(cherry-pick\))/.test(action)) return true;
  return !commit.links.own && action !== AMENDED && isRevertMessage(commit.message);
}

/** Whether `git revert` wrote the message. */
const isRevertMessage = (message: string): boolean => /^This reverts commit [0-9a-f]{7,64}\b/m.test(message);

/** Whether `git merge --squash` wrote the message. */
export const isSquashMessage = (message: string): boolean =>
  message.startsWith('Squashed commit of the following:\n');
