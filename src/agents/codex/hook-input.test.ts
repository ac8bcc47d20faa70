import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readPayload } from '../../../integration/support/agent/agent-fixtures.ts';
import { codexHooks } from './hook-input.ts';

const { parseFileEdit, parseHookInput } = codexHooks;

const payload = (name: string) => readPayload('codex', name);

const SESSION = '01a1fdb4-f11c-77c3-9696-5a653ee2f2f1';
const PARENT = '01a1fdce-ff0b-7822-9029-58faed340bb0';
const AGENT = '01a1fdcf-0140-71e1-995c-7e1d32754be4';
const day = '/home/user/.codex/sessions/2026/11/21';
const base = {
  sessionId: SESSION,
  cwd: '/repo',
  transcriptPath: `${day}/rollout-2026-11-21T10-44-16-${SESSION}.jsonl`,
};
const inAgent = { sessionId: PARENT, cwd: '/repo', transcriptPath: undefined };

describe('captured payloads', () => {
  test.each([
    ['session-start', 'SessionStart-startup', { type: 'SessionStart', ...base, source: 'startup' }],
    [
      'session-start',
      'SessionStart-compact',
      {
        type: 'SessionStart',
        sessionId: '01a2069c-2e54-7391-ae04-3b30b19b8429',
        cwd: '/repo',
        transcriptPath:
          '/home/user/.codex/sessions/2026/11/23/rollout-2026-11-23T04-13-48-01a2069c-2e54-7391-ae04-3b30b19b8429.jsonl',
        source: 'compact',
      },
    ],
    [
      'user-prompt-submit',
      'UserPromptSubmit',
      { type: 'TurnStart', ...base, prompt: 'write-and-edit please' },
    ],
    [
      'stop',
      'Stop',
      {
        type: 'TurnEnd',
        ...base,
        lastAssistantMessage: 'All done: new.txt, existing.txt, shell.txt.',
        runningAgents: undefined,
      },
    ],
    [
      'interrupt',
      'Interrupt',
      {
        type: 'TurnEnd',
        sessionId: '01a2046d-b7bb-7012-8ac4-66abf7b7bdc2',
        cwd: '/repo',
        transcriptPath:
          '/home/user/.codex/sessions/2026/11/22/rollout-2026-11-22T18-03-49-01a2046d-b7bb-7012-8ac4-66abf7b7bdc2.jsonl',
        lastAssistantMessage: undefined,
        runningAgents: undefined,
      },
    ],
    ['session-end', 'SessionEnd-other', { type: 'SessionEnd', ...base }],
    ['post-shell', 'PostToolUse-Bash', { type: 'ShellCommand', ...base }],
    ['post-tool-use', 'PostToolUse-Bash', { type: 'ShellCommand', ...base }],
    ['post-file-edit', 'PostToolUse-Bash', undefined],
    ['post-shell', 'PostToolUse-apply_patch', undefined],
    ['pre-tool-use', 'PreToolUse-Bash', undefined],
    ['no-such-verb', 'Stop', undefined],
  ])('%s: %s', (verb, name, meaning) => {
    expect(parseHookInput(verb, payload(name))).toEqual(meaning);
  });

  test.each(['post-file-edit', 'post-tool-use'])('%s: a patch names its files', (verb) => {
    const given = payload('PostToolUse-apply_patch');
    const meaning = {
      type: 'FileEdit',
      ...base,
      tool: 'apply_patch',
      paths: ['new.txt'],
      isShell: false,
      agentId: undefined,
      before: undefined,
      replaced: new Map(),
      moved: new Map(),
    };
    expect(parseHookInput(verb, given)).toEqual(meaning);
    expect(parseFileEdit(given)).toEqual(meaning);
  });

  test('a moved file has both names', () => {
    const command =
      '*** Begin Patch\n*** Update File: a b.txt\n*** Move to: c/d.txt\n@@\n-x\n+y\n*** End Patch';
    expect(parseFileEdit({ ...payload('PostToolUse-apply_patch'), tool_input: { command } })).toMatchObject({
      paths: ['a b.txt', 'c/d.txt'],
    });
  });

  test('a compaction, a resumed session', () => {
    expect(parseHookInput('pre-compact', payload('PreCompact'))).toMatchObject({ type: 'Compaction' });
    expect(parseHookInput('session-start', payload('SessionStart-resume'))).toMatchObject({
      source: 'resume',
    });
  });
});

describe('sub-agents', () => {
  const task = { toolUseId: AGENT, agentId: AGENT, subagentType: 'default', description: '' };

  test('start and stop under their own id; the transcript is that of the session, or none', () => {
    expect(parseHookInput('subagent-start', payload('subagent/SubagentStart'))).toEqual({
      type: 'SubagentStart',
      ...inAgent,
      ...task,
    });
    expect(parseHookInput('subagent-stop', payload('subagent/SubagentStop'))).toEqual({
      type: 'SubagentEnd',
      sessionId: PARENT,
      cwd: '/repo',
      transcriptPath: `${day}/rollout-2026-11-21T11-12-43-${PARENT}.jsonl`,
      ...task,
      subagentTranscriptPath: `${day}/rollout-2026-11-21T11-12-44-${AGENT}.jsonl`,
      lastAssistantMessage: 'Child done.',
    });
  });

  test('an edit says which sub-agent made it, and a command not where the transcript is', () => {
    const edit = {
      ...payload('PostToolUse-apply_patch'),
      session_id: PARENT,
      agent_id: AGENT,
      agent_type: 'default',
    };
    expect(parseFileEdit(edit)).toMatchObject({ ...inAgent, agentId: AGENT, paths: ['new.txt'] });
    expect(parseHookInput('post-shell', payload('subagent/PostToolUse-Bash'))).toEqual({
      type: 'ShellCommand',
      ...inAgent,
    });
  });

  test.each(['session-start', 'user-prompt-submit', 'stop', 'interrupt', 'session-end', 'pre-compact'])(
    '%s of a sub-agent is none of its session',
    (verb) => {
      expect(parseHookInput(verb, { ...payload('Stop'), prompt: 'x', agent_id: AGENT })).toBeUndefined();
      expect(parseHookInput(verb, { ...payload('Stop'), prompt: 'x', agent_id: null })).toBeDefined();
    },
  );

  test.each([undefined, '', '../x', 'a/b', 7])(
    'agent_id %j is refused: it becomes part of paths',
    (agent_id) => {
      expect(parseHookInput('subagent-stop', { ...payload('Stop'), agent_id })).toEqual({
        rejected: 'agent_id is required',
      });
    },
  );
});

describe('payloads of others', () => {
  test.each([null, 7, 'x', [], [{}], true])('%j is no payload', (given) => {
    expect(parseHookInput('stop', given)).toEqual({ rejected: 'the payload is not a JSON object' });
  });

  test('a session is named, by an id that may become part of a path', () => {
    expect(parseHookInput('stop', {})).toEqual({ rejected: 'the payload has no session_id' });
    expect(parseFileEdit({ session_id: '../x' })).toEqual({
      rejected: 'the session_id holds characters that must not become part of a path',
    });
  });

  test('without a transcript, as in an ephemeral session, and without anything else', () => {
    expect(parseHookInput('stop', { session_id: 's', transcript_path: null })).toEqual({
      type: 'TurnEnd',
      sessionId: 's',
      cwd: undefined,
      transcriptPath: undefined,
      lastAssistantMessage: undefined,
      runningAgents: undefined,
    });
  });

  test('another tool, a patch that is none, and one that names no file are no edits', () => {
    const given = payload('PostToolUse-apply_patch');
    for (const change of [
      { tool_name: 'Edit' },
      { tool_name: 'mcp__files__apply_patch' },
      { tool_input: '*** Begin Patch' },
      { tool_input: { command: ['apply_patch', '*** Begin Patch'] } },
      { tool_input: { command: '*** Begin Patch\n*** End Patch' } },
      { tool_input: null },
    ])
      expect(parseFileEdit({ ...given, ...change })).toBeUndefined();
  });

  test('whatever the members hold, nothing is thrown', () => {
    const verbs = fc.constantFrom(
      'post-file-edit',
      'post-shell',
      'stop',
      'subagent-start',
      'subagent-stop',
      'x',
    );
    const members = fc.constantFrom(
      'session_id',
      'agent_id',
      'transcript_path',
      'cwd',
      'tool_name',
      'tool_input',
    );
    const value = fc.oneof(
      fc.jsonValue(),
      fc.constantFrom('s', 'apply_patch', 'Bash', { command: '*** Begin Patch\n' }),
    );
    fc.assert(
      fc.property(verbs, fc.dictionary(members, value), (verb, given) => {
        const meaning = parseHookInput(verb, { session_id: 's', ...given });
        expect(['object', 'undefined']).toContain(typeof meaning);
      }),
      { numRuns: 500 },
    );
  });
});
