import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { qwenTranscript as format } from './transcript.ts';

const folder = join(import.meta.dirname, '../../../integration/fixtures/qwen-code/transcripts');
const recorded = (name: string) => readFileSync(join(folder, `${name}.jsonl`), 'utf8');
const lines = (...rows: unknown[]) => rows.map((row) => `${JSON.stringify(row)}\n`).join('');
const row = (uuid: string, parentUuid: string | null, type: string, part: object, more: object = {}) => ({
  uuid,
  parentUuid,
  type,
  message: { parts: [part] },
  ...more,
});
const user = (text: string, more: object = {}) => row('u', null, 'user', { text }, more);
const call = (id: string, name: string, args: object) =>
  row(`c${id}`, null, 'assistant', { functionCall: { id, name, args } }, { cwd: '/repo' });
const result = (id: string, toolCallResult: object, response: object = { output: 'ok' }) =>
  row(`r${id}`, null, 'tool_result', { functionResponse: { id, response } }, { toolCallResult });
const chain = (...rows: object[]) =>
  rows.map((one, at) => ({ ...one, uuid: `u${at}`, parentUuid: at === 0 ? null : `u${at - 1}` }));

describe('what a client wrote', () => {
  const text = recorded('basic');

  test('prompts, answers, tools', () => {
    expect(format.readPrompts(text)).toEqual(['write-and-edit please']);
    expect(format.readSummary(text)).toBe('All done: new.txt, existing.txt, shell.txt.');
    expect(format.holdsMessage(text, ' All done: new.txt, existing.txt, shell.txt.\n')).toBe(true);
    expect(format.holdsMessage(text, 'All done')).toBe(false);
    expect(format.readEntries(text)).toEqual([
      { kind: 'user', text: 'write-and-edit please' },
      { kind: 'tool', name: 'write_file', detail: '/repo/new.txt' },
      { kind: 'tool', name: 'read_file', detail: '/repo/existing.txt' },
      { kind: 'tool', name: 'edit', detail: '/repo/existing.txt' },
      { kind: 'tool', name: 'run_shell_command', detail: 'write a file by the shell' },
      { kind: 'assistant', text: 'All done: new.txt, existing.txt, shell.txt.' },
    ]);
  });

  test('files and lines', () => {
    expect(format.readFilesTouched(text)).toEqual(['/repo/new.txt', '/repo/existing.txt']);
    expect(format.ranShell(text)).toBe(true);
    expect(format.readEdits(text)).toEqual({
      edits: [
        { path: '/repo/new.txt', lines: ['new file line 1', 'line 2'], fragments: [] },
        { path: '/repo/existing.txt', lines: ['earth'], fragments: [], removed: ['world'] },
      ],
      agents: [],
      isComplete: false,
    });
  });

  test('each call of the model once, also when it is read in two parts', () => {
    const calls = format.readCalls(text);
    expect(calls).toHaveLength(5);
    expect(calls[0]).toEqual({
      id: '7abe31d1-5eeb-442e-a77e-791b09189147',
      item: 3,
      usage: { inputTokens: 1200, cacheCreationTokens: 0, cacheReadTokens: 0, outputTokens: 20 },
      timeMs: Date.parse('2026-11-21T10:49:21.956Z'),
    });
    const rest = format.sliceItems(text, 4);
    expect(format.readCalls(rest).map(({ id }) => id)).toEqual(calls.slice(1).map(({ id }) => id));
    expect(format.countItems(text)).toBe(format.countItems(rest) + 4);
  });

  test('ids and times', () => {
    expect(format.readLastIdentifier(text)).toBe('33d35c7c-e3b3-44c3-bdb5-2781842d3b66');
    expect(format.findToolResult(text, 'call_p2w5teps45')).toBe('82d502d7-97d1-4e25-a1ba-a781aa9f13a2');
    expect(format.findToolResult(text, 'call_')).toBe('');
    expect(format.readTime(text)).toBe(Date.parse('2026-11-21T10:49:21.600Z'));
  });

  test('a sub-agent: its session names it, its own transcript says the rest', () => {
    const session = recorded('subagent');
    expect(format.readSubagents(session).map(({ agentId }) => agentId)).toEqual([
      'general-purpose-call_ab1y9l4adj',
    ]);
    expect(format.readEdits(session).agents).toEqual(['call_ab1y9l4adj']);
    const own = recorded('subagent--agent');
    expect(format.readFilesTouched(own)).toEqual(['/repo/child.txt']);
    expect(format.readEdits(own)).toMatchObject({ edits: [{ lines: ['child'] }], isComplete: true });
    expect(format.readCalls(own).map(({ usage }) => usage)).toEqual([
      { inputTokens: 1000, cacheCreationTokens: 0, cacheReadTokens: 200, outputTokens: 20 },
      { inputTokens: 1001, cacheCreationTokens: 0, cacheReadTokens: 200, outputTokens: 20 },
    ]);
    expect(format.readSummary(own)).toBe('Child done.');
    expect(format.readSubagents(recorded('basic'))).toEqual([]);
  });

  test('going on from before a message, under another id', () => {
    const at = format.findToolResult(text, 'call_q361sgamdk');
    const forked = format.fork(text, at, 'new-id') as string;
    expect(format.readLastIdentifier(forked)).toBe(at);
    expect(forked).not.toContain('"sessionId":"abcb8c0a');
    expect(text.replaceAll('abcb8c0a-34a5-47c2-9293-d240a2b1e622"', 'new-id"').startsWith(forked)).toBe(true);
    expect(format.fork(text, 'nowhere', 'new-id')).toBeUndefined();
  });
});

describe('what was taken back', () => {
  const before = [user('first'), row('x', null, 'assistant', { text: 'one' })];
  const left = [user('wrong way'), call('1', 'write_file', { file_path: 'left.txt', content: 'x\n' })];
  const rows = [
    ...chain(...before, ...left),
    { uuid: 'rewind', parentUuid: 'u1', type: 'system', subtype: 'rewind' },
    row('n1', 'rewind', 'user', { text: 'second' }),
    row('n2', 'n1', 'assistant', { text: 'two' }, { usageMetadata: { promptTokenCount: 5 } }),
  ];

  test('is no longer said, but was done', () => {
    const text = lines(...rows);
    expect(format.readPrompts(text)).toEqual(['first', 'second']);
    expect(format.readEntries(text).map((entry) => ('text' in entry ? entry.text : entry.name))).toEqual([
      'first',
      'one',
      'second',
      'two',
    ]);
    expect(format.readFilesTouched(text)).toEqual(['/repo/left.txt']);
    expect(format.readEdits(text).edits).toHaveLength(1);
  });

  test('also in a part that begins behind the place to which it went back', () => {
    expect(format.readPrompts(lines(...rows.slice(2)))).toEqual(['second']);
    expect(format.readPrompts(lines(...rows.slice(0, 4)))).toEqual(['first', 'wrong way']);
  });

  test('is not told from what is broken: then all of it is kept', () => {
    const text = `${lines(rows[0])}{"uuid":"u1",\n${lines(...rows.slice(2))}`;
    expect(format.readPrompts(text)).toEqual(['first', 'wrong way', 'second']);
    expect(format.readPrompts(`${lines(...rows)}{"uuid":`)).toEqual(['first', 'second']);
  });
});

describe('prompts', () => {
  test('what the client, its timers and hooks add is none', () => {
    const text = lines(
      ...chain(
        user('typed', { provenance: 'real_user' }),
        user('by a timer', { provenance: 'system', subtype: 'cron' }),
        user('by a task', { subtype: 'notification' }),
        user('by a goal', { provenance: 'goal_runtime' }),
        user('while it worked', { provenance: 'real_user', subtype: 'mid_turn_user_message' }),
        user('typed, and more', { systemPayload: { displayText: 'typed', hookContext: 'and more' } }),
        user('   '),
        { type: 'user', message: 'text' },
      ),
    );
    expect(format.readPrompts(text)).toEqual(['typed', 'while it worked', 'typed']);
  });

  test('what is wrapped around one goes', () => {
    const { cleanPrompt } = format;
    expect(cleanPrompt('go<system-reminder>x</system-reminder> on ')).toBe('go on');
    expect(cleanPrompt('a <system-reminder> that does not end')).toBe(
      'a <system-reminder> that does not end',
    );
    expect(cleanPrompt('look at @a\n--- Content from referenced files ---\nsecret')).toBe('look at @a');
    expect(cleanPrompt('<system-reminder>'.repeat(100_000)).length).toBeGreaterThan(0);
  });
});

describe('edits', () => {
  const edits = (...rows: object[]) => format.readEdits(lines(...chain(...rows))).edits;
  const asked = { file_path: 'a.ts', old_string: 'x\nkeep\n', new_string: 'first\nkeep\nlast' };

  test('without the difference the call has to do, less what was there before', () => {
    const cut = { resultDisplay: { fileDiff: '@@\n+nothing', fileDiffTruncated: true } };
    for (const answer of [{}, cut])
      expect(edits(call('1', 'edit', asked), result('1', answer))).toEqual([
        { path: '/repo/a.ts', lines: ['first', 'last'], fragments: ['first', 'last'], removed: ['x'] },
      ]);
    expect(edits(call('1', 'notebook_edit', { notebook_path: '/n.ipynb' }))).toEqual([
      { path: '/n.ipynb', lines: undefined, fragments: [] },
    ]);
  });

  test('a call that failed wrote nothing, one that was never answered may have', () => {
    for (const [answer, response] of [
      [{ status: 'error' }, {}],
      [{ status: 'cancelled' }, {}],
      [{}, { error: 'no' }],
    ] as const) {
      const rows = [call('1', 'edit', asked), result('1', answer, response)];
      expect(edits(...rows)).toEqual([]);
      expect(format.readFilesTouched(lines(...chain(...rows)))).toEqual([]);
    }
    expect(edits(call('1', 'edit', asked))).toHaveLength(1);
  });

  test('other programs’ tools may have written anything', () => {
    const complete = (name: string) => format.readEdits(lines(call('1', name, {}))).isComplete;
    expect([complete('read_file'), complete('mcp__x__y'), complete('run_shell_command')]).toEqual([
      true,
      false,
      false,
    ]);
  });
});

test('thoughts count with the answer only where the total says that they are apart', () => {
  const usage = (usageMetadata: object) =>
    format.readCalls(lines({ ...user('x'), type: 'assistant', usageMetadata }))[0]?.usage.outputTokens;
  const some = { promptTokenCount: 10, candidatesTokenCount: 5, thoughtsTokenCount: 3 };
  expect([usage({ ...some, totalTokenCount: 18 }), usage({ ...some, totalTokenCount: 15 })]).toEqual([8, 5]);
  expect(usage({ candidatesTokenCount: -1 })).toBe(0);
});

test('where sub-agents are, and what the client notes of them', () => {
  expect(format.subagentTranscripts('/p/chats/s.1.jsonl', 's.1', 'a1')).toEqual([
    '/p/subagents/s_1/agent-a1.jsonl',
  ]);
  expect(format.subagentNote('/p/agent-a1.jsonl')).toBe('/p/agent-a1.meta.json');
  expect(format.parseSubagentNote('{"toolUseId":"c1","description":"Help"}')).toEqual({
    toolUseId: 'c1',
    description: 'Help',
  });
  for (const text of ['', '{', '[]', 'null', '{"toolUseId":7}'])
    expect(format.parseSubagentNote(text)).toBeUndefined();
});

test('any bytes are survived', () => {
  const readers = Object.values(format).filter((reader) => reader.length <= 1) as Array<
    (text: string) => unknown
  >;
  const keys = ['uuid', 'parentUuid', 'type', 'message', 'systemPayload', 'toolCallResult', 'usageMetadata'];
  const odd = fc.dictionary(fc.constantFrom(...keys), fc.jsonValue());
  const part = fc.record({
    functionCall: fc.jsonValue(),
    functionResponse: fc.jsonValue(),
    text: fc.jsonValue(),
  });
  const line = fc.oneof(
    fc.string(),
    odd.map((value) => JSON.stringify(value)),
    fc
      .tuple(fc.constantFrom('user', 'assistant', 'tool_result'), fc.array(part), odd)
      .map(([type, parts, more]) => JSON.stringify({ ...more, type, message: { parts } })),
  );
  fc.assert(
    fc.property(fc.array(line), (rows) => {
      for (const read of readers) read(rows.join('\n'));
    }),
    { numRuns: 100 },
  );
});
