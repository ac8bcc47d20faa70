import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { geminiTranscript as gemini } from './transcript.ts';

const folder = join(import.meta.dirname, '../../../integration/fixtures/gemini/transcripts');
const basic = readFileSync(join(folder, 'basic.jsonl'), 'utf8');
const compress = readFileSync(join(folder, 'compress.jsonl'), 'utf8');

const lines = (...items: readonly unknown[]): string =>
  items.map((item) => `${JSON.stringify(item)}\n`).join('');
const header = { sessionId: 's', projectHash: 'h', startTime: '2026-11-21T10:00:00.000Z', kind: 'main' };
const user = (id: string, text: string) => ({ id, type: 'user', content: [{ text }] });
const answer = (id: string, content: string, more = {}) => ({ id, type: 'gemini', content, ...more });
const tokens = (output: number) => ({ input: 100, output, cached: 5, thoughts: 7, tool: 0, total: 127 });

describe('the transcript of a session of version 0.61', () => {
  test('what was said and done, each once', () => {
    expect(gemini.readPrompts(basic)).toEqual(['write-and-edit please']);
    expect(gemini.readSummary(basic)).toBe('All done: new.txt, existing.txt, shell.txt.');
    expect(gemini.readEntries(basic)).toEqual([
      { kind: 'user', text: 'write-and-edit please' },
      { kind: 'tool', name: 'write_file', detail: '/repo/new.txt' },
      { kind: 'tool', name: 'replace', detail: '/repo/existing.txt' },
      { kind: 'tool', name: 'run_shell_command', detail: 'write a file by the shell' },
      { kind: 'assistant', text: 'All done: new.txt, existing.txt, shell.txt.' },
    ]);
  });

  test('files and calls of the model', () => {
    expect(gemini.readFilesTouched(basic)).toEqual(['/repo/new.txt', '/repo/existing.txt']);
    expect(gemini.ranShell(basic)).toBe(true);
    expect(gemini.readCalls(basic).map(({ item, usage }) => [item, usage.inputTokens])).toEqual([
      [4, 1200],
      [9, 1201],
      [14, 1202],
      [19, 1203],
    ]);
  });

  test('items are lines, and the last message has an id', () => {
    const { length } = basic.trimEnd().split('\n');
    expect([gemini.countItems(basic), gemini.isDocument?.(basic)]).toEqual([length, false]);
    expect(gemini.sliceItems(basic, length - 2)).toContain('All done: new.txt');
    expect(gemini.sliceItems(basic, length)).toBe('');
    expect(gemini.readLastIdentifier(basic)).toBe('626365aa-3b2c-4f5c-b478-277aa2732fc5');
    expect(gemini.readTime(basic)).toBe(Date.parse('2026-11-21T10:33:57.233Z'));
    expect(gemini.findToolResult(basic, 'replace__replace_1795257239535_0')).toBe(
      '132a54a2-e78d-4df7-bb60-6b1f460cfd13',
    );
    expect(gemini.holdsMessage(basic, 'All done: new.txt, existing.txt, shell.txt.\n')).toBe(true);
  });

  test('a compression adds nothing that anybody said', () => {
    expect(gemini.readPrompts(compress)).toEqual(['write-and-edit please']);
    expect(gemini.readEntries(compress)).toEqual(gemini.readEntries(basic));
    expect(gemini.readLastIdentifier(compress)).toBe('fd87670c-b03d-430e-bb5e-47855a6440f3');
  });
});

test('parts of a transcript say together what the whole says, wherever it is cut', () => {
  const whole = `${basic}${compress}`;
  const count = gemini.countItems(whole);
  fc.assert(
    fc.property(fc.integer({ min: 0, max: count }), (at) => {
      const end = gemini.sliceItems(whole, at);
      const begin = whole.slice(0, whole.length - end.length);
      const calls = [begin, end].flatMap((part) => gemini.readCalls(part).map(({ id }) => id));
      expect([...gemini.readPrompts(begin), ...gemini.readPrompts(end)]).toEqual(gemini.readPrompts(whole));
      expect(new Set(calls)).toEqual(new Set(gemini.readCalls(whole).map(({ id }) => id)));
      expect(gemini.countItems(begin) + gemini.countItems(end)).toBe(count);
    }),
  );
});

describe('JSON Lines', () => {
  test('a later line replaces the message with its id, and counts once', () => {
    const call = { name: 'write_file', args: { file_path: 'a.txt', content: 'a\n' }, status: 'success' };
    const text = lines(
      header,
      answer('m1', 'Now'),
      answer('m1', 'Now', { tokens: tokens(20) }),
      answer('m1', 'Now', { tokens: tokens(20), toolCalls: [{ ...call, id: 't1' }] }),
      answer('m1', 'Now', {
        tokens: tokens(20),
        toolCalls: [
          { ...call, id: 't1' },
          { ...call, id: 't2' },
        ],
      }),
    );
    expect(gemini.readCalls(text)).toMatchObject([{ id: 'm1', item: 1, usage: { outputTokens: 20 } }]);
    expect(gemini.readEntries(text)).toHaveLength(3);
    expect(gemini.readEdits(text).edits).toHaveLength(2);
  });

  test('history that is written anew tells of nothing new; what is taken back was said', () => {
    const text = lines(
      header,
      user('u1', 'one'),
      answer('m1', 'First', { tokens: tokens(1) }),
      user('u2', 'two'),
      answer('m2', 'Second', { tokens: tokens(2) }),
      { $rewindTo: 'u2' },
      { $set: { messages: [user('x', 'one'), answer('y', 'First', { tokens: tokens(1) })] } },
      user('u3', 'three'),
    );
    expect(gemini.readPrompts(text)).toEqual(['one', 'two', 'three']);
    expect(gemini.readCalls(text).map(({ id }) => id)).toEqual(['m1', 'm2']);
    expect(gemini.readLastIdentifier(text)).toBe('u3');
    expect(gemini.readLastIdentifier(gemini.sliceItems(text, 7))).toBe('u3');
  });

  test('only what a person typed is a prompt', () => {
    const typed = { ...user('u', 'see @a.txt'), displayContent: [{ text: 'see @a.txt' }] };
    typed.content.push({ text: '\n--- Content from referenced files ---' }, { text: 'secret' });
    const text = lines(
      user('1', '<session_context>\nfolders\n</session_context>'),
      user('2', '<session_context>\nfolders\n</session_context>real'),
      user('3', 'Please continue.'),
      { id: '4', type: 'user', content: [{ functionResponse: { id: 't' } }, { text: 'Binary content' }] },
      { id: '5', type: 'info', content: 'Chat compressed' },
      typed,
      { id: '7', type: 'user', content: 'old form' },
    );
    expect(gemini.readPrompts(text)).toEqual(['real', 'see @a.txt', 'old form']);
  });

  test('a prompt is cleaned of what the client and hooks add to it', () => {
    const files = '\n--- Content from referenced files ---\nContent from @a:\nx\n--- End of content ---';
    expect(gemini.cleanPrompt(`fix @a${files}`)).toBe('fix @a');
    expect(gemini.cleanPrompt('fix @a\n--- Content from referenced files ---\ncut')).toBe('fix @a');
    expect(gemini.cleanPrompt('go<hook_context>note</hook_context>')).toBe('go');
    expect(gemini.cleanPrompt('what is <session_context>?')).toBe('what is <session_context>?');
    expect(gemini.cleanPrompt('no --- Content from referenced files --- here')).toMatch(/^no --- Content/);
  });

  test('sub-agents are named by the call that ran them, and have files of their own', () => {
    const call = { id: 't1', name: 'invoke_agent', args: { agent_name: 'generalist' }, agentId: 'c4-8' };
    const bad = { ...call, id: 't2', agentId: '../x' };
    const text = lines(header, answer('m1', '', { toolCalls: [call, bad] }));
    expect(gemini.readSubagents(text)).toEqual([{ item: 1, agentId: 'c4-8' }]);
    expect(gemini.readEdits(text)).toEqual({ edits: [], agents: ['t1', 't2'], isComplete: true });
    expect(gemini.subagentTranscripts('/h/chats/session-x.jsonl', 'abc', 'c4-8')).toEqual([
      '/h/chats/abc/c4-8.jsonl',
    ]);
  });
});

describe('a single document', () => {
  const document = {
    sessionId: 's',
    startTime: '2026-02-15T10:41:49.123Z',
    messages: [
      { id: 'm1', type: 'user', content: 'Add a file' },
      {
        ...answer('m2', 'Done', { tokens: tokens(20) }),
        toolCalls: [{ id: 't1', name: 'write_file', args: { path: 'a.txt', content: 'x\n' } }],
      },
      answer('m3', 'Bye'),
    ],
    extra: true,
  };

  test.each([
    ['over several lines', JSON.stringify(document, null, 2)],
    ['on one line', JSON.stringify(document)],
  ])('%s has messages for items', (_, text) => {
    expect([gemini.isDocument?.(text), gemini.countItems(text)]).toEqual([true, 3]);
    expect(gemini.readPrompts(text)).toEqual(['Add a file']);
    expect(gemini.readFilesTouched(text)).toEqual(['a.txt']);
    expect(gemini.readCalls(text)).toMatchObject([
      { id: 'm2', item: 1, usage: { inputTokens: 100, outputTokens: 20, cacheReadTokens: 5 } },
    ]);
    expect(gemini.readTime(text)).toBe(Date.parse('2026-02-15T10:41:49.123Z'));
    expect(gemini.readLastIdentifier(text)).toBe('m3');
    expect(gemini.sliceItems(text, 0)).toBe(text);
    const rest = gemini.sliceItems(text, 2);
    expect(JSON.parse(rest)).toEqual({ ...document, messages: [document.messages[2]] });
    expect([gemini.countItems(rest), gemini.readSummary(rest)]).toEqual([1, 'Bye']);
    expect(gemini.sliceItems(text, 3)).toBe('');
  });

  test('that is half written says nothing, and is no JSON Lines', () => {
    const half = JSON.stringify(document, null, 2).slice(0, -40);
    expect([gemini.isDocument?.(half), gemini.countItems(half)]).toEqual([true, 0]);
    expect([gemini.readEntries(half), gemini.sliceItems(half, 1)]).toEqual([[], '']);
  });
});

test('no bytes make a reader throw', () => {
  const record = fc.record(
    {
      id: fc.constantFrom('a', 'b', 7, ''),
      type: fc.constantFrom('user', 'gemini', 'info', null),
      content: fc.jsonValue(),
      displayContent: fc.jsonValue(),
      toolCalls: fc.oneof(
        fc.jsonValue(),
        fc.array(
          fc.record(
            {
              id: fc.jsonValue(),
              name: fc.constantFrom('replace', 'write_file', 'invoke_agent', 3),
              args: fc.jsonValue(),
              resultDisplay: fc.oneof(fc.jsonValue(), fc.record({ fileDiff: fc.string() })),
            },
            { requiredKeys: [] },
          ),
        ),
      ),
      tokens: fc.jsonValue(),
      $set: fc.jsonValue(),
      $rewindTo: fc.jsonValue(),
    },
    { requiredKeys: [] },
  );
  const line = fc.oneof(
    fc.string(),
    record.map((value) => JSON.stringify(value)),
  );
  const jsonLines = fc.array(line).map((all) => all.join('\n'));
  const anyDocument = fc
    .array(fc.oneof(fc.jsonValue(), record))
    .map((messages) => JSON.stringify({ messages }, null, 2));
  fc.assert(
    fc.property(fc.oneof(jsonLines, anyDocument), fc.nat({ max: 9 }), (text, item) => {
      const part = gemini.sliceItems(text, item);
      gemini.readPrompts(part);
      gemini.readEntries(part);
      gemini.readSummary(part);
      gemini.readFilesTouched(part);
      gemini.readEdits(part);
      gemini.readCalls(part);
      gemini.readSubagents(part);
      gemini.readTime(part);
      gemini.ranShell(part);
      gemini.holdsMessage(part, 'x');
      gemini.findToolResult(part, 'a');
      gemini.fork(text, gemini.readLastIdentifier(text), 'new');
      expect(gemini.countItems(part)).toBeLessThanOrEqual(gemini.countItems(text));
    }),
    { numRuns: 500 },
  );
});
