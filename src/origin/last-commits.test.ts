import { expect, test } from 'vitest';
import { openLast } from './last-commits.ts';

/** Commits as a history has them, the newest first. */
const history = (...times: number[]) => times.map((atMs, no) => ({ no, atMs }));
const timesOf = (commits: readonly { readonly atMs: number }[]) => commits.map(({ atMs }) => atMs);

test('the last commits up to a time are those right before it', () => {
  const lastUpTo = openLast(history(70, 60, 50, 40, 30, 20, 10));
  expect(timesOf(lastUpTo(50, 3))).toEqual([50, 40, 30]);
  expect(timesOf(lastUpTo(55, 3))).toEqual([50, 40, 30]);
  expect(timesOf(lastUpTo(15, 3))).toEqual([10]);
  expect(timesOf(lastUpTo(1_000, 2))).toEqual([70, 60]);
  expect(lastUpTo(5, 3)).toEqual([]);
  expect(lastUpTo(Number.NEGATIVE_INFINITY, 3)).toEqual([]);
  expect(lastUpTo(Number.NaN, 3)).toEqual([]);
});

test('one whose clock was wrong is where its time says, and moves no other', () => {
  const tooOld = openLast(history(1, 70, 60, 50, 40, 30));
  expect(timesOf(tooOld(50, 3))).toEqual([50, 40, 30]);
  expect(timesOf(tooOld(30, 3))).toEqual([30, 1]);
  const tooYoung = openLast(history(70, 60, 999, 50, 40));
  expect(timesOf(tooYoung(60, 3))).toEqual([60, 50, 40]);
});

test('those of one second keep their order', () => {
  const lastUpTo = openLast(history(50, 50, 50, 40));
  expect(lastUpTo(50, 2).map(({ no }) => no)).toEqual([0, 1]);
});
