import { describe, expect, test } from 'vitest';
import { readMessages } from './conversation.ts';

const lines = (...values: readonly object[]) => values.map((value) => `${JSON.stringify(value)}\n`).join('');
const user = (id: string, text: string, created = 1_795_000_000_000, ...more: readonly object[]) => ({
  info: { id, role: 'user', time: { created } },
  parts: [{ type: 'text', text }, ...more],
});
const answer = (id: string, parts: readonly object[], more: object = {}) => ({
  info: { id, role: 'assistant', modelID: 'm', time: { created: 1_795_000_001_000 }, ...more },
  parts,
});
const text = (words: string) => ({ type: 'text', text: words });
const tool = (callID: string, state: object) => ({ type: 'tool', tool: 'read', callID, state });
const done = (output: string, more: object = {}) => ({
  status: 'completed',
  input: { filePath: 'a' },
  output,
  ...more,
});
const contents = (transcript: string) => readMessages(transcript).map(({ content }) => content);

describe('an answer', () => {
  test('calls of one step stand together, and so do their results', () => {
    const parts = [
      ...[{ type: 'step-start' }, { type: 'reasoning', text: 'hm' }, text('Reading.')],
      ...[tool('c1', done('one')), tool('c2', { status: 'error', input: {}, error: 'no such file' })],
      ...[{ type: 'step-finish' }, text('Read.'), tool('c3', { status: 'running', input: {} })],
    ];
    expect(contents(lines(user('u', 'go'), answer('a', parts))).slice(1)).toMatchObject([
      [{ type: 'thinking', text: 'hm' }, { text: 'Reading.' }, { id: 'c1', name: 'read' }, { id: 'c2' }],
      [
        { tool_use_id: 'c1', content: 'one' },
        { tool_use_id: 'c2', content: 'no such file', is_error: true },
      ],
      [{ text: 'Read.' }, { id: 'c3' }],
    ]);
  });

  test('files that a tool returned, and those beside a prompt', () => {
    const file = { type: 'file', mime: 'image/png', url: 'data:image/png;base64,AAEC', filename: 'a.png' };
    const picture = { type: 'image', media_type: 'image/png', bytes: 3, data: 'AAEC', name: 'a.png' };
    const notes = { type: 'file', mime: 'text/plain', url: 'file:///repo/notes.md', filename: 'notes.md' };
    const parts = [tool('c1', done('a picture', { attachments: [file] }))];
    expect(contents(lines(user('u', 'look', undefined, file, notes), answer('a', parts)))).toEqual([
      [
        { type: 'text', text: 'look' },
        picture,
        { type: 'file', media_type: 'text/plain', source: 'file:///repo/notes.md', name: 'notes.md' },
      ],
      [{ type: 'tool_use', id: 'c1', name: 'read', input: { filePath: 'a' } }],
      [
        { type: 'tool_result', tool_use_id: 'c1', content: 'a picture' },
        { ...picture, tool_use_id: 'c1' },
      ],
    ]);
  });

  test('what it has cost stands with it, once', () => {
    const tokens = { input: 100, output: 20, reasoning: 0, cache: { read: 5, write: 0 } };
    const paid = answer('a', [text('Hello.'), tool('c1', done('one'))], { tokens, cost: 0.25 });
    const [, message, results] = readMessages(lines(user('u', 'go'), paid));
    expect(message).toMatchObject({
      usage: { input_tokens: 100, output_tokens: 20, cache_read_tokens: 5, cost_usd: 0.25 },
    });
    expect(results?.usage).toBeUndefined();
  });

  test.each([
    ['MessageAbortedError', 'cancelled'],
    ['ProviderAuthError', 'failed'],
  ])('that ended with %s was %s', (name, stopped) => {
    expect(
      readMessages(lines(user('u', 'go'), answer('a', [text('I')], { error: { name } }))).at(-1),
    ).toMatchObject({
      ...{ content: 'I', stopped },
    });
    expect(readMessages(lines(user('u', 'go'), answer('a', [], { error: { name } }))).at(-1)).toMatchObject({
      ...{ role: 'assistant', content: '', stopped },
    });
  });
});

test('what is typed before an answer is complete steers it', () => {
  const running = answer('a', [text('I beg')], {
    time: { created: 1_795_000_001_000, completed: 1_795_000_009_000 },
  });
  const typed = readMessages(
    lines(
      user('u', 'go'),
      running,
      user('v', 'quick', 1_795_000_005_000),
      running,
      user('w', 'on', 1_795_000_010_000),
    ),
  );
  expect(typed.filter(({ role }) => role === 'user').map(({ steered }) => steered)).toEqual([
    undefined,
    true,
    undefined,
  ]);
});

test('the summary of a compaction is marked, with its cost; what was taken back is gone', () => {
  const tokens = { input: 9, output: 1, reasoning: 0, cache: { read: 0, write: 0 } };
  const summary = answer('s', [text('So far.')], { summary: true, tokens });
  expect(readMessages(lines(user('u', 'go'), summary))[1]).toMatchObject({
    ...{ role: 'user', content: 'So far.', compacted: true, usage: { input_tokens: 9 } },
  });
  expect(contents(lines(user('u', 'go'), answer('a', [text('A')]), { removed: ['a'] }))).toEqual(['go']);
});

test('texts that the client put into a message are not said', () => {
  const own = { type: 'text', text: 'Called the Read tool', synthetic: true };
  expect(contents(lines(user('u', 'go', undefined, own)))).toEqual(['go']);
});
