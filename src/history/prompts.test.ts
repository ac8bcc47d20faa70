import { expect, test } from 'vitest';
import { firstPrompts } from './prompts.ts';

const row = (key: string, sessionId: string, prompts: string[], isWhole = false) => ({
  key,
  sessionId,
  prompts,
  isWhole,
});

test('each point has the first prompt that the point before it in its session has not', () => {
  expect(
    firstPrompts([
      row('c', 's', ['one', 'two', 'three', 'four']),
      row('x', 'other', ['mine'], true),
      row('b', 's', ['one', 'two']),
      row('b', 's', ['one', 'two']), // another commit of the same checkpoint
      row('a', 's', ['one'], true),
    ]),
  ).toEqual(['three', 'mine', 'two', 'two', 'one']);
});

test('where that point is not there, or has other prompts, the last prompt counts', () => {
  expect(firstPrompts([row('b', 's', ['one', 'two', 'three'])])).toEqual(['three']);
  expect(firstPrompts([row('b', 's', ['two']), row('a', 's', ['one'])])).toEqual(['two', 'one']);
  expect(firstPrompts([row('b', 's', ['one']), row('a', 's', ['one'], true)])).toEqual(['one', 'one']); // no new one
  expect(firstPrompts([row('b', 's', [])])).toEqual(['']);
});
