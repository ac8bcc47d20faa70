// @module-tag long
import { beforeAll } from 'vitest';
import { EDIT_CASES, OTHER_CASES, PROMPT_CASES, STOP_CASES } from '../support/faults/agent-cases.ts';
import { AUTO_CASES } from '../support/faults/auto-cases.ts';
import { GIT_CASES } from '../support/faults/git-cases.ts';
import { compileFaulty } from '../support/faults/set-up.ts';
import { testCases } from '../support/faults/test-cases.ts';

/** A sample: some hooks, and of each one pair of operation and fault in so many. `npm run test:faults` has all. */
const STRIDE = 223;
/** The hook that runs at each edit has few operations, and each of them counts. */
const EDIT_STRIDE = 13;
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
const sample = all.filter(({ name }) => SAMPLE.includes(name));
const isEdit = ({ name }: { readonly name: string }): boolean => name.startsWith('post-file-edit');
testCases(
  sample.filter((one) => !isEdit(one)),
  ({ index }) => index % STRIDE === 0,
);
testCases(sample.filter(isEdit), ({ index }) => index % EDIT_STRIDE === 0);
