import { spawnSync } from 'node:child_process';
import { describe, expect, test } from 'vitest';
import { type ProcessInfo, readProcess } from '../git/processes.ts';
import {
  type ClientProcess,
  chooseClient,
  findClient,
  isClientGone,
  parseClientProcess,
} from './client-process.ts';

const WORDS = ['hooks', 'claude-code', 'stop'];
const own = { beganMs: 100_000 };
const ancestor = (pid: number, argv: string[], ageMs = 60_000): ProcessInfo => ({
  pid,
  parent: pid + 1,
  argv,
  began: `${own.beganMs - ageMs}`,
  beganMs: own.beganMs - ageMs,
  isZombie: false,
});
const choose = (...line: ProcessInfo[]) => chooseClient(line, WORDS, own, 'claude')?.pid;

describe('the client that runs a hook', () => {
  test.each([
    [['/bin/sh', '-c', 'cd x; entire hooks claude-code stop']],
    [['bash', './hook.sh']],
    [['-zsh']],
    [['npm exec entire hooks claude-code stop']],
    [['/opt/volta-shim', 'hooks', 'claude-code', 'stop']],
  ])('is what started %j', (argv) => {
    expect(choose(ancestor(1, argv), ancestor(2, ['claude']), ancestor(3, ['-zsh']))).toBe(2);
  });

  test('is not told of where it began just now: that may be one more that is there for the hook alone', () => {
    expect(choose(ancestor(1, ['python3', 'wrapper.py'], 300), ancestor(2, ['claude']))).toBeUndefined();
    expect(choose(ancestor(1, ['-zsh']))).toBeUndefined();
  });

  test.each([
    [['claude', '-p', 'write it']],
    [['node', '/usr/lib/node_modules/cli/claude.js', '-p', 'write it']],
  ])('is told where it began just now and is called as the client is: %j', (argv) => {
    expect(choose(ancestor(1, ['sh', '-c', 'x']), ancestor(2, argv, 300))).toBe(2);
  });
});

describe('whether a client has ended', () => {
  const { began = '' } = readProcess(process.pid) ?? {};
  const living = (): ClientProcess => ({
    ...(findClient(undefined, ['no hook']) ?? { space: '' }),
    pid: process.pid,
    began,
  });
  const here = (values: Partial<ClientProcess>): ClientProcess => ({ ...living(), ...values });

  test('is known of this machine, by its pid and when it began', ({ skip }) => {
    if (living().space === '') skip('nothing tells of processes, or this one was started just now');
    const { pid: dead } = spawnSync('true');
    expect(isClientGone(here({}))).toBe(false);
    expect(isClientGone(here({ pid: dead }))).toBe(true);
    expect(isClientGone(here({ began: 'long ago' }))).toBe(true);
  });

  test('is not known of another machine, or of nobody', () => {
    const { pid: dead } = spawnSync('true');
    expect(isClientGone(here({ pid: dead, space: 'elsewhere/1' }))).toBe(false);
    expect(isClientGone(undefined)).toBe(false);
  });
});

test.each([[null], ['1'], [{ pid: '1', began: '', space: '' }], [{ pid: 1 }]])('%j is no client', (value) => {
  expect(parseClientProcess(value)).toBeUndefined();
});
