import { expect, test } from 'vitest';
import { renderTable } from './table.ts';

const COLUMNS = [{ title: 'ID' }, { title: 'TITLE', least: 6 }, { title: 'LINES', align: 'right' }] as const;
const ROWS = [
  ['a1', 'Ünïcode and more of it', '7'],
  ['b22', '', '1234567'],
];

test('columns are as wide as they need be', () => {
  expect(renderTable(COLUMNS, ROWS, undefined)).toBe(
    [
      'ID   TITLE                     LINES',
      'a1   Ünïcode and more of it        7',
      'b22                          1234567',
    ].join('\n'),
  );
});

test('what does not fit is cut where it may be, and no further than that', () => {
  expect(renderTable(COLUMNS, ROWS, 24)).toBe(
    ['ID   TITLE         LINES', 'a1   Ünïcode a…        7', 'b22              1234567'].join('\n'),
  );
  expect(renderTable(COLUMNS, ROWS, 5).split('\n')[1]).toBe('a1   Ünïco…        7');
});
