import { now } from '../../base/clock.ts';
import { describeError } from '../../base/errors.ts';
import { disk } from '../../base/file/disk.ts';
import type { CheckpointId } from '../../base/ids.ts';
import { hasCheckpoint } from '../../checkpoint/committed.ts';
import { ensureMetadataBranch } from '../../checkpoint/metadata-branch.ts';
import { restoreBrokenRef } from '../../git/ref/broken-ref.ts';
import { DEAD_REF_LOCK_MS } from '../../git/ref/ref-failure.ts';
import { readRefs, updateRefs } from '../../git/ref/refs.ts';
import { listOwed, resetAttempts } from '../../session/record/owed.ts';
import { settleOwnCommits } from '../../strategy/auto/settle.ts';
import { MAX_ATTEMPTS, settleOwed } from '../../strategy/commit/settle.ts';
import { judgeRef, listOwnRefs, type RefVerdict } from '../examine/own-refs.ts';
import { done, failed, left, oneByOne, type Repair } from './repair.ts';

/** Completes what earlier hooks promised; what was given up gets five attempts more. */
export const settle: Repair = async ({ work, repo }, items) => {
  const { commonDir, worktreeId } = repo;
  const given = listOwed(commonDir, worktreeId).filter(({ id }) => items.includes(id));
  for (const owed of given) if (owed.attempts >= MAX_ATTEMPTS) resetAttempts(commonDir, owed);
  // Of what one of them completed before it threw the record says so.
  let reason = 'it is still owed; .entire/logs/entire.log has the reason';
  for (const settleSome of [settleOwed, settleOwnCommits]) {
    try {
      await settleSome(work);
    } catch (error) {
      reason = describeError(error);
    }
  }
  const open = new Set<string>(listOwed(commonDir, worktreeId).map(({ id }) => id));
  return oneByOne(items, (id) => {
    if (open.has(id)) return failed(id, reason);
    const isStored = hasCheckpoint(work.git, id as CheckpointId);
    return isStored
      ? done(id, 'completed')
      : left(id, 'no session has its work any more: there is nothing to store');
  });
};

/** Only where the last line of a reflog leads to a commit that is here; nothing else is as sure. */
export const restoreRefs: Repair = ({ git, repo }, items) =>
  oneByOne(items, (ref) => {
    const oid = restoreBrokenRef({ git, repo }, ref);
    if (oid) return done(ref, `set to ${oid}, where its reflog says that it stood`);
    if (readRefs(git, [ref]).has(ref)) return done(ref, 'is in order again');
    return left(ref, 'its reflog leads to no commit that is here');
  });

export const createMetadataBranch: Repair = ({ git }, items) => {
  ensureMetadataBranch(git);
  return items.map((item) => done(item, 'created'));
};

/** Looked at again: somebody may hold a new one by now. */
export const dropRefLocks: Repair = (_, items) =>
  oneByOne(items, (item) => {
    const stat = disk.statSync(item, { throwIfNoEntry: false });
    if (stat && Date.now() - stat.mtimeMs <= DEAD_REF_LOCK_MS) return left(item, 'somebody holds it now');
    disk.rmSync(item, { force: true });
    return done(item, 'removed');
  });

/** Only those with which nothing is lost; judged again. */
export const dropOwnRefs: Repair = ({ git, repo }, items) => {
  const refs = new Map(listOwnRefs({ git, repo }, now().getTime()).map((one) => [one.ref, one]));
  return oneByOne(items, (ref) => {
    const one = refs.get(ref);
    if (!one) return done(ref, 'is gone');
    const verdict = judgeRef(one);
    if (verdict !== 'free') return left(ref, WHY_LEFT[verdict]);
    updateRefs(git, [{ ref, from: one.tip, to: undefined }]);
    return done(ref, `removed; \`git update-ref ${ref} ${one.tip}\` brings it back`);
  });
};

const ONLY_COPY = 'no branch holds it; `entire clean` removes it 30 days after it was made';
const WHY_LEFT: Readonly<Record<Exclude<RefVerdict, 'free'>, string>> = {
  'at-work': 'somebody may be at work on it at this moment',
  owed: 'a later hook needs it',
  'only-copy': ONLY_COPY,
  expired: ONLY_COPY,
};
