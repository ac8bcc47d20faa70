import { expect, test } from 'vitest';
import { parseSummary, toStoredSummary } from './summary.ts';

test('a summary survives being read and written', () => {
  const stored = {
    intent: 'i',
    outcome: 'o',
    learnings: { repo: ['r'], code: [{ path: 'p', line: 1, end_line: 2, finding: 'f' }], workflow: ['w'] },
    friction: ['x'],
    open_items: ['y'],
  };
  const summary = parseSummary(stored);
  expect(summary && JSON.parse(JSON.stringify(toStoredSummary(summary)))).toEqual(stored);
});

test.each([
  undefined,
  null,
  7,
  'text',
  [],
  {},
  { intent: 3, learnings: 'none', friction: {}, open_items: [null, ''] },
])('%j says nothing', (value) => {
  expect(parseSummary(value)).toBeUndefined();
});

test('what makes no sense in a summary is left out, the rest is kept', () => {
  const summary = parseSummary({
    intent: 'i',
    learnings: {
      code: [
        { finding: 'f', line: -1, end_line: 9 },
        { path: 'p' },
        null,
        { finding: 'g', line: 4, end_line: 4 },
      ],
    },
    open_items: ['a', 5],
  });
  expect(summary).toEqual({
    intent: 'i',
    outcome: '',
    learnings: {
      repo: [],
      code: [
        { path: '', finding: 'f' },
        { path: '', line: 4, finding: 'g' },
      ],
      workflow: [],
    },
    friction: [],
    openItems: ['a'],
  });
});
