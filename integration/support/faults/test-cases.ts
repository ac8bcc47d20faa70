import { describe, expect, test } from 'vitest';
import type { Case } from './case.ts';
import { record } from './counts.ts';
import { type Choice, runCase } from './run-case.ts';

/** `ENTIRE_TEST_STRIDE=5` makes every fifth run only, from `ENTIRE_TEST_OFFSET` on: for a first look. */
const STRIDE = Number(process.env.ENTIRE_TEST_STRIDE ?? 1);
const OFFSET = Number(process.env.ENTIRE_TEST_OFFSET ?? 0);

/** Declares one test for each hook: see {@link runCase}. */
export function testCases(
  cases: readonly Case[],
  choose: Choice = ({ index }) => index % STRIDE === OFFSET % STRIDE,
): void {
  describe('every operation of a hook fails in turn', () => {
    for (const theCase of cases) {
      test(`${theCase.name}: exits well (I6), harms no file (I1), is sound (I2, I4), loses nothing acknowledged (I3)`, {
        timeout: 3 * 3_600_000, // the largest has thousands of runs
      }, () => {
        const counts = runCase(theCase, choose);
        record(counts);
        expect(counts.problems).toEqual([]);
        expect(counts.operations).toBeGreaterThan(5); // it really went through the hook's operations
      });
    }
  });
}
