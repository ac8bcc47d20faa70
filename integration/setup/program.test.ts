import { expect, test } from 'vitest';
import { runProgram } from '../../src/base/process/program.ts';

const call = (script: string, more: object = {}) =>
  runProgram({
    program: process.execPath,
    args: ['-e', script],
    forbidden: [],
    input: '',
    env: {},
    timeoutMs: 20_000,
    ...more,
  });

test('what a program prints, and how it ends', async () => {
  const script = "process.stdin.pipe(process.stdout); process.stderr.write('e'); process.exitCode = 3";
  expect(await call(script, { input: 'täxt' })).toEqual({
    code: 3,
    stdout: 'täxt',
    stderr: 'e',
    failure: undefined,
    timedOut: false,
  });
  expect(await call('process.exit()', { input: 'x'.repeat(1 << 20) })).toMatchObject({ code: 0 });
  const missing = await call('', { program: '/no/such/program' });
  expect(missing).toMatchObject({ code: undefined, failure: { code: 'ENOENT' } });
});

test('one that takes too long is ended, also where what it started holds the other ends', async () => {
  const script = `const { pid } = require('node:child_process')
    .spawn(process.execPath, ['-e', 'setTimeout(() => {}, 60000)'], { stdio: 'inherit' });
    console.log(pid);
    setInterval(() => {}, 1000)`;
  const { code, timedOut, stdout } = await call(script, { timeoutMs: 3000 });
  expect({ code, timedOut }).toEqual({ code: undefined, timedOut: true });
  expect(process.kill(Number(stdout))).toBe(true); // it lives, and was not waited for
});
