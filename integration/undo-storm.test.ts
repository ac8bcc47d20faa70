import { test } from 'vitest';
import { rage } from './support/undo/rage.ts';

test(
  'kill -9 at random moments of undo and redo, 20 times: nothing lost, and both ends can be had [native]',
  () => rage(20),
  300_000,
);
