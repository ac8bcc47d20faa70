import { expect, test } from 'vitest';
import { parsePs, readProcess } from './processes.ts';

test('a line of ps is read', () => {
  const line = '  501 Ss   Thu Nov 26 01:16:49 2026     /usr/bin/git commit --amend -m a b\n';
  expect(parsePs(7, line)).toEqual({
    pid: 7,
    parent: 501,
    argv: ['/usr/bin/git', 'commit', '--amend', '-m', 'a', 'b'],
    began: 'Thu Nov 26 01:16:49 2026',
    beganMs: Date.UTC(2026, 10, 26, 1, 16, 49),
    isZombie: false,
  });
  expect(parsePs(7, '')).toBeUndefined();
});

test('a process is told by when it began', ({ skip }) => {
  const own = readProcess(process.pid);
  if (!own) return skip('nothing tells of processes');
  expect(own).toMatchObject({ pid: process.pid, parent: process.ppid, isZombie: false });
  expect(own.began).not.toBe('');
  expect(Number.isFinite(own.beganMs)).toBe(true);
});
