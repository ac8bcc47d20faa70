import { expect, test } from 'vitest';
import { KEYS } from '../../settings/keys.ts';
import { renderList } from './view.ts';

const KEY = KEYS.snapshotBudget;
const setting = { name: 'snapshotBudget', key: KEY, value: 2048, from: ['a', 'b'], set: [] } as const;

test('a wide terminal has one line for each setting, a narrow one two', () => {
  expect(renderList([setting], [], 120)).toMatchInlineSnapshot(`
    "KEY                                   VALUE     FROM  WHAT IT DOES
    strategy_options.snapshots.budget_mb  2048 MiB  a, b  How much may be kept for undo in a repository"
  `);
  expect(renderList([setting], [], 66)).toMatchInlineSnapshot(`
    "KEY                                   VALUE     FROM
    strategy_options.snapshots.budget_mb  2048 MiB  a, b
        How much may be kept for undo in a repository"
  `);
});

test('what does not count stands below, on one line each, whatever it holds', () => {
  const set = [{ where: 'there', value: 'x\x1b[2J', deaf: 'wrong' }] as const;
  const listed = renderList([{ ...setting, set }], [{ key: 'a\nb', where: 'there' }], undefined);
  expect(listed.split('\n').slice(3)).toEqual([
    'Not in effect:',
    `  strategy_options.snapshots.budget_mb = x: set in there, ignored there: it is nothing that the key takes`,
    '  a b: unknown key in there, kept as it is',
  ]);
});
