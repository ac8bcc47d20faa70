// @module-tag long
import { expect, test } from 'vitest';
import { explore } from '../support/runner/explore.ts';
import { judge } from './authorship/judge.ts';
import { STORY_LENGTH, stories } from './authorship/stories.ts';

/** Always the same stories; `ENTIRE_STORIES_SEED` and `ENTIRE_STORIES_STEPS` take others. */
test('whose each line is, after history was rewritten [native]', async () => {
  const tally = { lines: 0, unknown: 0, uniqueWrong: 0, common: 0, commonWrong: 0 };
  await explore(
    stories((story, way) => judge(story, tally, way)),
    10 * STORY_LENGTH,
    20261129,
  );
  console.log(tally);
  expect(tally.lines).toBeGreaterThan(0);
}, 3_600_000);
