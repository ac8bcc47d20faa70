import { EntireError } from '../../base/errors.ts';
import { lstatIfExists } from '../../base/file/disk.ts';
import { loadSqlite, type SqliteDatabase } from '../../conversation/storage/sqlite-driver.ts';
import { SqliteFile } from '../../conversation/storage/sqlite-file.ts';
import { inTransaction, migrate } from '../../conversation/storage/sqlite-schema.ts';
import { dropSearchIndex } from '../../session/search-cache.ts';
import { FORMS } from './schema.ts';

/** An index that can be asked and added to. */
export interface SearchIndex {
  /** `undefined` where nothing has been written yet. @throws {EntireError} */
  read<T>(body: (db: SqliteDatabase) => T): Promise<T | undefined>;
  /** All or nothing. @throws {EntireError} `WRITE_FAILED`, `LOCKED` where it cannot be kept */
  write<T>(body: (db: SqliteDatabase) => T): Promise<T>;
  close(): void;
}

/** How long two searches wait for one another: each adds a little at a time. */
const WAIT_MS = 10_000;
/** Of a page that is written many times in a row the last form is enough. */
const CACHE_KIB = 32 * 1024;

/** Somebody took the index away: what was read before may be what is to be forgotten. */
export class IndexGone extends Error {
  override readonly name = 'IndexGone';
}

/** The index in a file. One that is damaged, or of another version, is made again: it is a cache. */
export function openIndex(file: string): SearchIndex {
  let own = new SqliteFile(file, WAIT_MS, FORMS);
  let identity = '';
  const renewing = async <T>(act: () => Promise<T>): Promise<T> => {
    try {
      return await act();
    } catch (error) {
      if (!(error instanceof EntireError) || error.code !== 'STATE_UNREADABLE') throw error;
      own.close();
      drop(file);
      identity = '';
      own = new SqliteFile(file, WAIT_MS, FORMS);
      return await act();
    }
  };
  const look = (): void => {
    const found = identify(file);
    if (identity !== '' && found !== identity) throw new IndexGone(`${file} was taken away`);
    identity = found;
  };
  return {
    read: (body) =>
      renewing(() => {
        look();
        return own.read(body);
      }),
    write: (body) =>
      renewing(async () => {
        look();
        const written = await own.write((db) => {
          look();
          db.exec(`PRAGMA secure_delete = ON; PRAGMA cache_size = -${CACHE_KIB}`);
          return body(db);
        });
        look();
        return written;
      }),
    close: () => own.close(),
  };
}

/**
 * Tells a file from one that comes in its place; empty where there is none.
 *
 * @throws {EntireError} `STATE_UNREADABLE` for anything else: SQLite would follow a link, and wait for a pipe
 */
function identify(file: string): string {
  const stat = lstatIfExists(file);
  if (stat && !stat.isFile()) throw new EntireError('STATE_UNREADABLE', `${file} is not a regular file.`);
  return stat ? `${stat.dev}:${stat.ino}` : '';
}

/** @throws {EntireError} `WRITE_FAILED` */
function drop(file: string): void {
  try {
    dropSearchIndex(file);
  } catch (cause) {
    throw new EntireError('WRITE_FAILED', `${file} is damaged, and cannot be removed.`, { cause });
  }
}

/** An index that is gone when it is closed, where none can be kept. */
export async function openInMemory(): Promise<SearchIndex> {
  const open = await loadSqlite();
  const db = open('', 'memory');
  inTransaction(db, 'IMMEDIATE', () => migrate(db, 'the index', FORMS));
  return {
    read: async (body) => body(db),
    write: async (body) => inTransaction(db, 'IMMEDIATE', () => body(db)),
    close: () => db.close(),
  };
}
