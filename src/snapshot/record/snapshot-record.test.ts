import { expect, test } from 'vitest';
import type { RepoPath } from '../../base/repo-path.ts';
import { newRecord } from './record.ts';
import { parseRecord, renderRecord, type SnapshotRecord } from './snapshot-record.ts';

const ID = '1795000000000-0123456789ab';
const path = (name: string): RepoPath => name as RepoPath;
const file = (letter: string) => ({ kind: 'file', sha256: letter.repeat(64), size: 1, mode: 0o644 }) as const;

/** One with every field. */
const whole: Required<SnapshotRecord> = {
  ...{
    id: ID,
    kind: 'undo',
    at: '2026-11-28T10:00:00.000Z',
    turnId: 'a1',
    subject: 'Paint it',
    isComplete: false,
  },
  ...{ of: ['1'], transcript: { path: '/t.jsonl', items: 3, last: 'u' }, ledgers: ['l'] },
  files: new Map([
    [
      path('__proto__'),
      { before: undefined, after: { kind: 'missing' }, source: 'scan', isDoubtful: true, isUnclaimed: true },
    ],
    [
      path('a.txt'),
      {
        ...{ before: file('a'), after: file('c'), source: 'tool', isMixed: true },
        parts: [
          { before: file('a'), after: file('b'), isDoubtful: false },
          { before: file('b'), after: file('c'), isDoubtful: true, isMixed: true },
        ],
      },
    ],
  ]),
  left: new Map([[path('b.txt'), 'why']]),
  ...{ already: [path('c')], forced: [path('d')], again: [path('e')], within: 'other' },
  effects: [{ isBack: true, note: { kind: 'x' } }],
};

test('what is written is read again, whatever a record holds', () => {
  expect(parseRecord(ID, JSON.parse(JSON.stringify(renderRecord(whole))))).toEqual(whole);
  const least = newRecord({ id: ID, kind: 'turn', at: 'now' });
  expect(parseRecord(ID, JSON.parse(JSON.stringify(renderRecord(least))))).toEqual(least);
});

test('the keys of a record, in their order', () => {
  expect(JSON.stringify(renderRecord(newRecord({ id: ID, kind: 'turn', at: 'now' })))).toBe(
    '{"version":1,"kind":"turn","at":"now","turn_id":"","subject":"","complete":true,"of":[],' +
      '"transcript":{"path":"","items":0,"last":""},"ledgers":[],"files":{},"left":{},"already":[],"effects":[]}',
  );
});

test('keys that are missing are what a new record has; keys of later versions are passed over', () => {
  const read = parseRecord(ID, { version: 1, kind: 'snap', at: 'now', files: {}, later: 1 });
  expect(read).toEqual(newRecord({ id: ID, kind: 'snap', at: 'now' }));
});

test.each([
  [{ version: 2, kind: 'turn', at: 'now', files: {} }],
  [{ version: 1, kind: 'dance', at: 'now', files: {} }],
  [{ version: 1, kind: 'turn', files: {} }],
  [{ version: 1, kind: 'turn', at: 'now' }],
  [{ version: 1, kind: 'turn', at: 'now', files: {}, of: 'x' }],
  [{ version: 1, kind: 'turn', at: 'now', files: {}, again: [1] }],
  [[]],
  [null],
])('no record: %j', (value) => {
  expect(() => parseRecord(ID, value)).toThrow();
});

test('a file without a state behind it, or with a path that is none, is left out', () => {
  const stored = {
    '../x': { after: { kind: 'missing' } },
    y: {},
    z: { after: { kind: 'missing' }, source: 'bash' },
  };
  const { files } = parseRecord(ID, { version: 1, kind: 'turn', at: 'now', files: stored });
  expect([...files]).toEqual([
    [path('z'), { before: undefined, after: { kind: 'missing' }, source: 'bash' }],
  ]);
});
