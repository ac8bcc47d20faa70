import { expect, test } from 'vitest';
import { judgeRef } from './own-refs.ts';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

test.each([
  ['scrub', 10 * MINUTE, {}, 'at-work'],
  ['scrub', 11 * MINUTE, {}, 'free'],
  ['rewind', 11 * MINUTE, {}, 'free'],
  ['rewind', 31 * DAY, { isLocked: true }, 'at-work'], // made of old commits
  ['auto', 11 * MINUTE, { isHeld: true }, 'free'],
  ['auto', 29 * DAY, {}, 'only-copy'],
  ['auto', 31 * DAY, {}, 'expired'],
  ['auto', 31 * DAY, { isOwed: true, isHeld: true }, 'owed'],
  ['staged', 29 * DAY, {}, 'only-copy'],
  ['staged', 31 * DAY, {}, 'expired'],
  ['staged', undefined, {}, 'at-work'], // whose age nobody knows
] as const)('%s after %i ms %j: %s', (place, ageMs, more, expected) => {
  const ref = `refs/entire/${place}/0123456789ab`;
  expect(judgeRef({ ref, ageMs, isLocked: false, isOwed: false, isHeld: false, ...more })).toBe(expected);
});
