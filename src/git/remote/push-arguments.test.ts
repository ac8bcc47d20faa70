import { expect, test } from 'vitest';
import { findPushArguments, parsePushArguments } from './push-arguments.ts';

const read = (line: string) => parsePushArguments(line.split(' ').filter(Boolean));

test.each([
  ['', {}],
  ['origin main', { refs: ['main'] }],
  ['-n origin', { dryRun: true }],
  ['-fnu origin main', { dryRun: true, refs: ['main'] }],
  ['--dry-run', { dryRun: true }],
  ['--dry', { dryRun: true }],
  ['--dry-run --no-dry-run', {}],
  ['-o n origin main', { refs: ['main'] }],
  ['-on origin main', { refs: ['main'] }],
  ['--push-option --dry-run origin main', { refs: ['main'] }],
  ['--repo=x -- origin -n', { refs: ['-n'] }],
  ['--all origin', { everything: true }],
  ['--mirror', { everything: true, mirror: true }],
  ['--branches', { everything: true }],
  ['origin :gone +:too', { deletesOnly: true }],
  ['origin :gone main', { refs: ['main'] }],
  ['-d origin gone', { deletesOnly: true }],
  ['--delete origin gone too', { deletesOnly: true }],
  ['origin :gone --tags', {}],
  ['origin :', { refs: [':'] }],
])('git push %s', (line, expected) => {
  const nothing = { dryRun: false, everything: false, mirror: false, deletesOnly: false, refs: [] };
  expect(read(line)).toEqual({ ...nothing, ...expected });
});

test('the push among the gits that called us', () => {
  const push = { pid: 1, name: 'push', args: ['-n'] };
  expect(findPushArguments([push])?.dryRun).toBe(true);
  expect(findPushArguments([{ pid: 2, name: 'lfs', args: [] }, push])?.dryRun).toBe(true);
  expect(findPushArguments([])).toBeUndefined();
});
