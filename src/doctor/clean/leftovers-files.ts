import { basename, dirname, join, relative } from 'node:path';
import { disk } from '../../base/file/disk.ts';
import { isTemporaryName } from '../../base/file/write-file-atomic.ts';
import { parseSessionId } from '../../base/ids.ts';
import { isAlive } from '../../base/process/pids.ts';
import { DEAD_REF_LOCK_MS, listRefLocks } from '../../git/ref/ref-failure.ts';
import { listReplacedLogs } from '../../restore/log/logs-write.ts';
import { RECORD_FOLDERS } from '../../session/forget-session.ts';
import { isLockDead } from '../../session/lock.ts';
import { listTaskMarks } from '../../session/record/task-mark.ts';
import { readTaskRecord } from '../../session/record/task-record.ts';
import { listTrackedAnywhere } from '../../session/session-index.ts';
import { hasState, ONLY_COPY_MS } from '../../session/state-store.ts';
import { transcriptCacheDir } from '../../strategy/transcript/index-file.ts';
import type { Work } from '../../strategy/work.ts';
import { judgeRef, listOwnRefs, type RefVerdict } from '../examine/own-refs.ts';
import { listQuietly, walk } from '../verify/walk.ts';
import { GRACE_MS, type Kept, type Leftover, type Leftovers, type StoredSessions } from './leftovers.ts';
import { ageOf, listBusy } from './leftovers-sessions.ts';

/** What a session left beside its state goes a day after the state: another version may be in the middle of a turn. */
export const RECORD_AGE_MS = 24 * 60 * 60 * 1000;

/** What was said in a session of an agent that keeps no transcript of its own, in `.entire/tmp`. */
const HANDED_OVER = /^(.+)\.jsonl$/;

/** How temporary files of 0.4.4 are named, beside the states. */
const OLD_TEMPORARY = /^[^/]+\.json\.tmp$/;

/** A path as people see it: from the worktree's top, or absolute outside of it. */
const shown = (root: string, file: string): string => {
  const path = relative(root, file);
  return path.startsWith('..') ? file : path;
};

const filesBelow = (...of: Parameters<typeof walk>): string[] => [...walk(...of)].map(({ file }) => file);

/** Temporary files of writers that were killed, in every place that we write to; and marks of commits that are over. */
export function findTemporaryFiles({ repo, sessions }: Work, hooksDir: string, nowMs: number): Leftover[] {
  const { commonDir, worktreeRoot } = repo;
  const own = join(commonDir, 'entire');
  const beside = [hooksDir, join(worktreeRoot, '.claude')].flatMap((dir) =>
    listQuietly(dir).map((name) => join(dir, name)),
  );
  const files = [
    ...filesBelow(sessions),
    ...filesBelow(own, (name) => name === 'snapshots'), // has its own journal
    ...filesBelow(join(worktreeRoot, '.entire')),
    ...beside,
  ].filter((file) => isTemporaryName(file));
  const older = listQuietly(sessions).filter((name) => OLD_TEMPORARY.test(name));
  const marks = listQuietly(own, 'open-commits').filter(
    (name) => /^\d+$/.test(name) && !isAlive(Number(name)),
  );
  const all = [
    ...files,
    ...older.map((name) => join(sessions, name)),
    ...marks.map((name) => join(own, 'open-commits', name)),
  ];
  return all
    .filter(
      (file) => disk.lstatSync(file, { throwIfNoEntry: false })?.isFile() && ageOf(file, nowMs) > GRACE_MS,
    )
    .map((file) => ({ kind: 'temporary-file', id: shown(worktreeRoot, file), files: [file] }));
}

/** Locks whose owners are gone: of sessions, and git's at refs that only we write. */
export function findLocks({ repo, sessions }: Work): Leftover[] {
  const { commonDir, worktreeRoot } = repo;
  const folders = listQuietly(sessions).map((name) => join(sessions, name));
  const own = [
    ...folders,
    ...listQuietly(commonDir, 'entire').map((name) => join(commonDir, 'entire', name)),
  ];
  const dead = own.filter((path) => path.endsWith('.lock') && isLockDead(path));
  const places = [join(commonDir, 'refs', 'heads', 'entire'), join(commonDir, 'refs', 'entire')];
  const atRefs = listRefLocks(places).filter(({ ageMs }) => ageMs > DEAD_REF_LOCK_MS); // git says nothing of their owners
  return [...dead, ...atRefs.map(({ path }) => path)].map((file) => ({
    kind: 'lock',
    id: shown(worktreeRoot, file),
    files: [file],
  }));
}

/**
 * Why the working copy of a transcript stays, since the agent may have deleted its own: no checkpoint names the session,
 * or one does that may have been made before its last turns.
 */
const judgeCopy = (isNamed: boolean, ageMs: number): 'only-copy' | 'last-turns' | undefined =>
  isNamed ? (ageMs > ONLY_COPY_MS ? undefined : 'last-turns') : 'only-copy';

/** What sessions left that are gone: no state, nothing tracked. */
export function findRecords(work: Work, stored: StoredSessions, nowMs: number): Leftovers {
  const { repo, sessions } = work;
  const { commonDir, worktreeRoot } = repo;
  const places = RECORD_FOLDERS.flatMap((dir) =>
    listQuietly(commonDir, 'entire', dir).flatMap((name) =>
      name.endsWith('.json')
        ? [[name.slice(0, -'.json'.length), join(commonDir, 'entire', dir, name)] as const]
        : [],
    ),
  );
  for (const name of listQuietly(commonDir, 'entire', 'transcripts')) {
    const id = parseSessionId(name);
    if (id) places.push([id, transcriptCacheDir(commonDir, id)]);
  }
  const tmp = join(worktreeRoot, '.entire', 'tmp');
  for (const name of listQuietly(worktreeRoot, '.entire', 'tmp')) {
    const id = /^pre-prompt-(.+)\.json$/.exec(name)?.[1] ?? HANDED_OVER.exec(name)?.[1];
    if (id !== undefined) places.push([id, join(tmp, name)]);
  }
  const copies = join(worktreeRoot, '.entire', 'metadata');
  for (const name of listQuietly(worktreeRoot, '.entire', 'metadata'))
    places.push([name, join(copies, name)]);

  const tracked = listTrackedAnywhere(sessions);
  const busy = listBusy(sessions);
  const files = new Map<string, string[]>();
  const kept: Kept[] = [];
  for (const [name, file] of places) {
    const id = parseSessionId(name);
    if (!id || hasState(sessions, id) || tracked.has(id) || busy.has(id)) continue;
    const ageMs = youngestAge(file, nowMs);
    if (ageMs < RECORD_AGE_MS) continue;
    const isCopy = file.startsWith(copies) || (dirname(file) === tmp && HANDED_OVER.test(basename(file)));
    const reason = isCopy ? judgeCopy(stored.ids.has(id), ageMs) : undefined;
    if (reason) {
      kept.push({ kind: 'session-record', id, reason, detail: shown(worktreeRoot, file) });
      continue;
    }
    files.set(id, [...(files.get(id) ?? []), file]);
  }
  const items = [...files].map(([id, of]): Leftover => ({ kind: 'session-record', id, files: of }));
  return { items: [...items, ...findTaskMarks(work, nowMs)], kept };
}

/** Of a file, or of the youngest below a folder. */
export function youngestAge(file: string, nowMs: number): number {
  const inside = disk.lstatSync(file, { throwIfNoEntry: false })?.isDirectory() ? filesBelow(file) : [];
  return Math.min(...[file, ...inside].map((path) => ageOf(path, nowMs)));
}

/** Marks of sub-agents that no session knows of. */
function findTaskMarks({ repo }: Work, nowMs: number): Leftover[] {
  const { commonDir, worktreeRoot } = repo;
  const running = new Set(
    listQuietly(commonDir, 'entire', 'tasks').flatMap((name) => {
      const id = parseSessionId(name.replace(/\.json$/, ''));
      return id ? readTaskRecord(commonDir, id).running.map(({ toolUseId }) => toolUseId) : [];
    }),
  );
  const marks = listQuietly(worktreeRoot, '.entire', 'tmp').length > 0 ? listTaskMarks(worktreeRoot) : [];
  return marks.flatMap((toolUseId): Leftover[] => {
    const file = join(worktreeRoot, '.entire', 'tmp', `pre-task-${toolUseId}.json`);
    if (running.has(toolUseId) || ageOf(file, nowMs) < RECORD_AGE_MS) return [];
    return [{ kind: 'session-record', id: shown(worktreeRoot, file), files: [file] }];
  });
}

/**
 * Logs that a restored one replaced, a month after that. One that its agent writes still, which does not know that it has
 * another name, stays.
 */
export function findReplacedLogs({ repo }: Work, nowMs: number): Leftover[] {
  const { commonDir, worktreeRoot } = repo;
  if (listQuietly(commonDir, 'entire', 'replaced-logs').length === 0) return [];
  return listReplacedLogs(commonDir)
    .filter(({ file, keptAtMs }) => nowMs - keptAtMs > ONLY_COPY_MS && ageOf(file, nowMs) > RECORD_AGE_MS)
    .map(({ file }) => ({ kind: 'replaced-log', id: shown(worktreeRoot, file), files: [file] }));
}

/**
 * Refs under which killed processes were making something, and, once they are old, those that keep what stands nowhere
 * else.
 */
export function findRefs(work: Work, nowMs: number): Leftovers {
  const judged = listOwnRefs(work, nowMs).map((one) => ({ ...one, verdict: judgeRef(one) }));
  const isLeft = ({ verdict }: { verdict: RefVerdict }): boolean =>
    verdict === 'free' || verdict === 'expired';
  return {
    items: judged.filter(isLeft).map(({ ref: id, tip }) => ({ kind: 'ref', id, tip })),
    kept: judged
      .filter(({ verdict }) => verdict === 'only-copy')
      .map(({ ref: id }) => ({ kind: 'ref', id, reason: 'unheld' })),
  };
}
