import { expect, test } from 'vitest';
import type { RepoPath } from '../../base/repo-path.ts';
import { MISSING } from '../store/file-state.ts';
import { readHistory } from './history.ts';
import { newRecord } from './record.ts';
import type { SnapshotRecord } from './snapshot-record.ts';

const record = (
  id: string,
  kind: SnapshotRecord['kind'],
  paths: readonly string[],
  of: readonly string[] = [],
  effects: SnapshotRecord['effects'] = [],
): SnapshotRecord =>
  newRecord({
    id,
    kind,
    of,
    effects,
    files: new Map(
      paths.map((path) => [path as RepoPath, { before: MISSING, after: MISSING, source: 'tool' as const }]),
    ),
  });

const standing = (...records: readonly SnapshotRecord[]): Record<string, string[]> =>
  Object.fromEntries(
    readHistory(records).standing.map(({ record: { id }, paths }) => [id, [...paths].sort()]),
  );

test('a redo brings back what its undo took of each step, and not what another undo took before', () => {
  const records = [
    record('1', 'turn', ['a', 'b']),
    record('2', 'undo', ['b'], ['1']), // --files b
    record('3', 'rewind', ['b']),
    record('4', 'undo', ['a', 'b'], ['3', '1']),
  ];
  expect(standing(...records)).toEqual({});
  expect(standing(...records, record('5', 'redo', ['a', 'b'], ['4']))).toEqual({ 1: ['a'], 3: ['b'] });
});

test('an undo can be done again behind a rewind of conversations alone, and not behind one of files', () => {
  const undoable = (...between: readonly SnapshotRecord[]): string[] =>
    readHistory([record('1', 'turn', ['a']), record('2', 'undo', ['a'], ['1']), ...between]).undone.map(
      ({ id }) => id,
    );
  const effects = [{ isBack: false, note: {} }];
  expect(undoable(record('3', 'rewind', [], [], effects))).toEqual(['2']);
  expect(undoable(record('3', 'rewind', ['b'], [], effects))).toEqual([]);
});
