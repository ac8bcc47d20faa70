// @module-tag long
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { type OpenProgram, openProgram } from '../../src/base/process/open-program.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'entire-program-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const open = (script: string): OpenProgram =>
  openProgram({
    program: process.execPath,
    args: ['-e', script],
    cwd: process.cwd(),
    env: process.env,
    forbidden: [],
  });

async function readAll({ lines }: OpenProgram): Promise<string[]> {
  const read: string[] = [];
  for await (const line of lines) read.push(line);
  return read;
}

const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

test('what it says comes line by line, whatever stands in a line, and it hears what it is told', async () => {
  const program = open(
    "process.stdin.on('data', (text) => process.stdout.write(text + 'a\\u2028b\\n\\ncé'))",
  );
  program.write('hello\n');
  program.closeInput();
  expect(await readAll(program)).toEqual(['hello', 'a\u2028b', '', 'cé']);
  expect(await program.ended).toMatchObject({ code: 0, failure: undefined });
});

test('who reads slowly makes it wait, and gets all of it, also when it has long ended', async () => {
  const file = join(folder, 'written');
  const program = open(`process.stdout.write(('x'.repeat(1000) + '\\n').repeat(5000), () =>
    require('node:fs').writeFileSync(${JSON.stringify(file)}, ''))`);
  let read = 0;
  for await (const _line of program.lines) {
    read += 1;
    if (read === 1) await sleep(500);
    if (read === 1) expect(existsSync(file)).toBe(false); // most of it is still with the program
    if (read === 4_900) await sleep(3_000);
  }
  expect(read).toBe(5_000);
  expect(await program.ended).toMatchObject({ code: 0 });
});

test('who reads no further keeps nobody', async () => {
  const program = open("process.stdout.write(('x'.repeat(1000) + '\\n').repeat(5000))");
  for await (const _line of program.lines) break;
  expect(await program.ended).toMatchObject({ code: 0 });
});

test('arguments that the system refuses are a failure of the program', async () => {
  for (const argument of ['a\0b', 'x'.repeat(4_000_000)]) {
    const program = open(argument);
    expect(await readAll(program)).toEqual([]);
    expect(await program.ended).toMatchObject({ failure: expect.any(Error) });
  }
});

test('a program that is not there has nothing to say', async () => {
  const program = openProgram({
    program: '/no/such/program',
    args: [],
    cwd: process.cwd(),
    env: {},
    forbidden: [],
  });
  expect(await readAll(program)).toEqual([]);
  expect(await program.ended).toMatchObject({ code: undefined, failure: { code: 'ENOENT' } });
});

test.skipIf(process.platform === 'win32')(
  'a signal reaches what it has started, also in a group of its own (Windows has no groups)',
  async () => {
    const waiting = 'setInterval(() => {}, 1000)';
    const program = open(`const { spawn } = require('node:child_process');
      const child = spawn(process.execPath, ['-e', '${waiting}'], { detached: true, stdio: 'ignore' });
      console.log(child.pid);
      ${waiting}`);
    const { value: pid = '' } = await program.lines[Symbol.asyncIterator]().next();
    expect(isAlive(Number(pid))).toBe(true);
    program.signal('SIGINT');
    expect(await program.ended).toMatchObject({ code: undefined });
    await expect.poll(() => isAlive(Number(pid)), { timeout: 10_000 }).toBe(false);
  },
);

const WAITING = 'setInterval(() => {}, 1000)';
const DEAF = `process.on('SIGTERM', () => {}); process.on('SIGINT', () => {}); ${WAITING}`;

describe.skipIf(process.platform === 'win32')(
  'a program that has ended, and left others (no groups on Windows)',
  () => {
    const leaving = (heir: string): OpenProgram =>
      open(`const { spawn } = require('node:child_process');
      const heir = spawn(process.execPath, ['-e', ${JSON.stringify(`console.log('ready'); ${heir}`)}], { stdio: ['ignore', 'pipe', 'ignore'] });
      heir.stdout.once('data', () => process.stdout.write(heir.pid + '\\n', () => process.exit()));`);

    async function leave(heir: string): Promise<{ readonly program: OpenProgram; readonly pid: number }> {
      const program = leaving(heir);
      const [pid] = await readAll(program);
      await program.ended;
      expect(isAlive(Number(pid))).toBe(true);
      return { program, pid: Number(pid) };
    }

    test('they are reached', async () => {
      const { program, pid } = await leave(WAITING);
      program.signal('SIGTERM');
      await expect.poll(() => isAlive(pid), { timeout: 10_000 }).toBe(false);
    });

    test('when none is left, a signal reaches nobody: not whoever has got the id', async () => {
      const { program, pid } = await leave(WAITING);
      process.kill(pid, 'SIGKILL');
      await expect.poll(() => isAlive(pid), { timeout: 10_000 }).toBe(false);
      const killed = vi.spyOn(process, 'kill');
      try {
        program.signal('SIGKILL');
        expect(killed.mock.calls).toEqual([]);
      } finally {
        killed.mockRestore();
      }
    });
  },
);

describe.skipIf(process.platform === 'win32')(
  'this process ends, and the program with it (no groups on Windows)',
  () => {
    /** Starts a deaf program, prints its pid, and goes on with this. */
    async function endBy(code: string, signal?: NodeJS.Signals) {
      const script = join(folder, 'owner.mts');
      const door = join(import.meta.dirname, '../../src/base/process/open-program.ts');
      writeFileSync(
        script,
        `import { openProgram } from ${JSON.stringify(door)};
       const deaf = "console.log(process.pid); " + ${JSON.stringify(DEAF)};
       const { lines } = openProgram({ program: process.execPath, args: ['-e', deaf], cwd: process.cwd(), env: process.env, forbidden: [] });
       for await (const pid of lines) { console.log(pid); break; }
       ${code}`,
      );
      const owner = spawn(process.execPath, ['--import', 'tsx', script], {
        stdio: ['ignore', 'pipe', 'ignore'],
      });
      const pid = await new Promise<number>((fulfil) => {
        owner.stdout.once('data', (part) => fulfil(Number(part)));
      });
      if (signal) owner.kill(signal);
      const [exit, by] = await new Promise<[number | null, string | null]>((fulfil) =>
        owner.on('exit', (...end) => fulfil(end)),
      );
      await expect.poll(() => isAlive(pid), { timeout: 10_000 }).toBe(false);
      return by ?? exit;
    }

    test('by itself', async () => {
      expect(await endBy('process.exit(3)')).toBe(3);
    });

    test('by an exception that nobody caught', async () => {
      expect(await endBy("setTimeout(() => { throw new Error('bug'); }, 10)")).toBe(1);
    });

    test('by a signal, also one that somebody makes an exit of', async () => {
      for (const signal of ['SIGTERM', 'SIGHUP', 'SIGINT'] as const)
        expect(await endBy('await new Promise(() => {})', signal)).toBe(signal);
      expect(await endBy("process.on('SIGTERM', () => process.exit(7))", 'SIGTERM')).toBe(7);
    });
  },
);
