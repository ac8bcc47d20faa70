import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readMessages } from './conversation.ts';

const captured = (name: string) =>
  readFileSync(
    join(import.meta.dirname, `../../../integration/fixtures/gemini/transcripts/${name}.jsonl`),
    'utf8',
  );
const lines = (...values: readonly object[]) => values.map((value) => `${JSON.stringify(value)}\n`).join('');
const header = { sessionId: 's', projectHash: 'p', startTime: '2026-11-23T08:00:00.000Z' };
const message = (id: string, type: string, content: unknown, more: object = {}) => ({
  ...{ id, type, content, timestamp: '2026-11-23T08:00:01.000Z' },
  ...more,
});
const user = (id: string, text: string) => message(id, 'user', [{ text }]);
const words = (text: string) => readMessages(text).map(({ content }) => content);

test('a session that was compressed in mid-turn: the summary stands where it was made', () => {
  const messages = readMessages(captured('compressed-in-turn'));
  const at = messages.findIndex(({ compacted }) => compacted);
  expect(messages.filter(({ compacted }) => compacted)).toHaveLength(1);
  expect(messages[at]).toEqual({
    ...{ role: 'user', content: 'Nothing to do.', timestamp: 1795405374.608, compacted: true },
  });
  expect(messages[at - 1]).toMatchObject({ content: [{ content: expect.stringContaining('Output: h0') }] });
  expect(messages[at + 1]).toMatchObject({
    content: [{ name: 'run_shell_command', input: { command: 'echo h1' } }],
  });
  const failed = messages.flatMap(({ content }) => (typeof content === 'string' ? [] : content));
  expect(failed.filter(({ is_error }) => is_error)).toMatchObject([
    { content: 'File not found: /repo/missing.txt' },
  ]);
});

describe('going back', () => {
  const turns = [
    user('u1', 'one'),
    message('g1', 'gemini', 'First.'),
    user('u2', 'two'),
    message('g2', 'gemini', 'Second.'),
  ];

  test('takes back the message that is named, and all behind it', () => {
    expect(words(lines(header, ...turns, { $rewindTo: 'u2' }, user('u3', 'three')))).toEqual([
      'one',
      'First.',
      'three',
    ]);
    expect(words(lines(header, ...turns, { $rewindTo: 'nobody' }, user('u3', 'three')))).toEqual(['three']);
  });

  test('to a message of a new history alone takes back what came after that', () => {
    const history = [user('c1', 'So far.'), message('c2', 'gemini', 'Got it.')];
    const text = lines(header, ...turns, { $set: { messages: history } }, user('u3', 'three'), {
      $rewindTo: 'c2',
    });
    expect(readMessages(text).slice(-2)).toMatchObject([
      { content: 'Second.' },
      { content: 'So far.', compacted: true },
    ]);
  });
});

describe('messages', () => {
  const args = { command: 'ls' };
  const shell = (more: object) => ({ toolCalls: [{ id: 'c', name: 'run_shell_command', args, ...more }] });
  const response = (id: string, body: object) => ({
    functionResponse: { id, name: 'run_shell_command', response: body },
  });

  test('a call whose result the client noted, and the answer to the model, are one', () => {
    const noted = { status: 'success', result: [response('c', { output: 'a.txt' })] };
    const text = lines(
      ...[header, user('u', 'go'), message('g', 'gemini', '', shell({}))],
      ...[
        message('g', 'gemini', '', shell(noted)),
        message('r', 'user', [response('c', { output: 'a.txt' })]),
      ],
    );
    expect(words(text)).toEqual([
      'go',
      [{ type: 'tool_use', id: 'c', name: 'run_shell_command', input: args }],
      [{ type: 'tool_result', tool_use_id: 'c', content: 'a.txt' }],
    ]);
  });

  test('a call that was stopped has failed, and one that never returned has no result', () => {
    const stopped = message('g', 'gemini', '', shell({ status: 'cancelled' }));
    expect(words(lines(header, user('u', 'go'), stopped)).at(-1)).toMatchObject([{ is_error: true }]);
    expect(words(lines(header, user('u', 'go'), message('g', 'gemini', '', shell({}))))).toHaveLength(2);
  });

  test('what was typed meanwhile, thoughts, and pictures', () => {
    const hint = 'User steering update:\n<user_input>\nuse tabs\n</user_input>\nInternal instruction: …';
    const thoughts = [{ subject: 'Look', description: 'at it' }];
    const text = lines(
      ...[
        header,
        message('u', 'user', [{ text: 'go' }, { inlineData: { mimeType: 'image/png', data: 'AAEC' } }]),
      ],
      ...[message('g', 'gemini', '', { thoughts, ...shell({}), model: 'gemini-x' })],
      message('r', 'user', [response('c', { error: 'no such file' }), { text: hint }]),
    );
    expect(readMessages(text)).toMatchObject([
      { content: [{ text: 'go' }, { type: 'image', media_type: 'image/png', bytes: 3, data: 'AAEC' }] },
      { content: [{ type: 'thinking', text: 'Look\n\nat it' }, { type: 'tool_use' }], model: 'gemini-x' },
      { content: [{ type: 'tool_result', content: 'no such file', is_error: true }] },
      { content: 'use tabs', steered: true },
    ]);
  });

  test('a turn that was stopped, and one that failed before it was answered', () => {
    const cancelled = message('i', 'info', 'Request cancelled.');
    const failure = message('e', 'error', '[API Error: quota]');
    const marks = (...values: readonly object[]) =>
      readMessages(lines(header, ...values)).map(({ stopped }) => stopped);
    expect(marks(user('u', 'go'), message('g', 'gemini', 'I beg'), cancelled)).toEqual([
      undefined,
      'cancelled',
    ]);
    expect(marks(user('u', 'go'), failure)).toEqual([undefined, 'failed']);
    expect(marks(user('u', 'go'), message('g', 'gemini', 'Done.'), failure)).toEqual([undefined, undefined]);
  });

  test('the document that versions before 0.30 wrote', () => {
    const calls = [
      { id: 'c', name: 'read_file', args: {}, status: 'success', resultDisplay: 'one', result: 'one' },
    ];
    const document = {
      sessionId: 's',
      messages: [message('u', 'user', 'go'), message('g', 'gemini', 'Read it.', { toolCalls: calls })],
    };
    expect(words(JSON.stringify(document, null, 2))).toMatchObject([
      ...[
        'go',
        [
          { type: 'text', text: 'Read it.' },
          { type: 'tool_use', id: 'c' },
        ],
      ],
      [{ tool_use_id: 'c', content: 'one' }],
    ]);
  });
});
