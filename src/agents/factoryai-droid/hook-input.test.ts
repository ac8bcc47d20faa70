import { describe, expect, test } from 'vitest';
import { readPayload } from '../../../integration/support/agent/agent-fixtures.ts';
import { droidHooks } from './hook-input.ts';

const captured = (name: string) => readPayload('factoryai-droid', name);
const { parseHookInput, parseFileEdit, parseFileRead } = droidHooks;

describe('captured payloads', () => {
  test.each([
    ['session-start', 'SessionStart-startup', { type: 'SessionStart', source: 'startup' }],
    ['session-start', 'SessionStart-resume', { type: 'SessionStart', source: 'resume' }],
    [
      'session-start',
      'SessionStart-compact',
      {
        type: 'SessionStart',
        source: 'compact',
        previousSessionId: '92152f6d-30c7-48f0-bb7f-094efd66700b',
      },
    ],
    ['user-prompt-submit', 'UserPromptSubmit', { type: 'TurnStart', prompt: 'TURN-ONE go' }],
    ['stop', 'Stop', { type: 'TurnEnd', lastAssistantMessage: undefined, runningAgents: undefined }],
    ['session-end', 'SessionEnd-other', { type: 'SessionEnd' }],
    ['pre-compact', 'PreCompact-auto', { type: 'Compaction' }],
    ['post-shell', 'PostToolUse-Execute', { type: 'ShellCommand' }],
    [
      'pre-tool-use',
      'PreToolUse-Task',
      { type: 'SubagentStart', subagentType: 'worker', description: 'Write sub.txt' },
    ],
  ])('%s: %s', (verb, name, event) => {
    const payload = captured(name);
    expect(parseHookInput(verb, payload)).toMatchObject({
      ...event,
      sessionId: payload.session_id,
      cwd: '/repo',
      transcriptPath: payload.transcript_path,
    });
  });

  test.each([
    ['PostToolUse-Create', ['/repo/src/hello.txt']],
    ['PostToolUse-Create-relative', ['rel.txt']],
    ['PostToolUse-Edit', ['/repo/README.md']],
    [
      'PostToolUse-ApplyPatch',
      ['p.txt', 'old.txt', 'del.txt', 'mv.txt', 'mv2.txt'].map((name) => `/repo/${name}`),
    ],
  ])('post-file-edit: %s', (name, paths) => {
    const payload = captured(name);
    expect(parseFileEdit(payload)).toMatchObject({
      type: 'FileEdit',
      tool: payload.tool_name,
      paths,
      isShell: false,
    });
    expect(parseHookInput('post-file-edit', payload)).toEqual(parseFileEdit(payload));
  });

  test.each(['PostToolUse-Read', 'PostToolUse-Execute'])('post-file-edit: nothing for %s', (name) => {
    expect(parseFileEdit(captured(name))).toBeUndefined();
  });
});

test('a session goes on with another one only after a compaction, and only with one that has a usable id', () => {
  const payload = captured('SessionStart-compact');
  for (const more of [
    { source: 'fork' },
    { previous_session_id: '../x' },
    { previous_session_id: undefined },
  ])
    expect(parseHookInput('session-start', { ...payload, ...more })).not.toHaveProperty('previousSessionId');
});

test('files that were read are those of the tool that reads one', () => {
  const read = captured('PostToolUse-Read');
  expect(parseFileRead(read)).toEqual({
    type: 'FileRead',
    sessionId: read.session_id,
    cwd: '/repo',
    transcriptPath: read.transcript_path,
    paths: ['/repo/README.md'],
  });
  for (const name of [
    'PostToolUse-Edit',
    'PostToolUse-Create',
    'PostToolUse-Execute',
    'PostToolUse-ApplyPatch',
  ])
    expect(parseFileRead(captured(name)), name).toBeUndefined();
  for (const tool_input of [undefined, 7, {}, { file_path: 7 }, { file_path: '' }])
    expect(parseFileRead({ ...read, tool_input })).toBeUndefined();
  for (const value of [null, [], 'text', { ...read, session_id: '../x' }])
    expect(parseFileRead(value)).toHaveProperty('rejected');
});

test('a patch whose answer says nothing is read itself', () => {
  const payload = captured('PostToolUse-ApplyPatch');
  for (const tool_response of [undefined, 'Done.', '{"files":[7,{}]}', { files: [] }]) {
    expect(parseFileEdit({ ...payload, tool_response })).toMatchObject({
      paths: ['p.txt', 'old.txt', 'del.txt', 'mv.txt', 'mv2.txt'],
    });
  }
});

describe('a call of a sub-agent', () => {
  const payload = captured('PreToolUse-Task');

  test('has the same id before and after it, and another one than others', () => {
    const before = parseHookInput('pre-tool-use', payload);
    const after = parseHookInput('post-tool-use', { ...payload, tool_response: 'done' });
    // SHA-256 over session, tool and input, a line each.
    expect(before).toMatchObject({ toolUseId: 'factorytask_0fff84d325f19e5c' });
    expect(after).toMatchObject({
      type: 'SubagentEnd',
      toolUseId: 'factorytask_0fff84d325f19e5c',
      agentId: undefined,
    });
    const other = parseHookInput('pre-tool-use', { ...payload, tool_input: { prompt: 'another' } });
    expect(other).toMatchObject({
      toolUseId: expect.stringMatching(/^factorytask_(?!0fff84d325f19e5c)[0-9a-f]{16}$/),
    });
  });

  test('keeps an id of its own', () => {
    expect(parseHookInput('pre-tool-use', { ...payload, tool_use_id: 'toolu_1' })).toMatchObject({
      toolUseId: 'toolu_1',
    });
    expect(parseHookInput('pre-tool-use', { ...payload, tool_use_id: '../x' })).toMatchObject({
      toolUseId: 'factorytask_0fff84d325f19e5c',
    });
  });

  test('is no other tool', () => {
    expect(parseHookInput('pre-tool-use', captured('PostToolUse-Execute'))).toBeUndefined();
  });
});

test('the start of a session is no prompt', () => {
  expect(parseHookInput('user-prompt-submit', captured('SessionStart-startup'))).toBeUndefined();
});

test.each([null, [], 'text', 7, {}, { session_id: '' }, { session_id: '../x' }, { session_id: 7 }])(
  'rejects %j',
  (payload) => {
    for (const verb of ['session-start', 'stop', 'post-file-edit', 'pre-tool-use', 'unheard-of'])
      expect(parseHookInput(verb, payload)).toEqual({ rejected: expect.any(String) });
  },
);

test('fields of other types and unknown verbs stand for nothing', () => {
  const odd = {
    session_id: 's',
    cwd: 7,
    transcript_path: [],
    prompt: {},
    tool_name: [],
    tool_input: 'x',
    source: 1,
  };
  expect(parseHookInput('user-prompt-submit', odd)).toEqual({
    type: 'TurnStart',
    sessionId: 's',
    cwd: undefined,
    transcriptPath: undefined,
    prompt: '',
  });
  for (const verb of ['notification', 'subagent-stop', 'post-file-edit', '', 'constructor'])
    expect(parseHookInput(verb, odd)).toBeUndefined();
});
