import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { readPayload, transcriptsOf } from '../../../integration/support/agent/agent-fixtures.ts';
import { parseFileEdit, parseFileRead, parseHookInput } from './hook-input.ts';

const recorded = (name: string) => readPayload('copilot-cli', `payloads/${name}`);
const SESSION = 'c14ef695-955a-4e31-92a0-a1b7a1d1c46a';
const PARENT = '869bea58-a09a-4467-8bcc-25cea437a356';
const CHILD = '723903b6-c82e-4094-a54b-dae3fa8af6c3';

let sessions: string;
const transcript = (id: string) => join(sessions, id, 'events.jsonl');

beforeEach(() => {
  sessions = mkdtempSync(join(tmpdir(), 'copilot-sessions-'));
  vi.stubEnv('ENTIRE_TEST_COPILOT_PROJECT_DIR', sessions);
});

afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(sessions, { recursive: true, force: true });
});

describe('a session', () => {
  const base = { sessionId: SESSION, cwd: '/repo' };

  test('in the words of the client', () => {
    const transcriptPath = transcript(SESSION);
    expect(parseHookInput('session-start', recorded('sessionStart-new'))).toEqual({
      type: 'SessionStart',
      ...base,
      transcriptPath,
      source: 'new',
      mayBeInTurn: true, // the prompt comes at the same time
    });
    expect(parseHookInput('user-prompt-submitted', recorded('userPromptSubmitted'))).toEqual({
      type: 'TurnStart',
      ...base,
      transcriptPath,
      prompt: 'write-and-edit please',
    });
    expect(parseHookInput('agent-stop', recorded('agentStop'))).toMatchObject({
      type: 'TurnEnd',
      ...base,
      transcriptPath: `/home/user/.copilot/session-state/${SESSION}/events.jsonl`,
    });
    expect(parseHookInput('session-end', recorded('sessionEnd-complete'))).toMatchObject({
      type: 'SessionEnd',
      ...base,
      mayGoOn: true,
    });
    expect(
      parseHookInput('session-end', { ...recorded('sessionEnd-complete'), reason: 'user_exit' }),
    ).toMatchObject({ mayGoOn: false });
    expect(parseHookInput('pre-compact', recorded('preCompact-manual'))).toMatchObject({
      type: 'Compaction',
      transcriptPath: expect.stringMatching(/events\.jsonl$/),
    });
    expect(parseHookInput('session-start', recorded('resume/sessionStart-resume'))).toMatchObject({
      source: 'resume',
    });
    expect(parseHookInput('post-shell', recorded('postToolUse-bash'))).toEqual({
      type: 'ShellCommand',
      ...base,
      transcriptPath,
      isSubagent: false,
    });
  });

  test('in the words of VS Code', () => {
    const named = (verb: string, name: string) =>
      parseHookInput(verb, recorded(`pascal-case-events/${name}`));
    const sessionId = '90408e31-c4f6-4206-b315-7e083477d31b';
    expect(named('session-start', 'SessionStart-new')).toMatchObject({ type: 'SessionStart', sessionId });
    expect(named('user-prompt-submitted', 'UserPromptSubmit')).toMatchObject({
      type: 'TurnStart',
      prompt: 'write-and-edit please',
      transcriptPath: transcript(sessionId),
    });
    expect(named('agent-stop', 'Stop')).toMatchObject({
      type: 'TurnEnd',
      transcriptPath: `/home/user/.copilot/session-state/${sessionId}/events.jsonl`,
    });
    expect(named('session-end', 'SessionEnd-complete')).toMatchObject({ type: 'SessionEnd', sessionId });
    expect(named('post-shell', 'PostToolUse-Bash')).toMatchObject({ type: 'ShellCommand', sessionId });
    expect(named('post-file-edit', 'PostToolUse-Write')).toMatchObject({ paths: ['/repo/new.txt'] });
    expect(named('post-file-edit', 'PostToolUse-Edit')).toMatchObject({ paths: ['/repo/existing.txt'] });
  });

  test('the end of a turn names what the transcript ends with then', () => {
    const stop = recorded('agentStop');
    const mark = `"timestamp":${stop.timestamp}`;
    expect(parseHookInput('agent-stop', stop)).toMatchObject({ transcriptMark: mark });
    const noted = [...transcriptsOf('copilot-cli').values()].flatMap((text) => text.split('\n'));
    expect(noted.filter((line) => line.includes(mark))).toEqual([expect.stringContaining('"agentStop"')]);
    const { timestamp } = recorded('pascal-case-events/Stop');
    expect(parseHookInput('agent-stop', { ...stop, timestamp })).toMatchObject({
      transcriptMark: `"timestamp":${Date.parse(timestamp as string)}`,
    });
    for (const odd of [undefined, 'soon', {}, Number.NaN, null])
      expect(parseHookInput('agent-stop', { ...stop, timestamp: odd })).toMatchObject({
        transcriptMark: undefined,
      });
  });

  test('a payload that names another event than the verb is for says nothing', () => {
    const stop = recorded('pascal-case-events/Stop');
    for (const verb of ['session-start', 'user-prompt-submitted', 'session-end', 'subagent-stop'])
      expect(parseHookInput(verb, stop)).toBeUndefined();
    expect(
      parseHookInput('agent-stop', { ...recorded('agentStop'), hookEventName: 'postToolUse' }),
    ).toBeUndefined();
  });

  test('without a folder of its own the transcript lies in that of the client', () => {
    vi.stubEnv('ENTIRE_TEST_COPILOT_PROJECT_DIR', '');
    vi.stubEnv('COPILOT_HOME', '/elsewhere');
    expect(parseHookInput('user-prompt-submitted', recorded('userPromptSubmitted'))).toMatchObject({
      transcriptPath: `/elsewhere/session-state/${SESSION}/events.jsonl`,
    });
    vi.stubEnv('COPILOT_HOME', '');
    vi.stubEnv('HOME', '/home/ada');
    expect(parseHookInput('user-prompt-submitted', recorded('userPromptSubmitted'))).toMatchObject({
      transcriptPath: `/home/ada/.copilot/session-state/${SESSION}/events.jsonl`,
    });
  });

  test('ids that must not become part of a path are refused', () => {
    for (const sessionId of ['', undefined, 7, '../x', 'a/b', '-rf', 'x'.repeat(129)])
      for (const verb of ['session-start', 'user-prompt-submitted', 'agent-stop', 'session-end'])
        expect(parseHookInput(verb, { sessionId })).toEqual({ rejected: expect.any(String) });
    expect(parseFileEdit({ ...recorded('postToolUse-create'), sessionId: '../x' })).toEqual({
      rejected: expect.stringContaining('path'),
    });
  });
});

describe('edits', () => {
  test('of the tools that name their file', () => {
    expect(parseFileEdit(recorded('postToolUse-create'))).toEqual({
      type: 'FileEdit',
      sessionId: SESSION,
      cwd: '/repo',
      transcriptPath: transcript(SESSION),
      tool: 'create',
      paths: ['/repo/new.txt'],
      isShell: false,
      agentId: undefined,
      before: undefined,
      replaced: new Map(),
      moved: new Map(),
    });
    expect(parseFileEdit(recorded('postToolUse-edit'))).toMatchObject({
      paths: ['/repo/existing.txt'],
      replaced: new Map([['/repo/existing.txt', { swaps: [['world', 'earth']], isByLine: false }]]),
    });
  });

  test('arguments may be JSON text', () => {
    const payload = recorded('postToolUse-create');
    expect(parseFileEdit({ ...payload, toolArgs: JSON.stringify(payload.toolArgs) })).toMatchObject({
      paths: ['/repo/new.txt'],
    });
  });

  test('of a patch every file, of a moved one both names', () => {
    const payload = recorded('apply_patch/postToolUse-apply_patch');
    expect(parseFileEdit(payload)).toMatchObject({ paths: ['patched.txt', 'existing.txt'], cwd: '/repo' });
    const moving =
      '*** Begin Patch\n*** Update File: a\n*** Move to: b\n@@\n-x\n+y\n*** Delete File: c\n*** End Patch';
    const paths = ['a', 'b', 'c'];
    expect(parseFileEdit({ ...payload, toolArgs: moving })).toMatchObject({ paths });
    expect(parseFileEdit({ ...payload, toolArgs: { input: moving } })).toMatchObject({ paths });
    expect(parseFileEdit({ ...payload, toolArgs: JSON.stringify({ patch: moving }) })).toMatchObject({
      paths,
    });
  });

  test('nothing of what reads, and of a tool that we do not know', () => {
    const payload = recorded('postToolUse-create');
    for (const toolName of ['view', 'bash', 'grep', 'some-mcp-tool', undefined, 7])
      expect(parseFileEdit({ ...payload, toolName })).toBeUndefined();
    expect(
      parseFileEdit({
        ...payload,
        toolName: 'str_replace_editor',
        toolArgs: { command: 'view', path: '/a' },
      }),
    ).toBeUndefined();
    expect(parseHookInput('post-shell', payload)).toBeUndefined();
  });
});

describe('reads', () => {
  const view = recorded('postToolUse-view');
  const sessionId = view.sessionId as string;

  test('of the tool that shows a file, in the words of the client and in those of VS Code', () => {
    const read = { type: 'FileRead', sessionId, cwd: '/repo', transcriptPath: transcript(sessionId) };
    expect(parseFileRead(view)).toEqual({ ...read, paths: ['/repo/old.txt'] });
    expect(parseFileRead({ ...view, toolArgs: '{"path":"a.txt"}' })).toMatchObject({ paths: ['a.txt'] });
    const words = { session_id: sessionId, tool_name: 'Read', tool_input: { file_path: 'b.txt' } };
    expect(parseFileRead(words)).toMatchObject({ sessionId, paths: ['b.txt'] });
  });

  test('are none where the call failed, and not of other tools', () => {
    expect(parseFileRead(recorded('postToolUseFailure-view'))).toBeUndefined();
    expect(parseFileRead({ ...view, toolResult: { resultType: 'failure' } })).toBeUndefined();
    for (const name of ['postToolUse-bash', 'postToolUse-edit', 'userPromptSubmitted'])
      expect(parseFileRead(recorded(name))).toBeUndefined();
    for (const toolArgs of [undefined, 7, 'x', [], { path: '' }])
      expect(parseFileRead({ ...view, toolArgs })).toBeUndefined();
    for (const odd of [null, [], 'x', { ...view, sessionId: '../x' }])
      expect(parseFileRead(odd)).toHaveProperty('rejected');
  });

  test('of a sub-agent are those of the session that began it', () => {
    const child = { ...view, sessionId: CHILD, parentAgentId: PARENT, agentId: CHILD };
    expect(parseFileRead(child)).toBeUndefined(); // nobody knows a session of that name
    mkdirSync(join(sessions, PARENT));
    expect(parseFileRead(child)).toMatchObject({ sessionId: PARENT, paths: ['/repo/old.txt'] });
  });
});

describe('sub-agents', () => {
  test('begin and stop in the words of their session', () => {
    const base = { sessionId: PARENT, agentId: CHILD, toolUseId: CHILD, subagentType: 'general-purpose' };
    expect(parseHookInput('subagent-start', recorded('subagent/subagentStart'))).toMatchObject({
      type: 'SubagentStart',
      ...base,
    });
    expect(parseHookInput('subagent-stop', recorded('subagent/subagentStop'))).toMatchObject({
      type: 'SubagentEnd',
      ...base,
      lastAssistantMessage: 'Child done.',
    });
  });

  test('what they are asked, and that they stop themselves, is no event of a session', () => {
    const asked = { ...recorded('nested/userPromptSubmitted'), sessionId: CHILD };
    expect(parseHookInput('user-prompt-submitted', asked)).toBeUndefined();
    expect(parseHookInput('agent-stop', recorded('subagent/agentStop'))).toBeUndefined();
    const old = { sessionId: 'toolu_vrtx_01', prompt: 'go', cwd: '/repo' };
    for (const verb of [
      'session-start',
      'user-prompt-submitted',
      'agent-stop',
      'session-end',
      'subagent-stop',
    ])
      expect(parseHookInput(verb, old)).toBeUndefined();
    expect(parseFileEdit({ ...recorded('postToolUse-create'), sessionId: 'toolu_vrtx_01' })).toBeUndefined();
  });

  test('their edits and commands are those of the session that began them', () => {
    const edit = recorded('subagent/postToolUse-create');
    expect(parseFileEdit(edit)).toBeUndefined(); // nobody knows a session of that name
    mkdirSync(join(sessions, PARENT));
    expect(parseFileEdit(edit)).toMatchObject({
      sessionId: PARENT,
      agentId: CHILD,
      paths: ['/repo/child.txt'],
      transcriptPath: transcript(PARENT),
    });
    const shell = { ...edit, toolName: 'bash', toolArgs: { command: 'true' } };
    expect(parseHookInput('post-shell', shell)).toMatchObject({
      type: 'ShellCommand',
      sessionId: PARENT,
      isSubagent: true,
    });
  });

  test('of one that another one began, the session is where the transcript lies', () => {
    const session = { sessionId: '2177b6a5' };
    const path = '/home/user/.copilot/session-state/2177b6a5/events.jsonl';
    for (const [verb, name] of [
      ['subagent-start', 'nested/subagentStart'],
      ['subagent-stop', 'nested/subagentStop'],
    ] as const)
      expect(parseHookInput(verb, { ...recorded(name), transcriptPath: path })).toMatchObject(session);
    expect(parseFileEdit(recorded('nested/postToolUse-create'))).toBeUndefined();
  });
});

test('unknown verbs say nothing', () => {
  for (const verb of ['pre-tool-use', 'post-tool-use', 'error-occurred', '', 'toString'])
    expect(parseHookInput(verb, recorded('postToolUse-create'))).toBeUndefined();
});
