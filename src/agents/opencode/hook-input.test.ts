import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readPayload } from '../../../integration/support/agent/agent-fixtures.ts';
import { opencodeHooks } from './hook-input.ts';

const { parseFileEdit, parseFileRead, parseHookInput } = opencodeHooks;
const payload = (name: string) => readPayload('opencode', name);

const CHILD = 'ses_dfbb0517fffexVFpf881VvjNtr';
const task = { subagentType: 'general', description: 'sub job', toolUseId: 'call_c3z9yhg4f' };
const edit = { type: 'FileEdit', isShell: false, agentId: undefined };

/** What each captured payload means, without the fields that all have: file, verb, event. */
const MEANINGS: ReadonlyArray<readonly [string, string, object]> = [
  ['session-start', 'session-start', { type: 'SessionStart', source: 'startup' }],
  ['session-start-resume', 'session-start', { type: 'SessionStart', source: 'resume' }],
  ['turn-start', 'turn-start', { type: 'TurnStart', prompt: '"PATCH it"' }],
  ['turn-start-resume', 'turn-start', { type: 'TurnStart', prompt: '"DELEGATE please"' }],
  ['turn-start', 'transcript', { type: 'TranscriptPart' }],
  ['turn-end', 'turn-end', { type: 'TurnEnd' }],
  ['session-end', 'session-end', { type: 'SessionEnd' }],
  ['session-end', 'compaction', { type: 'Compaction' }],
  ['session-end', 'compacted', { type: 'SessionStart', source: 'compact', mayBeRepeated: true }],
  ['post-shell', 'post-shell', { type: 'ShellCommand' }],
  ['subagent-start', 'subagent-start', { type: 'SubagentStart', ...task }],
  ['subagent-stop', 'subagent-stop', { type: 'SubagentEnd', ...task, agentId: CHILD }],
  [
    'post-file-edit-write',
    'post-file-edit',
    { ...edit, tool: 'write', paths: ['/repo/new.txt'], before: 'a\nb\n' },
  ],
  [
    'post-file-edit-write-relative',
    'post-file-edit',
    { ...edit, tool: 'write', paths: ['rel/a.txt'], before: null },
  ],
  [
    'post-file-edit-in-subagent',
    'post-file-edit',
    { ...edit, tool: 'write', paths: ['/repo/child.txt'], before: null, agentId: CHILD },
  ],
  [
    'post-file-edit-apply-patch',
    'post-file-edit',
    {
      ...edit,
      tool: 'apply_patch',
      paths: ['/repo/sub/patched.txt', '/repo/old.txt', '/repo/moved.txt', '/repo/new.txt'],
      before: undefined,
    },
  ],
];

describe('captured payloads', () => {
  test.each(MEANINGS)('%s as %s', (name, verb, meaning) => {
    const given = payload(name);
    expect(parseHookInput(verb, given)).toMatchObject({
      ...meaning,
      sessionId: given.session_id,
      cwd: '/repo',
    });
  });
});

test('a file that was read is named; other tools read none', () => {
  const given = payload('post-file-read');
  expect(parseFileRead(given)).toEqual({
    type: 'FileRead',
    sessionId: given.session_id,
    cwd: '/repo',
    transcriptPath: undefined,
    paths: ['/repo/old.txt'],
  });
  expect(parseFileRead(payload('post-file-edit-write'))).toBeUndefined();
  expect(parseFileRead({ ...given, tool_input: { filePath: '' } })).toBeUndefined();
  expect(parseFileRead({ ...given, session_id: '../x' })).toEqual({ rejected: expect.any(String) });
});

test('an envelope names its files where the tool does not say what it wrote', () => {
  const { files, ...given } = payload('post-file-edit-apply-patch');
  expect(files).toHaveLength(3);
  expect(parseFileEdit(given)).toMatchObject({
    paths: ['sub/patched.txt', 'old.txt', 'moved.txt', 'new.txt'],
  });
});

test('a tool that names no file edited none', () => {
  const base = { session_id: 'ses_1', tool_name: 'write' };
  expect(parseFileEdit(base)).toBeUndefined();
  expect(parseFileEdit({ ...base, tool_input: 'x', files: [7, {}] })).toBeUndefined();
});

test('a verb that we do not know stands for no event', () => {
  expect(parseHookInput('stop', payload('session-end'))).toBeUndefined();
});

test('ids that must not become part of a path are refused', () => {
  const rejected = { rejected: expect.any(String) };
  for (const session_id of ['', '../x', 'a/b', undefined, 7, null])
    expect(parseHookInput('turn-start', { session_id })).toEqual(rejected);
  expect(parseFileEdit({ session_id: '..' })).toEqual(rejected);
  const input = { ...payload('subagent-start'), tool_use_id: '../x' };
  expect(parseHookInput('subagent-start', input)).toEqual(rejected);
  expect(parseHookInput('subagent-stop', { ...payload('subagent-stop'), agent_id: 'a/b' })).toMatchObject({
    agentId: undefined,
  });
});

test('any payload is survived', () => {
  const verbs = [...new Set(MEANINGS.map(([, verb]) => verb))];
  const loose = fc.oneof(
    fc.jsonValue(),
    fc.record({
      session_id: fc.constantFrom('ses_1', '', '../x'),
      tool_use_id: fc.jsonValue(),
      tool_input: fc.jsonValue(),
      files: fc.jsonValue(),
      before: fc.jsonValue(),
    }),
  );
  fc.assert(
    fc.property(fc.constantFrom(...verbs), loose, (verb, value) => {
      parseHookInput(verb, value);
      parseFileEdit(value);
    }),
    { numRuns: 2000 },
  );
});
