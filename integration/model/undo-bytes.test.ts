// @module-tag long
import { expect, test } from 'vitest';
import { type Counts, playTurn } from './undo-bytes/turn.ts';

/** Always the same cases; `npm run test:long` takes new ones. `ENTIRE_BYTES_SEED` repeats a turn that failed. */
test('undo gives exact bytes and the lines of the user, or leaves the file and names it; redo gives back all', () => {
  const seed = process.env.ENTIRE_BYTES_SEED;
  const counts: Counts = new Map();
  const seeds = seed ? [Number(seed)] : Array.from({ length: 5 }, (_, at) => 20260101 + at);
  for (const one of seeds) playTurn(one, 50, counts);
  if (!seed) expect(counts.get('exact') ?? 0).toBeGreaterThan(60);
});
