import { describe, expect, test } from 'vitest';
import { payloadNames, readPayload } from '../../../integration/support/agent/agent-fixtures.ts';
import { parseFileEdit, parseHookInput } from './hook-input.ts';

const payload = (name: string) => readPayload('claude-code', name);

/** An edit of the main agent, of which the client does not say what was there before. */
const fileEdit = (tool: string, path: string) => ({
  type: 'FileEdit',
  tool,
  paths: [path],
  isShell: false,
  agentId: undefined,
  before: undefined,
});

/** Verb under which the client's hooks are installed, by the event that the payload names. */
const verbOf = (name: string): string => {
  const [event = '', tool = ''] = name.split('-');
  if (event === 'PostToolUse' && tool === 'Agent') return 'post-task';
  if (event === 'PostToolUse' && tool === 'TodoWrite') return 'post-todo';
  const verbs: Record<string, string> = {
    SessionStart: 'session-start',
    UserPromptSubmit: 'user-prompt-submit',
    Stop: 'stop',
    SessionEnd: 'session-end',
    PreToolUse: 'pre-task',
    PreCompact: 'pre-compact',
    SubagentStop: 'subagent-stop',
    PostToolUse: 'post-file-edit',
  };
  return verbs[event] ?? event;
};

/** What each captured payload means, without the three fields that all have. */
const MEANINGS: Record<string, object | undefined> = {
  'SessionStart-startup': { type: 'SessionStart', source: 'startup' },
  'SessionStart-compact': { type: 'SessionStart', source: 'compact' },
  UserPromptSubmit: { type: 'TurnStart', prompt: 'TURN-ONE: please create hello.txt' },
  'UserPromptSubmit-task-notification': {
    type: 'TurnStart',
    prompt: expect.stringMatching(/^<task-notification>\n/),
  },
  Stop: {
    type: 'TurnEnd',
    lastAssistantMessage: 'Created src/hello.txt and edited README.md.',
    runningAgents: [],
  },
  'Stop-background-running': {
    type: 'TurnEnd',
    lastAssistantMessage: 'Started it.',
    runningAgents: ['ae5b38b9d802254af'],
  },
  'SessionEnd-other': { type: 'SessionEnd' },
  'PreCompact-manual': { type: 'Compaction' },
  'PreToolUse-Agent': {
    type: 'SubagentStart',
    toolUseId: 'toolu_01a33f1703bb5130b59cb44107',
    subagentType: 'general-purpose',
    description: 'Background',
  },
  'PostToolUse-Agent-async_launched': {
    type: 'SubagentLaunch',
    toolUseId: 'toolu_01a33f1703bb5130b59cb44107',
    agentId: 'ae5b38b9d802254af',
    subagentType: 'general-purpose',
    description: 'Background',
  },
  'PostToolUse-Agent-completed': {
    type: 'SubagentEnd',
    toolUseId: 'toolu_01b99d5aee09c399430f8ff315',
    agentId: 'a7d87b8247861f00b',
    subagentType: 'general-purpose',
    description: 'Edit files in a subagent',
  },
  SubagentStop: {
    type: 'SubagentEnd',
    agentId: 'ae5b38b9d802254af',
    subagentType: 'general-purpose',
    description: '',
    subagentTranscriptPath: expect.stringMatching(/\/subagents\/agent-ae5b38b9d802254af\.jsonl$/),
    lastAssistantMessage: 'BG done.',
  },
  'SubagentStop-compaction': {
    type: 'SubagentEnd',
    agentId: 'a49d3759f9080dc55',
    subagentType: '',
    description: '',
    subagentTranscriptPath: expect.stringMatching(/\/subagents\/agent-a49d3759f9080dc55\.jsonl$/),
    lastAssistantMessage: expect.stringContaining('<summary>'),
  },
  'PostToolUse-Write-create': { ...fileEdit('Write', '/repo/src/hello.txt'), before: null },
  'PostToolUse-Write-create-in-subagent': {
    ...fileEdit('Write', '/repo/bg.txt'),
    before: null,
    agentId: expect.stringMatching(/^a[0-9a-f]{16}$/),
  },
  'PostToolUse-Write-update': { ...fileEdit('Write', '/repo/a.txt'), before: 'one\nTWO\nthree\n' },
  'PostToolUse-Write-relative': { ...fileEdit('Write', '/repo/sub/dir/rel-in-sub.txt'), before: null },
  'PostToolUse-Edit': { ...fileEdit('Edit', '/repo/README.md'), before: '# demo\n\nbase line\n' },
  'PostToolUse-Edit-in-subagent': {
    ...fileEdit('Edit', '/repo/README.md'),
    before: expect.stringContaining('# demo'),
    agentId: expect.stringMatching(/^a[0-9a-f]{16}$/),
  },
  'PostToolUse-NotebookEdit': {
    ...fileEdit('NotebookEdit', '/repo/nb.ipynb'),
    before: expect.stringContaining('print(1)'),
  },
  'PostToolUse-Bash-with-edit-diff': {
    ...fileEdit('Bash', '/repo/.claude/settings.local.json'),
    isShell: true,
    replaced: new Map(), // of a file that it made all is the change
  },
  'PostToolUse-Bash': undefined,
  'PostToolUse-Read': undefined,
  'PostToolUse-TodoWrite': {
    type: 'TodoUpdate',
    tool: 'TodoWrite',
    toolInput: { todos: [expect.objectContaining({ content: 'Write a.txt' }), expect.anything()] },
    label: 'Planning: 2 todos',
  },
};
const names = payloadNames('claude-code');

test.each(names)('%s', (name) => {
  expect(MEANINGS).toHaveProperty(name);
  const { session_id, cwd, transcript_path } = payload(name);
  const base = { sessionId: session_id, cwd, transcriptPath: transcript_path };
  const meaning = MEANINGS[name];
  expect(parseHookInput(verbOf(name), payload(name))).toEqual(meaning && { ...base, ...meaning });
});

test.each(['SessionStart-compact', 'PreCompact-manual'])(
  '%s of a sub-agent is none of the session',
  (name) => {
    expect(parseHookInput(verbOf(name), { ...payload(name), agent_id: 'a1' })).toBeUndefined();
  },
);

describe('payloads that are not from a session', () => {
  test.each([null, [], 'text', 7, true, undefined])('%j is no object', (value) => {
    const rejected = { rejected: 'the payload is not a JSON object' };
    expect(parseHookInput('stop', value)).toEqual(rejected);
    expect(parseFileEdit(value)).toEqual(rejected);
  });

  test.each([{}, { session_id: '' }, { sessionId: 's1' }, JSON.parse('{"__proto__":{"session_id":"s1"}}')])(
    '%j has no session',
    (value) => {
      expect(parseHookInput('stop', value)).toEqual({ rejected: 'the payload has no session_id' });
    },
  );

  test.each(['../x', 'a/b', 'a\0', '.x', '-x', 7, null, ['s1'], 'x'.repeat(200)])(
    'the id %j is refused',
    (id) => {
      const value = { session_id: id, tool_name: 'Write', tool_input: { file_path: '/a' } };
      const rejected = { rejected: 'the session_id holds characters that must not become part of a path' };
      for (const verb of ['session-start', 'stop', 'post-file-edit'])
        expect(parseHookInput(verb, value)).toEqual(rejected);
      expect(parseFileEdit(value)).toEqual(rejected);
    },
  );
});

describe('fields of another kind', () => {
  test('count as missing', () => {
    const odd = { session_id: 's1', cwd: 7, transcript_path: '', prompt: ['x'], source: {}, reason: null };
    const base = { sessionId: 's1', cwd: undefined, transcriptPath: undefined };
    expect(parseHookInput('user-prompt-submit', odd)).toEqual({ type: 'TurnStart', ...base, prompt: '' });
    expect(parseHookInput('session-start', odd)).toEqual({
      type: 'SessionStart',
      ...base,
      source: undefined,
    });
    expect(parseHookInput('session-end', odd)).toEqual({ type: 'SessionEnd', ...base });
    expect(parseHookInput('stop', odd)).toEqual({
      type: 'TurnEnd',
      ...base,
      lastAssistantMessage: undefined,
    });
    expect(
      parseHookInput('stop', { ...odd, background_tasks: [7, { status: 'running', id: '../x' }] }),
    ).toEqual({
      type: 'TurnEnd',
      ...base,
      runningAgents: [],
    });
  });

  test('what a todo list says: the item completed last, else how many there are', () => {
    const label = (tool_input: unknown) => parseHookInput('post-todo', { session_id: 's1', tool_input });
    const todo = (status: string, content: unknown) => ({ status, content });
    const todos = [todo('completed', 'one'), todo('completed', 'two'), todo('pending', 'three')];
    expect(label({ todos })).toMatchObject({ label: 'two' });
    expect(label({ todos: [todo('completed', 7)] })).toMatchObject({ label: '' });
    expect(label({ todos: [null, todo('pending', 'x')] })).toMatchObject({ label: 'Planning: 2 todos' });
    for (const odd of [undefined, null, 'text', {}, { todos: {} }, { todos: [] }])
      expect(label(odd)).toMatchObject({ label: '', toolInput: odd });
  });

  test('unknown verbs have no event', () => {
    for (const verb of ['notification', '', 'constructor'])
      expect(parseHookInput(verb, { session_id: 's1' })).toBeUndefined();
  });

  test('ids that become part of a path are looked at', () => {
    const task = (more: object) => ({ session_id: 's1', ...more });
    const rejected = { rejected: 'tool_use_id is required' };
    expect(parseHookInput('pre-task', task({}))).toEqual(rejected);
    expect(parseHookInput('pre-task', task({ tool_use_id: '../x' }))).toEqual(rejected);
    expect(parseHookInput('post-task', task({ tool_use_id: '../x' }))).toEqual(rejected);
    const ended = { tool_use_id: 't1', tool_response: { agentId: 'a/b' } };
    expect(parseHookInput('post-task', task(ended))).toMatchObject({ toolUseId: 't1', agentId: undefined });
    const bad = task({ tool_use_id: 't1', agent_id: '../x', tool_response: 'text' });
    expect(parseHookInput('subagent-stop', bad)).toMatchObject({ toolUseId: undefined, agentId: undefined });
    expect(parseHookInput('post-todo', bad)).toMatchObject({ agentId: undefined });
  });
});

describe('edited paths', () => {
  const paths = (more: object) => {
    const edit = parseFileEdit({ session_id: 's1', tool_name: 'Write', ...more });
    return edit && 'paths' in edit ? edit.paths : edit;
  };

  test('file_path, else notebook_path', () => {
    expect(paths({ tool_input: { file_path: 'a', notebook_path: 'b' } })).toEqual(['a']);
    expect(paths({ tool_input: { file_path: '', notebook_path: 'b' } })).toEqual(['b']);
  });

  test.each([undefined, null, 'text', [], {}, { file_path: 7 }, { path: 'a' }])(
    '%j names no file',
    (tool_input) => {
      expect(paths({ tool_input })).toBeUndefined();
    },
  );

  test('a shell command says in its response what it changed', () => {
    const bash = (changedFiles: unknown) =>
      paths({
        tool_name: 'Bash',
        tool_input: { file_path: 'x' },
        tool_response: { bashEditDiff: { changedFiles } },
      });
    expect(bash(['/repo/a', '', 7, '/repo/b'])).toEqual(['/repo/a', '/repo/b']);
    expect(bash([])).toBeUndefined();
    expect(bash('/repo/a')).toBeUndefined();
    expect(paths({ tool_name: 'Bash', tool_response: null })).toBeUndefined();
  });
});

test.each([
  ['session-start', 'SessionStart-new'],
  ['user-prompt-submit', 'UserPromptSubmit'],
  ['post-file-edit', 'PostToolUse-Write'],
  ['stop', 'Stop'],
  ['session-end', 'SessionEnd-complete'],
])('%s of Copilot CLI, which runs these hooks, too, is no event of ours', (verb, name) => {
  const foreign = payload(`../copilot-cli/payloads/pascal-case-events/${name}`);
  expect(parseHookInput(verb, foreign)).toBeUndefined();
  expect(parseFileEdit(foreign)).toBeUndefined();
  // Should Claude ever tell the time, it is still Claude.
  const own = { ...payload('PostToolUse-Write-create'), timestamp: foreign.timestamp };
  expect(parseFileEdit(own)).toEqual(parseFileEdit(payload('PostToolUse-Write-create')));
});
