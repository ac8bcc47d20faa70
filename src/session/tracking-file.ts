import { join } from 'node:path';
import { errnoOf } from '../base/errors.ts';
import { appendLines } from '../base/file/append-lines.ts';
import { disk, listNames } from '../base/file/disk.ts';
import { readOwnText } from '../base/file/small-file.ts';
import { newId, parseSessionId, type SessionId } from '../base/ids.ts';
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

/** Whose a tracking file or a claim of one is, by its name, and in which other worktree; `undefined` for other files. */
export function parseTrackingName(
  name: string,
): { id: SessionId; foreignWorktree: string | undefined; isClaim: boolean } | undefined {
  const [, text, foreignWorktree, claim] =
    /^([^@]+?)(?:@(.*))?\.files(\.claim-[0-9a-f]{12})?$/.exec(name) ?? [];
  const id = parseSessionId(text);
  return id && { id, foreignWorktree, isClaim: claim !== undefined };
}

/**
 * Appends `paths`, one line each, in one write, and looks back.
 *
 * @throws {EntireError} `WRITE_FAILED` when something other than a regular file stands there, or it never works
 * @throws the system error of a failed open or write
 */
export function appendFilesTouched(file: string, paths: readonly RepoPath[]): void {
  appendLines(file, Buffer.from(paths.map((path) => `${path}\n`).join('')));
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

/** Whether anything was tracked at that time or later, in milliseconds since 1970, as far as the clock of the file system tells. */
export function isTrackedSince(dir: string, id: SessionId, ms: number): boolean {
  const file = trackingFile(dir, id);
  return [file, ...listClaims(dir, file)].some((one) => {
    const stat = disk.lstatSync(one, { throwIfNoEntry: false });
    if (!stat) return false;
    const lagMs = stat.mtimeMs % 1000 === 0 ? 2_000 : 20; // some keep whole seconds, or every other one
    return stat.mtimeMs >= ms - lagMs;
  });
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
    text = readOwnText(file, 'list') ?? '';
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return [];
    throw error;
  }
  return text.split('\n').flatMap((line) => parseRepoPath(line) ?? []);
}
