// @module-tag long
import { test } from 'vitest';
import { rage } from '../support/going-back/rage.ts';

test(
  'kill -9 at random moments of undo, redo, rewind, resume, restore and gc, 14 times: nothing lost, and it can be ended [native]',
  () => rage(14),
  300_000,
);
