import type { CheckpointId } from '../base/ids.ts';
import type { StoredCheckpoint } from '../checkpoint/read/checkpoint.ts';
import { isSquashMessage } from '../git/commit/moves.ts';
import type { Verdict, VerdictReason } from '../session/record/verdicts.ts';

/**
 * Why a commit is linked, or is not, when somebody asks: the verdict that was left when it was made, or what else is
 * known. Stable codes; `cli/why/text.ts` has the sentences.
 */
export type WhyReason =
  | VerdictReason
  | 'trailer' // linked by its trailer alone: made elsewhere, completed later, or before verdicts were kept
  | 'made-of' // linked by what it names elsewhere in its message, or in its note: checkpoints of commits that it was made of
  | 'metadata-missing' // names a checkpoint that is not in this clone
  | 'not-set-up'
  | 'disabled'
  | 'auto-commit' // there is no verdict, and that strategy leaves commits that a person makes alone
  | 'hooks-missing' // there is no verdict, and not all git hooks are installed
  | 'before-records' // older than the first verdict here
  | 'no-record';

export type WhyStatus = 'linked' | 'incomplete' | 'not-linked';

/** Whether verdicts can come into being in this worktree. */
export type SetUp = 'complete' | 'auto-commit' | 'hooks-missing' | 'disabled' | 'not-set-up';

/** What is known of a commit when its link is judged. */
export interface CommitFacts {
  /** In UTC or with an offset, RFC 3339. */
  readonly committedAt: string;
  readonly parents: number;
  readonly message: string;
  /** The checkpoint that is the commit's own. */
  readonly trailer: CheckpointId | undefined;
  readonly checkpoint: StoredCheckpoint | undefined;
  /** Why that is not the commit's own; `undefined` where nothing speaks against it. */
  readonly misfit?: string | undefined;
  /** It names others besides, at least one of which is here and fits. */
  readonly isMadeOf?: boolean;
  readonly verdict: Verdict | undefined;
  /** When the first verdict that is still on record was left. */
  readonly firstVerdictAt: string | undefined;
  readonly setUp: SetUp;
}

/** Judges the link of a commit. */
export function resolveReason(facts: CommitFacts): { status: WhyStatus; reason: WhyReason } {
  const { trailer, checkpoint, misfit, verdict, isMadeOf = false } = facts;
  if (isMadeOf && (!checkpoint || misfit !== undefined)) return { status: 'linked', reason: 'made-of' };
  if (trailer && misfit !== undefined) return { status: 'not-linked', reason: 'foreign-checkpoint' };
  if (trailer && checkpoint) return { status: 'linked', reason: verdict ? linkedReason(verdict) : 'trailer' };
  if (trailer) return missing(verdict);
  return { status: 'not-linked', reason: verdict?.reason ?? unrecorded(facts) };
}

/** A verdict of the day that the record has proved wrong since then, as when it was fetched, counts no more. */
const linkedReason = ({ reason }: Verdict): WhyReason =>
  reason === 'linked' || reason === 'kept' || reason === 'sequence' ? reason : 'trailer';

/** Its checkpoint is not here: never was, or lies in another clone. */
function missing(verdict: Verdict | undefined): { status: WhyStatus; reason: WhyReason } {
  if (verdict?.reason === 'condense-failed') return { status: 'incomplete', reason: 'condense-failed' };
  if (verdict?.reason === 'unknown-checkpoint') return { status: 'incomplete', reason: 'unknown-checkpoint' };
  return { status: 'incomplete', reason: 'metadata-missing' };
}

/** Why there is neither a trailer nor a verdict. The commit itself says most, then where we are. */
function unrecorded({ parents, message, setUp, firstVerdictAt, committedAt }: CommitFacts): WhyReason {
  if (parents > 1 || isSquashMessage(message)) return 'merge';
  if (findReplayed(message)) return 'sequence';
  if (setUp !== 'complete' && setUp !== 'auto-commit') return setUp;
  // Git's times are whole seconds, so a commit can seem to be older than its own verdict.
  const isOlder =
    firstVerdictAt !== undefined && Date.parse(committedAt) + 1000 <= Date.parse(firstVerdictAt);
  if (isOlder) return 'before-records';
  return setUp === 'auto-commit' ? setUp : 'no-record';
}

/** The commit that git says a message was made of, by `cherry-pick -x` or `revert`. */
export const findReplayed = (message: string): string | undefined =>
  /^(?:\(cherry picked from commit|This reverts commit) ([0-9a-f]{7,64})\b/m.exec(message)?.[1];

/** Whether git says in a message that the commit takes another one back. */
export const isRevert = (message: string): boolean => /^This reverts commit [0-9a-f]{7,64}\b/m.test(message);
