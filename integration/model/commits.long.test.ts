import { test } from 'vitest';
import { explore } from '../support/runner/explore.ts';
import { COMMITS } from './commits/steps.ts';

test('model, the long run: each commit is linked to exactly the sessions whose lines it holds [native]', () =>
  explore(COMMITS, 10_000));
