import { expect, test } from 'vitest';
import { expandSample } from '../../../../integration/support/command/redaction-sample.ts';
import { findMarked } from '../marks.ts';
import { findRandomRuns } from './entropy.ts';

/** What part of so many runs that stand alone is found whole. */
function rateOf(sample: string, count = 1000): number {
  let found = 0;
  for (let seed = 1; seed <= count; seed++) {
    const { text: run } = expandSample(sample, seed);
    const text = `see ${run} there`;
    const regions = [...findRandomRuns(text), ...findMarked(text)];
    if (regions.some(({ start, end }) => start <= 4 && end >= 4 + run.replace(/=+$/, '').length)) found++;
  }
  return found / count;
}

test.each([
  ['{A24}', 0.93],
  ['{A32}', 0.99],
  ['{b43}', 0.98],
  ['{l28}', 0.89],
  ['{l40}', 0.96],
  ['{s44}', 0.96],
])('random runs that stand alone are found: of %s at least %d', (sample, least) => {
  expect(rateOf(sample)).toBeGreaterThanOrEqual(least);
});

test.each(['{h32}', '{h40}', '{h64}', '{d40}', '0x{h40}', 'k8s-{h12}-pod'])(
  'of %s none: ids look the same',
  (sample) => {
    expect(rateOf(sample)).toBe(0);
  },
);
