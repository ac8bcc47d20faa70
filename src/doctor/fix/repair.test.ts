import { expect, test } from 'vitest';
import { done, oneByOne } from './repair.ts';

test('one item that throws hides nothing of the others, and none is passed over', async () => {
  const deeds = await oneByOne(['a', 'b', 'gone', 'c'], async (item) => {
    if (item === 'b') throw new Error('no');
    return item === 'gone' ? undefined : done(item, 'removed');
  });
  expect(deeds).toEqual([
    { item: 'a', outcome: 'done', text: 'removed' },
    { item: 'b', outcome: 'failed', text: 'no' },
    { item: 'c', outcome: 'done', text: 'removed' },
  ]);
});
