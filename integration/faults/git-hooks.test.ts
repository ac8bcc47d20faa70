import { GIT_CASES } from '../support/faults/git-cases.ts';
import { testCases } from '../support/faults/test-cases.ts';

testCases(GIT_CASES);
