import { describe, expect, test } from 'vitest';
import type { CheckpointId } from '../../base/ids.ts';
import { linkedIds, namedCheckpoints, readLinks, withOwn } from './links.ts';

const A = 'aaaaaaaaaaaa' as CheckpointId;
const B = 'bbbbbbbbbbbb' as CheckpointId;
const C = 'cccccccccccc' as CheckpointId;
const line = (id: string) => `Entire-Checkpoint: ${id}\n`;

describe('readLinks', () => {
  test('a trailer is the commit’s own', () => {
    expect(readLinks(`Add a\n\n${line(A)}`, '', line(A))).toEqual({
      own: A,
      all: [{ id: A, place: 'trailer' }],
    });
  });

  test('of several trailers the last one counts, and all are named', () => {
    const links = readLinks(`Add a\n\n${line(A)}${line(B)}`, '', line(A) + line(B));
    expect(links.own).toBe(B);
    expect(linkedIds(links)).toEqual([B, A]);
  });

  test('what stands elsewhere in a message is named, and is nobody’s own', () => {
    const squash = `Squashed commit of the following:\n\ncommit 1\n\n    Add b\n\n    ${line(B)}\ncommit 2\n\n    ${line(A)}`;
    expect(readLinks(squash)).toEqual({
      own: undefined,
      all: [
        { id: B, place: 'message' },
        { id: A, place: 'message' },
      ],
    });
    const list = `Feature (#7)\n\n* Add a\n\n${line(A)}\n* ${line(B)}\nCo-authored-by: Ada <ada@example.com>\n`;
    expect(readLinks(list)).toMatchObject({ own: undefined, all: [{ id: A }, { id: B }] });
  });

  test('a note of one checkpoint is the own one, unless the message has one', () => {
    expect(readLinks('Add a\n', line(A))).toEqual({ own: A, all: [{ id: A, place: 'note' }] });
    expect(readLinks(`Add a\n\n${line(B)}`, line(A), line(B))).toEqual({
      own: B,
      all: [
        { id: B, place: 'trailer' },
        { id: A, place: 'note' },
      ],
    });
  });

  test('a note of several tells of commits that it was made of', () => {
    const note = `words of somebody\r\n\r\nEntire-Checkpoint: ${A}\r\n\r\n\r\nEntire-Checkpoint: ${B}\r\nx: y\r\n${line(A)}`;
    expect(readLinks('Squashed\n', note)).toEqual({
      own: undefined,
      all: [
        { id: A, place: 'note' },
        { id: B, place: 'note' },
      ],
    });
  });

  test('what v0.4.4 put under a subject with a colon is a trailer', () => {
    expect(readLinks(`fix: a\n${line(A)}`)).toEqual({ own: A, all: [{ id: A, place: 'trailer' }] });
  });

  test('a note of any size and kind is read as far as it may be a list', () => {
    const binary = Buffer.from([0xff, 0xfe, 0x80, 0x0a]).toString('utf8');
    expect(readLinks('x\n', `${binary}${line(A)}`).own).toBe(A);
    expect(readLinks('x\n', `${'x'.repeat(1 << 20)}\n${line(A)}`)).toEqual({ own: undefined, all: [] });
    const many = Array.from({ length: 20_000 }, (_, at) => line(at.toString(16).padStart(12, '0'))).join('');
    expect(readLinks('x\n', many).all).toHaveLength(1_000);
  });

  test('a commit that is given its own keeps the others', () => {
    expect(withOwn(readLinks('x\n', line(A) + line(B)), C)).toEqual({
      own: C,
      all: [C, A, B].map((id) => ({ id, place: 'note' })),
    });
  });
});

test('a subject names nothing', () => {
  for (const message of [line(A), line(A).trim(), `${line(A)}\nmore\n`])
    expect(readLinks(message)).toEqual({ own: undefined, all: [] });
});

test('only whole lines name a checkpoint', () => {
  const text = `Entire-Checkpoint: ${A}0\nx Entire-Checkpoint: ${A}\n> ${line(A)}entire-checkpoint: ${A}\n\t- ${line(B)}`;
  expect(namedCheckpoints(text)).toEqual([B]);
});
