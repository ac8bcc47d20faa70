import { expect, test } from 'vitest';
import { type Counts, playTurn } from './undo-bytes/turn.ts';

/** `ENTIRE_BYTES_SEED`: where to begin. */
test('undo of 10,000 files: exact bytes and the lines of the user, or left and named; redo gives back all', () => {
  const first = Number(process.env.ENTIRE_BYTES_SEED ?? Date.now() % 2 ** 31);
  const counts: Counts = new Map();
  for (let turn = 0; turn < 200; turn++) playTurn(first + turn, 50, counts);
  process.stdout.write(`seeds ${first} to ${first + 199}: ${JSON.stringify(Object.fromEntries(counts))}\n`);
  expect([...counts.values()].reduce((sum, count) => sum + count, 0)).toBe(10_000);
});
