import { test } from 'vitest';
import { explore } from './model/explore.ts';

test('model, the long run: each commit is linked to exactly the sessions whose lines it holds [native]', () =>
  explore(10_000));
