import { join } from 'node:path';
import { disk, listNames, readTextIfExists } from '../base/disk.ts';
import { EntireError } from '../base/errors.ts';
import { parseSessionId, type SessionId } from '../base/ids.ts';
import { log } from '../base/log.ts';
import { writeFileAtomic } from '../base/write-file-atomic.ts';
import { parseState, renderState, type SessionState } from './state.ts';

const stateFile = (dir: string, id: SessionId): string => join(dir, `${id}.json`);

/** Whose state a file is, by its name; `undefined` for files of another kind. */
export const sessionOfStateFile = (name: string): SessionId | undefined =>
  name.endsWith('.json') ? parseSessionId(name.slice(0, -'.json'.length)) : undefined;

/** The state of a session, or `undefined` when it has none. @throws {EntireError} `STATE_UNREADABLE` */
export function readState(dir: string, id: SessionId): SessionState | undefined {
  const file = stateFile(dir, id);
  const text = readTextIfExists(file);
  if (text === undefined) return undefined;
  let state: SessionState;
  try {
    state = parseState(text);
  } catch (cause) {
    throw new EntireError('STATE_UNREADABLE', `${file} is not a session state`, { cause });
  }
  // The name is what was validated and locked; what the file says builds the name it is written back to.
  if (state.sessionId !== id)
    throw new EntireError('STATE_UNREADABLE', `${file} is the state of another session`);
  return state;
}

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
    const aside = `${stateFile(dir, id)}.corrupt-${Date.now()}`;
    disk.renameSync(stateFile(dir, id), aside);
    log('warn', 'unreadable session state set aside', { session_id: id, file: aside });
    return undefined;
  }
}

/** Replaces the state file whole. Under the session lock. */
export function writeState(dir: string, state: SessionState): void {
  writeFileAtomic(stateFile(dir, state.sessionId), renderState(state), { fsync: true });
}

/** The states that can be read, and the files that cannot. */
export interface StateListing {
  readonly states: readonly SessionState[];
  /** Files that are no session state; nothing here ever deletes them. */
  readonly unreadable: readonly string[];
}

/** Every session's state, in order of file name. Reads only. */
export function listStates(dir: string): StateListing {
  const states: SessionState[] = [];
  const unreadable: string[] = [];
  for (const name of listNames(dir).sort()) {
    const id = sessionOfStateFile(name);
    if (id === undefined) continue;
    try {
      const state = readState(dir, id);
      if (state) states.push(state);
    } catch {
      unreadable.push(join(dir, name));
    }
  }
  return { states, unreadable };
}
