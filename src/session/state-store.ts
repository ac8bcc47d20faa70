import { basename, join } from 'node:path';
import { now } from '../base/clock.ts';
import { EntireError, errnoOf } from '../base/errors.ts';
import { disk, listNames } from '../base/file/disk.ts';
import { readOwnText } from '../base/file/small-file.ts';
import { writeFileAtomic } from '../base/file/write-file-atomic.ts';
import { parseSessionId, type SessionId } from '../base/ids.ts';
import { log } from '../base/log.ts';
import { parseState, renderState, type SessionState } from './state.ts';

const stateFile = (dir: string, id: SessionId): string => join(dir, `${id}.json`);
const archiveDir = (dir: string): string => join(dir, '..', 'entire', 'archive');
const archivedFile = (dir: string, id: SessionId): string => stateFile(archiveDir(dir), id);

/** Whose state a file is, by its name; `undefined` for files of another kind. */
export const sessionOfStateFile = (name: string): SessionId | undefined =>
  name.endsWith('.json') ? parseSessionId(name.slice(0, -'.json'.length)) : undefined;

/**
 * The state of a session, also of one that was archived; `undefined` when it has none.
 *
 * @throws {EntireError} `STATE_UNREADABLE`
 */
export function readState(dir: string, id: SessionId): SessionState | undefined {
  const [current, archived] = [stateFile(dir, id), archivedFile(dir, id)];
  // Without the lock it can come back between the two looks.
  return readStateFile(current, id) ?? readStateFile(archived, id) ?? readStateFile(current, id);
}

function readStateFile(file: string, id: SessionId): SessionState | undefined {
  let state: SessionState;
  try {
    const text = readOwnText(file, 'record');
    if (text === undefined) return undefined;
    state = parseState(text);
  } catch (cause) {
    if (isSystemError(cause)) throw cause; // nothing is known of what the file holds
    throw new EntireError('STATE_UNREADABLE', `${file} is not a session state`, { cause });
  }
  // The name is what was validated and locked; what the file says builds the name it is written back to.
  if (state.sessionId !== id)
    throw new EntireError('STATE_UNREADABLE', `${file} is the state of another session`);
  return state;
}

const isSystemError = (error: unknown): boolean => error instanceof Error && 'syscall' in error;

/** Whether a session has a state, readable or not. */
export const hasState = (dir: string, id: SessionId): boolean =>
  disk.existsSync(stateFile(dir, id)) || disk.existsSync(archivedFile(dir, id));

/** Whether the state of a session is in the archive alone. */
export const isArchived = (dir: string, id: SessionId): boolean =>
  !disk.existsSync(stateFile(dir, id)) && disk.existsSync(archivedFile(dir, id));

/** {@link readState} for a look without the lock; a file that cannot be read says nothing. */
export function readStateIfReadable(dir: string, id: SessionId): SessionState | undefined {
  try {
    return readState(dir, id);
  } catch {
    return undefined;
  }
}

/**
 * {@link readState} for a hook that is about to write: an unreadable file is set aside as
 * `<file>.corrupt-<milliseconds>`, so that the session goes on and nothing is overwritten. Under the session lock.
 */
export function readStateOrSetAside(dir: string, id: SessionId): SessionState | undefined {
  try {
    return readState(dir, id);
  } catch (error) {
    if (!(error instanceof EntireError) || error.code !== 'STATE_UNREADABLE') throw error;
    const [current, archived] = [stateFile(dir, id), archivedFile(dir, id)];
    const aside = `${current}.corrupt-${Date.now()}`;
    disk.renameSync(disk.existsSync(current) ? current : archived, aside);
    log('warn', 'unreadable session state set aside', { session_id: id, file: aside });
    return undefined;
  }
}

/** Replaces the state file whole; the session is in the archive no more. Under the session lock. */
export function writeState(dir: string, state: SessionState): void {
  writeFileAtomic(stateFile(dir, state.sessionId), renderState(state), { fsync: true });
  removeIfExists(archivedFile(dir, state.sessionId));
}

/**
 * Takes a session out of the folder that every hook looks through; whoever asks for its state finds it in the archive.
 * Under the session lock. Returns whether it was moved.
 *
 * @param isOver judges the state as it is now
 */
export function archiveState(dir: string, id: SessionId, isOver: (state: SessionState) => boolean): boolean {
  const state = readStateFile(stateFile(dir, id), id);
  if (!state || !isOver(state)) return false;
  disk.mkdirSync(archiveDir(dir), { recursive: true, mode: 0o750 });
  disk.renameSync(stateFile(dir, id), archivedFile(dir, id));
  return true;
}

/** Tells one version of a state file from the next, which comes by a rename; empty when there is no file. */
export const fingerprintOf = (
  stat: { readonly ino: number; readonly mtimeMs: number; readonly size: number } | undefined,
): string => (stat ? `${stat.ino}:${stat.mtimeMs}:${stat.size}` : '');

function removeIfExists(file: string): void {
  try {
    disk.unlinkSync(file);
  } catch (error) {
    if (errnoOf(error) !== 'ENOENT' && errnoOf(error) !== 'ENOTDIR') throw error;
  }
}

/** The states that can be read, and the files that cannot. */
export interface StateListing {
  readonly states: readonly SessionState[];
  /** Files that are no session state; nothing here ever deletes them. */
  readonly unreadable: readonly string[];
}

/** Which sessions are listed. */
export interface StateQuery {
  /** Also those that are archived; so it is where nothing is said. */
  readonly archived: boolean;
}

/** The state files of all sessions, in order of name. */
export function listStateFiles(dir: string, { archived }: StateQuery = { archived: true }): string[] {
  const files = [...(archived ? [archiveDir(dir)] : []), dir].flatMap((folder) =>
    listNames(folder)
      .filter((name) => sessionOfStateFile(name) !== undefined)
      .map((name): [string, string] => [name, join(folder, name)]),
  );
  return [...new Map(files)].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, file]) => file);
}

/** Every session's state, in order of file name. Reads only. */
export function listStates(dir: string, query?: StateQuery): StateListing {
  const states: SessionState[] = [];
  const unreadable: string[] = [];
  for (const file of listStateFiles(dir, query)) {
    try {
      const state = readStateFile(file, sessionOfStateFile(basename(file)) as SessionId);
      if (state) states.push(state);
    } catch {
      unreadable.push(file);
    }
  }
  return { states, unreadable };
}

/** What may be the only copy of something is kept for this long. */
export const ONLY_COPY_MS = 30 * 24 * 60 * 60 * 1000;

/**
 * Sessions whose state could not be read and was set aside, as `readStateOrSetAside` names it: what it said may still be
 * needed for a while. May name one several times.
 *
 * @param dir `<git-common-dir>/entire-sessions`
 */
export const listSetAside = (dir: string): SessionId[] =>
  listNames(dir).flatMap((name) => {
    const [, file = '', time] = /^(.+\.json)\.corrupt-(\d+)$/.exec(name) ?? [];
    return now().getTime() - Number(time) <= ONLY_COPY_MS ? (sessionOfStateFile(file) ?? []) : [];
  });
