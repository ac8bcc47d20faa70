import {
  appendFileSync,
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
import { claudeTranscript } from '../agents/claude-code/transcript.ts';
import { disk, replaceDisk } from '../base/disk.ts';
import { parseSessionId, type SessionId } from '../base/ids.ts';
import { copyTranscript, readTranscript, waitForLastWords } from './transcript-file.ts';

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

describe('reading', () => {
  test('the text, also through a link', () => {
    writeFileSync(live(), 'ä\n');
    symlinkSync('live.jsonl', join(root, 'link'));
    expect(readTranscript(live())).toBe('ä\n');
    expect(readTranscript(join(root, 'link'))).toBe('ä\n');
  });

  test('nothing where there is none', () => {
    for (const path of [undefined, '', join(root, 'none'), root, '/dev/null', join(root, 'a\0b')])
      expect(readTranscript(path)).toBe('');
  });

  test('nothing where it cannot be read', () => {
    writeFileSync(live(), 'x');
    restore = replaceDisk({
      readFileSync: (() => {
        throw Object.assign(new Error('EACCES: denied'), { code: 'EACCES' });
      }) as typeof disk.readFileSync,
    });
    expect(readTranscript(live())).toBe('');
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
  const inode = () => statSync(copy()).ino;

  test('is made, private, with the whole text', () => {
    copyTranscript(root, id, 'ä\n');
    expect(readFileSync(copy(), 'utf8')).toBe('ä\n');
    expect(statSync(copy()).mode & 0o777).toBe(0o600);
  });

  test('is extended by the new bytes only', () => {
    copyTranscript(root, id, 'ä\n');
    const before = inode();
    const written: number[] = [];
    restore = replaceDisk({
      writeSync: ((fd: number, bytes: Uint8Array, at: number) => {
        written.push(bytes.length - at);
        return real.writeSync(fd, bytes, at);
      }) as typeof disk.writeSync,
    });
    copyTranscript(root, id, 'ä\n');
    copyTranscript(root, id, 'ä\nnew\n');
    expect(written).toEqual([4]);
    expect(inode()).toBe(before);
    expect(readFileSync(copy(), 'utf8')).toBe('ä\nnew\n');
  });

  test('what a kill left half is completed', () => {
    copyTranscript(root, id, 'one\n');
    writeFileSync(copy(), 'one\ntw');
    copyTranscript(root, id, 'one\ntwo\nthree\n');
    expect(readFileSync(copy(), 'utf8')).toBe('one\ntwo\nthree\n');
  });

  test.each([
    ['shorter', 'a\n'],
    ['other at its end', 'a\nX\nc\n'],
    ['other from the start', 'X\nb\nc\n'],
  ])('a transcript that is %s replaces it', (_, text) => {
    copyTranscript(root, id, 'a\nb\n');
    copyTranscript(root, id, text);
    expect(readFileSync(copy(), 'utf8')).toBe(text);
  });

  test('a link in its place is replaced, not followed', () => {
    mkdirSync(join(root, '.entire', 'metadata', 's1'), { recursive: true });
    writeFileSync(join(root, 'theirs'), 'one\n');
    symlinkSync(join(root, 'theirs'), copy());
    copyTranscript(root, id, 'one\ntwo\n');
    expect(readFileSync(join(root, 'theirs'), 'utf8')).toBe('one\n');
    expect(readFileSync(copy(), 'utf8')).toBe('one\ntwo\n');
  });

  test('is what the transcript was last, whatever it was before', () => {
    fc.assert(
      fc.property(
        fc.array(fc.string({ unit: fc.constantFrom('a', 'é', '\n'), maxLength: 6 }), { minLength: 1 }),
        (texts) => {
          for (const text of texts) copyTranscript(root, id, text);
          expect(readFileSync(copy(), 'utf8')).toBe(texts.at(-1));
        },
      ),
      { numRuns: 50 },
    );
  });
});
