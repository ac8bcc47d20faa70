// @module-tag long
import { test } from 'vitest';
import { explore } from '../support/runner/explore.ts';
import { GOING_BACK } from './undo/steps.ts';

/**
 * Always the same steps, so that a change is what makes it fail; `npm run test:long` takes new ones each time.
 * `ENTIRE_UNDO_SEED` and `ENTIRE_UNDO_STEPS` repeat a run.
 */
test(
  'undo, redo and rewind touch what the session wrote, lose nothing, and take each other back (I1, I8) [native]',
  () => explore(GOING_BACK, 100, 20260101),
  process.env.ENTIRE_UNDO_STEPS ? 4 * 3_600_000 : 600_000,
);
