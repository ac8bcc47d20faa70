import { join } from 'node:path';
import { disk } from '../../base/disk.ts';
import type { CheckpointId } from '../../base/ids.ts';
import { hasCheckpoint } from '../../checkpoint/committed.ts';
import { ensureMetadataBranch } from '../../checkpoint/metadata-branch.ts';
import { sweepWorkshop } from '../../checkpoint/scrub-history.ts';
import { readRefs, updateRefs } from '../../git/refs.ts';
import { gitText } from '../../git/run.ts';
import { listOwed, resetAttempts } from '../../session/owed.ts';
import { settleOwnCommits } from '../../strategy/auto/settle.ts';
import { MAX_ATTEMPTS, settleOwed } from '../../strategy/commit/settle.ts';
import { done, failed, left, type Repair } from './repair.ts';

/** What is at work finishes within this time. */
const LEFT_MS = 10 * 60_000;

/** Completes what earlier hooks promised; what was given up gets five attempts more. */
export const settle: Repair = async ({ work, repo }, items) => {
  const { commonDir, worktreeId } = repo;
  const given = listOwed(commonDir, worktreeId).filter(({ id }) => items.includes(id));
  for (const owed of given) if (owed.attempts >= MAX_ATTEMPTS) resetAttempts(commonDir, owed);
  await settleOwed(work);
  await settleOwnCommits(work);
  const open = new Set<string>(listOwed(commonDir, worktreeId).map(({ id }) => id));
  return items.map((id) => {
    if (open.has(id)) return failed(id, 'it is still owed; .entire/logs/entire.log has the reason');
    const isStored = hasCheckpoint(work.git, id as CheckpointId);
    return isStored
      ? done(id, 'completed')
      : left(id, 'no session has its work any more: there is nothing to store');
  });
};

export const createMetadataBranch: Repair = ({ git }, items) => {
  ensureMetadataBranch(git);
  return items.map((item) => done(item, 'created'));
};

/** Looked at again: somebody may hold a new one by now. */
export const dropRefLocks: Repair = (_, items) =>
  items.map((item) => {
    const stat = disk.statSync(item, { throwIfNoEntry: false });
    if (stat && Date.now() - stat.mtimeMs <= LEFT_MS) return left(item, 'somebody holds it now');
    disk.rmSync(item, { force: true });
    return done(item, 'removed');
  });

/** Only what is on a branch all the same: nothing is deleted that is stored nowhere else. */
export const dropStagedCommits: Repair = ({ git }, items) => {
  const tips = readRefs(git, items);
  return items.map((ref) => {
    const tip = tips.get(ref);
    if (!tip) return done(ref, 'is gone');
    const args = ['for-each-ref', `--contains=${tip}`, '--format=%(refname)'];
    const holders = gitText(git, [...args, 'refs/heads/', 'refs/remotes/', 'refs/tags/']).split('\n');
    const holder = holders.find((name) => name !== '' && !name.startsWith('refs/heads/entire/'));
    if (holder === undefined) return left(ref, 'no branch holds it');
    updateRefs(git, [{ ref, from: tip, to: undefined }]);
    return done(ref, `removed; ${holder} holds it`);
  });
};

export const dropScrubbed: Repair = ({ git, repo }, items) => {
  const isFresh = (ref: string): boolean => {
    const stat = disk.statSync(join(repo.commonDir, ref), { throwIfNoEntry: false });
    return stat !== undefined && Date.now() - stat.mtimeMs <= LEFT_MS;
  };
  if (items.some(isFresh))
    return items.map((ref) => left(ref, '`entire scrub` may be at work at this moment'));
  sweepWorkshop(git);
  return items.map((ref) => done(ref, 'removed'));
};
