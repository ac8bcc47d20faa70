import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { payloadNames, readPayload } from '../../../integration/support/agent/agent-fixtures.ts';
import { parseFileEdit, parseFileRead, parseHookInput } from './hook-input.ts';

const payload = (name: string) => readPayload('gemini', name);

/** Verb under which a payload is sent, by its name: those that earlier releases installed are still accepted. */
const verbOf = (name: string): string => {
  if (/^AfterTool-(write_file|replace)$/.test(name)) return 'post-file-edit';
  if (name === 'AfterTool-run_shell_command') return 'post-shell';
  if (name.startsWith('AfterTool-read_file')) return 'post-file-read'; // another reader's, below
  const [event = ''] = name.split('-');
  return event.replace(/(?<=[a-z])[A-Z]/g, '-$&').toLowerCase();
};

/** What each captured payload means, without the fields that all have. */
const MEANINGS: Record<string, object | undefined> = {
  'SessionStart-startup': { type: 'SessionStart', source: 'startup' },
  'SessionStart-clear': { type: 'SessionStart', source: 'clear' },
  BeforeAgent: { type: 'TurnStart', prompt: 'write-and-edit please' },
  AfterAgent: { type: 'TurnEnd', lastAssistantMessage: undefined, runningAgents: undefined },
  'AfterTool-write_file': {
    type: 'FileEdit',
    tool: 'write_file',
    paths: ['/repo/new.txt'],
    isShell: false,
    agentId: undefined,
    before: null,
    replaced: new Map(),
  },
  'AfterTool-replace': {
    type: 'FileEdit',
    tool: 'replace',
    paths: ['/repo/existing.txt'],
    isShell: false,
    agentId: undefined,
    before: 'hello\nworld\n',
    replaced: new Map([['/repo/existing.txt', { swaps: [['world', 'earth']], isByLine: false }]]),
  },
  'AfterTool-run_shell_command': { type: 'ShellCommand', isSubagent: false },
  'AfterTool-read_file': undefined,
  'AfterTool-read_file-missing': undefined,
  'SessionEnd-exit': { type: 'SessionEnd' },
  'SessionEnd-clear': { type: 'SessionEnd' },
  PreCompress: undefined,
  BeforeModel: undefined,
  'BeforeTool-write_file': undefined,
  Notification: undefined,
};

const names = payloadNames('gemini');

test('every captured payload has a meaning below', () => {
  expect(names.toSorted()).toEqual(Object.keys(MEANINGS).toSorted());
});

test.each(names)('%s', (name) => {
  const input = payload(name);
  const meaning = MEANINGS[name];
  const base = {
    sessionId: input.session_id,
    cwd: input.cwd,
    transcriptPath: input.transcript_path,
  };
  expect(parseHookInput(verbOf(name), input)).toEqual(meaning && { ...base, ...meaning });
});

test('a shell command is that of a sub-agent where one has written after its session', () => {
  const home = mkdtempSync(join(tmpdir(), 'gemini-chats-'));
  const shell = payload('AfterTool-run_shell_command');
  const transcript_path = join(home, 'session.jsonl');
  const child = join(home, shell.session_id as string, 'child.jsonl');
  const parse = () => parseHookInput('post-shell', { ...shell, transcript_path });
  const write = (file: string, at: number) => {
    writeFileSync(file, '');
    utimesSync(file, at, at);
  };
  try {
    expect(parse()).toMatchObject({ isSubagent: false });
    write(transcript_path, 1000);
    expect(parse()).toMatchObject({ isSubagent: false });
    mkdirSync(dirname(child));
    write(child, 1001);
    expect(parse()).toMatchObject({ isSubagent: true });
    write(transcript_path, 1002);
    expect(parse()).toMatchObject({ isSubagent: false });
  } finally {
    rmSync(home, { recursive: true });
  }
});

describe('a read', () => {
  const { session_id, cwd, transcript_path } = payload('AfterTool-read_file');

  test('names the file as the model did', () => {
    expect(parseFileRead(payload('AfterTool-read_file'))).toEqual({
      type: 'FileRead',
      sessionId: session_id,
      cwd,
      transcriptPath: transcript_path,
      paths: ['old.txt'],
    });
  });

  test.each(names.filter((name) => name !== 'AfterTool-read_file'))('is not %s', (name) => {
    expect(parseFileRead(payload(name))).toBeUndefined();
  });

  test('needs a session and a path', () => {
    const some = payload('AfterTool-read_file');
    expect(parseFileRead({ ...some, session_id: '' })).toHaveProperty('rejected');
    expect(parseFileRead({ ...some, tool_input: { file_path: 7 } })).toBeUndefined();
    expect(parseFileRead({ ...some, tool_input: 'old.txt' })).toBeUndefined();
  });
});

describe('an edit', () => {
  const edit = (change: Record<string, unknown>) =>
    parseFileEdit({ ...payload('AfterTool-replace'), ...change });

  test('of a call that failed is none', () => {
    const error = { message: 'Could not find an exact match', type: 'edit_no_occurrence_found' };
    expect(edit({ tool_response: { llmContent: '', returnDisplay: 'Error', error } })).toBeUndefined();
  });

  test('has the path that the client found, else the one that the model named', () => {
    const named = { tool_input: { file_path: 'src/a.ts' }, tool_response: {} };
    expect(edit({ tool_input: { file_path: 'existing.txt' } })).toMatchObject({
      paths: ['/repo/existing.txt'],
    });
    expect(edit(named)).toMatchObject({ paths: ['src/a.ts'], before: undefined });
    expect(edit({ ...named, tool_input: { path: 'b' } })).toMatchObject({ paths: ['b'] });
    expect(edit({ ...named, tool_input: { file_path: '', filename: 'c' } })).toMatchObject({ paths: ['c'] });
    expect(edit({ ...named, tool_input: 'c' })).toBeUndefined();
  });

  test('is made by the tools of older clients, too, and by no tool that only reads', () => {
    expect(edit({ tool_name: 'save_file' })).toMatchObject({ type: 'FileEdit', tool: 'save_file' });
    expect(edit({ tool_name: 'read_file' })).toBeUndefined();
    expect(edit({ tool_name: undefined })).toBeUndefined();
  });
});

test('a resumed session names a transcript at its start that it will not write', () => {
  const start = payload('SessionStart-startup');
  expect(parseHookInput('session-start', { ...start, source: 'resume' })).toMatchObject({
    source: 'resume',
    transcriptPath: undefined,
  });
});

test('only a compression that was asked for is one', () => {
  expect(parseHookInput('pre-compress', { ...payload('PreCompress'), trigger: 'manual' })).toMatchObject({
    type: 'Compaction',
  });
});

test.each([
  [{}, 'the payload has no session_id'],
  [{ session_id: '../x' }, 'the session_id holds characters that must not become part of a path'],
  [{ session_id: 7 }, 'the session_id holds characters that must not become part of a path'],
  [[], 'the payload is not a JSON object'],
  [null, 'the payload is not a JSON object'],
])('%j is rejected', (input, rejected) => {
  for (const verb of ['before-agent', 'post-file-edit'])
    expect(parseHookInput(verb, input)).toEqual({ rejected });
});

test('no payload makes it throw', () => {
  const value = fc.jsonValue();
  const keys = ['tool_name', 'tool_input', 'tool_response', 'prompt', 'trigger', 'source', 'cwd'] as const;
  const fields = fc.record(Object.fromEntries(keys.map((key) => [key, value])), { requiredKeys: [] });
  const verbs = [
    'session-start',
    'before-agent',
    'after-agent',
    'pre-compress',
    'post-shell',
    'post-file-edit',
  ];
  fc.assert(
    fc.property(fc.constantFrom(...verbs), fields, value, (verb, some, any) => {
      const input = { session_id: 's', tool_name: 'replace', ...some };
      const event = parseHookInput(verb, input);
      if (event && 'paths' in event) expect(event.paths.every((path) => typeof path === 'string')).toBe(true);
      parseHookInput(verb, any);
    }),
    { numRuns: 500 },
  );
});
