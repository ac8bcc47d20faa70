import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { stripTags } from '../shared/transcript/prompt-tags.ts';
import { claudeTranscript as format } from './transcript.ts';

const folder = join(import.meta.dirname, '../../../integration/fixtures/claude-code/transcripts');
const recorded = (name: string) => readFileSync(join(folder, `${name}.jsonl`), 'utf8');
const lines = (...values: unknown[]) => values.map((value) => `${JSON.stringify(value)}\n`).join('');
const user = (content: unknown, more: object = {}) => ({
  type: 'user',
  message: { role: 'user', content },
  ...more,
});
const answer = (content: unknown, more: object = {}) => ({
  type: 'assistant',
  message: { content },
  ...more,
});
const text = (words: string) => ({ type: 'text', text: words });
const tool = (name: string, input: unknown) => ({ type: 'tool_use', name, input });
const prompts = (...values: unknown[]) => format.readPrompts(lines(...values));
const files = (...values: unknown[]) => format.readFilesTouched(lines(...values));

describe('recorded transcripts', () => {
  test.each([
    ['basic', 'TURN-ONE: please create hello.txt', 'Created src/hello.txt and edited README.md.', 4],
    ['commit', 'LIFE-COMMIT go', 'Committed one file; after.txt is left in the work tree.', 4],
    ['subagent-main', 'SUBAGENT-MAIN go', 'The subagent and I are done.', 3],
    ['tools', 'ALL-TOOLS go', 'All tools used.', 14],
  ])('%s', (name, prompt, summary, calls) => {
    const transcript = recorded(name);
    expect(format.readPrompts(transcript)).toEqual([prompt]);
    expect(format.readSummary(transcript)).toBe(summary);
    expect(format.holdsMessage(transcript, summary)).toBe(true);
    expect(format.readCalls(transcript).map(({ usage }) => usage.outputTokens)).toEqual(
      Array(calls).fill(20),
    );
    expect(format.readLastIdentifier(transcript)).toMatch(/^[0-9a-f-]{36}$/);
  });

  test('what the client writes in the user’s name is no prompt: the summary of a compaction, that a turn was stopped', () => {
    expect(format.readPrompts(recorded('resume-compact-clear'))).toEqual([
      'LIFE-1 go',
      'LIFE-2 go',
      'LIFE-3 go',
      'LIFE-TEXT again',
    ]);
    const stopped = recorded('steered-cancelled-failed');
    const typed = ['STEER-ME please', 'CANCEL-ME please', 'FAIL-ME please', 'LAST-ONE please'];
    expect(format.readPrompts(stopped)).toEqual(typed);
    expect(format.readEntries(stopped).flatMap((one) => (one.kind === 'user' ? one.text : []))).toEqual(
      typed,
    );
    expect(prompts(user('[Request interrupted by user]'))).toEqual([]);
    expect(prompts(user('[Request interrupted by user] is what it said'))).toHaveLength(1);
  });

  test('files that tools wrote, first seen first, relative ones from where the agent was', () => {
    expect(format.readFilesTouched(recorded('basic'))).toEqual(['/repo/src/hello.txt', '/repo/README.md']);
    expect(format.readFilesTouched(recorded('commit'))).toEqual(['/repo/committed.txt', '/repo/after.txt']);
    expect(format.readFilesTouched(recorded('tools'))).toEqual([
      '/repo/a.txt',
      '/repo/nb.ipynb',
      '/repo/rel.txt',
    ]);
    expect(format.readFilesTouched(recorded('subagent-main--agent-a7d87b8247861f00b'))).toEqual([
      '/repo/sub.txt',
      '/repo/README.md',
    ]);
  });
});

describe('broken bytes', () => {
  test('lines that are no objects say nothing, their neighbours do', () => {
    const broken = [
      '',
      'null',
      '7',
      '"x"',
      '[1]',
      '[null,{"type":"user","message":{"content":"in a list"},"uuid":"u2"}]',
      '{"type":"assistant","message":',
      '\0\0',
      'ÿ',
      '{"type":"user"}',
    ];
    const transcript = `${broken.join('\n')}\n${lines(user('hello'), answer([text('hi')], { uuid: 'u1' }))}{"type":"as`;
    expect(format.readPrompts(transcript)).toEqual(['hello']);
    expect(format.readSummary(transcript)).toBe('hi');
    expect(format.readLastIdentifier(transcript)).toBe('u1');
  });

  test('a line of eight megabytes is a line', () => {
    const transcript = lines(
      answer([tool('Write', { file_path: '/repo/big', content: 'x'.repeat(8 << 20) })]),
      user('go'),
    );
    expect(format.readFilesTouched(transcript)).toEqual(['/repo/big']);
    expect(format.readPrompts(transcript)).toEqual(['go']);
  });

  test('no reader throws, whatever the lines hold', () => {
    const odd = fc.oneof(
      fc.jsonValue({ maxDepth: 2 }),
      fc.constantFrom('text', 'tool_use', 'assistant', 'user'),
    );
    const block = fc.record(
      { type: odd, text: odd, name: fc.constant('Write'), input: odd },
      { requiredKeys: [] },
    );
    const content = fc.oneof(odd, fc.array(fc.oneof(block, odd), { maxLength: 3 }));
    const message = fc.oneof(odd, fc.record({ id: odd, content, usage: odd }, { requiredKeys: [] }));
    const type = fc.constantFrom('assistant', 'user', 'human');
    const row = fc.oneof(odd, fc.record({ type, message, uuid: odd, cwd: odd }, { requiredKeys: ['type'] }));
    fc.assert(
      fc.property(fc.array(row, { maxLength: 6 }), fc.string(), (rows, rest) => {
        const transcript = lines(...rows) + rest;
        expect(format.readPrompts(transcript).every((prompt) => prompt !== '')).toBe(true);
        expect(format.readFilesTouched(transcript).every((file) => typeof file === 'string')).toBe(true);
        const numbers = format.readCalls(transcript).flatMap(({ usage }) => Object.values(usage));
        expect(numbers.every((number) => Number.isSafeInteger(number) && number >= 0)).toBe(true);
        expect(format.readLastIdentifier(transcript)).toBeTypeOf('string');
        expect(['string', 'undefined']).toContain(typeof format.readSummary(transcript));
      }),
    );
  });
});

describe('prompts', () => {
  test('text, blocks of text, and both kinds of row', () => {
    expect(
      prompts(user('a'), user([text('b'), text('c')]), { type: 'human', message: { content: 'd' } }),
    ).toEqual(['a', 'b\n\nc', 'd']);
  });

  test('tool results, injected rows and finished tasks are none', () => {
    expect(
      prompts(
        user([{ type: 'tool_result', tool_use_id: 't', content: 'ok' }]),
        user('Caveat: …', { isMeta: true }),
        user('<task-notification>\n<status>completed</status>\n</task-notification>'),
        user('Base directory for this skill: /x'),
        user('<system-reminder>x</system-reminder>'),
        user([text('')]),
        user(''),
        answer('not a user'),
        { type: 'summary', summary: 'x' },
      ),
    ).toEqual([]);
  });

  test.each([
    ['<ide_opened_file path="x">a</ide_opened_file>do it', 'do it'],
    ['<ide_selection>\na\n</ide_selection>\n\ndo\n<system-reminder a="b">x\ny</system-reminder>it', 'do\nit'],
    ['<command-name>/x</command-name><command-args>y</command-args> go', 'go'],
    ['<local-command-stdout></local-command-stdout>', ''],
    ['<command-name>never closed', '<command-name>never closed'],
    [
      '<b>bold</b> <system-reminders>x</system-reminders>',
      '<b>bold</b> <system-reminders>x</system-reminders>',
    ],
    ['<system-reminder>a</system-reminder>b<system-reminder>c</system-reminder>', 'b'],
  ])('%j is %j to the reader', (wrapped, words) => {
    expect(stripTags(wrapped)).toBe(words);
  });
});

describe('answers', () => {
  test('the summary is the first text of the last answer that has one', () => {
    const turn = [
      answer([text('old')]),
      answer([text(''), text('first'), text('second')]),
      answer([tool('Read', {})]),
    ];
    expect(format.readSummary(lines(...turn))).toBe('first');
    expect(format.readSummary(lines(user('x')))).toBeUndefined();
  });

  test('last words are compared without the space around them', () => {
    const transcript = lines(answer([text('All done.\n')]), user([text('Not mine.')]));
    expect(format.holdsMessage(transcript, ' All done. ')).toBe(true);
    expect(format.holdsMessage(transcript, 'All')).toBe(false);
    expect(format.holdsMessage(transcript, 'Not mine.')).toBe(false);
  });
});

describe('files', () => {
  test('of writing tools only, relative ones joined to the folder of that moment', () => {
    expect(
      files(
        answer([tool('Write', { file_path: 'a' }), tool('MultiEdit', { file_path: '../b' })], {
          cwd: '/repo/sub',
        }),
        answer([tool('NotebookEdit', { notebook_path: 'n.ipynb' })], { cwd: '/repo' }),
        answer([
          tool('mcp__acp__Edit', { file_path: '/repo/c' }),
          tool('Edit', { file_path: '/repo/sub/a' }),
        ]),
        answer([tool('Read', { file_path: '/repo/r' }), tool('Bash', { command: 'x' }), tool('Write', null)]),
        answer([tool('Write', { file_path: 'no-folder' })]),
        user([tool('Write', { file_path: '/repo/not-an-answer' })]),
      ),
    ).toEqual(['/repo/sub/a', '/repo/b', '/repo/n.ipynb', '/repo/c', 'no-folder']);
  });
});

describe('calls', () => {
  const call = (id: unknown, usage: unknown) => ({ type: 'assistant', message: { id, content: [], usage } });
  const none = { inputTokens: 0, cacheCreationTokens: 0, cacheReadTokens: 0, outputTokens: 0 };

  test('a streamed message counts once: most output wins, the first on ties', () => {
    const row = (input_tokens: number, output_tokens: number) => ({ input_tokens, output_tokens });
    const rows = [
      call('m1', row(1, 5)),
      call('m1', row(2, 20)),
      call('m1', row(3, 20)),
      call('m2', row(10, 1)),
    ];
    expect(format.readCalls(lines(...rows))).toEqual([
      { id: 'm1', item: 1, usage: { ...none, inputTokens: 2, outputTokens: 20 }, timeMs: 0 },
      { id: 'm2', item: 3, usage: { ...none, inputTokens: 10, outputTokens: 1 }, timeMs: 0 },
    ]);
  });

  test('their items count blank lines and broken ones', () => {
    const transcript = `\n{half\n${lines(user('x'), call('m', {}))}`;
    expect(format.readCalls(transcript)).toEqual([{ id: 'm', item: 3, usage: none, timeMs: 0 }]);
  });

  test('rows without id or usage, of users, and numbers that are none count for nothing', () => {
    const usage = {
      output_tokens: 5,
      input_tokens: '7',
      cache_read_input_tokens: -1,
      cache_creation_input_tokens: 1.5,
    };
    const rows = [call('', usage), call(7, usage), call('m', null), { ...call('u', usage), type: 'user' }];
    expect(format.readCalls(lines(...rows))).toEqual([]);
    expect(format.readCalls('')).toEqual([]);
    expect(format.readCalls(lines(call('m', usage)))).toEqual([
      { id: 'm', item: 0, usage: { ...none, outputTokens: 5 }, timeMs: 0 },
    ]);
  });
});

test('the last identifier is that of the last line that has one', () => {
  const last = (text: string) => format.readLastIdentifier(text);
  expect(last('')).toBe('');
  expect(last('{"uuid":"a"}')).toBe('a');
  expect(last('\n{"uuid":"a"}\n{"uuid":"b"}\n\n{"uuid":""}\n{"uuid":7}\nnull\n{"uu')).toBe('b');
});
