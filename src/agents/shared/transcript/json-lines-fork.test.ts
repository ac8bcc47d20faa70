import { describe, expect, test } from 'vitest';
import { forkTranscript } from './json-lines.ts';

const line = (uuid: string, more: object = {}) =>
  JSON.stringify({ parentUuid: null, uuid, sessionId: 'old', odd: { kept: [1, 'é'] }, ...more });

describe('the beginning of a transcript as another session', () => {
  const rows = [
    '{"type":"queue-operation","operation":"enqueue","sessionId":"old","content":"one"}',
    line('1', { message: { content: 'say "sessionId":"old"' } }),
    'not JSON',
    line('2'),
    '{"type":"queue-operation","operation":"enqueue","sessionId":"old","content":"two"}',
    line('3', { note: 'after 2' }),
  ];
  const text = `${rows.join('\n')}\n`;

  test('ends with the message, and has every line as it was but for the id', () => {
    const kept = rows.slice(0, 4).join('\n').replaceAll('"sessionId":"old"', '"sessionId":"new"');
    expect(forkTranscript(text, '2', 'new')).toBe(`${kept}\n`);
  });

  test('leaves alone what only looks like an id in what was said', () => {
    const said = JSON.parse(forkTranscript(text, '1', 'new')?.split('\n')[1] ?? '').message.content;
    expect(said).toBe('say "sessionId":"old"');
  });

  test.each(['4', '', 'JSON'])('is none where the message %j is not in it', (last) => {
    expect(forkTranscript(text, last, 'new')).toBeUndefined();
  });
});
