import { test } from 'vitest';
import { explore } from '../support/runner/explore.ts';
import { GOING_BACK } from './undo/steps.ts';

test('undo model, the long run: what the session wrote, nothing lost, each way back is taken back [native]', () =>
  explore(GOING_BACK, 10_000));
