import { dirname } from 'node:path';
import { EntireError, errnoOf } from '../../base/errors.ts';
import { disk, O_CREAT, O_EXCL, O_RDWR } from '../../base/file/disk.ts';
import { loadSqlite, type OpenSqlite, SQLITE, type SqliteDatabase, SqliteFailure } from './sqlite-driver.ts';
import { readFrozen } from './sqlite-frozen.ts';
import { findKind, inTransaction, MIGRATIONS, type Migration, migrate } from './sqlite-schema.ts';

/** How long SQLite itself waits for a lock, in which nothing else of this process runs; after that we wait. */
const BLOCK_MS = 20;
const MAX_PAUSE_MS = 20;

interface Connection {
  readonly db: SqliteDatabase;
  /** The file that it has open: another one may have come in its place. */
  readonly identity: string;
  /** Whether it was looked at and set up for writing. */
  isWritable: boolean;
}

/** A database file that may be missing, locked, damaged or on a read-only disk. Opened when it is used first. */
export class SqliteFile {
  readonly file: string;
  private readonly waitMs: number;
  private readonly migrations: readonly Migration[];
  private connection: Connection | undefined;

  constructor(file: string, waitMs: number, migrations = MIGRATIONS) {
    this.file = file;
    this.waitMs = waitMs;
    this.migrations = migrations;
  }

  /**
   * Runs `body` on what is there now.
   *
   * @returns `undefined` where nothing has been written yet
   * @throws {EntireError} `STATE_UNREADABLE`, `LOCKED`
   */
  async read<T>(body: (db: SqliteDatabase) => T): Promise<T | undefined> {
    try {
      if (this.isMissing()) return undefined;
      const open = await loadSqlite();
      return await this.patiently(() => this.readOnce(open, body));
    } catch (error) {
      throw this.explain(error, 'STATE_UNREADABLE');
    }
  }

  /**
   * Runs `body` while nobody else writes; what it wrote is kept when it returns, all or nothing.
   *
   * @throws {EntireError} `STATE_UNREADABLE`, `LOCKED`, `WRITE_FAILED`; what `body` throws
   */
  async write<T>(body: (db: SqliteDatabase) => T): Promise<T> {
    try {
      const open = await loadSqlite();
      return await this.patiently(() => {
        const { db } = this.openWritable(open);
        return inTransaction(db, 'IMMEDIATE', () => {
          migrate(db, this.file, this.migrations);
          return body(db);
        });
      });
    } catch (error) {
      throw this.explain(error, 'WRITE_FAILED');
    }
  }

  /** Lets go of the file; the next use opens it again. What is in the `-wal` goes into the database, unless others use it. */
  close(): void {
    const { db, isWritable } = this.connection ?? {};
    this.connection = undefined;
    try {
      if (isWritable) db?.exec('PRAGMA busy_timeout = 0; PRAGMA wal_checkpoint(TRUNCATE)');
    } catch {
      // Nothing is lost: it stays in the `-wal`, where whoever opens the file next finds it.
    }
    db?.close();
  }

  private readOnce<T>(open: OpenSqlite, body: (db: SqliteDatabase) => T): T | undefined {
    try {
      const { db } = this.open(open);
      const look = () =>
        inTransaction(db, 'DEFERRED', () => {
          const kind = findKind(db, this.file, this.migrations);
          return { kind, value: kind === 'current' ? body(db) : undefined };
        });
      const { kind, value } = look();
      if (kind !== 'earlier') return value;
      inTransaction(db, 'IMMEDIATE', () => migrate(db, this.file, this.migrations));
      return look().value;
    } catch (error) {
      // A database with a `-wal` cannot be read where no `-shm` can be made.
      if (!isCode(error, SQLITE.CANTOPEN)) throw error;
      this.close();
      return readFrozen(open, this.file, body);
    }
  }

  private openWritable(open: OpenSqlite): Connection {
    this.ensureFile();
    const connection = this.open(open);
    if (connection.isWritable) return connection;
    const { db } = connection;
    inTransaction(db, 'DEFERRED', () => findKind(db, this.file, this.migrations)); // what is not ours gets no `-wal` either
    db.exec('PRAGMA journal_mode = WAL');
    connection.isWritable = true;
    return connection;
  }

  private open(open: OpenSqlite): Connection {
    const { dev, ino } = disk.statSync(this.file);
    const identity = `${dev}:${ino}`;
    if (this.connection?.identity === identity) return this.connection;
    this.close();
    const db = open(this.file, 'existing');
    this.connection = { db, identity, isWritable: false };
    // FULL: what `save` has said to be kept is kept after a power cut, too, as in a file. With NORMAL the last saves may be gone.
    db.exec(`PRAGMA busy_timeout = ${BLOCK_MS}; PRAGMA synchronous = FULL`);
    return this.connection;
  }

  /** SQLite would let others read it, and the files beside it, which have its permissions. */
  private ensureFile(): void {
    if (disk.existsSync(this.file)) return;
    disk.mkdirSync(dirname(this.file), { recursive: true, mode: 0o700 });
    try {
      disk.closeSync(disk.openSync(this.file, O_RDWR | O_CREAT | O_EXCL, 0o600));
    } catch (error) {
      if (errnoOf(error) !== 'EEXIST') throw error;
    }
  }

  private isMissing(): boolean {
    const stat = disk.statSync(this.file, { throwIfNoEntry: false });
    if (stat && stat.size > 0) return false;
    this.close();
    return true;
  }

  /** Waits while others have the file, without keeping this process from its other work. */
  private async patiently<T>(act: () => T): Promise<T> {
    for (const deadline = Date.now() + this.waitMs; ; ) {
      try {
        return act();
      } catch (error) {
        if (!isBusy(error) || Date.now() >= deadline) throw error;
      }
      await new Promise((resolve) => setTimeout(resolve, 1 + Math.random() * MAX_PAUSE_MS));
    }
  }

  /** What a failure means for whoever asked; a bug stays what it is. */
  private explain(error: unknown, otherwise: 'STATE_UNREADABLE' | 'WRITE_FAILED'): unknown {
    if (error instanceof EntireError) return error;
    if (!(error instanceof SqliteFailure) && errnoOf(error) === undefined) return error;
    this.close(); // in whatever state it is
    if (isBusy(error))
      return new EntireError('LOCKED', `another process holds ${this.file}.`, {
        hint: 'Try again when it has finished.',
        cause: error,
      });
    if (isCode(error, SQLITE.CORRUPT, SQLITE.NOTADB))
      return new EntireError('STATE_UNREADABLE', `${this.file} is not a database, or is a damaged one.`, {
        hint: 'It is left as it is. Move it away to begin anew; `sqlite3 FILE .recover` gets out what can be had.',
        cause: error,
      });
    const verb = otherwise === 'WRITE_FAILED' ? 'written' : 'read';
    return new EntireError(otherwise, `${this.file} cannot be ${verb}: ${(error as Error).message}`, {
      hint: 'Is there room on the disk, and may you write there? What was kept before is still there.',
      cause: error,
    });
  }
}

const isCode = (error: unknown, ...codes: readonly number[]): boolean =>
  error instanceof SqliteFailure && codes.includes(error.resultCode);

/** `PROTOCOL`: many processes began to read at the same moment. */
const isBusy = (error: unknown): boolean => isCode(error, SQLITE.BUSY, SQLITE.LOCKED, SQLITE.PROTOCOL);
