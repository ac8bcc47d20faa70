import { OTHER_CASES } from '../support/faults/agent-cases.ts';
import { testCases } from '../support/faults/test-cases.ts';

testCases(OTHER_CASES);
