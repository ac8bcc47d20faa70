import { describe, expect, test } from 'vitest';
import { attachment, attachmentAt } from '../transcript/message-blocks.ts';
import { Conversation } from './conversation.ts';

const said = { timeMs: 0 };
const paid = { inputTokens: 1, cacheCreationTokens: 2, cacheReadTokens: 3, outputTokens: 4 };
const usage = { input_tokens: 1, output_tokens: 4, cache_creation_tokens: 2, cache_read_tokens: 3 };
const text = (words: string) => ({ type: 'text', text: words });

describe('ids of calls', () => {
  test('that a transcript uses again, or does not have, are told apart; results go to the oldest that waits', () => {
    const conversation = new Conversation();
    for (const id of ['c', 'c', '', '', 'c#2']) conversation.use(id, 'ls', {}, said);
    for (const id of ['c', '', 'c', 'c', 'nobody'])
      conversation.result(id, { text: `of ${id}`, failed: false }, 0);
    conversation.use('c', 'ls', {}, said);
    conversation.result('c', { text: 'again', failed: true }, 0);
    expect(conversation.messages()).toMatchObject([
      { content: [{ id: 'c' }, { id: 'c#2' }, { id: 'call-1' }, { id: 'call-2' }, { id: 'c#2#2' }] },
      { content: [{ tool_use_id: 'c' }, { tool_use_id: 'call-1' }, { tool_use_id: 'c#2' }] },
      { content: [{ id: 'c#3' }] },
      { content: [{ tool_use_id: 'c#3', content: 'again', is_error: true }] },
    ]);
  });

  test('a hundred thousand of the same are told apart in no time', () => {
    const conversation = new Conversation();
    for (let at = 0; at < 100_000; at++) conversation.use('c', 'ls', {}, said);
    for (let at = 0; at < 100_000; at++) conversation.result('c', { text: '', failed: false }, 0);
    const [calls, results] = conversation.messages();
    expect([calls?.content.length, results?.content.length]).toEqual([100_000, 100_000]);
  });
});

test('what a tool is called with is kept as it is, unless nobody could write it down', () => {
  const conversation = new Conversation();
  const deep = JSON.parse(`${'['.repeat(5000)}${']'.repeat(5000)}`) as unknown;
  for (const input of [{ a: [1, null] }, 'free text', undefined, deep])
    conversation.use('', 'x', input, said);
  const [message] = conversation.messages();
  expect(message?.content).toMatchObject([
    ...[{ input: { a: [1, null] } }, { input: 'free text' }, { input: {} }],
    { input: '(nested too deep)' },
  ]);
});

describe('tokens', () => {
  test('are those of the last answer, of the next one where that is of another call, or of one that says nothing', () => {
    const conversation = new Conversation();
    conversation.prompt([text('go')], 0);
    conversation.spend(paid, 'a');
    conversation.say(text('A.'), { timeMs: 0, call: 'a' });
    conversation.spend(paid, 'a', 0.5);
    conversation.spend(paid, 'b');
    expect(conversation.messages()).toEqual([
      { role: 'user', content: 'go' },
      {
        ...{ role: 'assistant', content: 'A.' },
        usage: {
          ...{ input_tokens: 2, output_tokens: 8, cache_creation_tokens: 4, cache_read_tokens: 6 },
          cost_usd: 0.5,
        },
      },
      { role: 'assistant', content: '', usage },
    ]);
  });

  test('that no number stands for cost nothing', () => {
    const conversation = new Conversation();
    conversation.say(text('A.'), said);
    conversation.spend(paid, '', Number.NaN);
    expect(conversation.messages()[0]?.usage).toEqual(usage);
  });
});

test('texts and thoughts that say nothing are no blocks, and prompts without any are no messages', () => {
  const conversation = new Conversation();
  conversation.prompt([], 0);
  conversation.say(text(''), said);
  conversation.say({ type: 'thinking', text: '' }, said);
  conversation.stop('failed', 0);
  expect(conversation.messages()).toEqual([]);
});

describe('attachments', () => {
  test.each([
    ['AAECAw==', 4],
    ['AAEC', 3],
    ['AAE=', 2],
  ])('%s are %i bytes', (data, bytes) => {
    expect(attachment({ mediaType: 'image/png', data })).toEqual({
      ...{ type: 'image', media_type: 'image/png', bytes, data },
    });
  });

  test.each([
    ['data:image/PNG;base64,AAEC', { type: 'image', media_type: 'image/png', bytes: 3, data: 'AAEC' }],
    [
      'data:text/plain;charset=utf-8;base64,AAEC',
      { type: 'file', media_type: 'text/plain', bytes: 3, data: 'AAEC' },
    ],
    ['data:image/png;base64,"><script>', { type: 'image', media_type: 'image/png' }],
    ['data:text/html,<script>', { type: 'file', media_type: '' }],
    ['https://example.org/a.png', { type: 'file', media_type: '', source: 'https://example.org/a.png' }],
    [undefined, { type: 'file', media_type: '' }],
  ])('at %s', (address, block) => {
    expect(attachmentAt(address)).toEqual(block);
  });

  test('a media type that is none is left out', () => {
    expect(attachment({ mediaType: 'image/png" onload="x', data: 'AAEC' })).toMatchObject({
      ...{ type: 'file', media_type: '' },
    });
  });
});
