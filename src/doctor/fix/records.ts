import { basename } from 'node:path';
import { now } from '../../base/clock.ts';
import { disk } from '../../base/file/disk.ts';
import { readOwnText } from '../../base/file/small-file.ts';
import { dropDeadLock, withSessionLock } from '../../session/lock.ts';
import { parseClaimName, returnClaims } from '../../session/return-claims.ts';
import { readStateOrSetAside, sessionOfStateFile } from '../../session/state-store.ts';
import { holdsJson } from '../examine/records.ts';
import { done, left, oneByOne, type Repair } from './repair.ts';

/** A file that is no state is moved beside, under the lock of its session, as a hook would that has to write. */
export const setStatesAside: Repair = ({ work }, items) =>
  oneByOne(items, async (item) => {
    const id = sessionOfStateFile(basename(item));
    if (!id) return undefined;
    await withSessionLock(work.sessions, id, () => readStateOrSetAside(work.sessions, id));
    return done(item, 'set aside, beside it');
  });

/** Readers pass over a record that is no JSON: moved beside, it can still be looked at. One may be written anew by now. */
export const setRecordsAside: Repair = (_, items) =>
  oneByOne(items, (item) => {
    if (holdsJson(item)) return done(item, 'is in order again');
    const aside = `${item}.corrupt-${now().getTime()}`;
    disk.renameSync(item, aside);
    return done(item, `set aside as ${basename(aside)}`);
  });

export const giveClaimsBack: Repair = ({ work }, items) =>
  oneByOne(items, async (item) => {
    const claim = parseClaimName(basename(item));
    // One of the same session has taken this one along.
    if (!claim || !disk.existsSync(item)) return undefined;
    const count = await returnClaims(work.sessions, claim.id, claim.foreignWorktree);
    return done(item, `${count} paths put back into the tracking file`);
  });

export const dropLocks: Repair = (_, items) =>
  oneByOne(items, (item) =>
    dropDeadLock(item) || !disk.existsSync(item)
      ? done(item, 'removed')
      : left(item, 'somebody holds it now'),
  );

export const dropTemporary: Repair = (_, items) =>
  oneByOne(items, (item) => {
    disk.rmSync(item, { force: true });
    return done(item, 'removed');
  });

/** More than any report has. */
const MAX_REPORT_BYTES = 1 << 20;

/** A report of a fast-import that wrote to branches of ours alone. Others are not ours to judge. */
export const dropCrashReports: Repair = (_, items) =>
  oneByOne(items, (item) => {
    const isLarge = disk.statSync(item).size > MAX_REPORT_BYTES;
    const refs = isLarge ? [] : ((readOwnText(item, 'mark') ?? '').match(/\brefs\/[^\s:'"]+/g) ?? []);
    if (refs.length === 0 || !refs.every((ref) => /^refs\/(?:heads\/)?entire\//.test(ref)))
      return left(item, "names other branches than Entire's, or none");
    disk.rmSync(item, { force: true });
    return done(item, 'removed');
  });
