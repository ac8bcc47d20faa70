import { test } from 'vitest';
import { rage } from './support/undo/rage.ts';

const KILLS = Number(process.env.ENTIRE_TEST_KILLS ?? 500);

test(`kill -9 at random moments of undo and redo, ${KILLS} times: nothing lost, and both ends can be had`, () =>
  rage(KILLS));
