import { expect, test } from 'vitest';
import { choosePager } from './pager.ts';

const LONG = 'line\n'.repeat(30);
const choose = (
  text: string,
  env: NodeJS.ProcessEnv = {},
  isTerminal = true,
  rows: number | undefined = 24,
) => choosePager(text, { isTerminal, rows, env });

test('only what does not fit on a terminal goes through a pager', () => {
  expect(choose(LONG)).toBe('less');
  expect(choose('line\n'.repeat(21))).toBeUndefined();
  expect(choose('line\n'.repeat(22))).toBe('less');
  expect(choose(LONG, {}, true, 60)).toBeUndefined();
  expect(choose(LONG, {}, true, 0)).toBe('less'); // some terminals do not say
  expect(choose(LONG, {}, false)).toBeUndefined();
});

test('the pager is the one that was chosen; none where it would hinder somebody', () => {
  expect(choose(LONG, { PAGER: 'more -d' })).toBe('more -d');
  expect(choose(LONG, { PAGER: '' })).toBe('less');
  expect(choose(LONG, { PAGER: 'cat' })).toBeUndefined();
  expect(choose(LONG, { ACCESSIBLE: '1' })).toBeUndefined();
  expect(choose(LONG, { TERM: 'dumb' })).toBeUndefined();
});
