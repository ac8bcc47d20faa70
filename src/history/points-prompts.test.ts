import { expect, test } from 'vitest';
import { firstPrompts, type PromptRow } from './points.ts';

const row = (key: string, sessionId: string, prompts: string[], isWhole = false) => ({
  key,
  sessionId,
  prompts,
  isWhole,
});

/** With what transcripts tell, by key; what is asked for and not there fails. */
const tell = (rows: readonly PromptRow[], own: Readonly<Record<string, string[]>> = {}, masked = '') => {
  const asked: string[] = [];
  const told = firstPrompts(rows, (some) => {
    asked.push(...some.map(({ key }) => key));
    return new Map(some.map((one) => [one, { prompts: own[one.key] ?? [], isMasked: one.key === masked }]));
  });
  const prompts = told.map(({ prompt, isMasked }) => (isMasked ? `taken out${prompt}` : prompt));
  return { prompts, asked };
};

test('the point before has all prompts but the last: no transcript is asked', () => {
  const rows = [
    row('c', 's', ['one', 'two', 'three']),
    row('x', 'other', ['mine'], true),
    row('b', 's', ['one', 'two']),
    row('b', 's', ['one', 'two']), // another commit of the same checkpoint
    row('a', 's', ['one'], true),
  ];
  expect(tell(rows)).toEqual({ prompts: ['three', 'mine', 'two', 'two', 'one'], asked: [] });
});

test('else the transcript tells, and where it is silent the last prompt counts', () => {
  const dropped = [row('c', 's', ['one', 'two', 'three']), row('a', 's', ['one'], true)];
  expect(tell(dropped, { c: ['three'] }).prompts).toEqual(['three', 'one']);
  expect(tell(dropped, { c: ['two', 'three'] }).prompts).toEqual(['two', 'one']);
  expect(tell(dropped)).toEqual({ prompts: ['three', 'one'], asked: ['c'] });
  expect(tell([row('b', 's', ['two', 'three']), row('a', 's', ['one'])], { b: ['two'] }).asked).toEqual([
    'b',
    'a',
  ]);
  expect(tell([row('b', 's', ['one']), row('a', 's', ['one'], true)]).prompts).toEqual(['one', 'one']); // no new one
  expect(tell([row('b', 's', [])]).prompts).toEqual(['']);
});

test('where a prompt was taken out no earlier one stands for it', () => {
  const rows = [row('b', 's', ['one']), row('a', 's', ['one'], true)];
  expect(tell(rows, {}, 'b').prompts).toEqual(['taken out', 'one']);
  expect(tell([row('a', 's', [], true)], {}, 'a').prompts).toEqual(['taken out']);
});
