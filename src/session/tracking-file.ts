import { join } from 'node:path';
import { disk, listNames, O_APPEND, O_CREAT, O_NOFOLLOW, O_NONBLOCK, O_RDWR } from '../base/disk.ts';
import { EntireError, errnoOf } from '../base/errors.ts';
import { newId, type SessionId } from '../base/ids.ts';
import { parseRepoPath, type RepoPath, sortedUnique } from '../base/repo-path.ts';

/**
 * The tracking file of a session: one repository path per line, `\n` ends a line, UTF-8.
 *
 * Writers take no lock. A claimer renames the file away and may delete it only after what it read is safe.
 * Nothing is lost: a writer looks back after its write, and writes again when the file was claimed meanwhile or the
 * line is not whole.
 */

/** `<git-common-dir>/entire-sessions`, shared by all worktrees. */
export const sessionsDir = (commonDir: string): string => join(commonDir, 'entire-sessions');

/**
 * Name of the tracking file. A session edits files in the worktree it lives in almost always; paths in another
 * worktree of the repository go to a file that names that worktree (`@` cannot stand in a session id; nothing after it is the main one).
 */
export function trackingFile(dir: string, id: SessionId, foreignWorktree?: string): string {
  return join(dir, foreignWorktree === undefined ? `${id}.files` : `${id}@${foreignWorktree}.files`);
}

/** Times a writer starts again before it reports failure; each round means one claim came between. */
const MAX_ROUNDS = 100;

/**
 * Appends `paths`, one line each, in one write, and looks back: written again when the file was claimed meanwhile,
 * and when the lines are not whole because a write was cut short, this one or another before it.
 *
 * @throws {EntireError} `WRITE_FAILED` when something other than a regular file stands there, or it never works
 * @throws the system error of a failed open or write
 */
export function appendFilesTouched(file: string, paths: readonly RepoPath[]): void {
  const record = Buffer.from(paths.map((path) => `${path}\n`).join(''));
  let broken = false;
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const fd = openForAppend(file);
    try {
      const before = disk.fstatSync(fd);
      if (!before.isFile()) throw new EntireError('WRITE_FAILED', `${file} is not a regular file`);
      if (before.nlink === 0) continue; // claimed and dropped between open and now
      disk.writeSync(fd, broken ? Buffer.concat([Buffer.from('\n'), record]) : record);
      broken = !holdsLines(fd, before.size, record);
      if (broken) continue; // the next write begins with `\n`, which ends whatever was cut short
      const current = disk.statSync(file, { throwIfNoEntry: false });
      if (current?.ino === before.ino && current.dev === before.dev) return;
    } finally {
      disk.closeSync(fd);
    }
  }
  throw new EntireError('WRITE_FAILED', `could not append to ${file}`);
}

/** Tracks again what a step or a checkpoint could not take: an edit that waits for the next one. Maybe nothing. */
export function trackAgain(
  dir: string,
  id: SessionId,
  paths: readonly RepoPath[],
  foreignWorktree?: string,
): void {
  if (paths.length > 0) appendFilesTouched(trackingFile(dir, id, foreignWorktree), paths);
}

/** Whether the lines of `record` stand whole in what was appended since the file had `size` bytes. */
function holdsLines(fd: number, size: number, record: Buffer): boolean {
  const start = Math.max(0, size - 1);
  const appended = Buffer.alloc(disk.fstatSync(fd).size - start);
  const count = disk.readSync(fd, appended, 0, appended.length, start);
  const text = appended.subarray(0, count);
  return (
    text.includes(Buffer.concat([Buffer.from('\n'), record])) ||
    (size === 0 && text.subarray(0, record.length).equals(record))
  );
}

function openForAppend(file: string): number {
  const flags = O_APPEND | O_CREAT | O_RDWR | O_NOFOLLOW | O_NONBLOCK; // non-blocking: a FIFO must not hang us
  try {
    return disk.openSync(file, flags, 0o600);
  } catch (error) {
    if (errnoOf(error) !== 'ENOENT') throw error;
    disk.mkdirSync(join(file, '..'), { recursive: true, mode: 0o750 });
    return disk.openSync(file, flags, 0o600);
  }
}

/** Tracking files taken over by a claimer, and what they said. */
export interface Claim {
  readonly paths: readonly RepoPath[];
  /** Deletes the claimed files. Only after the paths are safe elsewhere. */
  release(): void;
}

/**
 * Takes over everything tracked so far, together with claims a crash left behind. Only under the session lock.
 * The claimed files stay, and are read again, until `release()`.
 */
export function claimFilesTouched(dir: string, id: SessionId, foreignWorktree?: string): Claim {
  const file = trackingFile(dir, id, foreignWorktree);
  try {
    // What is no regular file was never written to; it stays, and the writers say so.
    if (disk.lstatSync(file).isFile()) disk.renameSync(file, `${file}.claim-${newId()}`);
  } catch (error) {
    if (errnoOf(error) !== 'ENOENT') throw error;
  }
  const claims = listClaims(dir, file); // only after the rename: what was written before it is seen
  return {
    paths: sortedUnique(claims.flatMap(readLines)),
    release() {
      for (const claim of claims) disk.rmSync(claim, { force: true });
    },
  };
}

/**
 * Deletes claims whose paths a state holds already: a process died between writing the state and releasing them. Only
 * under the session lock, and where it is known that the state was written with them.
 */
export function releaseConsumedClaims(dir: string, id: SessionId): void {
  const state = disk.statSync(join(dir, `${id}.json`), { throwIfNoEntry: false });
  for (const claim of listClaims(dir, trackingFile(dir, id))) {
    // A rename sets the time of change: claimed before the state was written.
    if (state && disk.statSync(claim).ctimeMs <= state.mtimeMs) disk.rmSync(claim, { force: true });
  }
}

/** What is tracked and not yet consumed: the tracking file and every claim; sorted, without duplicates. */
export function readFilesTouched(dir: string, id: SessionId, foreignWorktree?: string): RepoPath[] {
  const file = trackingFile(dir, id, foreignWorktree);
  // The file first: a claim made in between is then found by the listing.
  const live = readLines(file);
  return sortedUnique([...live, ...listClaims(dir, file).flatMap(readLines)]);
}

function listClaims(dir: string, file: string): string[] {
  const prefix = `${file.slice(dir.length + 1)}.claim-`;
  return listNames(dir)
    .filter((name) => name.startsWith(prefix))
    .map((name) => join(dir, name))
    .filter((claim) => disk.lstatSync(claim, { throwIfNoEntry: false })?.isFile());
}

function readLines(file: string): RepoPath[] {
  let text: string;
  try {
    const stat = disk.lstatSync(file, { throwIfNoEntry: false });
    if (!stat?.isFile()) return [];
    text = disk.readFileSync(file, 'utf8');
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return [];
    throw error;
  }
  return text.split('\n').flatMap((line) => parseRepoPath(line) ?? []);
}
