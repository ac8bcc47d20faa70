import {
  chmodSync,
  closeSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { oddSession, sessionData } from '../../../integration/support/storage/sessions.ts';
import { type Disk, disk, replaceDisk } from '../../base/file/disk.ts';
import { FileStorage } from './file.ts';

let scratch: string;
let folder: string;
const cleanUp: (() => void)[] = [];
beforeEach(() => {
  scratch = mkdtempSync(join(tmpdir(), 'entire-files-'));
  folder = join(scratch, 'sessions');
});
afterEach(() => {
  for (const act of cleanUp.splice(0).reverse()) act();
  rmSync(scratch, { recursive: true, force: true });
});

const open = (waitMs = 2_000) => new FileStorage({ directory: folder, waitMs });
const fileOf = (id: string) => join(folder, `${id}.json`);
const failing = (code: string, message: RegExp | string = '') =>
  expect.objectContaining({ code, message: expect.stringMatching(message) });
const replace = (calls: Partial<Disk>) => cleanUp.push(replaceDisk(calls));

/** Fails as a disk does. */
const errno = (code: string, path: string) => Object.assign(new Error(`${code}: ${path}`), { code, path });

describe('the folder', () => {
  test('is made for nobody else, with the folders above it; a file is 0600, and one JSON object on a line', async () => {
    folder = join(scratch, 'a', 'b');
    await open().save('s', oddSession('s'));
    expect([dirname(folder), folder].map((one) => statSync(one).mode & 0o777)).toEqual([0o700, 0o700]);
    expect(statSync(fileOf('s')).mode & 0o777).toBe(0o600);
    expect(readFileSync(fileOf('s'), 'utf8')).toBe(`${JSON.stringify(oddSession('s'))}\n`);
    expect(readdirSync(folder)).toEqual(['s.json']);
  });

  test('is the one in the home of who runs it, and `~` in its name means that home', () => {
    const before = process.env.HOME;
    process.env.HOME = scratch;
    cleanUp.push(() => {
      process.env.HOME = before;
    });
    expect(new FileStorage().directory).toBe(join(scratch, '.entire', 'sessions'));
    expect(new FileStorage({ directory: '~/x' }).directory).toBe(join(scratch, 'x'));
    expect(new FileStorage({ directory: '~' }).directory).toBe(scratch);
    expect(new FileStorage({ directory: '/~/x~' }).directory).toBe('/~/x~');
    expect(() => new FileStorage({ directory: '' })).toThrow(failing('BAD_FLAGS'));
    expect(() => new FileStorage({ directory: 'a\0' })).toThrow(failing('BAD_FLAGS'));
  });

  test('may be a link to another one', async () => {
    mkdirSync(join(scratch, 'elsewhere'));
    symlinkSync(join(scratch, 'elsewhere'), folder);
    await open().save('s', sessionData('s'));
    expect(await open().listSessions()).toEqual(['s']);
    expect(existsSync(join(scratch, 'elsewhere', 's.json'))).toBe(true);
  });

  test('is not made by looking; a link that leads nowhere, or a file in its place, is said', async () => {
    await open().delete('s');
    expect(existsSync(folder)).toBe(false);
    symlinkSync(join(scratch, 'nowhere'), folder);
    expect(await open().listSessions()).toEqual([]);
    await expect(open().save('s', sessionData('s'))).rejects.toEqual(failing('WRITE_FAILED', folder));
    rmSync(folder);
    writeFileSync(folder, 'mine');
    expect(await open().load('s')).toBeUndefined();
    await expect(open().save('s', sessionData('s'))).rejects.toEqual(failing('WRITE_FAILED', folder));
    expect(readFileSync(folder, 'utf8')).toBe('mine');
  });

  test('lists sessions only: no locks, temporary files, folders, devices, or what is named like no session', async () => {
    await open().save('s', sessionData('s'));
    for (const name of ['s.lock', 'dir.json', 'other.json.lock']) mkdirSync(join(folder, name));
    for (const name of ['s.json.12-0123456789ab.tmp', '.hidden.json', 'notes.txt', '-x.json', 'a b.json'])
      writeFileSync(join(folder, name), '{}');
    symlinkSync(join(scratch, 'gone'), join(folder, 'dangling.json'));
    symlinkSync('/dev/null', fileOf('device'));
    expect(await open().listSessions()).toEqual(['s']);
    await expect(open().load('device')).rejects.toEqual(failing('STATE_UNREADABLE', 'it is not a file'));
    await expect(open().load('dir')).rejects.toEqual(failing('STATE_UNREADABLE', 'it is not a file'));
  });

  test('is listed though files vanish meanwhile', async () => {
    for (const id of ['a', 'b', 'c']) await open().save(id, sessionData(id));
    const real = disk.readdirSync;
    replace({
      readdirSync: ((dir: string) => {
        const names = real(dir);
        rmSync(fileOf('b'), { force: true });
        return names;
      }) as Disk['readdirSync'],
    });
    expect((await open().listSessions()).sort()).toEqual(['a', 'c']);
  });
});

describe('a file that holds no session', () => {
  const WRONG: Readonly<Record<string, readonly [text: string, message: RegExp]>> = {
    'of no bytes': ['', /it is empty/],
    'of white space': [' \n', /it is empty/],
    'cut short': [JSON.stringify(oddSession('bad')).slice(0, -20), /it is not JSON/],
    'of two objects': [`${JSON.stringify(sessionData('bad'))}{}`, /it is not JSON/],
    'of a list': ['[]', /it is not an object/],
    'of something else': ['{"version":1}', /`version` is not a field/],
    'of bytes': ['\u0000\ufffd', /it is not JSON/],
    'nested without end': ['['.repeat(3_000_000), /it is not JSON/],
    'of another session': [JSON.stringify(sessionData('other')), /holds the session other/],
    'without a field': [
      JSON.stringify({ ...sessionData('bad'), messages: undefined }),
      /`messages` is not a list/,
    ],
  };

  test.each(Object.entries(WRONG))(
    '%s: is said, left as it is, listed, and deleted',
    async (_, [text, message]) => {
      await open().save('good', sessionData('good'));
      writeFileSync(fileOf('bad'), text);
      await expect(open().load('bad')).rejects.toEqual(failing('STATE_UNREADABLE', message));
      await expect(open().load('bad')).rejects.toThrow(fileOf('bad'));
      for (const expected of [undefined, null, 1])
        await expect(open().save('bad', sessionData('bad'), expected)).rejects.toEqual(
          failing('STATE_UNREADABLE'),
        );
      expect(readFileSync(fileOf('bad'), 'utf8')).toBe(text);
      expect((await open().listSessions()).sort()).toEqual(['bad', 'good']);
      expect(await open().load('good')).toEqual(sessionData('good'));
      await open().delete('bad');
      expect(readdirSync(folder)).toEqual(['good.json']);
    },
  );

  test('a link that goes in circles: is listed, stops no other, and is deleted', async () => {
    await open().save('good', sessionData('good'));
    symlinkSync('round.json', fileOf('round'));
    expect((await open().listSessions()).sort()).toEqual(['good', 'round']);
    await expect(open().load('round')).rejects.toEqual(failing('STATE_UNREADABLE', /ELOOP/));
    await open().delete('round');
    expect(readdirSync(folder)).toEqual(['good.json']);
  });

  test('but one of a later version: is said to be that', async () => {
    await open().save('s', sessionData('s'));
    const later = JSON.stringify({ ...sessionData('s'), version: 2 });
    writeFileSync(fileOf('s'), later);
    const refusal = expect.objectContaining({
      code: 'STATE_UNREADABLE',
      message: expect.stringContaining('`version` is not a field of a session'),
      hint: 'A later version of entire may have written it. It is left as it is.',
    });
    await expect(open().load('s')).rejects.toEqual(refusal);
    await expect(open().save('s', sessionData('s'))).rejects.toEqual(refusal);
    expect(readFileSync(fileOf('s'), 'utf8')).toBe(later);
  });

  test('of five gigabytes: is refused before it is read', async () => {
    mkdirSync(folder);
    closeSync(openSync(fileOf('huge'), 'w'));
    truncateSync(fileOf('huge'), 5 * 1024 ** 3); // takes up no room
    await expect(open().load('huge')).rejects.toEqual(failing('STATE_UNREADABLE', 'too large'));
  });
});

test('a conversation nested deeper than JSON can be written is refused, and leaves what is there', async () => {
  await open().save('s', sessionData('s'));
  let deep: Record<string, unknown> = {};
  for (let depth = 0; depth < 200_000; depth++) deep = { deep };
  await expect(open().save('s', sessionData('s', { metadata: deep }))).rejects.toEqual(
    failing('UNSUPPORTED'),
  );
  expect(await open().load('s')).toEqual(sessionData('s'));
});

describe('a disk', () => {
  const WRITES = ['mkdirSync', 'openSync', 'writeSync', 'fsyncSync', 'renameSync'] as const;

  test.each(WRITES)(
    'that fails in %s: nothing is changed, nothing is left behind, and it goes on afterwards',
    async (call) => {
      await open().save('s', sessionData('s', { system: 'before' }));
      const restore = replaceDisk({
        [call]: (path: unknown) => {
          throw errno('ENOSPC', String(path));
        },
      });
      await expect(open().save('s', sessionData('s', { system: 'after' }))).rejects.toEqual(
        failing('WRITE_FAILED', /ENOSPC/),
      );
      restore();
      expect(readdirSync(folder)).toEqual(['s.json']);
      expect((await open().load('s'))?.system).toBe('before');
      await open().save('s', sessionData('s', { system: 'after' }));
      expect((await open().load('s'))?.system).toBe('after');
    },
  );

  test('that gives no bytes: is said, and nothing is written over what it holds', async () => {
    await open().save('s', sessionData('s'));
    const restore = replaceDisk({
      readFileSync: ((file: string) => {
        throw errno('EIO', file);
      }) as Disk['readFileSync'],
    });
    await expect(open().load('s')).rejects.toEqual(failing('STATE_UNREADABLE', /EIO/));
    await expect(open().save('s', sessionData('s', { system: 'x' }))).rejects.toEqual(
      failing('STATE_UNREADABLE'),
    );
    restore();
    expect(await open().load('s')).toEqual(sessionData('s'));
  });

  test('that does not tell capital letters from small ones: a second session does not take the place of the first', async () => {
    // But for locks, which are no business of this seam.
    const fold = (path: unknown) =>
      typeof path === 'string' ? path.replace(/[^/]+\.json/, (name) => name.toLowerCase()) : path;
    const folding = Object.entries(disk).map(([name, call]) => [
      name,
      (...args: unknown[]) => (call as (...args: unknown[]) => unknown)(...args.map(fold)),
    ]);
    replace(Object.fromEntries(folding) as Partial<Disk>);
    await open().save('Id', sessionData('Id'));
    await expect(open().save('iD', sessionData('iD'))).rejects.toEqual(
      failing('INVALID_ID', 'the session Id'),
    );
    expect(await open().load('iD')).toBeUndefined();
    await open().delete('iD');
    expect(await open().load('Id')).toEqual(sessionData('Id'));
  });
});

describe('what others left', () => {
  test('the lock of a process that is gone stops nobody, and one that lives is waited for', async () => {
    await open().save('s', sessionData('s'));
    const dead = 99_999_999; // more than any system gives out
    const space = readPidSpace();
    mkdirSync(join(folder, 's.lock'));
    writeFileSync(join(folder, 's.lock', `pid-${dead}${space}`), '');
    await open().save('s', sessionData('s', { system: 'after' }));
    expect(readdirSync(folder)).toEqual(['s.json']);
    mkdirSync(join(folder, 's.lock'));
    writeFileSync(join(folder, 's.lock', `pid-${process.pid}${space}`), '');
    await expect(open(50).save('s', sessionData('s'))).rejects.toEqual(failing('LOCKED', 's\\.lock'));
    await expect(open(50).delete('s')).rejects.toEqual(failing('LOCKED'));
    expect((await open(50).load('s'))?.system).toBe('after');
  });

  test('temporary files of killed writers go with the next write of their session', async () => {
    const left = (id: string, digit: string) => join(folder, `${id}.json.12-${digit.repeat(12)}.tmp`);
    mkdirSync(folder);
    for (const file of [left('a', '0'), left('a', '1'), left('b', '2')]) writeFileSync(file, '{');
    await open().save('a', sessionData('a'));
    expect(readdirSync(folder).sort()).toEqual(
      ['a.json', left('b', '2')].map((one) => one.replace(`${folder}/`, '')),
    );
    await open().delete('a');
    expect(readdirSync(folder)).toEqual([left('b', '2').replace(`${folder}/`, '')]);
  });

  test('a file keeps the permissions that somebody gave it', async () => {
    await open().save('s', sessionData('s'));
    chmodSync(fileOf('s'), 0o640);
    await open().save('s', sessionData('s'));
    expect(statSync(fileOf('s')).mode & 0o777).toBe(0o640);
  });
});

function readPidSpace(): string {
  try {
    return `-${disk.readlinkSync('/proc/self/ns/pid').replace(/\D/g, '')}`;
  } catch {
    return ''; // as in the lock: no such thing on this system
  }
}
