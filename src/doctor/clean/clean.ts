import { now } from '../../base/clock.ts';
import { describeError, EntireError } from '../../base/errors.ts';
import { disk } from '../../base/file/disk.ts';
import { type ObjectId, parseObjectId, parseSessionId, type SessionId } from '../../base/ids.ts';
import { log } from '../../base/log.ts';
import { branchRef, listShadowBranches, shadowBranch } from '../../checkpoint/shadow-branch.ts';
import { readRefs, updateRefs } from '../../git/ref/refs.ts';
import { locateHooksFolder } from '../../hooks/git/hooks-folder.ts';
import { dropDeadLock, withSessionLock } from '../../session/lock.ts';
import { listTrackedAnywhere } from '../../session/session-index.ts';
import { hasState } from '../../session/state-store.ts';
import type { Work } from '../../strategy/work.ts';
import { deleteCheckpoints } from './clean-checkpoints.ts';
import { findBranch } from './drop-branch.ts';
import {
  GRACE_MS,
  judgeBranches,
  judgeStates,
  type Kept,
  LEFTOVER_KINDS,
  type Leftover,
  type LeftoverKind,
  type Leftovers,
  together,
  whyAlive,
} from './leftovers.ts';
import { findLostCheckpoints, readStored, type Stored } from './leftovers-checkpoints.ts';
import {
  findLocks,
  findRecords,
  findRefs,
  findReplacedLogs,
  findTemporaryFiles,
  RECORD_AGE_MS,
  youngestAge,
} from './leftovers-files.ts';
import { ageOf, listBusy, readBranches, readSession, readSessions } from './leftovers-sessions.ts';
import { forgetWholeSession } from './session-files.ts';

/** Longer than it takes until a lock is known to be dead whose owner was killed before it signed. */
const WAIT_MS = 1_500;

/** What a clean-up found, and what became of it. */
export interface CleanReport {
  readonly found: readonly Leftover[];
  readonly kept: readonly Kept[];
  readonly deleted: readonly Leftover[];
  readonly failed: ReadonlyArray<Leftover & { readonly error: string }>;
  /** Where the metadata branch stood before checkpoints were taken from it. */
  readonly metadataTip: ObjectId | undefined;
}

/** Looks for everything that is left over. Reads only. @throws {EntireError} `GIT_FAILED` */
export async function findLeftovers(work: Work, stored?: Stored): Promise<Leftovers> {
  const nowMs = now().getTime();
  const known = stored ?? (await readStored(work));
  const { branches, busy, sessions } = look(work);
  const names = new Set(branches.map(({ branch }) => branch.name));
  const hooks = locateHooksFolder(work.repo);
  const litter = [
    ...findTemporaryFiles(work, hooks.isOwn ? hooks.dir : '', nowMs),
    ...findLocks(work),
    ...findReplacedLogs(work, nowMs),
  ];
  return inOrder(
    together(
      judgeBranches(branches, sessions, busy, nowMs),
      judgeStates(sessions, names, known.sessions, nowMs),
      await findLostCheckpoints(work, known),
      findRecords(work, known.sessions, nowMs),
      findRefs(work, nowMs),
      { items: litter, kept: [] },
    ),
  );
}

/**
 * In this order: who makes a branch has the lock or, once it is let go, a state that says so. A branch that is newer than
 * the first look is not seen at all.
 */
function look(work: Work) {
  const listed = listShadowBranches(work.git);
  const busy = listBusy(work.sessions);
  const sessions = readSessions(work);
  // Only of a session whose state cannot be read the steps have to say where it has them.
  const all = sessions.some(({ state }) => state === undefined);
  return { branches: readBranches(work.git, listed, all), busy, sessions };
}

const inOrder = ({ items, kept }: Leftovers): Leftovers => {
  const rank = ({ kind }: { readonly kind: LeftoverKind }): number => LEFTOVER_KINDS.indexOf(kind);
  return { items: items.toSorted((a, b) => rank(a) - rank(b)), kept };
};

/** What became of one thing. */
type Outcome = 'deleted' | 'gone' | Kept['reason'] | { readonly error: string };

/** Finds what is left over and deletes it, each as it is at that moment; one that fails keeps no other back. */
export async function clean(work: Work): Promise<CleanReport> {
  const stored = await readStored(work);
  const { items, kept } = await findLeftovers(work, stored);
  const report = {
    found: items,
    kept: [...kept],
    deleted: [] as Leftover[],
    failed: [] as CleanReport['failed'][number][],
  };
  const note = (item: Leftover, outcome: Outcome): void => {
    if (outcome === 'deleted') {
      log('info', 'orphan deleted', { kind: item.kind, id: item.id, tip: item.tip });
      report.deleted.push(item);
    } else if (typeof outcome === 'object') {
      log('warn', 'orphan not deleted', { kind: item.kind, id: item.id, error: outcome.error });
      report.failed.push({ ...item, error: outcome.error });
    } else if (outcome !== 'gone') report.kept.push({ kind: item.kind, id: item.id, reason: outcome });
  };
  const checkpoints = items.filter(({ kind }) => kind === 'checkpoint');
  for (const item of items)
    if (item.kind !== 'checkpoint') note(item, await attempt(() => remove(work, item)));
  let metadataTip: ObjectId | undefined;
  if (checkpoints.length > 0) {
    const { before, removed, error } = await deleteCheckpoints(
      work,
      checkpoints.map(({ id }) => id),
    );
    metadataTip = removed.size > 0 ? before : undefined;
    for (const item of checkpoints)
      note(item, removed.has(item.id) ? 'deleted' : error === undefined ? 'changed' : { error });
  }
  return { ...report, deleted: inOrder({ items: report.deleted, kept: [] }).items, metadataTip };
}

async function attempt(body: () => Outcome | Promise<Outcome>): Promise<Outcome> {
  try {
    return await body();
  } catch (error) {
    return error instanceof EntireError && error.code === 'LOCKED' ? 'busy' : { error: describeError(error) };
  }
}

function remove(work: Work, item: Leftover): Outcome | Promise<Outcome> {
  switch (item.kind) {
    case 'shadow-branch':
      return removeBranch(work, item);
    case 'session-state':
      return removeState(work, item);
    case 'ref':
      return removeRef(work, item.id, item.tip);
    case 'lock':
      return removeLock(item);
    case 'session-record':
      return removeRecords(work, item);
    default:
      return removeFiles(item);
  }
}

/**
 * Judged again under the locks of the sessions that it has to do with: one may have come alive since the list was made.
 * Steps of any other session moved it.
 */
async function removeBranch(work: Work, { id, tip, sessions = [] }: Leftover): Promise<Outcome> {
  const ids = sessions.flatMap((session) => parseSessionId(session) ?? []);
  return underLocks(work, ids, () => {
    const branch = findBranch(work.git, id);
    if (!branch) return 'gone';
    if (branch.tip !== tip) return 'changed';
    const facts = ids.flatMap((session) => readSession(work, session) ?? []);
    const { kept } = judgeBranches([{ branch, sessions }], facts, new Set(), now().getTime());
    return kept[0]?.reason ?? removeRef(work, branch.ref, tip);
  });
}

async function underLocks(
  work: Work,
  [id, ...rest]: readonly SessionId[],
  body: () => Outcome,
): Promise<Outcome> {
  if (id === undefined) return body();
  return withSessionLock(work.sessions, id, () => underLocks(work, rest, body), { waitMs: WAIT_MS });
}

/** Only where it still points to what was judged. */
function removeRef({ git }: Work, ref: string, tip: ObjectId | undefined): Outcome {
  try {
    updateRefs(git, [{ ref, from: tip, to: undefined }]);
    return 'deleted';
  } catch (error) {
    const current = readRefs(git, [ref]).get(ref);
    if (current === undefined) return 'gone';
    if (parseObjectId(current) !== tip) return 'changed';
    throw error;
  }
}

function removeState(work: Work, { id: text }: Leftover): Outcome | Promise<Outcome> {
  const id = parseSessionId(text);
  if (!id) return 'unreadable';
  const body = (): Outcome => {
    const facts = readSession(work, id);
    if (!facts) return 'gone';
    const life = whyAlive(facts, now().getTime());
    if (life || !facts.state) return life ?? 'unreadable';
    const { baseCommit, worktreeId } = facts.state;
    const name = shadowBranch(baseCommit, worktreeId);
    if (readRefs(work.git, [branchRef(name)]).size > 0) return 'changed';
    forgetWholeSession(work, id, facts.state);
    return 'deleted';
  };
  return withSessionLock(work.sessions, id, body, { waitMs: WAIT_MS });
}

/** Looked for again under the lock of the session that they are of. */
function removeRecords(work: Work, item: Leftover): Outcome | Promise<Outcome> {
  const id = parseSessionId(item.id);
  if (!id) return removeFiles(item);
  const body = (): Outcome => {
    const isBack = hasState(work.sessions, id) || listTrackedAnywhere(work.sessions).has(id);
    const isUsed = item.files?.some((file) => youngestAge(file, now().getTime()) < RECORD_AGE_MS);
    return isBack || isUsed ? 'changed' : removeFiles(item);
  };
  return withSessionLock(work.sessions, id, body, { waitMs: WAIT_MS });
}

function removeFiles({ files = [] }: Leftover): Outcome {
  const there = files.filter((file) => disk.lstatSync(file, { throwIfNoEntry: false }) !== undefined);
  for (const file of there) disk.rmSync(file, { recursive: true, force: true });
  return there.length > 0 ? 'deleted' : 'gone';
}

/** Looked at again: somebody may hold a new one by now. */
function removeLock({ files: [file = ''] = [] }: Leftover): Outcome {
  const stat = disk.lstatSync(file, { throwIfNoEntry: false });
  if (!stat) return 'gone';
  if (stat.isDirectory()) return dropDeadLock(file) ? 'deleted' : 'busy';
  if (ageOf(file, now().getTime()) <= GRACE_MS) return 'busy';
  disk.unlinkSync(file);
  return 'deleted';
}
