import { describe, expect, test } from 'vitest';
import { readPayload } from '../../../integration/support/agent/agent-fixtures.ts';
import { claudeHooks } from '../claude-code/hook-input.ts';
import { cursorHooks } from './hook-input.ts';

/** Written from the documentation: see the README there. */
const documented = (name: string) => readPayload('cursor', name);
const { parseHookInput, parseFileEdit } = cursorHooks;

describe('documented payloads', () => {
  test.each([
    ['session-start', 'sessionStart', { type: 'SessionStart' }],
    [
      'before-submit-prompt',
      'beforeSubmitPrompt',
      { type: 'TurnStart', prompt: 'Add a greeting to hello.txt' },
    ],
    ['stop', 'stop', { type: 'TurnEnd' }],
    ['session-end', 'sessionEnd', { type: 'SessionEnd' }],
    ['pre-compact', 'preCompact', { type: 'Compaction' }],
    ['post-shell', 'afterShellExecution', { type: 'ShellCommand' }],
    ['post-file-edit', 'afterFileEdit', { type: 'FileEdit', paths: ['/repo/hello.txt'], isShell: false }],
    [
      'subagent-start',
      'subagentStart',
      {
        type: 'SubagentStart',
        toolUseId: 'abc-123',
        subagentType: 'generalPurpose',
        description: 'Explore the greetings',
      },
    ],
    [
      'subagent-stop',
      'subagentStop',
      {
        type: 'SubagentEnd',
        toolUseId: 'abc-123',
        agentId: 'abc-123',
        subagentTranscriptPath: '/home/user/.cursor/projects/repo/agent-transcripts/abc-123/abc-123.jsonl',
      },
    ],
  ])('%s', (verb, name, event) => {
    const payload = documented(name);
    expect(parseHookInput(verb, payload)).toMatchObject({
      ...event,
      sessionId: payload.conversation_id,
      cwd: '/repo',
      transcriptPath: payload.transcript_path ?? undefined,
    });
  });
});

test('Cursor runs the hooks of Claude Code, too: those pass its sessions over', () => {
  const verbs = ['session-start', 'user-prompt-submit', 'stop', 'session-end', 'pre-compact', 'post-todo'];
  const { conversation_id, cursor_version, ...payload } = documented('afterFileEdit');
  const claudes = { tool_name: 'Write', tool_input: { file_path: '/repo/hello.txt' } };
  const asClaude = { ...payload, ...claudes, session_id: conversation_id };
  for (const mark of [{ conversation_id, cursor_version }, { conversation_id }, { cursor_version }]) {
    for (const verb of [...verbs, 'post-file-edit', 'pre-task', 'post-task', 'subagent-stop'])
      expect(claudeHooks.parseHookInput(verb, { ...asClaude, ...mark })).toBeUndefined();
    expect(claudeHooks.parseFileEdit({ ...asClaude, ...mark })).toBeUndefined();
  }
  expect(claudeHooks.parseFileEdit(asClaude)).toMatchObject({ type: 'FileEdit' });
});

test('the folder is the one that is open; of several it is not known', () => {
  const payload = documented('stop');
  const cwdOf = (fields: object) => parseHookInput('stop', { ...payload, ...fields });
  expect(cwdOf({ workspace_roots: ['/a', '/b'] })).toMatchObject({ cwd: undefined });
  expect(cwdOf({ workspace_roots: ['/a', '/b'], cwd: '/b' })).toMatchObject({ cwd: '/b' });
  for (const workspace_roots of [undefined, '/a', [], [7]])
    expect(cwdOf({ workspace_roots })).toMatchObject({ cwd: undefined });
});

test('a session id does where there is no conversation', () => {
  const { conversation_id, ...payload } = documented('sessionStart');
  expect(parseHookInput('session-start', payload)).toMatchObject({ sessionId: conversation_id });
});

test('a file that was read is no edit', () => {
  expect(parseFileEdit(documented('beforeReadFile'))).toBeUndefined();
  const { hook_event_name: _, ...unnamed } = documented('afterFileEdit');
  expect(parseFileEdit(unnamed)).toMatchObject({ paths: ['/repo/hello.txt'] });
});

test('a sub-agent without a task or an id is passed over', () => {
  for (const fields of [
    { task: '' },
    { task: undefined },
    { subagent_id: '../x' },
    { subagent_id: undefined },
  ]) {
    expect(parseHookInput('subagent-start', { ...documented('subagentStart'), ...fields })).toBeUndefined();
    expect(parseHookInput('subagent-stop', { ...documented('subagentStop'), ...fields })).toBeUndefined();
  }
});

test.each([null, [], 'text', 7, {}, { conversation_id: '' }, { conversation_id: '../x', session_id: 7 }])(
  'rejects %j',
  (payload) => {
    for (const verb of ['session-start', 'stop', 'post-file-edit', 'subagent-stop', 'unheard-of'])
      expect(parseHookInput(verb, payload)).toEqual({ rejected: expect.any(String) });
  },
);

test('fields of other types and unknown verbs stand for nothing', () => {
  const odd = { conversation_id: 's', transcript_path: null, prompt: 7, file_path: {}, workspace_roots: 's' };
  expect(parseHookInput('before-submit-prompt', odd)).toMatchObject({ type: 'TurnStart', prompt: '' });
  for (const verb of ['post-file-edit', 'subagent-start', 'before-read-file', '', 'constructor'])
    expect(parseHookInput(verb, odd)).toBeUndefined();
});
