import { AUTO_CASES } from '../support/faults/auto-cases.ts';
import { testCases } from '../support/faults/test-cases.ts';

testCases(AUTO_CASES);
