import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { droidTranscript as format } from './transcript.ts';

const folder = join(import.meta.dirname, '../../../integration/fixtures/factoryai-droid/transcripts');
const transcript = (name: string): string => readFileSync(join(folder, `${name}.jsonl`), 'utf8');
const long = transcript('multi-turn-commit-compact-resume');
const tools = transcript('tools');
const patched = transcript('apply-patch');

describe('captured transcripts', () => {
  test('prompts are what people typed, without what the client tells the model', () => {
    expect(format.readPrompts(long)).toEqual([
      'TURN-ONE go',
      'TURN-TWO go',
      'TURN-COMMIT go',
      'TURN-SUB go',
      'TURN-PLAIN go',
    ]);
    expect(format.readPrompts(tools)).toEqual(['TURN-TOOLS go']);
    expect(format.readPrompts(transcript('multi-turn-commit-compact-resume-1'))).toEqual([]);
  });

  test('the summary is the last answer', () => {
    expect(format.readSummary(long)).toBe('Done.');
    expect(format.readSummary(tools)).toBe('FINAL-TOOLS');
    expect(format.holdsMessage(tools, ' FINAL-TOOLS\n')).toBe(true);
    expect(format.holdsMessage(tools, 'TURN-TOOLS go')).toBe(false);
  });

  test('entries tell who said what and which tools were used', () => {
    expect(format.readEntries(tools).slice(0, 2)).toEqual([
      { kind: 'user', text: 'TURN-TOOLS go' },
      { kind: 'tool', name: 'Execute', detail: 'echo from-execute > exec.txt; rm -f README.md; ls' },
    ]);
    expect(format.readEntries(tools).at(-1)).toEqual({ kind: 'assistant', text: 'FINAL-TOOLS' });
  });

  test('files are those of calls that did their work, absolute', () => {
    expect(format.readFilesTouched(long)).toEqual([
      '/repo/src/hello.txt',
      '/repo/README.md',
      '/repo/committed.txt',
    ]);
    expect(format.readFilesTouched(tools)).toEqual(['/repo/rel.txt']);
    expect(format.readFilesTouched(patched)).toEqual(
      ['p.txt', 'old.txt', 'del.txt', 'mv.txt', 'mv2.txt'].map((name) => `/repo/${name}`),
    );
  });

  test('lines are those that the client saw come into the file', () => {
    const { edits, isComplete, agents } = format.readEdits(long);
    expect(edits.slice(0, 2)).toEqual([
      {
        path: '/repo/src/hello.txt',
        lines: ['hello from the mock', 'second line'],
        fragments: [],
        isWhole: true,
      },
      {
        path: '/repo/README.md',
        lines: ['base line, edited by the agent'],
        fragments: [],
        removed: ['base line'],
      },
    ]);
    expect([isComplete, agents]).toEqual([false, ['toolu_014e517545aa4c03a866f6d95d']]);
    expect(format.readEdits(patched)).toEqual({
      edits: [
        { path: '/repo/p.txt', lines: ['patched'], fragments: [] },
        { path: '/repo/old.txt', lines: ['ONE'], fragments: [], removed: ['one'] },
        { path: '/repo/del.txt', lines: [], fragments: [] },
        { path: '/repo/mv.txt', lines: [], fragments: [], removed: ['m'] },
        { path: '/repo/mv2.txt', lines: ['mm'], fragments: [], movedFrom: '/repo/mv.txt' },
      ],
      agents: [],
      isComplete: true,
    });
  });

  test('a shell ran where Execute was called', () => {
    expect([format.ranShell(tools), format.ranShell(patched)]).toEqual([true, false]);
  });

  test('each answer is a call, and has no tokens of its own', () => {
    const calls = format.readCalls(tools);
    expect(calls).toHaveLength(8);
    expect(calls[0]).toEqual({
      id: '65100f7a-d781-444e-8301-a0f3ecd68979',
      item: 4,
      usage: { inputTokens: 0, cacheCreationTokens: 0, cacheReadTokens: 0, outputTokens: 0 },
      timeMs: Date.parse('2026-11-21T10:48:07.959Z'),
    });
  });

  test('positions', () => {
    const count = format.countItems(tools);
    expect(count).toBe(tools.trimEnd().split('\n').length);
    expect(format.sliceItems(tools, count)).toBe('');
    expect(format.readPrompts(format.sliceItems(long, 20))).not.toContain('TURN-ONE go');
    expect(format.readLastIdentifier(tools)).toBe('be128a11-e7aa-4f91-a0a0-a78b21332fac');
    expect(format.readTime(tools)).toBe(Date.parse('2026-11-21T10:48:07.754Z'));
    const call = 'toolu_0115988a1e7cd90fc95dba4199';
    expect(format.findToolResult(tools, call)).toBe('7b60c10e-a186-4c38-9145-d4eaf7cb2bfe');
    expect(format.findToolResult(tools, 'toolu_none')).toBe('');
  });

  test('the beginning of a session goes on as another one', () => {
    const last = '65100f7a-d781-444e-8301-a0f3ecd68979';
    const forked = format.fork(tools, last, 'new-id') ?? '';
    const lines = tools.split('\n');
    expect(JSON.parse(forked.split('\n', 1)[0] ?? '')).toEqual({
      ...JSON.parse(lines[0] ?? ''),
      id: 'new-id',
    });
    expect(forked.split('\n').slice(1)).toEqual([...lines.slice(1, 5), '']);
    expect(format.fork(tools, 'unknown', 'new-id')).toBeUndefined();
    expect(format.fork(tools, '', 'new-id')).toBeUndefined();
  });
});

describe('calls as they were asked for', () => {
  const said = (...content: unknown[]) =>
    JSON.stringify({ type: 'message', id: 'm', message: { role: 'assistant', content } });
  const use = (name: string, input: unknown) => ({ type: 'tool_use', id: name, name, input });

  test('count where the client was stopped before the answer; relative paths where no folder is known', () => {
    const text = said(
      use('Create', { file_path: 'a.txt', content: 'one\ntwo\n' }),
      use('Edit', { file_path: '/b.txt', old_str: 'old\nkept', new_str: 'new\nkept' }),
      use('MultiEdit', { file_path: '/c.txt', edits: [{ old_string: 'x', new_string: 'y' }, 7] }),
      use('ApplyPatch', {
        input: '*** Begin Patch\n*** Update File: d.txt\n*** Move to: e.txt\n@@\n-d\n+e\n*** End Patch',
      }),
    );
    expect(format.readEdits(text)).toEqual({
      edits: [
        { path: 'a.txt', lines: ['one', 'two'], fragments: [], isWhole: true },
        { path: '/b.txt', lines: ['new'], fragments: ['new'], removed: ['old'] },
        { path: '/c.txt', lines: ['y'], fragments: ['y'], removed: ['x'] },
        { path: 'd.txt', lines: [], fragments: [], removed: ['d'] },
        { path: 'e.txt', lines: ['e'], fragments: [], movedFrom: 'd.txt' },
      ],
      agents: [],
      isComplete: true,
    });
  });

  test.each(['Execute', 'Script', 'mcp_files_write', 'files___write'])(
    '%s may write without a word',
    (name) => {
      expect(format.readEdits(said(use(name, {}))).isComplete).toBe(false);
    },
  );
});

test('older clients noted what a call cost beside it', () => {
  const usage = {
    input_tokens: 1,
    cache_creation_input_tokens: 2,
    cache_read_input_tokens: 3,
    output_tokens: 4,
  };
  const line = JSON.stringify({
    type: 'message',
    id: 'm',
    message: { role: 'assistant', content: 'x', usage },
  });
  expect(format.readCalls(line)).toMatchObject([
    { usage: { inputTokens: 1, cacheCreationTokens: 2, cacheReadTokens: 3, outputTokens: 4 } },
  ]);
});

test.each([
  '',
  '\n\n',
  'not json',
  'null\n[]\n7\n"x"',
  '{"type":"message"}\n{"type":"message","message":null}\n{"type":"message","message":{"role":"user","content":7}}',
  '{"type":"message","message":{"role":"assistant","content":[null,7,{"type":"tool_use"},{"type":"tool_use","name":"Edit","input":null}]}}',
  '{"type":"session_start","cwd":7}\n{"type":"message","id":7,"timestamp":7,"message":{"role":"assistant","content":[{"type":"text","text":7}]}}',
  tools.slice(0, 3000),
  tools.slice(1234, 9999),
])('any bytes are survived', (text) => {
  for (const read of [
    format.readPrompts,
    format.readEntries,
    format.readSummary,
    format.readFilesTouched,
    format.readEdits,
    format.ranShell,
    format.readCalls,
    format.readTime,
    format.readLastIdentifier,
    format.countItems,
  ])
    expect(() => read(text)).not.toThrow();
  expect(() => format.fork(text, 'm', 'id')).not.toThrow();
  expect(() => format.findToolResult(text, 'm')).not.toThrow();
});

test('a compaction is a line of its own', () => {
  const compacted = transcript('multi-turn-commit-compact-resume-1');
  const find = (text: string) => format.findCompaction?.(Buffer.from(text), () => Buffer.of());
  expect(find(compacted)).toEqual({ tokensBefore: undefined, tokensAfter: undefined });
  expect(find(`${compacted}${long}`)).toBeDefined();
  expect(find(long)).toBeUndefined();
  const said = '{"type":"message","message":{"role":"user","content":[{"type":"compaction_state"}]}}\n';
  expect(find(said)).toBeUndefined();
  expect(find('"compaction_state"\n{"type":"compaction_state')).toBeUndefined();
});
