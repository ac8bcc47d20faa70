import {
  appendFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { claudeTranscript } from '../../agents/claude-code/transcript.ts';
import { disk, replaceDisk } from '../../base/file/disk.ts';
import { parseSessionId, type SessionId } from '../../base/ids.ts';
import { copyTranscript, readRange, transcriptSize, waitForLastWords } from './file.ts';

const id = parseSessionId('s1') as SessionId;
const real = { ...disk };
let root: string;
let restore = () => {};
const live = () => join(root, 'live.jsonl');
const copy = () => join(root, '.entire', 'metadata', 's1', 'full.jsonl');
const answer = (text: string) =>
  `${JSON.stringify({ type: 'assistant', message: { content: [{ type: 'text', text }] } })}\n`;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'entire-transcript-'));
});
afterEach(() => {
  restore();
  restore = () => {};
  rmSync(root, { recursive: true, force: true });
});

describe('the size', () => {
  test('in bytes, also through a link', () => {
    writeFileSync(live(), 'ä\n');
    symlinkSync('live.jsonl', join(root, 'link'));
    expect(transcriptSize(live(), undefined)).toBe(3);
    expect(transcriptSize(join(root, 'link'), undefined)).toBe(3);
  });

  test('none of what is no file', () => {
    for (const path of [
      '',
      join(root, 'none'),
      join(root, 'none', 'x'),
      root,
      '/dev/null',
      join(root, 'a\0b'),
    ])
      expect(transcriptSize(path, undefined)).toBeUndefined();
  });

  test('none where it cannot be looked at', () => {
    writeFileSync(live(), 'x');
    restore = replaceDisk({
      openSync: (() => {
        throw Object.assign(new Error('EACCES: denied'), { code: 'EACCES' });
      }) as unknown as typeof disk.openSync,
    });
    expect(transcriptSize(live(), undefined)).toBeUndefined();
  });
});

describe('a range', () => {
  test('ends where the file ends', () => {
    writeFileSync(live(), 'abcdef');
    const read = (start: number, end: number) => readRange(live(), start, end).toString();
    expect([read(0, 6), read(2, 4), read(4, 9), read(6, 9), read(8, 9), read(4, 2)]).toEqual([
      'abcdef',
      'cd',
      'ef',
      '',
      '',
      '',
    ]);
  });

  test('is put together from short reads', () => {
    writeFileSync(live(), 'abcdef');
    restore = replaceDisk({
      readSync: ((fd: number, buffer: Buffer, at: number, length: number, position: number) =>
        real.readSync(fd, buffer, at, Math.min(length, 2), position)) as typeof disk.readSync,
    });
    expect(readRange(live(), 0, 5).toString()).toBe('abcde');
  });

  test('of a file that is not there is the system error', () => {
    expect(() => readRange(live(), 0, 1)).toThrow('ENOENT');
  });
});

describe('waiting for the last words', () => {
  /** How often the transcript was looked at before the wait was over. */
  const looks = async (path: string | undefined, message: string | undefined) => {
    const holdsMessage = vi.fn(claudeTranscript.holdsMessage);
    await waitForLastWords({ ...claudeTranscript, holdsMessage }, path, message);
    return holdsMessage.mock.calls.length;
  };

  test('they are there: one look', async () => {
    writeFileSync(live(), answer('x'.repeat(200_000)) + answer('Done.'));
    expect(await looks(live(), 'Done.')).toBe(1);
  });

  test('no file, or no words: nothing to wait for', async () => {
    expect(await looks(join(root, 'none'), 'Done.')).toBe(0);
    expect(await looks(undefined, 'Done.')).toBe(0);
    writeFileSync(live(), answer('Done.'));
    expect(await looks(live(), undefined)).toBe(0);
  });

  test('what stands behind them says it, too', async () => {
    const wait = (mark: string) => waitForLastWords(claudeTranscript, live(), undefined, mark);
    const timers = vi.spyOn(globalThis, 'setTimeout');
    writeFileSync(live(), `${answer('Done.')}{"timestamp":17}\n`);
    await wait('"timestamp":17');
    expect(timers).not.toHaveBeenCalled();
    timers.mockRestore();
    let written = false;
    setTimeout(() => {
      written = true;
      appendFileSync(live(), '{"timestamp":18}\n');
    }, 60);
    await wait('"timestamp":18');
    expect(written).toBe(true);
  });

  test('a client that writes a mark may not have made the file yet', async () => {
    setTimeout(() => writeFileSync(live(), '{"timestamp":19}\n'), 60);
    await waitForLastWords(claudeTranscript, live(), undefined, '"timestamp":19');
    expect(existsSync(live())).toBe(true);
  });

  test('they come in a moment: no longer than that', async () => {
    writeFileSync(live(), answer('Working.'));
    let written = false;
    setTimeout(() => {
      written = true;
      appendFileSync(live(), answer('Done.'));
    }, 60);
    expect(await looks(live(), 'Done.')).toBeGreaterThan(1);
    expect(written).toBe(true);
  });

  test('they never come: a quarter of a second', async () => {
    writeFileSync(live(), answer('Working.'));
    const startedAt = performance.now();
    expect(await looks(live(), 'Done.')).toBeGreaterThan(1);
    expect(performance.now() - startedAt).toBeGreaterThan(200);
  });
});

describe('the working copy', () => {
  const copyOf = (text: string) => {
    writeFileSync(live(), text);
    copyTranscript(root, id, live());
  };
  const inode = () => statSync(copy()).ino;

  test('is made, private, with the whole text', () => {
    copyOf('ä\n');
    expect(readFileSync(copy(), 'utf8')).toBe('ä\n');
    expect(statSync(copy()).mode & 0o777).toBe(0o600);
  });

  test('is extended by the new bytes only', () => {
    copyOf('ä\n');
    const before = inode();
    const written: number[] = [];
    restore = replaceDisk({
      writeSync: ((fd: number, bytes: Uint8Array, at: number) => {
        written.push(bytes.length - at);
        return real.writeSync(fd, bytes, at);
      }) as typeof disk.writeSync,
    });
    copyOf('ä\n');
    copyOf('ä\nnew\n');
    expect(written).toEqual([4]);
    expect(inode()).toBe(before);
    expect(readFileSync(copy(), 'utf8')).toBe('ä\nnew\n');
  });

  test('what a kill left half is completed', () => {
    copyOf('one\n');
    writeFileSync(copy(), 'one\ntw');
    copyOf('one\ntwo\nthree\n');
    expect(readFileSync(copy(), 'utf8')).toBe('one\ntwo\nthree\n');
  });

  test.each([
    ['shorter', 'a\n'],
    ['other at its end', 'a\nX\nc\n'],
    ['other from the start', 'X\nb\nc\n'],
    ['other at the end of its first page', `${'a'.repeat(4095)}X${'b'.repeat(9000)}`],
  ])('a transcript that is %s replaces it', (_, text) => {
    copyOf('a\nb\n');
    copyOf(text);
    expect(readFileSync(copy(), 'utf8')).toBe(text);
  });

  test('a link in its place is replaced, not followed', () => {
    mkdirSync(join(root, '.entire', 'metadata', 's1'), { recursive: true });
    writeFileSync(join(root, 'theirs'), 'one\n');
    symlinkSync(join(root, 'theirs'), copy());
    copyOf('one\ntwo\n');
    expect(readFileSync(join(root, 'theirs'), 'utf8')).toBe('one\n');
    expect(readFileSync(copy(), 'utf8')).toBe('one\ntwo\n');
  });

  test('is what the transcript was last, whatever it was before', () => {
    fc.assert(
      fc.property(
        fc.array(fc.string({ unit: fc.constantFrom('a', 'é', '\n'), maxLength: 6 }), { minLength: 1 }),
        (texts) => {
          for (const text of texts) copyOf(text);
          expect(readFileSync(copy(), 'utf8')).toBe(texts.at(-1));
        },
      ),
      { numRuns: 50 },
    );
  });
});
