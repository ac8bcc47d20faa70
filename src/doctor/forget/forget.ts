import { join } from 'node:path';
import { transcriptFormatOf } from '../../agents/registry.ts';
import { now } from '../../base/clock.ts';
import { disk, listNames } from '../../base/file/disk.ts';
import { readOwnText } from '../../base/file/small-file.ts';
import { writeFileAtomic } from '../../base/file/write-file-atomic.ts';
import { type ObjectId, parseSessionId, type SessionId } from '../../base/ids.ts';
import { expireReflog } from '../../checkpoint/branch-stream.ts';
import { findCheckpointsOf, forgetSlots, forgetSteps } from '../../checkpoint/forget-history.ts';
import { sweepWorkshop } from '../../checkpoint/scrub-history.ts';
import { listShadowBranches, METADATA_REF, metadataDir } from '../../checkpoint/shadow-branch.ts';
import { readRef, readRefsBelow, readRevisions, updateRefs } from '../../git/ref/refs.ts';
import { listLinkedRoots, listWorktreeRoots } from '../../git/worktree/worktrees.ts';
import { RESTORE_LOCK } from '../../restore/putting-back.ts';
import { withSessionLock } from '../../session/lock.ts';
import {
  NOTHING_PRIVATE,
  readPrivate,
  readPrivateOfWorktree,
  type Stretch,
  writePrivate,
  writePrivateOfWorktree,
} from '../../session/private-record.ts';
import { forgetOwed, listAllOwed } from '../../session/record/owed.ts';
import { fingerprints } from '../../session/record/turn-snapshot.ts';
import { dropSearchIndexes } from '../../session/search-cache.ts';
import { dropIndex } from '../../session/session-index.ts';
import { readStateIfReadable } from '../../session/state-store.ts';
import { readTombstone, type Tombstone, writeTombstone } from '../../session/tombstones.ts';
import { listRecordIds, readRecord } from '../../snapshot/record/record.ts';
import { snapshotsDir } from '../../snapshot/store/blobs.ts';
import { gcBlobs } from '../../snapshot/store/gc.ts';
import { readOpenEdits } from '../../snapshot/turn/ledger.ts';
import { type BeginState, readTurnBegin, writeTurnBegin } from '../../snapshot/turn/turn-begin.ts';
import { notePrivate } from '../../strategy/private-paths.ts';
import { SCRUB_LOCK } from '../../strategy/scrub/scrub.ts';
import { readRange, transcriptSize } from '../../strategy/transcript/file.ts';
import { type Mask, readMask, withStretch } from '../../strategy/transcript/private.ts';
import { keysOf } from '../../strategy/transcript/private-keys.ts';
import type { Work } from '../../strategy/work.ts';
import { forgetWholeSession } from '../clean/session-files.ts';
import { forgetNoted } from './noted.ts';
import { forgetTurnHere, type TurnPart } from './turn.ts';

/** What is to be forgotten: a session, or one turn of it. */
export interface ForgetTarget {
  readonly sessionId: SessionId;
  readonly turn?: TurnPart;
}

/** What was taken away, by the place where it lay; counts. */
export interface Forgotten {
  readonly checkpoints: number;
  readonly branches: readonly string[];
  readonly stores: number;
  readonly files: number;
}

const WAIT_MS = 10_000;

/**
 * Takes what was recorded of a session, or of a turn, out of every place it lies in. The tombstone stands first and says so last: one
 * that was killed is done again. What the session says and does from here on is recorded.
 *
 * @throws {EntireError} `LOCKED`, `REF_MOVED`, `GIT_FAILED`; what was done stays done, and the next call does the rest
 */
export const forget = (work: Work, target: ForgetTarget): Promise<Forgotten> => {
  const dir = join(work.repo.commonDir, 'entire');
  const wait = { waitMs: WAIT_MS };
  // What rewinds of other sessions noted lies under the locks of those, and who puts files back has several of them, too.
  const alone = () => withSessionLock(dir, RESTORE_LOCK, () => forgetLocked(work, target), wait);
  return withSessionLock(dir, SCRUB_LOCK, alone, wait);
};

function forgetLocked(work: Work, target: ForgetTarget): Promise<Forgotten> {
  const { commonDir } = work.repo;
  const { sessionId, turn } = target;
  return withSessionLock(
    work.sessions,
    sessionId,
    async () => {
      sweepWorkshop(work.git);
      const tip = readRef(work.git, METADATA_REF);
      const checkpoints = tip ? findCheckpointsOf(work.git, [METADATA_REF], sessionId) : [];
      const known = readTombstone(commonDir, sessionId);
      const stone: Tombstone = {
        sessionId,
        atMs: now().getTime(),
        isDone: false,
        isWhole: turn === undefined || known?.isWhole === true,
        turns: [...new Set([...(known?.turns ?? []), ...(turn ? [turn.id] : [])])],
        checkpoints: [...new Set([...(known?.checkpoints ?? []), ...checkpoints])],
        paths: [...new Set([...(known?.paths ?? []), ...filesOf(work, target)])],
      };
      writeTombstone(commonDir, stone);
      noteForgotten(work, target);
      const mask = readMask(commonDir, sessionId);
      // Contents first of all that only this machine has, then what is in git.
      hideFiles(work, target);
      await forgetWhatIsKept(work, target);
      await forgetNoted(work, target, { mask, waitMs: WAIT_MS });
      const { stores, files } = turn
        ? forgetTurnHere(work, sessionId, turn, mask)
        : forgetFiles(work, sessionId);
      const branches = forgetBranches(work, target);
      const metadata = readRef(work.git, METADATA_REF);
      let changed = 0;
      if (metadata && checkpoints.length > 0) {
        const make = turn ? turn.makeSlot(work.git, mask as Mask) : () => Promise.resolve(undefined);
        changed = await forgetSlots(
          work.git,
          { ref: METADATA_REF, tip: metadata },
          sessionId,
          checkpoints,
          make,
        );
      } else if (metadata) expireReflog(work.git, METADATA_REF); // as below, for one that was killed
      dropSearchIndexes(commonDir); // when nothing is left that a search could read again
      writeTombstone(commonDir, { ...stone, isDone: true });
      return { checkpoints: changed, branches, stores, files };
    },
    { waitMs: WAIT_MS },
  );
}

/** What was said until now is private from here on, as in a stretch that was paused. */
function noteForgotten({ repo, sessions }: Work, { sessionId, turn }: ForgetTarget): void {
  const { commonDir } = repo;
  const state = readStateIfReadable(sessions, sessionId);
  const known = readPrivate(commonDir, sessionId) ?? NOTHING_PRIVATE;
  if (turn) return writePrivate(commonDir, sessionId, withStretch(known, turn.stretch, turn.keys));
  const stretch: Stretch = { fromMs: 0, toMs: now().getTime(), what: 'forgotten' };
  const path = state?.transcriptPath ?? '';
  const size = transcriptSize(path, transcriptFormatOf(state?.agentType ?? '')) ?? 0;
  const bytes = size === 0 ? Buffer.alloc(0) : readRange(path, 0, size);
  const keys = keysOf(transcriptFormatOf(state?.agentType ?? ''), bytes, { bytes: 0, items: 0 }, stretch);
  writePrivate(commonDir, sessionId, withStretch(known, stretch, keys));
}

/** Everything of a session in files: its state and what lies beside it, contents, caches, copies, and its lines of the log. */
function forgetFiles(work: Work, id: SessionId): { stores: number; files: number } {
  const { commonDir, worktreeRoot } = work.repo;
  let files = 0;
  const drop = (path: string): void => {
    if (!disk.lstatSync(path, { throwIfNoEntry: false })) return;
    disk.rmSync(path, { recursive: true, force: true });
    files++;
  };
  const stores = listNames(snapshotsDir(commonDir)).filter(
    (name) => name === id || name.startsWith(`${id}@`),
  );
  for (const name of stores) drop(join(snapshotsDir(commonDir), name));
  drop(join(commonDir, 'entire', 'replaced-logs', id));
  for (const { id: owed, own } of listAllOwed(commonDir))
    if (own?.sessionId === id) forgetOwed(commonDir, owed);
  for (const root of new Set([worktreeRoot, ...listWorktreeRoots(work.repo)])) {
    drop(join(root, metadataDir(id)));
    drop(join(root, '.entire', 'tmp', `${id}.jsonl`));
    drop(join(root, '.entire', 'tmp', `pre-prompt-${id}.json`));
    for (const name of ['entire.log', 'entire.log.1']) dropLines(join(root, '.entire', 'logs', name), id);
  }
  for (const name of listNames(work.sessions))
    if (name.startsWith(`${id}.json.`)) drop(join(work.sessions, name));
  forgetWholeSession(work, id, readStateIfReadable(work.sessions, id));
  dropIndex(work.sessions);
  return { stores: stores.length, files };
}

/** Files that it left in a worktree and no commit has: as long as they are as they are no step and no prompt keeps them. */
function hideFiles(work: Work, { sessionId, turn }: ForgetTarget): void {
  const { commonDir, worktreeId, worktreeRoot } = work.repo;
  const roots = new Map([...listLinkedRoots(work.repo), [worktreeId, worktreeRoot]]);
  for (const name of listNames(snapshotsDir(commonDir))) {
    const [id, worktree = ''] = name.split('@');
    const store = join(snapshotsDir(commonDir), name);
    if (id !== sessionId || (turn && turn.store !== store)) continue;
    const root = roots.get(worktree) ?? listWorktreeRoots(work.repo)[0];
    if (root === undefined) continue;
    const paths = turn ? [...turn.onlyPaths] : listRecordIds(store).flatMap((one) => pathsOf(store, one));
    const open = turn ? [] : readOpenEdits(store).map(({ path }) => path);
    const known = readPrivateOfWorktree(commonDir, worktree) ?? NOTHING_PRIVATE;
    const prints = notePrivate(root, fingerprints(root, [...new Set([...paths, ...open])]));
    writePrivateOfWorktree(commonDir, worktree, { ...known, paths: new Map([...known.paths, ...prints]) });
  }
}

/** All files that it wrote in any worktree, as far as something here says so. */
function filesOf({ repo, sessions }: Work, { sessionId, turn }: ForgetTarget): string[] {
  if (turn) return pathsOf(turn.store, turn.id);
  const dir = snapshotsDir(repo.commonDir);
  const stores = listNames(dir).filter((name) => name.split('@')[0] === sessionId);
  return [
    ...(readStateIfReadable(sessions, sessionId)?.filesTouched ?? []),
    ...stores.flatMap((name) => {
      const store = join(dir, name);
      const open = readOpenEdits(store).map(({ path }) => path);
      return [...listRecordIds(store).flatMap((one) => pathsOf(store, one)), ...open];
    }),
  ];
}

function pathsOf(store: string, record: string): string[] {
  try {
    return [...readRecord(store, record).files.keys()];
  } catch {
    return []; // `entire verify` names it
  }
}

/** What prompts of this and other sessions kept of its files, since no commit had them yet. */
async function forgetWhatIsKept(work: Work, { sessionId, turn }: ForgetTarget): Promise<void> {
  const dir = snapshotsDir(work.repo.commonDir);
  const own = listNames(dir).filter((name) => name.split('@')[0] === sessionId);
  const made = new Set(own.flatMap((name) => contentsOf(join(dir, name), turn?.id)));
  const holds = ({ state }: BeginState): boolean => state?.kind === 'file' && made.has(state.sha256);
  for (const name of listNames(dir)) {
    const store = join(dir, name);
    const other = parseSessionId(name.split('@')[0]);
    // An earlier prompt may have kept it, which no turn came to need.
    if (!other || !listNames(join(store, 'blobs')).some((blob) => made.has(blob.slice(0, 64)))) continue;
    const drop = (): void => {
      const begin = readTurnBegin(store);
      if (begin && [...begin.files.values()].some(holds)) {
        const files = [...begin.files].map(
          ([path, kept]) => [path, holds(kept) ? { ...kept, state: undefined } : kept] as const,
        );
        writeTurnBegin(store, { ...begin, files: new Map(files) });
      }
      gcBlobs(store, { isNow: true });
    };
    if (other === sessionId) drop();
    else await withSessionLock(work.sessions, other, drop, { waitMs: WAIT_MS });
  }
}

/** Digests of what a session, or one turn of it, left in files. */
function contentsOf(store: string, turn: string | undefined): string[] {
  const states = listRecordIds(store)
    .filter((record) => turn === undefined || record === turn)
    .flatMap((record) => {
      try {
        return [...readRecord(store, record).files.values()].map(({ after }) => after);
      } catch {
        return []; // `entire verify` names it
      }
    });
  const open = turn === undefined ? readOpenEdits(store).map(({ after }) => after) : [];
  return [...states, ...open].flatMap((state) => (state?.kind === 'file' ? state.sha256 : []));
}

/** What hooks logged of the session: paths, at times. */
function dropLines(file: string, id: string): void {
  const text = readOwnText(file, 'log');
  if (!text?.includes(id)) return;
  writeFileAtomic(
    file,
    text
      .split('\n')
      .filter((line) => !line.includes(id))
      .join('\n'),
  );
}

/** The shadow branches, without its steps. */
function forgetBranches({ git }: Work, { sessionId, turn }: ForgetTarget): string[] {
  const changed: string[] = [];
  for (const { name, ref, tip } of listShadowBranches(git)) {
    if (!tip) continue;
    const base = `${/^entire\/([0-9a-f]+)/.exec(name)?.[1] ?? ''}^{tree}`;
    const baseTree = readRevisions(git, [base]).get(base) as ObjectId | undefined;
    const dropsPath = (path: string) => turn?.onlyPaths.has(path) === true;
    const isGone = (step: ObjectId) => turn === undefined || turn.steps.has(step);
    const done = forgetSteps(git, { ref, tip, baseTree }, sessionId, {
      folder: metadataDir(sessionId),
      isGone,
      dropsPath,
    });
    if (done !== 'nothing') changed.push(name);
    // One that was killed may have written the branch again, and no more.
    if (done === 'nothing') expireReflog(git, ref);
  }
  // A rewind that was killed, and what was staged before a reset, hold steps, too.
  for (const [ref, oid] of readRefsBelow(git, ['refs/entire/rewind/']))
    updateRefs(git, [{ ref, from: oid, to: undefined }]);
  return changed;
}
