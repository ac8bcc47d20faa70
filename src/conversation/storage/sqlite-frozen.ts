import { join } from 'node:path';
import { EntireError } from '../../base/errors.ts';
import { disk, makeTemporaryFolder } from '../../base/file/disk.ts';
import { type OpenSqlite, SQLITE, type SqliteDatabase, SqliteFailure } from './sqlite-driver.ts';
import { findKind } from './sqlite-schema.ts';

/**
 * Reads a database where SQLite can put no files beside it: on a read-only disk, in a folder of somebody else's. As it is there
 * when everything is in the database itself, in a copy when the last writer left some of it in the `-wal`.
 *
 * @returns `undefined` where nothing has been written yet
 * @throws {SqliteFailure} `BUSY` when it has changed meanwhile, for then anything may have been read; {@link EntireError}
 */
export function readFrozen<T>(
  open: OpenSqlite,
  file: string,
  body: (db: SqliteDatabase) => T,
): T | undefined {
  const before = fingerprint(file);
  let outcome: () => T | undefined;
  try {
    const value = hasLog(file)
      ? readCopy(open, file, body)
      : readImmutable(open, { file, shownAs: file }, body);
    outcome = () => value;
  } catch (error) {
    outcome = () => {
      throw error;
    };
  }
  if (fingerprint(file) !== before)
    throw new SqliteFailure(SQLITE.BUSY, new Error(`${file} changes while it is read`));
  return outcome();
}

function readImmutable<T>(
  open: OpenSqlite,
  { file, shownAs }: { readonly file: string; readonly shownAs: string },
  body: (db: SqliteDatabase) => T,
): T | undefined {
  const db = open(file, 'immutable');
  try {
    const kind = findKind(db, shownAs);
    if (kind === 'earlier')
      throw new EntireError(
        'STATE_UNREADABLE',
        `${shownAs} was written by an earlier version of entire, and cannot be brought up to date here.`,
        { hint: 'Copy it to where you may write.' },
      );
    return kind === 'empty' ? undefined : body(db);
  } finally {
    db.close();
  }
}

function readCopy<T>(open: OpenSqlite, file: string, body: (db: SqliteDatabase) => T): T | undefined {
  const folder = makeTemporaryFolder('entire-sessions-');
  const copy = join(folder, 'sessions.db');
  try {
    for (const ending of ['', LOG]) disk.copyFileSync(`${file}${ending}`, `${copy}${ending}`);
    disk.chmodSync(copy, 0o600);
    const db = open(copy, 'existing');
    try {
      db.exec('PRAGMA wal_checkpoint(TRUNCATE)');
    } finally {
      db.close();
    }
    return readImmutable(open, { file: copy, shownAs: file }, body);
  } finally {
    disk.rmSync(folder, { recursive: true, force: true });
  }
}

const LOG = '-wal';

const hasLog = (file: string): boolean =>
  (disk.statSync(`${file}${LOG}`, { throwIfNoEntry: false })?.size ?? 0) > 0;

const fingerprint = (file: string): string =>
  JSON.stringify(
    [file, `${file}${LOG}`].map((one) => {
      const stat = disk.statSync(one, { throwIfNoEntry: false });
      return stat && [stat.dev, stat.ino, stat.size, stat.mtimeMs];
    }),
  );
