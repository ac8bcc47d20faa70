import { join } from 'node:path';
import { disk } from '../../base/file/disk.ts';
import { readOwnIfUsable } from '../../base/file/small-file.ts';
import { writeFileAtomic } from '../../base/file/write-file-atomic.ts';
import { type CheckpointId, type ObjectId, parseCheckpointId, parseObjectId } from '../../base/ids.ts';
import { isMergeInProgress, isSequenceInProgress } from '../../git/commit/operation.ts';
import type { Repo } from '../../git/locate.ts';
import { type HeadMove, readRecentMoves } from '../../git/ref/reflog.ts';

/**
 * What `git merge --squash` or `git cherry-pick --no-commit` has put into a worktree: `<git-dir>/entire-squashed`, on its first line the commit that
 * HEAD was at, below it `pick` for the latter, and the checkpoints of the commits. Git has forgotten them when the commit is made, unless its message still names them.
 */
export interface Squashed {
  readonly head: ObjectId;
  readonly ids: readonly CheckpointId[];
  /** It was picked, and may have been given up since: git does not forget its message then. */
  readonly isPick: boolean;
}

const fileOf = ({ gitDir }: Pick<Repo, 'gitDir'>): string => join(gitDir, 'entire-squashed');

const PICK = 'pick';
/** More checkpoints than anybody squashes. */
const MAX_IDS = 1_000;

/** @throws the system error */
export function noteSquashed(repo: Pick<Repo, 'gitDir'>, { head, ids, isPick }: Squashed): void {
  const kind = isPick ? [PICK] : [];
  writeFileAtomic(fileOf(repo), [head, ...kind, ...ids.slice(0, MAX_IDS), ''].join('\n'));
}

/** What was squashed on top of that commit; `undefined` where nothing was. It is forgotten: the next commit is another one. */
export function takeSquashed(repo: Pick<Repo, 'gitDir'>, head: ObjectId | undefined): Squashed | undefined {
  const text = readOwnIfUsable(fileOf(repo), 'mark');
  if (text === undefined) return undefined;
  disk.rmSync(fileOf(repo), { force: true });
  const [first, ...rest] = text.split('\n');
  const known = parseObjectId(first);
  if (!known || known !== head) return undefined;
  const ids = rest.slice(0, MAX_IDS).flatMap((id) => parseCheckpointId(id) ?? []);
  return { head: known, ids, isPick: rest[0] === PICK };
}

/** Moves of HEAD among which a reset is looked for: who splits a commit makes several after it. */
const RECENT_MOVES = 20;

/** Whether the commit that was just made may be made of others: of what was squashed, or of what a reset took out. */
export const wasRemade = (gitDir: string): boolean =>
  disk.existsSync(fileOf({ gitDir })) || findReset(gitDir) !== undefined;

/** The reset that took commits out before the commits that HEAD has moved along since; one of the index alone moves nothing. */
export function findReset(gitDir: string): HeadMove | undefined {
  const moves = readRecentMoves(gitDir).slice(-RECENT_MOVES);
  const isIndex = ({ action, from, to }: HeadMove): boolean => action === 'reset' && from === to;
  const move = moves.findLast((one) => !one.action.startsWith('commit') && !isIndex(one));
  return move?.action === 'reset' ? move : undefined;
}

/** Before a commit: whether the message of a pick without a commit waits for one. It does, too, where the pick was given up by `git restore`. */
export const mayBePick = (gitDir: string): boolean =>
  disk.existsSync(join(gitDir, 'MERGE_MSG')) &&
  !disk.existsSync(join(gitDir, 'SQUASH_MSG')) &&
  !isSequenceInProgress(gitDir) &&
  !isMergeInProgress(gitDir);

/** Before a commit: what was squashed and then given up is not in it. */
export function forgetGivenUp(gitDir: string): void {
  if (disk.existsSync(fileOf({ gitDir })) && !disk.existsSync(join(gitDir, 'SQUASH_MSG')))
    disk.rmSync(fileOf({ gitDir }), { force: true });
}
