import { expect, test } from 'vitest';
import { findOwnTurns } from './own-turns.ts';

const own = (...args: Parameters<typeof findOwnTurns>): number[] | undefined => {
  const found = findOwnTurns(...args);
  return found && [...found].sort((a, b) => a - b);
};
const at = (turns: number, ...files: string[]) => ({ files, turns });

test('a turn whose work an earlier checkpoint has is not its own, though it wrote the same file', () => {
  const turns = [['/repo/a.js'], ['/repo/a.js', '/repo/b.js'], ['/repo/b.js']];
  expect(own(turns, ['b.js'], [at(1, 'a.js'), at(2, 'a.js')])).toEqual([1, 2]);
  const again = [['/repo/b.js'], ['/repo/a.js', '/repo/b.js'], []];
  expect(own(again, ['b.js'], [at(1, 'b.js'), at(2, 'a.js')])).toEqual([1, 2]);
});

test('of a file that was taken in part the turns before that are its own', () => {
  expect(own([['a.js'], ['a.js'], ['a.js']], ['a.js'], [at(1, 'a.js'), at(2, 'a.js')])).toEqual([1, 2]);
  expect(own([['a.js'], ['b.js']], ['a.js'], [at(1, 'a.js')])).toEqual([0]);
  expect(own([['a.js', 'b.js'], ['a.js']], ['a.js', 'b.js'], [at(1, 'a.js')])).toEqual([0, 1]);
});

test('a turn that wrote nothing counts with the one that came of it, and at the end with the one before', () => {
  const turns = [[], ['a.js'], [], [], ['b.js'], []];
  expect(own(turns, ['b.js'], [at(5, 'a.js')])).toEqual([2, 3, 4, 5]);
  expect(own([['b.js'], [], ['a.js'], []], ['b.js'], [at(3, 'a.js')])).toEqual([0]);
});

test('a path belongs to the longest of the files that it ends with', () => {
  const turns = [['C:\\repo\\src\\a.js'], ['/other/a.js'], ['/other/src/a.js']];
  expect(own(turns, ['a.js'], [at(1, 'src/a.js')])).toEqual([1]);
});

test('where nobody says who wrote a file nothing can be told', () => {
  expect(own([['a.js'], ['b.js']], ['b.js', 'c.js'], [at(1, 'a.js')])).toBeUndefined();
  expect(own([['a.js']], [], [at(1, 'a.js')])).toBeUndefined();
  expect(own([], ['a.js'], [at(1, 'b.js')])).toBeUndefined();
});
