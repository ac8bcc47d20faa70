import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { findCompression } from './transcript.ts';

/** What is found beyond the first bytes. */
const find = (transcript: Buffer, since: number) =>
  findCompression(transcript.subarray(since), () => transcript.subarray(0, since));

const recorded = (name: string): Buffer =>
  readFileSync(join(import.meta.dirname, '../../../integration/fixtures/gemini/transcripts', name));
const inTurn = recorded('compressed-in-turn.jsonl');

/** The bytes before the last new history but `back`; in the session that was resumed twice, the compression is the last but one. */
function upTo(transcript: Buffer, back: number): Buffer {
  let at = transcript.length;
  for (let left = back; left >= 0; left--) at = transcript.lastIndexOf('{"$set":{"messages"', at - 1);
  return transcript.subarray(0, at);
}

describe('a compression', () => {
  test('that the user asked for', () => {
    const asked = recorded('compress.jsonl');
    expect(find(asked, 0)).toEqual({ tokensBefore: 1203, tokensAfter: undefined });
    expect(find(upTo(asked, 0), 0)).toBeUndefined();
  });

  test('in the middle of a turn, also once the session was resumed after it', () => {
    const found = { tokensBefore: expect.any(Number), tokensAfter: undefined };
    expect(find(inTurn, 0)).toEqual(found);
    expect(find(inTurn, 0)?.tokensBefore).toBeGreaterThan(700_000);
    expect(find(inTurn, upTo(inTurn, 1).length)).toEqual(found);
  });

  test('that is known already is not found again, whatever comes after it', () => {
    const end = upTo(inTurn, 0).length;
    expect(inTurn.toString('utf8', end)).toContain('"$set":{"messages"'); // resumed
    expect(find(inTurn, end)).toBeUndefined();
    expect(find(inTurn, inTurn.length)).toBeUndefined();
    expect(find(inTurn, inTurn.length + 1)).toBeUndefined();
  });
});

describe('no compression is', () => {
  test('a session that was begun, or resumed', () => {
    expect(find(recorded('basic.jsonl'), 0)).toBeUndefined();
    const resumed = upTo(inTurn, 1);
    expect(resumed.toString().split('{"$set":{"messages"').at(-1)).toContain('"type":"gemini"');
    expect(find(resumed, 0)).toBeUndefined();
  });

  test('a history whose answers have lines of their own, or a word of it in a text', () => {
    const answer = { id: 'a1', type: 'gemini', content: 'Done.' };
    const lines = [answer, { $set: { messages: [answer] } }, { id: 'u', type: 'user', content: HISTORY }];
    expect(find(text(lines), 0)).toBeUndefined();
    expect(find(text(lines.slice(1)), 0)).toEqual({});
  });

  test('anything that cannot be read', () => {
    for (const broken of [
      '',
      '\n\n',
      HISTORY,
      `${HISTORY}]}}\n`,
      `${HISTORY}7,null,{"type":"gemini"}]}}\n`,
      '{"x":',
    ])
      expect(find(Buffer.from(broken), 0)).toBeUndefined();
  });
});

const HISTORY = '{"$set":{"messages":[';
const text = (lines: readonly unknown[]): Buffer =>
  Buffer.from(lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
