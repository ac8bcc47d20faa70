import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { ObjectId } from '../base/ids.ts';
import { blobId } from '../git/object/objects.ts';
import { replaceSpawn } from '../git/run.ts';
import {
  cutTranscript,
  isTranscriptName,
  joinTranscript,
  type StoredChunk,
  storedTranscript,
  transcriptChanges,
} from './chunks.ts';

const KIB = 1024;
const LIMIT = 256 * KIB;
const LIKE = '0'.repeat(40) as ObjectId;
const git = { cwd: '/repo', env: {} };
const line = (bytes: number, char = 'x') => `${char.repeat(bytes - 1)}\n`;
/** The files of a text that git has nothing of. */
const splitTranscript = (text: string) =>
  transcriptChanges(git, 'd', storedTranscript(text, LIKE), new Map()).map((change) => ({
    name: change.path.slice('d/'.length),
    data: 'data' in change ? (change.data as Buffer) : Buffer.alloc(0),
  }));
const sizes = (text: string) => splitTranscript(text).map(({ data }) => data.length);
const names = (text: string) => splitTranscript(text).map(({ name }) => name);

describe('where the cuts are', () => {
  test('no text, no chunk', () => {
    expect(splitTranscript('')).toEqual([]);
    expect(joinTranscript([])).toBe('');
  });

  test('up to the limit it is one chunk, under the name that older readers know', () => {
    for (const text of ['\n', 'a', 'a\n\n', line(LIMIT)]) {
      expect(names(text)).toEqual(['full.jsonl']);
      expect(joinTranscript(splitTranscript(text))).toBe(text);
    }
  });

  test('the last line end within the limit', () => {
    const text = line(100 * KIB) + line(100 * KIB) + line(100 * KIB);
    expect(sizes(text)).toEqual([200 * KIB - 1, 100 * KIB]);
    expect(names(text)).toEqual(['full.jsonl', 'full.jsonl.001']);
  });

  test('a chunk may be as large as the limit, its line end not counted', () => {
    expect(sizes(line(LIMIT + 1) + line(10))).toEqual([LIMIT, 10]);
    expect(sizes(line(LIMIT + 2) + line(10))).toEqual([LIMIT + 1, 10]);
  });

  test('a long line is a chunk of its own, not torn', () => {
    const text = line(10) + line(3 * LIMIT, 'y') + line(10);
    expect(sizes(text)).toEqual([9, 3 * LIMIT - 1, 10]);
    expect(sizes('y'.repeat(3 * LIMIT))).toEqual([3 * LIMIT]);
  });

  test('a line end at the very end stays; blank lines at a cut do too', () => {
    for (const end of ['', '\n', '\n\n', '\n\n\n']) {
      const text = `${'x'.repeat(LIMIT)}${end}`;
      expect(joinTranscript(splitTranscript(text))).toBe(text);
    }
    const text = `${'\n'.repeat(2 * LIMIT)}a`;
    expect(joinTranscript(splitTranscript(text))).toBe(text);
  });

  test('past five hundred chunks they get larger, so that suffixes keep three digits', () => {
    const text = line(LIMIT).repeat(520);
    const chunks = splitTranscript(text);
    expect(chunks.slice(0, 500).every(({ data }) => data.length === LIMIT - 1)).toBe(true);
    expect(chunks[500]?.data.length).toBe(4 * 1024 * KIB - 1);
    expect(chunks.at(-1)?.name).toBe(`full.jsonl.${String(chunks.length - 1).padStart(3, '0')}`);
    expect(joinTranscript(chunks) === text).toBe(true);
  }, 30_000);
});

/** Texts of some chunks, out of few random numbers: long and short lines, blank ones, characters of several bytes. */
const bigText = fc
  .array(
    fc.record({
      length: fc.oneof(fc.constantFrom(0, 1, LIMIT - 1, LIMIT, LIMIT + 1), fc.nat(20), fc.nat(2 * LIMIT)),
      char: fc.constantFrom('x', 'é', '日'),
    }),
    { maxLength: 8 },
  )
  .map((rows) => rows.map(({ length, char }) => char.repeat(length / Buffer.byteLength(char))).join('\n'));

const RUNS = { numRuns: 40 }; // megabytes each

describe('laws', () => {
  test('joining what was split gives the text, in whatever order the chunks come', () => {
    fc.assert(
      fc.property(bigText, fc.boolean(), (text, reverse) => {
        const chunks = splitTranscript(text);
        expect(joinTranscript(reverse ? chunks.toReversed() : chunks) === text).toBe(true);
      }),
      RUNS,
    );
  });

  test('a text that grew shares all chunks but the last', () => {
    fc.assert(
      fc.property(bigText, bigText, (text, more) => {
        const before = splitTranscript(text).slice(0, -1);
        const after = splitTranscript(text + more);
        expect(
          before.every(({ name, data }, at) => after[at]?.name === name && after[at]?.data.equals(data)),
        ).toBe(true);
      }),
      RUNS,
    );
  });

  test('no chunk ends in the middle of a line, and only a lone line is above the limit', () => {
    fc.assert(
      fc.property(bigText, (text) => {
        const chunks = splitTranscript(text);
        for (const { data } of chunks.slice(0, -1)) {
          const lines = data.toString('utf8').split('\n').filter(Boolean);
          expect(data.length <= LIMIT || lines.length <= 1).toBe(true);
        }
        const lines = new Set(text.split('\n'));
        const whole = chunks.every(({ data }) =>
          data
            .toString('utf8')
            .split('\n')
            .every((row) => lines.has(row) || row === ''),
        );
        expect(whole).toBe(true);
      }),
      RUNS,
    );
  });
});

test('what comes after a cut is cut the same without what comes before it', () => {
  fc.assert(
    fc.property(bigText, fc.nat(8), (text, some) => {
      const bytes = Buffer.from(text);
      const spans = cutTranscript(bytes);
      const before = Math.min(some, Math.max(0, spans.length - 1));
      const start = spans[before]?.start ?? 0;
      const rest = cutTranscript(bytes.subarray(start), before);
      expect(rest.map((span) => ({ start: span.start + start, end: span.end + start }))).toEqual(
        spans.slice(before),
      );
    }),
    RUNS,
  );
});

test('the number of chunks before counts for the size of those that follow', () => {
  const bytes = Buffer.from(line(LIMIT).repeat(20));
  expect(cutTranscript(bytes, 499).map(({ start, end }) => end - start)).toEqual([
    LIMIT - 1,
    4 * 1024 * KIB - 1,
    3 * LIMIT,
  ]);
});

describe('what git is told', () => {
  const data = (text: string) => Buffer.from(text);
  const chunk = (text: string, isOld: boolean): StoredChunk => ({
    oid: blobId(text, LIKE),
    isOld,
    read: () => data(text),
  });
  const stored = (...chunks: StoredChunk[]) => ({ chunks, contentHash: () => '' });
  const listed = (files: Record<string, string>) =>
    new Map(Object.entries(files).map(([path, text]) => [path, { oid: blobId(text, LIKE) }]));

  test('bytes that the folder holds already are not sent again, under whatever name', () => {
    const files = listed({ 'd/full.jsonl': 'b', 'd/prompt.txt': 'p' });
    expect(transcriptChanges(git, 'd', stored(chunk('a', false), chunk('b', false)), files)).toEqual([
      { path: 'd/full.jsonl', mode: '100644', data: data('a') },
      { path: 'd/full.jsonl.001', mode: '100644', oid: blobId('b', LIKE) },
    ]);
  });

  test('chunks of a transcript that was longer are removed, and nothing else', () => {
    const files = listed({
      'd/full.jsonl': 'a',
      'd/full.jsonl.001': 'b',
      'd/full.jsonl.002': 'c',
      'd/full.jsonl.bak': 'x',
      'd/prompt.txt': 'p',
      'd2/full.jsonl.001': 'other',
    });
    const removed = (chunks: StoredChunk[]) =>
      transcriptChanges(git, 'd', stored(...chunks), files).flatMap((change) =>
        'removed' in change ? change.path : [],
      );
    expect(removed([chunk('a', false)])).toEqual(['d/full.jsonl.001', 'd/full.jsonl.002']);
    expect(removed([])).toEqual(['d/full.jsonl', 'd/full.jsonl.001', 'd/full.jsonl.002']);
  });

  test('git is asked for old chunks alone, once, and gets those it has lost', () => {
    const asked: string[] = [];
    const restore = replaceSpawn(((_: string, __: readonly string[], { input }: { input: Buffer }) => {
      asked.push(input.toString('latin1'));
      const answer = `${blobId('a', LIKE)} blob 1\n${blobId('b', LIKE)} missing\n`;
      return { status: 0, stdout: Buffer.from(answer), stderr: Buffer.alloc(0) };
    }) as unknown as Parameters<typeof replaceSpawn>[0]);
    try {
      const chunks = [chunk('a', true), chunk('b', true), chunk('c', true), chunk('d', false)];
      expect(transcriptChanges(git, 'd', stored(...chunks), listed({ 'd/full.jsonl.002': 'c' }))).toEqual([
        { path: 'd/full.jsonl', mode: '100644', oid: blobId('a', LIKE) },
        { path: 'd/full.jsonl.001', mode: '100644', data: data('b') },
        { path: 'd/full.jsonl.002', mode: '100644', oid: blobId('c', LIKE) },
        { path: 'd/full.jsonl.003', mode: '100644', data: data('d') },
      ]);
    } finally {
      restore();
    }
    expect(asked).toEqual([`${blobId('a', LIKE)}\n${blobId('b', LIKE)}\n`]);
  });

  test('the content hash is that of the whole text', () => {
    const text = 'é\n'.repeat(LIMIT);
    const hash = createHash('sha256').update(text).digest('hex');
    expect(storedTranscript(text, LIKE).contentHash()).toBe(`sha256:${hash}`);
  });
});

test('chunks of other sizes are joined, too', () => {
  const chunk = (name: string, text: string) => ({ name, data: Buffer.from(text) });
  const chunks = [
    chunk('full.jsonl.010', 'd'),
    chunk('full.jsonl.002', 'c'),
    chunk('full.jsonl', 'a'),
    chunk('full.jsonl.001', 'b'),
  ];
  expect(joinTranscript(chunks)).toBe('a\nb\nc\nd');
});

test('names of transcript files', () => {
  for (const name of ['full.jsonl', 'full.jsonl.001', 'full.jsonl.1000'])
    expect(isTranscriptName(name)).toBe(true);
  for (const name of [
    'full.jsonl.01',
    'full.jsonl.bak',
    'full.log',
    'xfull.jsonl',
    'full.jsonl.001\n',
    'fullxjsonl',
  ])
    expect(isTranscriptName(name)).toBe(false);
});
