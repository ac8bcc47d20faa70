// @module-tag long
import { beforeAll } from 'vitest';
import { EDIT_CASES, OTHER_CASES, PROMPT_CASES, STOP_CASES } from '../support/faults/agent-cases.ts';
import { AUTO_CASES } from '../support/faults/auto-cases.ts';
import { GIT_CASES } from '../support/faults/git-cases.ts';
import { compileFaulty } from '../support/faults/set-up.ts';
import { testCases } from '../support/faults/test-cases.ts';

/** A sample: some hooks, and of each every ninety-seventh pair of operation and fault. `npm run test:faults` has all. */
const STRIDE = 151;
const SAMPLE = [
  'user-prompt-submit after HEAD moved, branch moved',
  'post-file-edit, another edit',
  'stop, second step',
  'stop after a commit in the turn, which is completed',
  'session-end',
  'stop, auto-commit',
  'prepare-commit-msg with -m',
  'post-commit that carries forward',
  'post-commit of work of two sessions on a shadow branch',
];

beforeAll(compileFaulty);

const all = [...PROMPT_CASES, ...EDIT_CASES, ...STOP_CASES, ...OTHER_CASES, ...GIT_CASES, ...AUTO_CASES];
testCases(
  all.filter(({ name }) => SAMPLE.includes(name)),
  ({ index }) => index % STRIDE === 0,
);
