import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { opencodeTranscript as format } from './transcript.ts';

const folder = join(import.meta.dirname, '../../../integration/fixtures/opencode');
const exported = readFileSync(join(folder, 'transcripts/export.json'), 'utf8');
interface Exported {
  readonly info: object;
  readonly messages: ReadonlyArray<{ readonly info: { readonly id: string }; readonly parts: unknown[] }>;
}
const { info, messages } = JSON.parse(exported) as Exported;
/** The same session as our hook keeps it. */
const lines = [{ info }, ...messages].map((line) => `${JSON.stringify(line)}\n`).join('');
const delegated = (
  JSON.parse(readFileSync(join(folder, 'turn-end.json'), 'utf8')) as {
    transcripts: ReadonlyArray<{ info: object; messages: object[] }>;
  }
).transcripts.flatMap((one) => [{ info: one.info }, ...one.messages]);
const withTask = delegated.map((line) => `${JSON.stringify(line)}\n`).join('');

const FORMS = [
  ['lines', lines],
  ['the exported document', exported],
] as const;

describe.each(FORMS)('a session as %s', (_, text) => {
  test('says what was said', () => {
    expect(format.readPrompts(text)).toEqual(['"write-and-edit please"']);
    expect(format.readSummary(text)).toBe('All done: new.txt, existing.txt, shell.txt.');
    expect(format.holdsMessage(text, ' All done: new.txt, existing.txt, shell.txt.\n')).toBe(true);
    expect(format.holdsMessage(text, 'All done')).toBe(false);
    expect(format.readEntries(text)).toEqual([
      { kind: 'user', text: '"write-and-edit please"' },
      { kind: 'tool', name: 'write', detail: '/repo/new.txt' },
      { kind: 'tool', name: 'read', detail: '/repo/existing.txt' },
      { kind: 'tool', name: 'edit', detail: '/repo/existing.txt' },
      { kind: 'tool', name: 'bash', detail: 'write a file by the shell' },
      { kind: 'assistant', text: 'All done: new.txt, existing.txt, shell.txt.' },
    ]);
  });

  test('says what was written', () => {
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

  test('counts each answer once', () => {
    const calls = format.readCalls(text);
    expect(calls.map(({ usage }) => usage.inputTokens)).toEqual([1200, 1201, 1202, 1203, 1204]);
    expect(calls.every(({ usage }) => usage.outputTokens === 20)).toBe(true);
    expect(calls[0]).toMatchObject({ id: 'msg_1fdb20f41001atB1FUGZPOyBNH', timeMs: 1795257670741 });
  });

  test('knows its messages', () => {
    expect(format.readTime(text)).toBe(1795257665890);
    expect(format.readLastIdentifier(text)).toBe('msg_1fdb21ff2001GuyVYXMCbM7hRS');
    expect(format.findToolResult(text, 'call_v5c50q5lmg')).toBe('msg_1fdb21e8b001WmVGGEJ5b9tdAf');
    expect(format.findToolResult(text, 'call_other')).toBe('');
  });
});

test('items are lines, or the messages of a document', () => {
  expect([format.isDocument?.(lines), format.isDocument?.(exported)]).toEqual([false, true]);
  expect([format.countItems(lines), format.countItems(exported)]).toEqual([7, 6]);
  expect(format.sliceItems(lines, 6)).toBe(`${JSON.stringify(messages[5])}\n`);
  expect(format.sliceItems(exported, 0)).toBe(exported);
  expect(JSON.parse(format.sliceItems(exported, 5))).toEqual({ info, messages: messages.slice(5) });
  expect(JSON.parse(format.sliceItems(exported, 0, 2))).toEqual({ info, messages: messages.slice(0, 2) });
  expect(format.sliceItems(lines, 4, 5)).toBe(`${JSON.stringify(messages[3])}\n`);
  expect([format.sliceItems(lines, 0, 99), format.sliceItems(lines, 7, 9)]).toEqual([lines, '']);
  expect([format.sliceItems(lines, 7), format.sliceItems(exported, 6)]).toEqual(['', '']);
  expect(format.readCalls(format.sliceItems(lines, 6))).toMatchObject([{ item: 0 }]);
  const oneLine = JSON.stringify(JSON.parse(exported));
  expect([format.isDocument?.(oneLine), format.isDocument?.(`${oneLine}\n`)]).toEqual([true, true]);
  expect(format.isDocument?.(`${JSON.stringify({ info })}`)).toBe(false);
});

const message = (id: string, said: string, more: object = {}) =>
  `${JSON.stringify({ info: { id, role: 'assistant', ...more }, parts: [{ type: 'text', text: said }] })}\n`;

test('a later line replaces an earlier one, and one that was taken back is gone', () => {
  const tokens = (output: number) => ({ tokens: { input: 1, output, reasoning: 0, cache: {} } });
  const twice = message('a', 'Half', tokens(1)) + message('b', 'Other') + message('a', 'Whole', tokens(9));
  expect(format.readEntries(twice).map((entry) => 'text' in entry && entry.text)).toEqual(['Whole', 'Other']);
  expect(format.readCalls(twice)).toMatchObject([{ id: 'a', item: 2, usage: { outputTokens: 9 } }]);
  expect(format.readLastIdentifier(`${twice}{"removed":["b"]}\n`)).toBe('a');
});

test('what the model thought counts as output where the total says that it stands apart', () => {
  const usage = (total: number | undefined) => {
    const tokens = { total, input: 1000, output: 15, reasoning: 5, cache: { read: 200, write: 7 } };
    return format.readCalls(message('a', 'x', { tokens }))[0]?.usage;
  };
  const rest = { inputTokens: 1000, cacheCreationTokens: 7, cacheReadTokens: 200 };
  expect(usage(1227)).toEqual({ ...rest, outputTokens: 20 });
  expect(usage(1222)).toEqual({ ...rest, outputTokens: 15 });
  expect(usage(undefined)).toEqual({ ...rest, outputTokens: 15 });
  const none = { input: 0, output: 0, reasoning: 0, cache: { read: 0, write: 0 } };
  expect(format.readCalls(message('a', 'x', { tokens: none }))).toEqual([]);
});

test('what the client puts into a prompt is none, nor is its own summary an answer', () => {
  const user = (parts: object[]) => `${JSON.stringify({ info: { id: 'u', role: 'user' }, parts })}\n`;
  const typed = { type: 'text', text: 'Do it.<system-reminder>x</system-reminder>' };
  expect(format.readPrompts(user([typed, { type: 'text', text: 'file', synthetic: true }]))).toEqual([
    'Do it.',
  ]);
  expect(format.readPrompts(user([{ type: 'text', text: 'go on', synthetic: true }]))).toEqual([]);
  expect(format.readPrompts(user([{ type: 'compaction', auto: true }]))).toEqual([]);
  const answers = message('a', 'Done.') + message('b', 'Summary of all', { summary: true });
  expect(format.readSummary(answers)).toBe('Done.');
});

test('a time that no date can be is none', () => {
  const late = message('a', 'x', { time: { created: 9e15 } }) + message('b', 'y', { time: { created: 7 } });
  expect(format.readTime(late)).toBe(7);
});

test('sub-agents are named by the tool that ran them', () => {
  const child = 'ses_dfbb0517fffexVFpf881VvjNtr';
  expect(format.readSubagents(withTask).map(({ agentId }) => agentId)).toEqual([child]);
  expect(format.readEdits(withTask).agents).toEqual(['call_c3z9yhg4f']);
  expect(format.subagentTranscripts('/r/.entire/tmp/ses_1.jsonl', 'ses_1', child)).toEqual([
    `/r/.entire/tmp/${child}.jsonl`,
  ]);
});

const call = (tool: string, state: object, cwd = '/repo') =>
  `${JSON.stringify({
    info: { id: 'a', role: 'assistant', path: { cwd } },
    parts: [{ type: 'tool', tool, callID: 'c', state: { status: 'completed', ...state } }],
  })}\n`;

describe('what tools wrote', () => {
  const edits = (...given: Parameters<typeof call>) => format.readEdits(call(...given)).edits;

  test('of an envelope: both names of a moved file, and what the client saw come in', () => {
    const patch = '--- a\n+++ b\n@@ -1,1 +1,1 @@\n-one\n+ONE\n';
    const files = [{ filePath: '/repo/a', movePath: '/repo/b', patch }, { filePath: '/repo/c' }];
    expect(edits('apply_patch', { input: {}, metadata: { files } })).toEqual([
      { path: '/repo/a', lines: [], fragments: [], removed: ['one'] },
      { path: '/repo/b', lines: ['ONE'], fragments: [], movedFrom: '/repo/a' },
      { path: '/repo/c', lines: [], fragments: [] },
    ]);
  });

  test('of an envelope that the client was stopped in: what it asks for', () => {
    const patchText = '*** Begin Patch\n*** Update File: a\n*** Move to: b\n@@\n-one\n+ONE\n*** End Patch';
    expect(edits('apply_patch', { status: 'running', input: { patchText } })).toEqual([
      { path: '/repo/a', lines: [], fragments: [], removed: ['one'] },
      { path: '/repo/b', lines: ['ONE'], fragments: [], movedFrom: '/repo/a' },
    ]);
  });

  test('of an edit without a difference: its new text, whose ends may be parts of lines', () => {
    const input = { filePath: 'a.txt', oldString: 'x\ny', newString: 'x\nnew\nend' };
    expect(edits('edit', { input })).toEqual([
      { path: '/repo/a.txt', lines: ['new', 'end'], fragments: ['end'], removed: ['y'] },
    ]);
  });

  test('a call that failed wrote nothing', () => {
    const input = { filePath: '/repo/a.txt', content: 'x' };
    expect(edits('write', { status: 'error', input })).toEqual([]);
    expect(format.readFilesTouched(call('write', { status: 'error', input }))).toEqual([]);
  });

  test('a shell, or a tool of another program, may have written more', () => {
    const isComplete = (tool: string) => format.readEdits(call(tool, { input: {} })).isComplete;
    expect(['write', 'read', 'task', 'bash', 'files_put'].map(isComplete)).toEqual([
      true,
      true,
      true,
      false,
      false,
    ]);
  });
});

test('any bytes are survived', () => {
  const pieces = fc.constantFrom(
    ...lines.split('\n'),
    exported.slice(0, 400),
    '{"info":{},"parts":[null,{}]}',
    '{',
  );
  const hostile = fc
    .array(fc.oneof(pieces, fc.string(), fc.json()), { maxLength: 6 })
    .map((part) => part.join('\n'));
  fc.assert(
    fc.property(
      fc.oneof(
        hostile,
        fc.jsonValue().map((value) => JSON.stringify({ messages: [value] })),
      ),
      (text) => {
        for (const read of [format.readPrompts, format.readEntries, format.readEdits, format.readCalls])
          expect(read(text)).toBeDefined();
        format.readFilesTouched(text);
        format.readSubagents(text);
        format.readTime(text);
        format.fork(text, 'msg_1fdb20962001X8NT5Mbl3sX8Hp', 'ses_2');
        expect(format.countItems(format.sliceItems(text, 1))).toBeLessThanOrEqual(
          Math.max(0, format.countItems(text)),
        );
      },
    ),
    { numRuns: 500 },
  );
});
