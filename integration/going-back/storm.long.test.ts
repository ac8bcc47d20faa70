import { test } from 'vitest';
import { rage } from '../support/going-back/rage.ts';

const KILLS = Number(process.env.ENTIRE_TEST_KILLS ?? 500);

test(`kill -9 at random moments of undo, redo, rewind, resume, restore and gc, ${KILLS} times: nothing lost, and it can be ended`, () =>
  rage(KILLS));
