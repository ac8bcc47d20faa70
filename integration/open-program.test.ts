import { expect, test } from 'vitest';
import { type OpenProgram, openProgram } from '../src/base/open-program.ts';

const open = (script: string): OpenProgram =>
  openProgram({ program: process.execPath, args: ['-e', script], cwd: process.cwd(), env: process.env });

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

test('all of a long farewell is heard, also by one that listens late', async () => {
  const program = open("process.stdout.write(('x'.repeat(1000) + '\\n').repeat(5000))");
  await program.ended;
  expect(await readAll(program)).toHaveLength(5000);
});

test('a program that is not there has nothing to say', async () => {
  const program = openProgram({ program: '/no/such/program', args: [], cwd: process.cwd(), env: {} });
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
