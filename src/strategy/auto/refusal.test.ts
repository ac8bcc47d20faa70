import { expect, test } from 'vitest';
import { findRefusal, type Moment } from './refusal.ts';

const calm: Moment = { operation: undefined, branch: 'main', isIndexFree: true, isCommitOpen: false };

test('nothing speaks against a commit on a branch', () => {
  expect(findRefusal(calm)).toBeUndefined();
  expect(findRefusal({ ...calm, branch: 'entire-work' })).toBeUndefined();
});

test.each([
  [{ operation: 'rebase', branch: undefined }, 'a rebase is in progress'],
  [{ branch: undefined }, 'HEAD is detached'],
  [{ branch: 'entire/checkpoints/v1' }, "entire/checkpoints/v1 is one of Entire's own branches"],
  [{ isCommitOpen: true, isIndexFree: false }, 'a git commit is waiting for its message'],
  [{ isIndexFree: false }, 'a git command has the index locked'],
])('%j: %s', (moment, reason) => {
  expect(findRefusal({ ...calm, ...moment })).toBe(reason);
});
