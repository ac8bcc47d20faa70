import { join } from 'node:path';
import * as lockfile from 'proper-lockfile';
import { describeError, EntireError, errnoOf } from '../base/errors.ts';
import { describeKind, disk, listNames, lstatIfExists } from '../base/file/disk.ts';
import type { SessionId } from '../base/ids.ts';
import { log } from '../base/log.ts';
import { isAlive, PID_SPACE } from '../base/process/pids.ts';
import { removeKilledWrites, removeNoticed } from './killed-writers.ts';

/** How long a hook waits for another hook of the same session. */
const WAIT_MS = 3_000;
const POLL_MS = 15;
/**
 * Age at which a lock is taken for abandoned although a process with its owner's pid lives (the pid was reused).
 * Generous, because git runs synchronously while we hold one; owners that died are recognised at once by their pid.
 */
const STALE_MS = 60_000;

/** Who was just waited for in vain is not waited for again by the same process, and others not much longer: its user waits for all of it. */
const IN_VAIN_MS = 5_000;
const inVain = new Map<string, number>();
/** How long those were waited for, together. */
let vainMs = 0;
const SHORT_WAIT_MS = 250;

/** An owner signs right after it made the folder: one without a name for this long died in between. */
const UNSIGNED_MS = 1_000;
const SPACE = PID_SPACE && `-${PID_SPACE}`;
/**
 * Runs `body` while no other hook works on the same session. The lock is the folder `<id>.lock`, and in it a file
 * named after the owner's pid.
 *
 * @throws {EntireError} `LOCKED` when it cannot be had within `waitMs`; `body` did not run then
 */
export async function withSessionLock<T>(
  dir: string,
  id: SessionId,
  body: () => T | Promise<T>,
  { waitMs = WAIT_MS }: { readonly waitMs?: number } = {},
): Promise<T> {
  disk.mkdirSync(dir, { recursive: true, mode: 0o750 });
  const { release, isTakenOver } = await acquire(join(dir, `${id}.lock`), waitMs);
  const file = `${id}.json`;
  try {
    if (isTakenOver) removeKilledWrites(dir, file); // who held it was killed, maybe while it wrote
    return await body();
  } finally {
    removeNoticed(dir, file);
    await release();
  }
}

/** Files that name us as the owner of a lock that we hold. */
const held = new Set<string>();
/** Far below {@link STALE_MS}. */
const REFRESH_MS = 5_000;
let refreshedMs = 0;

/**
 * Says that the locks we hold are still ours, for work that goes on for long without a pause: timers, with which they are kept
 * otherwise, do not run meanwhile. Costs nothing when it is called again soon. Never throws.
 */
export function keepLocks(): void {
  const time = new Date();
  if (time.getTime() - refreshedMs < REFRESH_MS) return;
  refreshedMs = time.getTime();
  for (const owner of held) {
    try {
      disk.utimesSync(owner, time, time); // not the folder: by its time the library knows that nobody else took it
    } catch (error) {
      log('warn', 'lock not kept', { error: describeError(error) });
    }
  }
}

/** Gives the lock back. Never throws: what failed here is known dead as soon as we are, and the next one takes over. */
async function letGo(owner: string, release: () => Promise<void>): Promise<void> {
  held.delete(owner);
  try {
    disk.rmSync(owner, { force: true });
  } catch (error) {
    log('warn', 'lock not released', { error: describeError(error) });
  }
  await release().catch((error: unknown) =>
    log('warn', 'lock not released', { error: describeError(error) }),
  );
}

/**
 * Writes our pid into the lock, and looks whether it is the only one. When we paused for long after making the folder,
 * somebody took it for abandoned, and has it, or is about to: both sign before they look, so that at most one of them
 * finds itself alone. proper-lockfile knows its lock by the folder's time, which must stay what it was.
 */
function signLock(folder: string, owner: string): boolean {
  try {
    const { atime, mtime } = disk.statSync(folder);
    disk.writeFileSync(owner, '', { mode: 0o600 });
    disk.utimesSync(folder, atime, mtime);
    return disk.readdirSync(folder).filter(isOwner).length === 1;
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return false; // the folder was taken away
    throw error;
  }
}

interface Lock {
  readonly release: () => Promise<void>;
  /** From an owner that was gone. */
  readonly isTakenOver: boolean;
}

async function acquire(folder: string, waitMs: number): Promise<Lock> {
  const options = {
    lockfilePath: folder,
    realpath: false,
    stale: STALE_MS,
    // The default throws from a timer, which would end the hook; what we wrote so far is atomic anyway.
    onCompromised: (error: Error) => log('warn', 'lock compromised', { error: error.message }),
  };
  const owner = join(folder, `pid-${process.pid}${SPACE}`);
  const startMs = Date.now();
  let isTakenOver = false;
  for (const deadline = startMs + patience(folder, waitMs, startMs); ; ) {
    const release = await tryLock(folder, options);
    if (release && (await isOurs(folder, owner, release))) {
      held.add(owner);
      inVain.delete(folder);
      return { release: () => letGo(owner, release), isTakenOver };
    }
    if (!release) refuseOther(folder);
    if (Date.now() > deadline) {
      inVain.set(folder, Date.now());
      vainMs += Date.now() - startMs;
      throw new EntireError('LOCKED', `another process holds ${folder}`);
    }
    if (!release && dropDeadOwner(folder)) isTakenOver = true;
    else await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}

/** How long a lock is waited for, in milliseconds. */
function patience(folder: string, waitMs: number, nowMs: number): number {
  const isRecent = (atMs: number) => nowMs - atMs < IN_VAIN_MS;
  if (![...inVain.values()].some(isRecent)) vainMs = 0;
  if (isRecent(inVain.get(folder) ?? Number.NEGATIVE_INFINITY)) return 0;
  return Math.max(Math.min(SHORT_WAIT_MS, waitMs), waitMs - vainMs);
}

/** What file managers leave in every folder that somebody looks at. */
const LITTER = new Set(['.DS_Store', 'Thumbs.db', 'desktop.ini']);

/** Nobody ever gives back what is no lock of ours, and a folder with a file of somebody else's in it cannot be. */
function refuseOther(folder: string): void {
  const stat = lstatIfExists(folder);
  if (!stat) return;
  if (!stat.isDirectory())
    throw new EntireError(
      'LOCKED',
      `${folder} is ${describeKind(stat)}, where the folder of a lock should be`,
    );
  const foreign = listNames(folder).find((name) => !isOwner(name) && !LITTER.has(name));
  if (foreign !== undefined && isLockDead(folder))
    throw new EntireError(
      'LOCKED',
      `${join(folder, foreign)} is not a file of Entire's: move it out of there`,
    );
}

/** Makes the folder; `undefined` when it is there. */
async function tryLock(
  folder: string,
  options: lockfile.LockOptions,
): Promise<(() => Promise<void>) | undefined> {
  try {
    return await lockfile.lock(folder, options);
  } catch (error) {
    // ENOTEMPTY: the library found it stale, but the owner's pid file is in it; dropDeadOwner decides.
    if (!['ELOCKED', 'ENOTEMPTY'].includes(errnoOf(error) ?? '')) throw error;
    return undefined;
  }
}

/** {@link signLock}; what is not ours, or could not be signed, is let go. */
async function isOurs(folder: string, owner: string, release: () => Promise<void>): Promise<boolean> {
  let signed = false;
  try {
    signed = signLock(folder, owner);
  } finally {
    if (!signed) await letGo(owner, release);
  }
  return signed;
}

/**
 * Removes a lock whose owner is gone. The pid file is unlinked first: of several processes that notice, one
 * succeeds, and a lock taken meanwhile has another pid in it, so its folder does not come away.
 */
function dropDeadOwner(folder: string): boolean {
  try {
    const name = findOwner(folder);
    if (!isAbandoned(folder, name)) return false;
    if (name !== undefined) disk.unlinkSync(join(folder, name));
    for (const litter of listNames(folder)) if (LITTER.has(litter)) disk.unlinkSync(join(folder, litter));
    disk.rmdirSync(folder);
    return true;
  } catch {
    return false; // somebody else was faster, or it is not ours to remove: wait like everybody
  }
}

const findOwner = (folder: string): string | undefined => disk.readdirSync(folder).find(isOwner);

const isOwner = (name: string): boolean => name.startsWith('pid-');

function isAbandoned(folder: string, owner: string | undefined): boolean {
  const ageMs = Date.now() - lastSignMs(folder, owner);
  // By a clock that was set back since then. Whoever lives signs by that of today.
  if (ageMs < -STALE_MS) return true;
  if (owner !== undefined && isGone(owner)) return true;
  return ageMs >= (owner === undefined ? UNSIGNED_MS : STALE_MS);
}

/** When the owner was last heard of: by its timer, or by {@link keepLocks}. */
const lastSignMs = (folder: string, owner: string | undefined): number =>
  Math.max(
    disk.statSync(folder).mtimeMs,
    owner === undefined ? 0 : disk.statSync(join(folder, owner)).mtimeMs,
  );

/** Whether the next hook that wants a lock would take it over. Looks only. */
export function isLockDead(folder: string): boolean {
  try {
    return isAbandoned(folder, findOwner(folder));
  } catch {
    return false; // gone by now
  }
}

/** Removes a lock whose owner is gone, as the next hook would. Returns whether it did. */
export const dropDeadLock = dropDeadOwner;

/** Whether the owner that a file names is known to be dead; of one in another pid namespace nothing is known. */
function isGone(name: string): boolean {
  const [, pid, space = ''] = /^pid-(\d+)(.*)$/.exec(name) ?? [];
  return pid !== undefined && space === SPACE && !isAlive(Number(pid));
}
