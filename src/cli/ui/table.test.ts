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

test('what a terminal shows two columns wide counts twice, and is never cut in half', () => {
  const rows = [
    ['a1', '日本語のタイトル', '1'],
    ['b2', 'e\u0301tude 👩‍👩‍👧‍👦 family', '2'],
    ['c3', 'plain', '3'],
  ];
  expect(renderTable(COLUMNS, rows, undefined)).toBe(
    [
      'ID  TITLE             LINES',
      'a1  日本語のタイトル      1',
      'b2  e\u0301tude 👩‍👩‍👧‍👦 family       2',
      'c3  plain                 3',
    ].join('\n'),
  );
  expect(renderTable(COLUMNS, rows, 19)).toBe(
    ['ID  TITLE     LINES', 'a1  日本語…       1', 'b2  e\u0301tude…        2', 'c3  plain         3'].join(
      '\n',
    ),
  );
});

test('columns that may be left out are where the others would be cut further than they give way, the most useful last', () => {
  const columns = [
    { title: 'ID' },
    { title: 'WHEN', drop: 2 },
    { title: 'TITLE', least: 6 },
    { title: 'N', drop: 1 },
  ];
  const rows = [['a1', 'today', 'a long title', '7']];
  const head = (width: number) => renderTable(columns, rows, width).split('\n');
  expect(head(30)).toEqual(['ID  WHEN   TITLE         N', 'a1  today  a long title  7']);
  expect(head(20)).toEqual(['ID  WHEN   TITLE   N', 'a1  today  a lon…  7']);
  expect(head(19)).toEqual(['ID  WHEN   TITLE', 'a1  today  a long…']);
  expect(head(16)).toEqual(['ID  TITLE      N', 'a1  a long t…  7']);
  expect(head(12)).toEqual(['ID  TITLE', 'a1  a long…']);
});
