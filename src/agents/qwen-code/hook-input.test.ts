import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { payloadNames, readPayload } from '../../../integration/support/agent/agent-fixtures.ts';
import { qwenHooks } from './hook-input.ts';

const { parseFileEdit, parseFileRead, parseHookInput } = qwenHooks;
const payload = (name: string) => readPayload('qwen-code', name);

const fileEdit = (tool: string, path: string, before: string | null | undefined) => ({
  type: 'FileEdit',
  tool,
  paths: [path],
  isShell: false,
  agentId: undefined,
  before,
  replaced: new Map(tool === 'edit' ? [[path, { swaps: [['world', 'earth']], isByLine: false }]] : []),
});

const AGENT = 'general-purpose-call_yws7svsw45';
const task = { toolUseId: 'call_yws7svsw45', subagentType: 'general-purpose', description: 'sub job' };
const unsaid = { subagentTranscriptPath: undefined, lastAssistantMessage: undefined };

/** The verb under which the client runs us, and what each captured payload means, less what all have. */
const MEANINGS: Record<string, [verb: string, meaning: object | undefined]> = {
  'SessionStart-startup': ['session-start', { type: 'SessionStart', source: 'startup' }],
  'SessionStart-resume': ['session-start', { type: 'SessionStart', source: 'resume' }],
  'SessionStart-compact': ['session-start', { type: 'SessionStart', source: 'compact' }],
  'PreCompact-manual': ['pre-compact', { type: 'Compaction' }],
  UserPromptSubmit: ['user-prompt-submit', { type: 'TurnStart', prompt: 'write-and-edit please' }],
  'UserPromptSubmit-continuation': ['user-prompt-submit', undefined],
  Stop: [
    'stop',
    {
      type: 'TurnEnd',
      lastAssistantMessage: 'All done: new.txt, existing.txt, shell.txt.',
      runningAgents: [],
    },
  ],
  'Stop-background-running': [
    'stop',
    { type: 'TurnEnd', lastAssistantMessage: 'Parent done.', runningAgents: [AGENT] },
  ],
  'PreToolUse-agent': ['pre-task', { type: 'SubagentStart', ...task }],
  'PostToolUse-agent-background': ['post-task', { type: 'SubagentLaunch', ...task, agentId: AGENT }],
  'PostToolUse-agent-completed': [
    'post-task',
    {
      type: 'SubagentEnd',
      ...task,
      ...unsaid,
      toolUseId: 'call_ab1y9l4adj',
      agentId: 'general-purpose-call_ab1y9l4adj',
    },
  ],
  SubagentStop: [
    'subagent-stop',
    {
      type: 'SubagentEnd',
      toolUseId: undefined,
      agentId: AGENT,
      subagentType: 'general-purpose',
      description: '',
      subagentTranscriptPath: expect.stringMatching(/\/subagents\/[0-9a-f-]{36}\/agent-[\w-]+\.jsonl$/),
      lastAssistantMessage: 'Child done.',
    },
  ],
  // Its `agent_transcript_path` is that of the session.
  'SubagentStop-foreground': [
    'subagent-stop',
    {
      type: 'SubagentEnd',
      ...unsaid,
      toolUseId: undefined,
      agentId: 'general-purpose-call_ab1y9l4adj',
      subagentType: 'general-purpose',
      description: '',
      lastAssistantMessage: 'Child done.',
    },
  ],
  'PostToolUse-write_file': ['post-file-edit', fileEdit('write_file', '/repo/new.txt', null)],
  'PostToolUse-write_file-in-subagent': [
    'post-file-edit',
    { ...fileEdit('write_file', '/repo/child.txt', null), agentId: AGENT },
  ],
  'PostToolUse-edit': ['post-file-edit', fileEdit('edit', '/repo/existing.txt', 'hello\nworld\n')],
  'PostToolUse-read_file': ['post-file-edit', undefined],
  'PostToolUse-run_shell_command': ['post-shell', { type: 'ShellCommand' }],
};
const names = payloadNames('qwen-code');

test.each(names)('%s', (name) => {
  expect(MEANINGS).toHaveProperty(name);
  const [verb, meaning] = MEANINGS[name] as (typeof MEANINGS)[string];
  const { session_id, cwd, transcript_path } = payload(name);
  const base = { sessionId: session_id, cwd, transcriptPath: transcript_path };
  expect(parseHookInput(verb, payload(name))).toEqual(meaning && { ...base, ...meaning });
});

describe('prompts', () => {
  const prompt = (more: object) => parseHookInput('user-prompt-submit', { session_id: 's1', ...more });

  test('what was typed counts, not what the client made of it', () => {
    expect(prompt({ prompt: 'look at @a\n--- Content …', submitted_prompt: 'look at @a' })).toMatchObject({
      prompt: 'look at @a',
    });
    expect(prompt({ prompt: 'typed while Vim keys were on' })).toMatchObject({ type: 'TurnStart' });
  });

  test.each([{}, { prompt: '' }, { prompt: ' \n' }, { prompt: 7 }, { prompt: null, submitted_prompt: [] }])(
    '%j starts no turn',
    (more) => {
      expect(prompt(more)).toBeUndefined();
    },
  );
});

describe('sub-agents', () => {
  test.each(['SessionStart-compact', 'PreCompact-manual'])('%s of one is none of the session', (name) => {
    const verb = MEANINGS[name]?.[0] ?? '';
    expect(parseHookInput(verb, { ...payload(name), agent_id: AGENT })).toBeUndefined();
  });

  test('other tools whose name has the same word in it run none', () => {
    const listed = { session_id: 's1', tool_name: 'list_agents', tool_call_id: 'c1' };
    expect(parseHookInput('post-task', listed)).toBeUndefined();
    expect(parseHookInput('pre-task', listed)).toBeUndefined();
  });

  test('the client’s own id of a call has to do where the model gave none; bad ones are refused', () => {
    const start = (more: object) =>
      parseHookInput('pre-task', { session_id: 's1', tool_name: 'agent', ...more });
    expect(start({ tool_use_id: 'toolu_1' })).toMatchObject({ toolUseId: 'toolu_1', subagentType: '' });
    expect(start({ tool_call_id: '../x' })).toEqual({ rejected: 'tool_call_id is required' });
  });
});

describe('files that were read', () => {
  test('are those of the tool that reads one', () => {
    const read = payload('PostToolUse-read_file');
    expect(parseFileRead(read)).toEqual({
      type: 'FileRead',
      sessionId: read.session_id,
      cwd: '/repo',
      transcriptPath: read.transcript_path,
      paths: ['/repo/existing.txt'],
    });
    for (const name of names.filter((name) => !/read_file/.test(name)))
      expect(parseFileRead(payload(name)), name).toBeUndefined();
  });

  test('have a path', () => {
    for (const file_path of [undefined, '', 7, ['a']])
      expect(parseFileRead({ session_id: 's1', tool_name: 'read_file', tool_input: { file_path } })).toBe(
        undefined,
      );
  });
});

describe('what a file was', () => {
  const wasBefore = (display: unknown, llmContent: unknown = '') => {
    const edit = parseFileEdit({
      session_id: 's1',
      tool_name: 'write_file',
      tool_input: { file_path: 'a' },
      tool_response: { returnDisplay: display, llmContent },
    });
    return edit && 'before' in edit ? edit.before : edit;
  };

  test('an empty text is an empty file or none, which the answer says', () => {
    const empty = { originalContent: '' };
    expect(wasBefore(empty, 'Successfully overwrote file: a.')).toBe('');
    expect(wasBefore(empty, 'Created new file: a with provided content.')).toBeNull();
    expect(wasBefore(empty, [{ text: 'x' }])).toBeUndefined();
    expect(wasBefore({ originalContent: null })).toBeNull();
  });

  test('a text that the client has cut, and anything else, says nothing', () => {
    expect(wasBefore({ originalContent: 'x', originalContentTruncated: true })).toBeUndefined();
    for (const display of [undefined, null, 'text', [], {}, { originalContent: 7 }])
      expect(wasBefore(display)).toBeUndefined();
  });
});

describe('anything', () => {
  const verbs = Object.values(MEANINGS).map(([verb]) => verb);

  test.each([null, [], 'text', 7, true, undefined])('%j is no object', (value) => {
    const rejected = { rejected: 'the payload is not a JSON object' };
    for (const verb of verbs) expect(parseHookInput(verb, value)).toEqual(rejected);
    expect(parseFileEdit(value)).toEqual(rejected);
    expect(parseFileRead(value)).toEqual(rejected);
  });

  test.each(['../x', 'a/b', 'a\0', '.x', '-x', 7, null, ['s1'], 'x'.repeat(200)])(
    'the id %j is refused',
    (id) => {
      const value = { session_id: id, tool_name: 'edit', tool_input: { file_path: '/a' } };
      const rejected = { rejected: 'the session_id holds characters that must not become part of a path' };
      for (const verb of verbs) expect(parseHookInput(verb, value)).toEqual(rejected);
    },
  );

  test('unknown verbs have no event', () => {
    for (const verb of ['notification', '', 'constructor'])
      expect(parseHookInput(verb, { session_id: 's1' })).toBeUndefined();
  });

  test('fields of any kind are survived', () => {
    const keys = [...new Set(names.flatMap((name) => Object.keys(payload(name))))];
    const any = fc.dictionary(fc.constantFrom(...keys), fc.anything());
    fc.assert(
      fc.property(
        fc.constantFrom(...verbs),
        any,
        fc.constantFrom('agent', 'edit', 'x'),
        (verb, more, tool) => {
          parseHookInput(verb, { ...more, session_id: 's1', tool_name: tool });
        },
      ),
      { numRuns: 300 },
    );
  });
});
