// @module-tag long
import { test } from 'vitest';
import { explore } from '../support/runner/explore.ts';
import { COMMITS } from './commits/steps.ts';

/**
 * Always the same steps, so that a change is what makes it fail; `npm run test:long` takes new ones each time.
 * `ENTIRE_MODEL_SEED` and `ENTIRE_MODEL_STEPS` repeat a run.
 */
test(
  'each commit is linked to exactly the sessions whose lines it holds [native]',
  () => explore(COMMITS, 140, 1299058043),
  process.env.ENTIRE_MODEL_STEPS ? 4 * 3_600_000 : 600_000,
);
