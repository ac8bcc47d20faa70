// @module-tag long
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Kind } from '../support/storage/kept.ts';
import { compileStorage, type Runtime, startStorage } from '../support/storage/processes.ts';

let scratch: string;
let folder: string;
const cleanUp: (() => void)[] = [];
beforeAll(compileStorage);
beforeEach(() => {
  scratch = mkdtempSync(join(tmpdir(), 'entire-disks-'));
  folder = join(scratch, 'disk');
  mkdirSync(folder);
});
afterEach(() => {
  for (const act of cleanUp.splice(0).reverse()) act();
  rmSync(scratch, { recursive: true, force: true });
});

type Skip = (reason: string) => never;

function mount(skip: Skip, ...args: readonly string[]): void {
  const { status, stderr } = spawnSync('mount', [...args, folder], { encoding: 'utf8' });
  if (status !== 0) skip(`no disk can be mounted here: ${stderr}`);
  cleanUp.push(() => spawnSync('umount', ['--lazy', folder]));
}

/** For root, too. */
function makeReadOnly(skip: Skip): void {
  mount(skip, '--bind', folder);
  const { status, stderr } = spawnSync('mount', ['-o', 'remount,bind,ro', folder], { encoding: 'utf8' });
  if (status !== 0) skip(`no disk can be made read-only here: ${stderr}`);
}

/** Everything on the disk, byte for byte. */
const contents = (dir = folder): [string, string][] =>
  readdirSync(dir, { recursive: true, withFileTypes: true })
    .filter((one) => one.isFile() && !one.name.endsWith('-shm')) // what readers note of each other
    .map((one) => [one.name, readFileSync(join(one.parentPath, one.name), 'latin1')]);

async function run(runtime: Runtime, ...args: readonly string[]): Promise<string[]> {
  const { lines, code, stderr } = await startStorage(runtime, ...args).done;
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return [...lines];
}

const look = async (runtime: Runtime, kind: Kind): Promise<unknown> =>
  JSON.parse((await run(runtime, 'look', kind, join(folder, 'place'), 'a-0'))[0] ?? '');

const REFUSED = { save: 'WRITE_FAILED', delete: 'WRITE_FAILED', deleteNone: 'done', still: 1 };
const words = [expect.stringMatching(/^a-0 /)];

describe.each<Runtime>(['native', 'node'])('%s', { timeout: 180_000 }, (runtime) => {
  test.for<Kind>(['files', 'sqlite'])('a read-only disk can be read: %s', async (kind, { skip }) => {
    await run('native', 'save', kind, join(folder, 'place'), 'a', '1');
    const before = contents();
    makeReadOnly(skip);
    expect(await look(runtime, kind)).toEqual({ listed: ['a-0'], words, ...REFUSED });
    expect(contents()).toEqual(before);
  });

  test('a read-only disk with a database whose writer was killed can be read, all of it', async ({
    skip,
  }) => {
    const writer = startStorage('native', 'save', 'sqlite', join(folder, 'place'), 'a', '100000');
    while (writer.lines.length < 5) await new Promise((resolve) => setTimeout(resolve, 5));
    writer.kill();
    await writer.done;
    rmSync(join(folder, 'place.db-shm')); // as in a copy of the two others
    expect(statSync(join(folder, 'place.db-wal')).size).toBeGreaterThan(0);
    makeReadOnly(skip);
    const { listed, save, still } = (await look(runtime, 'sqlite')) as Record<string, unknown>;
    expect(listed).toEqual(expect.arrayContaining(['a-0', 'a-1', 'a-2', 'shared', 'a-4']));
    expect([save, still]).toEqual(['WRITE_FAILED', expect.any(Number)]);
    expect(readdirSync(tmpdir()).filter((name) => name.startsWith('entire-sessions-'))).toEqual([]);
  });

  test.for<Kind>(['files', 'sqlite'])('a disk that is full keeps what it has: %s', async (kind, { skip }) => {
    mount(skip, '-t', 'tmpfs', '-o', 'size=1m', 'tmpfs');
    await run('native', 'save', kind, join(folder, 'place'), 'a', '1');
    const seen = await look(runtime, kind); // it saves 4 MB
    expect(seen).toEqual({
      listed: ['a-0'],
      words,
      save: 'WRITE_FAILED',
      delete: 'done',
      deleteNone: 'done',
    });
    expect(contents().filter(([name]) => name.endsWith('.tmp'))).toEqual([]);
    await run(runtime, 'save', kind, join(folder, 'place'), 'b', '1');
  });
});
