import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { disk, replaceDisk } from '../../base/file/disk.ts';
import { sha256Of } from '../../base/hash.ts';
import { cutPoints } from '../undo/pieces.ts';
import { blobFile, partsFile, putBlob } from './blobs.ts';
import { openUnchecked, readBlob, sourcesOf, storeParts } from './chunks.ts';

let store: string;
beforeEach(() => {
  store = mkdtempSync(join(tmpdir(), 'entire-blobs-'));
});
afterEach(() => rmSync(store, { recursive: true, force: true }));

const size = (): number =>
  readdirSync(join(store, 'blobs')).reduce((sum, name) => sum + statSync(join(store, 'blobs', name)).size, 0);

/** Bytes that do not repeat themselves, the same at each run. */
function noise(length: number, seed: number): Buffer {
  const bytes = Buffer.alloc(length);
  let state = seed | 1;
  for (let at = 0; at < length; at++) {
    state = (Math.imul(state, 1103515245) + 12345) | 0;
    bytes[at] = state >>> 16;
  }
  return bytes;
}

describe('pieces', () => {
  it('cover the content, and none is out of bounds', () => {
    const bytes = noise(1 << 20, 7);
    const points = cutPoints(bytes);
    expect(points.at(-1)).toBe(bytes.length);
    const lengths = points.map((end, at) => end - (points[at - 1] ?? 0));
    expect(Math.max(...lengths)).toBeLessThanOrEqual(64 * 1024);
    expect(Math.min(...lengths.slice(0, -1))).toBeGreaterThanOrEqual(2048);
    expect(points.length).toBeGreaterThan(60);
  });

  it('are the same behind an insertion', () => {
    const bytes = noise(1 << 20, 7);
    const later = Buffer.concat([bytes.subarray(0, 5000), Buffer.from('inserted'), bytes.subarray(5000)]);
    const tail = (points: number[], length: number) => points.slice(-50).map((end) => length - end);
    expect(tail(cutPoints(later), later.length)).toEqual(tail(cutPoints(bytes), bytes.length));
  });

  it('of no content are none', () => {
    expect(cutPoints(Buffer.alloc(0))).toEqual([]);
  });
});

describe('contents in parts', () => {
  it('are read as they were stored, whatever was changed in each version', () => {
    fc.assert(
      fc.property(
        fc.array(fc.record({ at: fc.nat(300_000), cut: fc.nat(9000), add: fc.nat(9000) }), { maxLength: 5 }),
        fc.nat(),
        (edits, seed) => {
          let bytes = noise(200_000, seed);
          const versions = [bytes];
          for (const { at, cut, add } of edits) {
            const start = at % (bytes.length + 1);
            const end = Math.min(bytes.length, start + cut);
            bytes = Buffer.concat([bytes.subarray(0, start), noise(add, seed + at), bytes.subarray(end)]);
            versions.push(bytes);
          }
          let previous: string | undefined;
          for (const version of versions) {
            storeParts(store, sha256Of(version), version, previous);
            previous = sha256Of(version);
          }
          const held = openUnchecked(Buffer.alloc);
          for (const version of versions) expect(held(store, sha256Of(version))?.equals(version)).toBe(true);
          for (const version of versions)
            expect(readBlob(store, sha256Of(version)).equals(version)).toBe(true);
        },
      ),
      { numRuns: 25 },
    );
  });

  it('cost what is new in them', () => {
    let bytes = noise(1 << 20, 3);
    let previous: string | undefined;
    for (let turn = 0; turn < 11; turn++) {
      storeParts(store, sha256Of(bytes), bytes, previous);
      previous = sha256Of(bytes);
      bytes = Buffer.from(bytes);
      noise(1024, turn + 100).copy(bytes, turn * 90_000);
    }
    expect(size()).toBeLessThan(1.3 * (1 << 20));
  });

  it('take the place of the same content that lay there whole', () => {
    const bytes = noise(100_000, 5);
    const sha256 = putBlob(store, bytes);
    storeParts(store, sha256, bytes, undefined);
    expect(readdirSync(join(store, 'blobs'))).toEqual([`${sha256}.parts`]);
    expect(readBlob(store, sha256).equals(bytes)).toBe(true);
  });

  it('refer to a version that lies there whole', () => {
    const bytes = noise(60_000, 5);
    const previous = putBlob(store, bytes);
    const later = Buffer.concat([bytes, noise(30_000, 6)]);
    storeParts(store, sha256Of(later), later, previous);
    expect(sourcesOf(store, sha256Of(later))).toEqual([previous]);
    expect(readBlob(store, sha256Of(later)).equals(later)).toBe(true);
  });

  it.each([
    ['cut short', (bytes: Buffer) => bytes.subarray(0, bytes.length - 10)],
    [
      'with a byte changed',
      (bytes: Buffer) => Buffer.concat([bytes.subarray(0, -1), Buffer.from([(bytes.at(-1) ?? 0) ^ 1])]),
    ],
    ['empty', () => Buffer.alloc(0)],
    ['that is no JSON', () => Buffer.from('{]\n')],
    [
      'of runs that lead nowhere',
      () => Buffer.from('{"version":1,"size":9,"sources":[],"runs":[[3,0,9]]}\n'),
    ],
  ])('are refused when the file is one %s', (_, damage) => {
    const bytes = noise(100_000, 9);
    const sha256 = sha256Of(bytes);
    storeParts(store, sha256, bytes, undefined);
    const file = join(store, 'blobs', `${sha256}.parts`);
    writeFileSync(file, damage(readFileSync(file)));
    expect(() => readBlob(store, sha256)).toThrow(/damaged|missing/);
  });

  it('are looked into where they are damaged, too, and none where nothing is there', () => {
    const small = putBlob(store, Buffer.from('small'));
    const bytes = noise(100_000, 9);
    const sha256 = sha256Of(bytes);
    storeParts(store, sha256, bytes, undefined);
    const file = partsFile(store, sha256);
    const stored = readFileSync(file);
    stored[stored.length - 1] = (stored.at(-1) as number) ^ 1;
    writeFileSync(file, stored);
    const read = openUnchecked(Buffer.alloc);
    expect(read(store, small)?.toString()).toBe('small');
    expect(read(store, sha256)?.subarray(0, -1).equals(bytes.subarray(0, -1))).toBe(true);
    expect(read(store, '0'.repeat(64))).toBeUndefined();
    writeFileSync(file, stored.subarray(0, 90_000));
    expect(openUnchecked(Buffer.alloc)(store, sha256)).toBeUndefined();
  });

  it('are refused when nothing is there', () => {
    expect(() => readBlob(store, '0'.repeat(64))).toThrow(/missing/);
  });

  it('are not torn when a version that they are made of is itself stored in parts later', () => {
    const [older, base] = [noise(200_000, 3), noise(200_000, 3)];
    base.write('changed', 100_000);
    const later = Buffer.concat([base, Buffer.from('more')]);
    const [first, second, third] = [older, base, later].map((bytes) => putBlob(store, bytes)) as [
      string,
      string,
      string,
    ];
    storeParts(store, third, later, second);
    storeParts(store, first, older, undefined);
    storeParts(store, second, base, first);
    expect(readBlob(store, third).equals(later)).toBe(true);
  });

  it('that are damaged do not replace the whole content', () => {
    const bytes = noise(200_000, 5);
    const sha256 = putBlob(store, bytes);
    storeParts(store, sha256, bytes, undefined);
    writeFileSync(partsFile(store, sha256), readFileSync(partsFile(store, sha256)).subarray(0, 100_000));
    writeFileSync(blobFile(store, sha256), bytes);
    storeParts(store, sha256, bytes, undefined);
    expect(readBlob(store, sha256).equals(bytes)).toBe(true);
    const next = Buffer.concat([bytes, Buffer.from('more')]);
    storeParts(store, putBlob(store, next), next, sha256);
    expect(readBlob(store, sha256Of(next)).equals(next)).toBe(true);
  });

  it.each([
    ['whole', false],
    ['in parts', true],
  ])(
    'are on the disk with all that they are made of before the whole content goes, which lay %s',
    (_, isCut) => {
      const bytes = noise(200_000, 5);
      const previous = putBlob(store, bytes);
      if (isCut) storeParts(store, previous, bytes, undefined);
      const later = Buffer.concat([bytes, noise(30_000, 6)]);
      const whole = putBlob(store, later);
      const files = new Map<number, string>();
      const certain = new Set<string>();
      const { openSync, fsyncSync, rmSync: remove } = disk;
      const undo = replaceDisk({
        openSync: (...args: Parameters<typeof openSync>) => {
          const fd = openSync(...args);
          files.set(fd, String(args[0]).replace(/\.\d+-[0-9a-f]{12}\.tmp$/, ''));
          return fd;
        },
        fsyncSync: (fd) => {
          fsyncSync(fd);
          certain.add(files.get(fd) ?? '');
        },
        rmSync: (...args: Parameters<typeof remove>) => {
          const name = String(args[0]);
          if (!name.endsWith('.tmp'))
            for (const needed of [name.slice(-64), ...sourcesOf(store, name.slice(-64))])
              expect([...certain]).toContain(partsFile(store, needed));
          remove(...args);
        },
      });
      try {
        storeParts(store, whole, later, previous, { fsync: true });
      } finally {
        undo();
      }
      expect(readdirSync(join(store, 'blobs')).sort()).toEqual(
        [`${previous}.parts`, `${whole}.parts`].sort(),
      );
      expect(sourcesOf(store, whole)).toEqual([previous]);
    },
  );
});
