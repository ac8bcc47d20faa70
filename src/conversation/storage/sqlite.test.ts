import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { message, oddSession, sessionData } from '../../../integration/support/storage/sessions.ts';
import { SQLiteStorage } from './sqlite.ts';
import { loadSqlite, type SqliteDatabase } from './sqlite-driver.ts';
import { SqliteFile } from './sqlite-file.ts';
import { MIGRATIONS } from './sqlite-schema.ts';

let scratch: string;
let dbPath: string;
const opened: { close(): void }[] = [];
beforeEach(() => {
  scratch = mkdtempSync(join(tmpdir(), 'entire-sqlite-'));
  dbPath = join(scratch, 'home', 'sessions.db');
});
afterEach(() => {
  for (const one of opened.splice(0)) one.close();
  rmSync(scratch, { recursive: true, force: true });
});

function open(waitMs = 2_000): SQLiteStorage {
  const storage = new SQLiteStorage({ dbPath, waitMs });
  opened.push(storage);
  return storage;
}

/** The database as any other program sees it. */
async function raw(file = dbPath): Promise<SqliteDatabase> {
  mkdirSync(dirname(file), { recursive: true });
  if (!existsSync(file)) writeFileSync(file, '');
  const db = (await loadSqlite())(file, 'existing');
  opened.push(db);
  return db;
}

const failing = (code: string, message: RegExp | string = '') =>
  expect.objectContaining({ code, message: expect.stringMatching(message), hint: expect.any(String) });

/** None of the four calls does anything but refuse, and the file stays as it is. */
async function expectRefused(code: string, message: RegExp | string): Promise<void> {
  const before = readFileSync(dbPath);
  const storage = open();
  await expect(storage.load('s')).rejects.toEqual(failing(code, message));
  await expect(storage.listSessions()).rejects.toEqual(failing(code, message));
  await expect(storage.save('s', sessionData('s'))).rejects.toEqual(failing(code, message));
  await expect(storage.delete('s')).rejects.toEqual(failing(code, message));
  storage.close();
  expect(readFileSync(dbPath).equals(before)).toBe(true);
}

describe('the file', () => {
  test('is made for nobody else, with those beside it and the folders above', async () => {
    await open().save('s', sessionData('s'));
    const { mode } = statSync(dirname(dbPath));
    expect(mode & 0o777).toBe(0o700);
    const files = readdirSync(dirname(dbPath)).sort();
    expect(files).toEqual(['sessions.db', 'sessions.db-shm', 'sessions.db-wal']);
    for (const file of files) expect(statSync(join(dirname(dbPath), file)).mode & 0o777).toBe(0o600);
  });

  test('is a database in WAL mode, with a row for each session: JSON, and columns for the rest', async () => {
    await open().save('s', oddSession('s'));
    const db = await raw();
    expect(db.get('PRAGMA journal_mode')?.journal_mode).toBe('wal');
    expect(db.get('PRAGMA user_version')?.user_version).toBe(MIGRATIONS.length);
    const { messages, system, metadata, updated_at } = db.get('SELECT * FROM sessions') ?? {};
    const odd = oddSession('s');
    expect([messages, system, metadata]).toEqual(
      [odd.messages, odd.system, odd.metadata].map((one) => JSON.stringify(one)),
    );
    expect(updated_at).toBe(odd.updated_at);
  });

  test('is not made by looking', async () => {
    expect(await open().load('s')).toBeUndefined();
    expect(await open().listSessions()).toEqual([]);
    await open().delete('s');
    expect(existsSync(dirname(dbPath))).toBe(false);
  });

  test('of no bytes is a new database', async () => {
    mkdirSync(dirname(dbPath));
    writeFileSync(dbPath, '');
    expect(await open().listSessions()).toEqual([]);
    expect(statSync(dbPath).size).toBe(0);
    await open().save('s', sessionData('s'));
    expect(await open().listSessions()).toEqual(['s']);
  });

  test('may have any name, and be behind a link', async () => {
    mkdirSync(join(scratch, 'real'));
    symlinkSync(join(scratch, 'real'), dirname(dbPath));
    for (const name of ['a?mode=memory', 'b#c', 'd%20e', "f'g", 'é ü', 'file:x']) {
      dbPath = join(dirname(dbPath), name);
      await open().save('s', sessionData('s', { system: name }));
      expect((await open().load('s'))?.system).toBe(name);
      expect(existsSync(join(scratch, 'real', name))).toBe(true);
    }
  });

  test('is the one in the home of who runs it, and `~` in its name means that home', () => {
    const before = process.env.HOME;
    process.env.HOME = scratch;
    try {
      expect(new SQLiteStorage().dbPath).toBe(join(scratch, '.entire', 'sessions.db'));
      expect(new SQLiteStorage({ dbPath: '~/x.db' }).dbPath).toBe(join(scratch, 'x.db'));
    } finally {
      process.env.HOME = before;
    }
    for (const wrong of ['', ':memory:', 'a\0'])
      expect(() => new SQLiteStorage({ dbPath: wrong })).toThrow(failing('BAD_FLAGS'));
  });

  test('is whole by itself after `close`, and is opened again by the next call', async () => {
    const storage = open();
    await storage.save('s', sessionData('s'));
    storage.close();
    storage.close();
    copyFileSync(dbPath, join(scratch, 'copy.db'));
    expect(await new SQLiteStorage({ dbPath: join(scratch, 'copy.db') }).listSessions()).toEqual(['s']);
    expect(await storage.listSessions()).toEqual(['s']);
  });

  test('that another one takes the place of is seen; nothing is written to what is no more there', async () => {
    const storage = open();
    await storage.save('s', sessionData('s'));
    renameSync(dirname(dbPath), join(scratch, 'moved'));
    expect(await storage.listSessions()).toEqual([]);
    await storage.save('t', sessionData('t'));
    expect(await open().listSessions()).toEqual(['t']);
    dbPath = join(scratch, 'moved', 'sessions.db');
    expect(await open().listSessions()).toEqual(['s']);
  });
});

describe('what is not ours to write', () => {
  test('a later version', async () => {
    await open().save('s', sessionData('s'));
    open().close();
    const db = await raw();
    db.exec('PRAGMA user_version = 7; PRAGMA wal_checkpoint(TRUNCATE)');
    await expectRefused('STATE_UNREADABLE', 'later version of entire: it has form 7');
  });

  test('a later version that comes while a storage has the file open', async () => {
    const storage = open();
    await storage.save('s', sessionData('s'));
    (await raw()).exec('PRAGMA user_version = 7');
    await expect(storage.save('t', sessionData('t'))).rejects.toEqual(
      failing('STATE_UNREADABLE', 'later version'),
    );
    await expect(storage.load('s')).rejects.toEqual(failing('STATE_UNREADABLE', 'later version'));
  });

  test.each([
    'CREATE TABLE notes (a)',
    'CREATE TABLE sessions (id)',
    'PRAGMA application_id = 7',
    'PRAGMA user_version = 1',
  ])('a database of another program: %s', async (sql) => {
    (await raw()).exec(sql);
    await expectRefused('STATE_UNREADABLE', 'a database of another program');
    expect(readdirSync(dirname(dbPath))).toEqual(['sessions.db']);
  });

  test.each(['no database at all', 'x'.repeat(20_000), '\0'.repeat(8_192)])(
    'a file that is no database: %#',
    async (text) => {
      mkdirSync(dirname(dbPath));
      writeFileSync(dbPath, text);
      await expectRefused('STATE_UNREADABLE', /not a database, or is a damaged one|another program/);
    },
  );

  test('a folder', async () => {
    mkdirSync(dbPath, { recursive: true });
    await expect(open().load('s')).rejects.toEqual(failing('STATE_UNREADABLE', dbPath));
    await expect(open().save('s', sessionData('s'))).rejects.toEqual(failing('WRITE_FAILED', dbPath));
  });

  test('a database that was cut short: what can be read is, the rest is said, and nothing is written over it', async () => {
    const messages = [message('x'.repeat(100_000))];
    for (const id of ['a', 'b', 'c']) await open().save(id, sessionData(id, { messages }));
    for (const one of opened.splice(0)) one.close();
    truncateSync(dbPath, 8_192);
    const before = readFileSync(dbPath);
    const storage = open();
    await expect(storage.load('c')).rejects.toEqual(failing('STATE_UNREADABLE', 'a damaged one'));
    await expect(storage.save('c', sessionData('c'))).rejects.toEqual(failing('STATE_UNREADABLE'));
    storage.close();
    expect(readFileSync(dbPath).equals(before)).toBe(true);
  });

  test('a database that was cut anywhere names no session that is not there', async () => {
    const ids = Array.from({ length: 50 }, (_, index) => `a${index}`);
    for (const id of ids) await open().save(id, sessionData(id));
    for (const one of opened.splice(0)) one.close();
    const whole = readFileSync(dbPath);
    for (let size = 4_096; size < whole.length; size += 452) {
      writeFileSync(dbPath, whole);
      truncateSync(dbPath, size);
      const storage = open();
      const listed = await storage.listSessions().catch((error: { code: unknown }) => error.code);
      if (listed !== 'STATE_UNREADABLE') expect(ids).toEqual(expect.arrayContaining(listed as string[]));
      storage.close();
    }
  });

  test('a row that holds no session: is said, and stops no other', async () => {
    for (const id of ['a', 'b']) await open().save(id, sessionData(id));
    (await raw()).exec("UPDATE sessions SET messages = '[{' WHERE session_id = 'a'");
    await expect(open().load('a')).rejects.toEqual(failing('STATE_UNREADABLE', `${dbPath} \\(session a\\)`));
    expect(await open().load('b')).toEqual(sessionData('b'));
    await open().delete('a');
    expect(await open().listSessions()).toEqual(['b']);
  });
});

describe('a database that another one holds', () => {
  test('can be read, and is waited for to be written', async () => {
    await open().save('s', sessionData('s'));
    const holder = await raw();
    holder.exec('BEGIN IMMEDIATE');
    expect(await open().load('s')).toEqual(sessionData('s'));
    await expect(open(60).save('s', sessionData('s'))).rejects.toEqual(failing('LOCKED', dbPath));
    await expect(open(60).delete('s')).rejects.toEqual(failing('LOCKED'));
    const saved = open(5_000).save('t', sessionData('t'));
    setTimeout(() => holder.exec('COMMIT'), 150); // this process goes on while it waits
    await saved;
    expect(await open().listSessions()).toEqual(['t', 's']);
  });

  test('alone: cannot be read either', async () => {
    await open().save('s', sessionData('s'));
    for (const one of opened.splice(0)) one.close();
    dbPath = await withoutWal();
    const holder = await raw();
    holder.exec('BEGIN EXCLUSIVE');
    await expect(open(60).load('s')).rejects.toEqual(failing('LOCKED'));
    await expect(open(60).listSessions()).rejects.toEqual(failing('LOCKED'));
    holder.exec('COMMIT');
    expect(await open().load('s')).toEqual(sessionData('s'));
  });

  /** Somebody has switched WAL off: then a writer keeps readers out. */
  async function withoutWal(): Promise<string> {
    const copy = join(scratch, 'rollback.db');
    copyFileSync(dbPath, copy);
    const db = await raw(copy);
    db.exec('PRAGMA journal_mode = DELETE');
    db.close();
    opened.pop();
    return copy;
  }
});

test('a disk that has no room: the save is said to have failed, the one before is kept, and it goes on afterwards', async () => {
  const storage = open();
  await storage.save('s', sessionData('s', { system: 'before' }));
  const limited = new SqliteFile(dbPath, 100);
  opened.push(limited);
  const fill = limited.write((db) => {
    db.exec('PRAGMA max_page_count = 1'); // to SQLite a full disk: SQLITE_FULL
    db.run('UPDATE sessions SET messages = ?', 'x'.repeat(1_000_000));
  });
  await expect(fill).rejects.toEqual(failing('WRITE_FAILED', 'full'));
  expect((await storage.load('s'))?.system).toBe('before');
  await storage.save('s', sessionData('s', { system: 'after' }));
  expect((await open().load('s'))?.system).toBe('after');
});

test('a file keeps the permissions that somebody gave it', async () => {
  await open().save('s', sessionData('s'));
  chmodSync(dbPath, 0o640);
  await open().save('s', sessionData('s'));
  expect(statSync(dbPath).mode & 0o777).toBe(0o640);
});
