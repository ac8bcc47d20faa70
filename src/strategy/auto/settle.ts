import { describeError } from '../../base/errors.ts';
import { log } from '../../base/log.ts';
import { type Commit, readCommit } from '../../git/commit/commits.ts';
import { findOperation } from '../../git/commit/operation.ts';
import { isSameEntry, readTree, type TreeEntry } from '../../git/object/objects.ts';
import { readIndexEntries, setIndexEntries } from '../../git/worktree/user-index.ts';
import { withSessionLock } from '../../session/lock.ts';
import {
  countAttempt,
  forgetOwed,
  listOwed,
  type OwedCheckpoint,
  type OwnCommit,
} from '../../session/record/owed.ts';
import { readVerdicts, recordVerdict } from '../../session/record/verdicts.ts';
import { readState } from '../../session/state-store.ts';
import { findOwedCommits, MAX_ATTEMPTS } from '../commit/settle.ts';
import { saveState, type Work } from '../work.ts';
import { advance } from './advance.ts';
import { dropStaged } from './commit.ts';

/** Verdicts among which that of the commit is looked for. */
const VERDICTS = 50;

/**
 * Completes commits of ours whose hook was killed, or that found the index locked: the commit and its checkpoint are
 * there, or neither is; the index and the session's state may not know of them yet.
 */
export async function settleOwnCommits(work: Work): Promise<void> {
  const { commonDir, worktreeId, gitDir } = work.repo;
  // In the middle of a rebase neither HEAD nor the index is what it was, or will be.
  if (findOperation(gitDir)) return;
  for (const owed of listOwed(commonDir, worktreeId)) {
    const { own } = owed;
    if (!own || owed.attempts >= MAX_ATTEMPTS) continue;
    try {
      // Its hook may be at work at this moment.
      await withSessionLock(work.sessions, own.sessionId, () => settle(work, owed, own));
    } catch (error) {
      log('warn', 'a commit of ours is still to be completed', {
        checkpoint: owed.id,
        error: describeError(error),
      });
    }
  }
}

async function settle(work: Work, owed: OwedCheckpoint, own: OwnCommit): Promise<void> {
  const { commonDir, worktreeId } = work.repo;
  const { id } = owed;
  if (!listOwed(commonDir, worktreeId).some((open) => open.id === id)) return;
  const oid = findOwedCommits(work, [owed]).get(id);
  const commit = oid && readCommit(work.git, oid);
  if (!commit) {
    dropStaged(work, id);
    return forgetOwed(commonDir, id);
  }
  countAttempt(commonDir, owed);
  log('info', 'completing a commit of ours', { checkpoint: id, commit: commit.oid });
  advanceState(work, commit, owed, own);
  if (!readVerdicts(commonDir, VERDICTS).some((verdict) => verdict.commit === commit.oid))
    recordVerdict(commonDir, {
      commit: commit.oid,
      reason: 'linked',
      checkpoint: id,
      sessions: [own.sessionId],
    });
  await correctIndex(work, commit);
  forgetOwed(commonDir, id);
}

function advanceState(work: Work, commit: Commit, { id }: OwedCheckpoint, own: OwnCommit): void {
  const state = readState(work.sessions, own.sessionId);
  if (!state || state.checkpointCount !== own.checkpointCount) return;
  const paths = new Set<string>(commit.changes.keys());
  saveState(work, advance(work, state, { id, commit: commit.oid, paths, items: own.items }));
}

/** Only what still is as it was before the commit, while HEAD has what the commit made of it. */
async function correctIndex(work: Work, { oid, changes }: Commit): Promise<void> {
  const paths = [...changes.keys()];
  const { entries, unmerged } = readIndexEntries(work.git, paths);
  const head = readTree(work.git, 'HEAD', paths) ?? new Map<string, TreeEntry>();
  const stale = [...changes].flatMap(([path, { before, after }]) => {
    const isStale = isSameEntry(entries.get(path), before) && isSameEntry(head.get(path), after);
    return isStale && !unmerged.has(path) ? [[path, after] as const] : [];
  });
  await setIndexEntries(work.git, work.repo.gitDir, new Map(stale), oid);
}
