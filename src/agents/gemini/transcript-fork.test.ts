import { expect, test } from 'vitest';
import { forkTranscript, readLastIdentifier } from './transcript.ts';

const text = [
  '{"sessionId":"old","projectHash":"h","kind":"main"}',
  '{"id":"u1","type":"user","content":[{"text":"one"}]}',
  '{"id":"m1","type":"gemini","content":""}',
  '{"$set":{"lastUpdated":"2026"}}',
  '{"id":"m1","type":"gemini","content":"","toolCalls":[{"args":{"sessionId":"old"}}]}',
  '{"$set":{"sessionId":"old"}}',
  '{"id":"u2","type":"user","content":[{"text":"two m1"}]}',
  '{"$rewindTo":"u2"}',
  '{"$set":{"lastUpdated":"2027"}}',
  'half',
  '',
].join('\n');

const beginning = (count: number): string =>
  `${text.split('\n').slice(0, count).join('\n')}\n`
    .replace('{"sessionId":"old"', '{"sessionId":"new"')
    .replace('{"$set":{"sessionId":"old"', '{"$set":{"sessionId":"new"');

test('a fork ends with the last line of its message, and names the new session where the old one was named', () => {
  expect(forkTranscript(text, 'm1', 'new')).toBe(beginning(5));
  expect(forkTranscript(text, 'u2', 'new')).toBe(beginning(7));
});

test('after a rewind the conversation is what the rewind left of it', () => {
  const last = readLastIdentifier(text);
  expect(last).toBe('$rewindTo:u2');
  expect(forkTranscript(text, last, 'new')).toBe(beginning(8));
});

test('a document is cut in its messages', () => {
  const messages = [{ id: 'a' }, { id: 'b' }, { id: 'c' }];
  const document = JSON.stringify({ sessionId: 'old', projectHash: 'h', messages }, null, 2);
  expect(JSON.parse(forkTranscript(document, 'b', 'new') ?? '')).toEqual({
    sessionId: 'new',
    projectHash: 'h',
    messages: messages.slice(0, 2),
  });
  expect(forkTranscript(document, 'x', 'new')).toBeUndefined();
});

test('without the message there is no fork', () => {
  expect(['', 'x', 'two m1'].map((last) => forkTranscript(text, last, 'new'))).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
});
