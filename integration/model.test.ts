import { test } from 'vitest';
import { explore } from './model/explore.ts';

/** The long run is `npm run test:long`; `ENTIRE_MODEL_SEED` and `ENTIRE_MODEL_STEPS` repeat a run. */
test(
  'each commit is linked to exactly the sessions whose lines it holds [native]',
  () => explore(300),
  process.env.ENTIRE_MODEL_STEPS ? 4 * 3_600_000 : 600_000,
);
