import { mkdirSync, readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { disk, makeTemporaryFolder } from '../../base/file/disk.ts';
import { readStructure } from '../skeleton/read-structure.ts';
import { STRUCTURE_VERSION } from '../skeleton/structure.ts';
import { buildFileItems } from './file-items.ts';
import {
  DiskStructureCache,
  InMemoryStructureCache,
  readStructureCached,
  type StructureCache,
  structureKey,
} from './structure-cache.ts';

const TEXT = 'def main():\n    pass\n';

let folder: string;
beforeEach(() => {
  folder = join(makeTemporaryFolder('structure-cache-'), 'cache');
});
afterEach(() => disk.rmSync(join(folder, '..'), { recursive: true, force: true }));

async function structureOf(text: string) {
  const reading = await readStructure('a.py', text);
  if (reading.status !== 'read') throw new Error(reading.status);
  return reading.structure;
}

describe.each([
  ['in memory', () => new InMemoryStructureCache()],
  ['on disk', () => new DiskStructureCache(folder)],
] as const)('a cache %s', (_, open) => {
  test('gives back what was put in, and nothing else', async () => {
    const cache = open();
    const structure = await structureOf(TEXT);
    const key = structureKey('python', TEXT);
    expect(cache.get(key)).toBeUndefined();
    cache.put(key, structure);
    expect(cache.get(key)).toEqual(structure);
    expect(cache.get(structureKey('python', `${TEXT}\n`))).toBeUndefined();
    expect(cache.get(structureKey('c', TEXT))).toBeUndefined();
  });

  test('saves parsing what has not changed, and shows the same', async () => {
    const puts: string[] = [];
    const cache = open();
    const counting: StructureCache = {
      get: (key) => cache.get(key),
      put: (key, structure) => {
        puts.push(key);
        cache.put(key, structure);
      },
    };
    const base = join(folder, '..');
    writeFileSync(join(base, 'a.py'), TEXT);
    writeFileSync(join(base, 'b.py'), 'class B:\n    x = 1\n');
    const contents = async () => {
      const items = await buildFileItems(base, [{ path: '*.py', view_mode: 'skeleton' }], {
        cache: counting,
      });
      return items.map(({ content }) => content);
    };
    const first = await contents();
    expect(puts).toHaveLength(2);
    expect(await contents()).toEqual(first);
    expect(puts).toHaveLength(2);
    writeFileSync(join(base, 'b.py'), 'class C:\n    x = 1\n');
    expect(await contents()).not.toEqual(first);
    expect(puts).toHaveLength(3);
  });
});

describe('a cache on disk', () => {
  const key = structureKey('python', TEXT);

  test('drops what is old where it has grown, and nothing that is not its own', async () => {
    const structure = await structureOf(TEXT);
    new DiskStructureCache(folder).put(key, structure);
    const old = new Date(Date.now() - 31 * 24 * 60 * 60 * 1000);
    writeFileSync(join(folder, 'notes.json'), '{}');
    for (const name of [`${key}.json`, 'notes.json']) utimesSync(join(folder, name), old, old);
    const cache = new DiskStructureCache(folder);
    cache.dropOld();
    expect(cache.get(key)).toEqual(structure); // nobody has put anything
    const newer = structureKey('python', `${TEXT}\n`);
    cache.put(newer, structure);
    cache.dropOld();
    expect(readdirSync(folder).sort()).toEqual([`${newer}.json`, 'notes.json'].sort());
  });

  test('is one file for each text, and nothing besides', async () => {
    new DiskStructureCache(folder).put(key, await structureOf(TEXT));
    expect(readdirSync(folder)).toEqual([`${key}.json`]);
    expect(new DiskStructureCache(folder).get(key)).toEqual(await structureOf(TEXT));
  });

  test.each([
    ['cut short', (text: string) => text.slice(0, -20)],
    ['empty', () => ''],
    ['no JSON', () => 'x'],
    ['other JSON', () => 'null'],
    ['changed', (text: string) => text.replace('"main"', '"mainly"')],
    ['of another version', (text: string) => text.replace(`"version":${STRUCTURE_VERSION}`, '"version":999')],
  ])('ignores an entry that is %s, and replaces it', async (_, damage) => {
    const cache = new DiskStructureCache(folder);
    const structure = await structureOf(TEXT);
    cache.put(key, structure);
    const file = join(folder, `${key}.json`);
    const damaged = damage(readFileSync(file, 'utf8'));
    expect(damaged).not.toBe(readFileSync(file, 'utf8'));
    writeFileSync(file, damaged);
    expect(cache.get(key)).toBeUndefined();
    expect(await readStructureCached('a.py', TEXT, cache)).toEqual({ status: 'read', structure });
    expect(cache.get(key)).toEqual(structure);
  });

  test('that cannot be written to keeps nothing, and does no harm', async () => {
    mkdirSync(join(folder, '..'), { recursive: true });
    writeFileSync(folder, 'a file');
    const cache = new DiskStructureCache(folder);
    expect((await readStructureCached('a.py', TEXT, cache)).status).toBe('read');
    expect(cache.get(key)).toBeUndefined();
    expect(readFileSync(folder, 'utf8')).toBe('a file');
  });
});

test('a cache in memory keeps what was asked for last', async () => {
  const structure = await structureOf(TEXT);
  const cache = new InMemoryStructureCache(2);
  cache.put('a', structure);
  cache.put('b', structure);
  cache.get('a');
  cache.put('c', structure);
  expect(['a', 'b', 'c'].filter((key) => cache.get(key))).toEqual(['a', 'c']);
});

test('what could not be read is not kept', async () => {
  const cache = new InMemoryStructureCache();
  expect(await readStructureCached('a.txt', TEXT, cache)).toEqual({ status: 'no-grammar' });
  expect((await readStructureCached('a.c', '('.repeat(100_000), cache)).status).toBe('failed');
  expect(cache.get(structureKey('c', '('.repeat(100_000)))).toBeUndefined();
});
