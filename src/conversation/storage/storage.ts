import { EntireError } from '../../base/errors.ts';
import { parseSessionId, type SessionId } from '../../base/ids.ts';
import type { SessionData } from '../session-data.ts';

/** Where sessions are kept. Several processes may use the same place at once. */
export interface Storage {
  /**
   * Keeps a session, whole or not at all.
   *
   * @param expected the `updated_at` of what is there, `null` for nothing: without it, whatever is there is replaced
   * @throws {EntireError} `INVALID_ID`, also when the data are of another id; `UNSUPPORTED` for what is no session;
   * `SESSION_MOVED` when something else is there than expected; `WRITE_FAILED`, `LOCKED`; `STATE_UNREADABLE` when the store
   * is that of a later version, or damaged: it stays as it is
   */
  save(sessionId: string, data: SessionData, expected?: number | null): Promise<void>;
  /**
   * @returns `undefined` when there is none of that id
   * @throws {EntireError} `INVALID_ID`, `STATE_UNREADABLE`, `LOCKED`
   */
  load(sessionId: string): Promise<SessionData | undefined>;
  /** The ids of all that are kept, the one that was saved last first. */
  listSessions(): Promise<string[]>;
  /** Removes a session; does nothing when there is none. @throws {EntireError} as {@link save} */
  delete(sessionId: string): Promise<void>;
}

/** @throws {EntireError} `INVALID_ID` for what no file may be named after */
export function requireId(sessionId: string): SessionId {
  const id = parseSessionId(sessionId);
  if (id === undefined)
    throw new EntireError('INVALID_ID', `no session id: ${JSON.stringify(sessionId)}`, {
      hint: 'Letters, digits, `.`, `_` and `-`; at most 128.',
    });
  return id;
}

/** How long a storage waits for other processes, where nothing else is said. */
export const WAIT_MS = 10_000;

/** @throws {EntireError} `INVALID_ID` when a session is to be kept under an id that it does not have */
export function requireOwn(id: SessionId, { session_id }: SessionData): SessionId {
  if (session_id === id) return id;
  throw new EntireError('INVALID_ID', `session ${id} cannot be kept: its \`session_id\` is ${session_id}.`);
}

/** @throws {EntireError} `SESSION_MOVED` unless what is kept is what a caller expects */
export function requireExpected(
  sessionId: string,
  kept: number | undefined,
  expected: number | null | undefined,
): void {
  if (expected === undefined || (kept ?? null) === expected) return;
  throw new EntireError('SESSION_MOVED', `another process has saved the session ${sessionId} meanwhile.`, {
    hint: 'Load it again, or fork what you have.',
  });
}
