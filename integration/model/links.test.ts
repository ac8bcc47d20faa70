// @module-tag long
import { test } from 'vitest';
import { holdLinks } from './authorship/links.ts';

/**
 * The first stories of `authorship.test.ts`, always the same; `npm run test:long` takes new ones each time. `ENTIRE_STORIES_SEED` and
 * `ENTIRE_STORIES_STEPS` take others.
 */
test(
  'which commits hold work of which session, after history was rewritten [native]',
  () => holdLinks(8, 20261129),
  process.env.ENTIRE_STORIES_STEPS ? 4 * 3_600_000 : 1_800_000,
);
