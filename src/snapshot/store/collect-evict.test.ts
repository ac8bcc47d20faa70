import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { RepoPath } from '../../base/repo-path.ts';
import { newRecord } from '../record/record.ts';
import type { PathChange } from '../record/snapshot-record.ts';
import { chooseEvictions, type StoreUsage } from './collect.ts';
import { MISSING } from './file-state.ts';

const FILES = new Map<RepoPath, PathChange>([
  ['a.txt' as RepoPath, { before: MISSING, after: MISSING, source: 'tool' }],
]);

const usage = (
  store: string,
  records: Record<string, number>,
  kindOf: (id: string) => 'turn' | 'undo' | 'redo' = () => 'turn',
): StoreUsage => ({
  store,
  records: Object.keys(records).map((id) => newRecord({ id, kind: kindOf(id), files: FILES })),
  bytes: new Map(Object.entries(records)),
});

describe('steps beyond a budget', () => {
  test('are the oldest ones, whichever session they belong to', () => {
    const stores = [usage('a', { '1': 10, '3': 10, '5': 10 }), usage('b', { '2': 10, '4': 10 })];
    expect(chooseEvictions(stores, 50, 25)).toEqual([
      { store: 'a', records: ['1', '3'], bytes: 20 },
      { store: 'b', records: ['2'], bytes: 10 },
    ]);
  });

  test('are none where everything fits', () => {
    expect(chooseEvictions([usage('a', { '1': 10, '2': 10 })], 20, 20)).toEqual([]);
  });

  test('are not the newest that was undone and redone, nor how that was done', () => {
    const stores = [usage('a', { '1': 10, '2': 10, '3': 10, '4': 10 }, (id) => (id < '3' ? 'turn' : 'undo'))];
    expect(chooseEvictions(stores, 40, 0)).toEqual([{ store: 'a', records: ['1'], bytes: 10 }]);
    const left = [usage('a', { '1': 10, '2': 10 }, (id) => (id === '1' ? 'undo' : 'redo'))];
    expect(chooseEvictions(left, 20, 0)).toEqual([{ store: 'a', records: ['1'], bytes: 10 }]);
  });

  test('are not the newest that stands, where a newer one was taken back', () => {
    const kinds = ['turn', 'turn', 'rewind', 'undo'] as const;
    const records = kinds.map((kind, at) =>
      newRecord({ id: String(at), kind, files: FILES, of: kind === 'undo' ? ['2'] : [] }),
    );
    const store = { store: 'a', records, bytes: new Map(records.map(({ id }) => [id, 10])) };
    expect(chooseEvictions([store], 40, 0)).toEqual([{ store: 'a', records: ['0'], bytes: 10 }]);
    const redone = {
      ...store,
      records: [...records, newRecord({ id: '4', kind: 'redo', files: FILES, of: ['3'] })],
    };
    expect(chooseEvictions([redone], 40, 0)).toEqual([{ store: 'a', records: ['0', '1'], bytes: 20 }]);
  });

  test('are never the newest of a session', () => {
    const store = fc.dictionary(fc.stringMatching(/^\d{3}$/), fc.nat(100), { maxKeys: 6 });
    fc.assert(
      fc.property(fc.array(store, { maxLength: 5 }), fc.nat(500), (all, budget) => {
        const stores = all.map((records, at) => {
          const sorted = Object.entries(records).sort(([a], [b]) => (a < b ? -1 : 1));
          const ids = sorted.map(([id]) => newRecord({ id, kind: 'turn', files: FILES }));
          return { store: String(at), records: ids, bytes: new Map(sorted) };
        });
        const total = all.flatMap((records) => Object.values(records)).reduce((sum, bytes) => sum + bytes, 0);
        const evictions = chooseEvictions(stores, total, budget);
        for (const { store: name, records } of evictions)
          expect(records).not.toContain(stores[Number(name)]?.records.at(-1)?.id);
        const left = total - evictions.reduce((sum, { bytes }) => sum + bytes, 0);
        const gone = evictions.flatMap(({ records }) => records).length;
        const could = stores.reduce((sum, { records }) => sum + Math.max(0, records.length - 1), 0);
        expect(left <= budget || gone === could).toBe(true);
      }),
    );
  });
});
