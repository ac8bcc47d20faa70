import { EntireError } from '../../base/errors.ts';
import { parseSessionId } from '../../base/ids.ts';
import { parseJson } from '../../base/text/json.ts';
import { resolveHome, sessionsDatabase } from '../home.ts';
import { renderJson, requireSessionData, requireStorable, type SessionData } from '../session-data.ts';
import { SQLITE, SqliteFailure, type SqliteRow } from './sqlite-driver.ts';
import { SqliteFile } from './sqlite-file.ts';
import { requireExpected, requireId, requireOwn, type Storage, WAIT_MS } from './storage.ts';

export interface SQLiteStorageOptions {
  /** Default: `~/.entire/sessions.db`. A `~` at its beginning is the home of who runs this. */
  readonly dbPath?: string;
  /** How long to wait for other processes. Default: ten seconds. */
  readonly waitMs?: number;
}

const SELECT = `SELECT session_id, messages, system, parent_id, created_at, updated_at, metadata
  FROM sessions WHERE session_id = ?`;
const SELECT_TIME = 'SELECT updated_at FROM sessions WHERE session_id = ?';
/** What is replaced goes, and comes again with the highest `position`. */
const REPLACE = `INSERT OR REPLACE INTO sessions
  (session_id, messages, system, parent_id, created_at, updated_at, metadata) VALUES (?, ?, ?, ?, ?, ?, ?)`;

/** All sessions in one SQLite database, in WAL mode: readers and a writer do not wait for each other. */
export class SQLiteStorage implements Storage {
  /** Absolute. */
  readonly dbPath: string;
  private readonly file: SqliteFile;

  /** @throws {EntireError} `BAD_FLAGS` for a `dbPath` that names no file */
  constructor({ dbPath = sessionsDatabase(), waitMs = WAIT_MS }: SQLiteStorageOptions = {}) {
    if (dbPath === '' || dbPath === ':memory:' || dbPath.includes('\0'))
      throw new EntireError('BAD_FLAGS', `\`dbPath\` names no file: ${JSON.stringify(dbPath)}.`, {
        hint: 'For sessions that last as long as the process there is InMemoryStorage.',
      });
    this.dbPath = resolveHome(dbPath);
    this.file = new SqliteFile(this.dbPath, waitMs);
  }

  async save(sessionId: string, data: SessionData, expected?: number | null): Promise<void> {
    const id = requireOwn(requireId(sessionId), data);
    requireStorable(data);
    const { messages, system, parent_id, created_at, updated_at, metadata } = data;
    const [words, prompt, rest] = [messages, system, metadata].map(renderJson) as [string, string, string];
    await this.file.write((db) => {
      if (expected !== undefined) {
        const kept = db.get(SELECT_TIME, id)?.updated_at;
        requireExpected(id, kept === undefined ? undefined : Number(kept), expected);
      }
      db.run(REPLACE, id, words, system === null ? null : prompt, parent_id, created_at, updated_at, rest);
    });
  }

  async load(sessionId: string): Promise<SessionData | undefined> {
    const id = requireId(sessionId);
    const row = await this.file.read((db) => db.get(SELECT, id));
    if (row === undefined) return undefined;
    const { session_id, messages, system, parent_id, created_at, updated_at, metadata } = row;
    const data = {
      session_id,
      messages: jsonOf(messages),
      system: system === null ? null : jsonOf(system),
      parent_id,
      created_at,
      updated_at,
      metadata: jsonOf(metadata),
    };
    return requireSessionData(data, `${this.dbPath} (session ${id})`);
  }

  async listSessions(): Promise<string[]> {
    const ids = await this.file.read((db) =>
      db.all('SELECT session_id FROM sessions ORDER BY position DESC').map(idOf),
    );
    return ids ?? [];
  }

  async delete(sessionId: string): Promise<void> {
    const id = requireId(sessionId);
    if ((await this.file.read((db) => db.get(SELECT_TIME, id))) === undefined) return;
    await this.file.write((db) => db.run('DELETE FROM sessions WHERE session_id = ?', id));
  }

  /**
   * Lets go of the database; the next call opens it again. A process may end without it.
   *
   * In Node on Windows the file can be removed only some time later, when the garbage collector has been there.
   *
   * @see https://github.com/tursodatabase/libsql-js/issues/228
   */
  close(): void {
    this.file.close();
  }
}

/** A page of which the end is gone reads as rows of nothing, and SQLite does not notice. */
function idOf({ session_id }: SqliteRow): string {
  const id = parseSessionId(session_id);
  if (id === undefined) throw new SqliteFailure(SQLITE.CORRUPT, new Error('a row has no id'));
  return id;
}

/** A column that holds JSON. */
const jsonOf = (text: unknown): unknown => (typeof text === 'string' ? parseJson(text) : undefined);
