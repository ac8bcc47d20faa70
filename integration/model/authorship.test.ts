// @module-tag long
import { test } from 'vitest';
import { holdStories } from './authorship/stories.ts';

/**
 * Always the same stories, so that a change is what makes it fail; `npm run test:long` takes new ones each time.
 * `ENTIRE_STORIES_SEED` and `ENTIRE_STORIES_STEPS` repeat a run.
 */
test(
  'each line is called its author’s after history was rewritten [native]',
  () => holdStories(100, 4, 20261129),
  process.env.ENTIRE_STORIES_STEPS ? 4 * 3_600_000 : 1_800_000,
);
