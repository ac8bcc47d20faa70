import { test } from 'vitest';
import { COMMITS } from './model/steps.ts';
import { explore } from './support/explore.ts';

test('model, the long run: each commit is linked to exactly the sessions whose lines it holds [native]', () =>
  explore(COMMITS, 10_000));
