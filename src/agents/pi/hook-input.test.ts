import fc from 'fast-check';
import { expect, test } from 'vitest';
import { payloadNames, readPayload } from '../../../integration/support/agent/agent-fixtures.ts';
import { piHooks } from './hook-input.ts';

const { parseFileEdit, parseFileRead, parseHookInput } = piHooks;
const payload = (name: string) => readPayload('pi', name);

const fileEdit = (tool: string, path: string, before: string | null) => ({
  type: 'FileEdit',
  tool,
  paths: [path],
  isShell: false,
  agentId: undefined,
  before,
  isBeforeExact: true,
});

/** What each captured payload means, less what all have. */
const MEANINGS: Record<string, object> = {
  session_start: { type: 'SessionStart', source: 'startup' },
  before_agent_start: { type: 'TurnStart', prompt: 'PI-ONE go' },
  'post-file-edit-write': fileEdit('write', '/repo/new.txt', null),
  'post-file-edit-edit': fileEdit('edit', '/repo/old.txt', 'one\ntwo\n'),
  'post-file-read': { type: 'FileRead', paths: ['/repo/old.txt'] },
  'post-shell': { type: 'ShellCommand' },
  agent_end: { type: 'TurnEnd', lastAssistantMessage: 'Pi is done.', runningAgents: undefined },
  session_shutdown: { type: 'SessionEnd' },
};
const names = payloadNames('pi');

test.each(names)('%s', (name) => {
  expect(MEANINGS).toHaveProperty(name);
  const { type, session_id, cwd, session_file } = payload(name);
  const base = { sessionId: session_id, cwd, transcriptPath: session_file };
  expect(session_file).toMatch(/\.jsonl$/);
  const read = type === 'post-file-read' ? parseFileRead(payload(name)) : undefined;
  expect(read ?? parseHookInput(String(type), payload(name))).toEqual({ ...base, ...MEANINGS[name] });
});

test('a session that is not saved has no transcript', () => {
  const base = { sessionId: 's1', cwd: undefined, transcriptPath: undefined };
  const turn = { type: 'TurnEnd', ...base, lastAssistantMessage: undefined, runningAgents: undefined };
  expect(parseHookInput('agent_end', { session_id: 's1', last_assistant_message: '' })).toEqual(turn);
  const told = { session_id: 's1' };
  expect(parseHookInput('session_before_compact', told)).toEqual({ type: 'Compaction', ...base });
  const goesOn = { type: 'SessionStart', ...base, source: 'compact', mayBeRepeated: true };
  expect(parseHookInput('session_compact', told)).toEqual(goesOn);
});

test('a read names its file; other tools read none', () => {
  const read = (more: object) => parseFileRead({ session_id: 's1', tool_name: 'read', ...more });
  expect(read({ path: 'a' })).toMatchObject({ paths: ['a'] });
  for (const path of [undefined, null, '', 7, ['a']]) expect(read({ path })).toBeUndefined();
  expect(read({ path: 'a', tool_name: 'edit' })).toBeUndefined();
  expect(read({ path: 'a', session_id: '../x' })).toEqual({ rejected: expect.any(String) });
});

test('an edit names its file; what it was may be unknown', () => {
  const edit = (more: object) => parseFileEdit({ session_id: 's1', tool_name: 'edit', ...more });
  expect(edit({ path: 'a', before: 7 })).toMatchObject({ paths: ['a'], before: undefined });
  for (const path of [undefined, null, '', 7, ['a']]) expect(edit({ path })).toBeUndefined();
});

test('unknown verbs have no event', () => {
  for (const verb of ['turn_start', 'stop', '', 'constructor'])
    expect(parseHookInput(verb, { session_id: 's1' })).toBeUndefined();
});

const VERBS = ['post-file-edit', 'post-shell', 'agent_end', 'session_start'];

test.each([null, [], 'text', 7, true, undefined])('%j is no object', (value) => {
  for (const verb of VERBS)
    expect(parseHookInput(verb, value)).toEqual({ rejected: 'the payload is not a JSON object' });
});

test.each(['../x', 'a/b', 'a\0', '.x', '-x', 7, null, ['s1'], 'x'.repeat(200)])(
  'the id %j is refused',
  (id) => {
    for (const verb of VERBS)
      expect(parseHookInput(verb, { session_id: id, path: '/a' })).toEqual({
        rejected: 'the session_id holds characters that must not become part of a path',
      });
  },
);

test('fields of any kind are survived', () => {
  const keys = [...new Set(names.flatMap((name) => Object.keys(payload(name))))];
  fc.assert(
    fc.property(
      fc.constantFrom(...VERBS, 'before_agent_start'),
      fc.dictionary(fc.constantFrom(...keys), fc.anything()),
      (verb, more) => {
        parseHookInput(verb, { ...more, session_id: 's1' });
      },
    ),
    { numRuns: 300 },
  );
});
