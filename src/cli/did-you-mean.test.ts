import { expect, test } from 'vitest';
import { findMeant } from './did-you-mean.ts';

test.each([
  ['undoo', 'undo'],
  ['statsu', 'status'],
  ['rewnd', 'rewind'],
  ['frobnicate', undefined],
  ['', undefined],
  ['xy', undefined],
])('%s', (word, meant) => {
  expect(findMeant(word, ['undo', 'redo', 'status', 'rewind', 'du', 'gc'])).toBe(meant);
});
