import { rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { TranscriptFolder } from '../../../integration/support/agent/transcripts.ts';
import { disk, replaceDisk } from '../../base/file/disk.ts';
import type { SessionId } from '../../base/ids.ts';
import { type LiveTranscript, readLive } from './live.ts';
import { LIMITS, type TranscriptLimits } from './pieces.ts';
import { openStretches } from './stretches.ts';

let folder: TranscriptFolder;
let restore = () => {};
beforeEach(() => {
  folder = new TranscriptFolder();
});
afterEach(() => {
  restore();
  restore = () => {};
  folder.remove();
});

const SMALL = { pieceBytes: 300, lineBytes: 600, textBytes: 100, totalBytes: 400, partBytes: 2000 };
const read = (limits: Partial<TranscriptLimits> = SMALL, agentType = 'Claude Code'): LiveTranscript => {
  const owner = { sessionId: 's1' as SessionId, agentType, transcriptPath: folder.path };
  return readLive(folder.commonDir, owner, { ...LIMITS, ...limits });
};
const row = (text: string): string => `${JSON.stringify({ type: 'user', message: { content: text } })}\n`;

/** Counts the bytes that are read from the disk while `act` runs. */
function bytesRead(act: () => void): number {
  let total = 0;
  const original = disk.readSync;
  const readSync = ((...args: Parameters<typeof original>) => {
    const count = original(...args);
    total += count;
    return count;
  }) as typeof disk.readSync;
  restore = replaceDisk({ readSync });
  act();
  restore();
  restore = () => {};
  return total;
}

test('is what stands between two items, of a transcript that was taken in or not, and of a last line without a line end', async () => {
  const rows = fc.array(fc.constantFrom(row('one'), row('é'), '\n', 'no JSON\n', row('w'.repeat(350))), {
    minLength: 1,
    maxLength: 12,
  });
  const items = fc.uniqueArray(fc.nat(12), { minLength: 1 });
  const check = fc.asyncProperty(rows, rows, items, fc.boolean(), async (first, later, begins, isOpen) => {
    const taken = [row('begin'), ...first]; // else it does not look like a transcript, and nobody reads it
    folder.remove();
    folder = new TranscriptFolder();
    folder.write(taken.join(''));
    await folder.takeInPieces(SMALL);
    const tail = isOpen ? '{"type":"user"}' : '';
    folder.append(later.join('') + tail);
    const live = read({ ...SMALL, partBytes: 1 << 20 }); // none is cut
    const lines = [...taken, ...later, live.rest ? '' : tail]; // of a long rest it waits
    const sorted = begins.toSorted((a, b) => a - b);
    const open = openStretches(live, begins);
    for (const [at, begin] of sorted.entries()) {
      const text = lines
        .slice(begin, sorted[at + 1])
        .join('')
        .trimEnd();
      expect(open(begin, Infinity)?.text.trimEnd() ?? '').toBe(text);
    }
  });
  await fc.assert(check, { numRuns: 40 });
});

test('one that is too long is cut at its end, and those beside it are whole', () => {
  folder.write(row('first') + row('mid') + row('w'.repeat(150)).repeat(30) + row('last'));
  const open = openStretches(read(), [0, 1, 32]);
  expect(open(0, Infinity)).toEqual({ text: row('first'), isWhole: true, isShort: false });
  expect(open(1, Infinity)).toMatchObject({ text: expect.stringMatching(/^.*mid/), isWhole: false });
  expect(open(1, Infinity)?.text.length).toBeLessThanOrEqual(SMALL.partBytes);
  expect(open(32, Infinity)).toEqual({ text: row('last'), isWhole: true, isShort: false });
});

test('what was said behind its end does not cut it', () => {
  const at = (minute: number, text: string): string =>
    `${JSON.stringify({ type: 'user', timestamp: new Date(minute * 60_000).toISOString(), message: { content: text } })}\n`;
  folder.write(at(1, 'first') + at(2, 'second') + at(9, 'w'.repeat(150)).repeat(30));
  const open = openStretches(read(), [0]);
  expect(open(0, 5 * 60_000)).toMatchObject({ text: expect.stringContaining('second'), isWhole: true });
  expect([open(0, 10 * 60_000), open(0, 0)]).toMatchObject([{ isWhole: false }, { isWhole: false }]);
});

test('one of too many lines, too', () => {
  folder.write(row('first') + '\n'.repeat(300) + row('last'));
  const open = openStretches(read({ pieceLines: 20, partLines: 100 }), [0, 301]);
  expect(open(0, Infinity)?.isWhole).toBe(false);
  expect(open(301, Infinity)).toMatchObject({ text: row('last'), isWhole: true });
});

test('one with a line that is too long says so', () => {
  folder.write(row('first') + row('w'.repeat(700)) + row('last'));
  const open = openStretches(read(), [0, 2]);
  expect(open(0, Infinity)).toMatchObject({ isWhole: true, isShort: true });
  expect(open(2, Infinity)).toMatchObject({ isShort: false });
});

describe('nothing is told', () => {
  test('of what is behind the end', () => {
    folder.write(row('first'));
    expect([openStretches(read(), [1])(1, Infinity), openStretches(read(), [0, 7])(7, Infinity)]).toEqual([
      undefined,
      undefined,
    ]);
  });

  test('of a transcript that is gone', async () => {
    folder.write(row('first'));
    await folder.take();
    const live = read();
    rmSync(folder.path);
    expect(openStretches(live, [0])(0, Infinity)).toBeUndefined();
    expect(openStretches(read(), [0])(0, Infinity)).toBeUndefined();
  });
});

test('however many there are, and in whichever order they are asked for, each byte is looked for once, and read once', () => {
  const count = 100;
  for (let at = 0; at < count; at++) folder.append(row(`turn ${at}`) + row('w'.repeat(200)));
  const live = read({ ...SMALL, partBytes: 1 << 20 });
  const begins = Array.from({ length: count }, (_, at) => 2 * at);
  const size = statSync(folder.path).size;
  const total = bytesRead(() => {
    const open = openStretches(live, begins);
    for (const begin of begins.toReversed())
      expect(open(begin, Infinity)?.text).toContain(`turn ${begin / 2}"`);
  });
  expect(total).toBeLessThan(4 * size);
});

test('of a document it is the messages between two of them', () => {
  const message = (id: string) => ({ id, timestamp: '2026-01-01T00:00:00Z', type: 'user', content: id });
  const messages = ['a', 'b', 'c', 'd'].map(message);
  const path = join(folder.root, 'session.json');
  writeFileSync(path, JSON.stringify({ sessionId: 's', messages }, undefined, 2));
  const owner = { sessionId: 's1' as SessionId, agentType: 'Gemini CLI', transcriptPath: path };
  const live = readLive(folder.commonDir, owner);
  const open = openStretches(live, [0, 1, 3, 4]);
  const told = [0, 1, 3].map((item) => live.format.readPrompts(open(item, Infinity)?.text ?? ''));
  expect(told).toEqual([['a'], ['b', 'c'], ['d']]);
  expect(open(4, Infinity)).toBeUndefined();
});
