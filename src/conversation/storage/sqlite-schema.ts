import { EntireError } from '../../base/errors.ts';
import type { SqliteDatabase } from './sqlite-driver.ts';

/**
 * `PRAGMA application_id` of our databases, "Entr": any other database with tables is somebody else's.
 *
 * @see https://www.sqlite.org/pragma.html#pragma_application_id
 */
const APPLICATION_ID = 0x456e7472;

/** Brings a database from one version to the next. */
export type Migration = (db: SqliteDatabase) => void;

/**
 * From nothing to today's form, step by step; `PRAGMA user_version` is how many of them a database has seen. A released one
 * never changes.
 *
 * `messages`, `metadata` and `system` are JSON, the last one too: text in SQLite can hold neither every text of
 * JavaScript nor a NUL. `messages` stands last, so that the others are read without it. `position` grows with every save.
 */
export const MIGRATIONS: readonly Migration[] = [
  (db) =>
    db.exec(`
      CREATE TABLE sessions (
        position INTEGER PRIMARY KEY,
        session_id TEXT NOT NULL UNIQUE,
        parent_id TEXT,
        created_at REAL NOT NULL,
        updated_at REAL NOT NULL,
        system TEXT,
        metadata TEXT NOT NULL,
        messages TEXT NOT NULL
      )`),
];

/** What is in a file: nothing yet, an earlier form of ours, or today's. */
type DatabaseKind = 'empty' | 'earlier' | 'current';

/**
 * What is in a database; in a transaction of the caller's, for another process may bring it up to date at any time.
 *
 * @param file names it in a failure
 * @throws {EntireError} `STATE_UNREADABLE` for one of a later version, and for another program's; {@link SqliteFailure}
 */
export function findKind(db: SqliteDatabase, file: string, migrations = MIGRATIONS): DatabaseKind {
  const application = readNumber(db, 'PRAGMA application_id', 'application_id');
  const version = readVersion(db);
  const tables = readNumber(db, 'SELECT count(*) AS tables FROM sqlite_schema', 'tables');
  if (application === 0 && version === 0 && tables === 0) return 'empty';
  if (application !== APPLICATION_ID)
    throw new EntireError('STATE_UNREADABLE', `${file} is a database of another program.`, {
      hint: 'It is left as it is. Name another file for sessions.',
    });
  if (version > migrations.length)
    throw new EntireError(
      'STATE_UNREADABLE',
      `${file} was written by a later version of entire: it has form ${version}, the last one known here is ${migrations.length}.`,
      { hint: 'It is left as it is. Update entire, or name another file for sessions.' },
    );
  return version === migrations.length ? 'current' : 'earlier';
}

/** Brings a database to today's form; in a transaction that may write. @throws as {@link findKind} */
export function migrate(db: SqliteDatabase, file: string, migrations = MIGRATIONS): void {
  if (findKind(db, file, migrations) === 'current') return;
  for (const step of migrations.slice(readVersion(db))) step(db);
  db.exec(`PRAGMA application_id = ${APPLICATION_ID}; PRAGMA user_version = ${migrations.length}`);
}

/** Runs `body` in a transaction: what it wrote is kept when it returns, and only then. */
export function inTransaction<T>(db: SqliteDatabase, mode: 'DEFERRED' | 'IMMEDIATE', body: () => T): T {
  db.exec(`BEGIN ${mode}`);
  try {
    const result = body();
    db.exec('COMMIT');
    return result;
  } catch (error) {
    rollBack(db);
    throw error;
  }
}

function rollBack(db: SqliteDatabase): void {
  try {
    db.exec('ROLLBACK');
  } catch {
    // SQLite has done it by itself, as after a full disk; the failure that is on its way says why.
  }
}

const readVersion = (db: SqliteDatabase): number => readNumber(db, 'PRAGMA user_version', 'user_version');

const readNumber = (db: SqliteDatabase, sql: string, column: string): number => Number(db.get(sql)?.[column]);
