import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, test } from 'vitest';
import { CONTRACT } from '../../../integration/support/storage/contract.ts';
import { FileStorage } from './file.ts';
import { InMemoryStorage } from './in-memory.ts';
import { SQLiteStorage } from './sqlite.ts';
import type { Storage } from './storage.ts';

let scratch: string;
beforeEach(() => {
  scratch = mkdtempSync(join(tmpdir(), 'entire-storage-'));
});
afterEach(() => rmSync(scratch, { recursive: true, force: true, maxRetries: 10 }));

/** What opens one place of each kind, again and again. */
const KINDS: Readonly<Record<string, () => () => Storage>> = {
  'in memory': () => {
    const storage = new InMemoryStorage();
    return () => storage;
  },
  'in files': () => () => new FileStorage({ directory: join(scratch, 'sessions') }),
  'in SQLite': () => () => new SQLiteStorage({ dbPath: join(scratch, 'sessions.db') }),
  'in SQLite, by one connection': () => {
    const storage = new SQLiteStorage({ dbPath: join(scratch, 'sessions.db') });
    return () => storage;
  },
};

describe.each(Object.entries(KINDS))('sessions %s', (_, place) => {
  for (const { name, hold } of CONTRACT) test(name, () => hold(place()));
});
