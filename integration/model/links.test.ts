// @module-tag long
import { expect, test } from 'vitest';
import { explore } from '../support/runner/explore.ts';
import { judgeLinks } from './authorship/links.ts';
import { STORY_LENGTH, stories } from './authorship/stories.ts';

/** The stories of `authorship.test.ts`; `ENTIRE_STORIES_SEED` and `ENTIRE_STORIES_STEPS` take others. */
test('which commits hold work of which session, after history was rewritten [native]', async () => {
  const tally = { commits: 0, held: 0 };
  await explore(
    stories((story, way) => judgeLinks(story, tally, way)),
    10 * STORY_LENGTH,
    20261129,
  );
  console.log(tally);
  expect(tally.held).toBeGreaterThan(50);
}, 3_600_000);
