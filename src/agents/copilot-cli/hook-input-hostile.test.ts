import fc from 'fast-check';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { payloadsOf } from '../../../integration/support/agent/agent-fixtures.ts';
import { parseHookInput } from './hook-input.ts';

// Whether there is a session of some name is no matter of this machine.
beforeEach(() => void vi.stubEnv('ENTIRE_TEST_COPILOT_PROJECT_DIR', '/nowhere'));
afterEach(() => void vi.unstubAllEnvs());

const VERBS = [
  'session-start',
  'user-prompt-submitted',
  'agent-stop',
  'session-end',
  'pre-compact',
  'subagent-start',
  'subagent-stop',
  'post-file-edit',
  'post-shell',
];

test('any payload for any verb is taken', () => {
  const recorded = payloadsOf('copilot-cli');
  expect(recorded.size).toBeGreaterThan(40);
  for (const payload of recorded.values()) for (const verb of VERBS) parseHookInput(verb, payload);
  const keys = fc.constantFrom(
    ...['sessionId', 'session_id', 'toolName', 'tool_name', 'toolArgs', 'tool_input', 'parentAgentId'],
    ...['agentId', 'transcriptPath', 'cwd', 'prompt', 'hookEventName', 'hook_event_name', 'path'],
  );
  const words = fc.constantFrom(
    'create',
    'apply_patch',
    'bash',
    '*** Begin Patch\n*** Add File: x',
    'toolu_1',
    'id',
  );
  const odd = fc.dictionary(keys, fc.oneof(fc.jsonValue({ maxDepth: 3 }), words));
  fc.assert(
    fc.property(fc.oneof(odd, fc.jsonValue()), fc.constantFrom(...VERBS), (payload, verb) => {
      const event = parseHookInput(verb, payload);
      if (event && 'type' in event) expect(event.sessionId).toMatch(/^\w[\w.-]*$/);
    }),
    { numRuns: 2000 },
  );
});
