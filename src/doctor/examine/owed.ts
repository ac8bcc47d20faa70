import { disk } from '../../base/file/disk.ts';
import { readHead } from '../../git/ref/refs.ts';
import { listAllOwed, type OwedCheckpoint } from '../../session/record/owed.ts';
import { MAX_ATTEMPTS } from '../../strategy/commit/settle.ts';
import type { Patient } from '../patient.ts';
import { type Finding, foundSome } from './finding.ts';

/** Promises that are not kept: a commit names a checkpoint that was never written, or not completely. */
export interface OwedFacts {
  readonly worktreeId: string;
  /** Where HEAD is in this worktree. */
  readonly head: string;
  readonly owed: readonly OwedCheckpoint[];
  /** Worktrees that there are, by id. */
  readonly worktrees: ReadonlySet<string>;
}

export function readOwed({ repo, git }: Patient): OwedFacts {
  const owed = listAllOwed(repo.commonDir);
  const ids = new Set(owed.map(({ worktreeId }) => worktreeId));
  const exists = (id: string) => id === '' || disk.existsSync(`${repo.commonDir}/worktrees/${id}`);
  return {
    worktreeId: repo.worktreeId,
    head: owed.length > 0 ? (readHead(git, repo) ?? '') : '',
    owed,
    worktrees: new Set([...ids].filter(exists)),
  };
}

/**
 * What was given up after five attempts needs a person; what is due is done by the next hook. What was promised for the
 * HEAD that still is has no commit yet.
 */
export function judgeOwed({ worktreeId, head, owed, worktrees }: OwedFacts): Finding[] {
  const here = owed.filter((one) => one.worktreeId === worktreeId);
  const due = here.filter((one) => one.head !== head || one.own);
  const gone = owed.filter((one) => !worktrees.has(one.worktreeId));
  const elsewhere = owed.filter(
    (one) => one.worktreeId !== worktreeId && worktrees.has(one.worktreeId) && one.attempts >= MAX_ATTEMPTS,
  );
  const ids = (which: readonly OwedCheckpoint[]): string[] => which.map(({ id }) => id);
  const [tried, open] = [
    due.filter(({ attempts }) => attempts >= MAX_ATTEMPTS),
    due.filter(({ attempts }) => attempts < MAX_ATTEMPTS),
  ];
  return [
    ...foundSome('checkpoint-given-up', ids(tried), { isFixable: true }),
    ...foundSome('checkpoint-owed', ids(open), { isFixable: true }),
    ...foundSome('checkpoint-owed-elsewhere', ids([...elsewhere, ...gone])),
  ];
}
