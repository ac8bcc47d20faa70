import { EDIT_CASES, PROMPT_CASES } from '../support/faults/agent-cases.ts';
import { testCases } from '../support/faults/test-cases.ts';

testCases([...PROMPT_CASES, ...EDIT_CASES]);
