import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { sessionData } from '../../../integration/support/storage/sessions.ts';
import { SQLiteStorage } from './sqlite.ts';
import type { SqliteDatabase } from './sqlite-driver.ts';
import { SqliteFile } from './sqlite-file.ts';
import { MIGRATIONS, type Migration } from './sqlite-schema.ts';

let scratch: string;
let dbPath: string;
const opened: { close(): void }[] = [];
beforeEach(() => {
  scratch = mkdtempSync(join(tmpdir(), 'entire-sqlite-'));
  dbPath = join(scratch, 'sessions.db');
});
afterEach(() => {
  for (const one of opened.splice(0)) one.close();
  rmSync(scratch, { recursive: true, force: true });
});

function open(): SQLiteStorage {
  const storage = new SQLiteStorage({ dbPath });
  opened.push(storage);
  return storage;
}

describe('a database of an earlier version', () => {
  const later: readonly Migration[] = [
    ...MIGRATIONS,
    (db) => db.exec("ALTER TABLE sessions ADD COLUMN title TEXT NOT NULL DEFAULT 'none'"),
  ];
  const count = (db: SqliteDatabase) => db.get("SELECT count(*) AS n FROM sessions WHERE title = 'none'")?.n;
  const file = (migrations: readonly Migration[]) => {
    const one = new SqliteFile(dbPath, 2_000, migrations);
    opened.push(one);
    return one;
  };

  test.each(['read', 'write'] as const)(
    'is brought up to date by the first %s, with all its sessions',
    async (verb) => {
      for (const id of ['a', 'b']) await open().save(id, sessionData(id));
      expect(await file(later)[verb](count)).toBe(2);
      await expect(open().load('a')).rejects.toEqual(
        expect.objectContaining({
          code: 'STATE_UNREADABLE',
          message: expect.stringContaining('it has form 2'),
        }),
      );
    },
  );

  test('stays what it was when that fails', async () => {
    await open().save('a', sessionData('a'));
    const failingStep: Migration = (db) => db.exec('DELETE FROM sessions; SELECT * FROM nowhere');
    await expect(file([...later, failingStep]).write(count)).rejects.toEqual(
      expect.objectContaining({ code: 'WRITE_FAILED', message: expect.stringContaining('nowhere') }),
    );
    expect(await open().load('a')).toEqual(sessionData('a'));
  });

  test('is brought up to date once, though many begin at the same time', async () => {
    await open().save('a', sessionData('a'));
    expect(await Promise.all(Array.from({ length: 6 }, () => file(later).read(count)))).toEqual([
      1, 1, 1, 1, 1, 1,
    ]);
  });
});
