import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { disk, makeTemporaryFolder, replaceDisk } from '../../base/file/disk.ts';
import { findNextIncrement, outputName, writeNextOutput } from './output-file.ts';

let dir: string;
beforeEach(() => {
  dir = makeTemporaryFolder('output-file-');
});
afterEach(() => disk.rmSync(dir, { recursive: true, force: true }));

function touch(...names: string[]): void {
  for (const name of names) writeFileSync(join(dir, name), name);
}

test('the first number is 1, also where there is no folder yet', () => {
  expect(findNextIncrement(dir, 'chat')).toBe(1);
  expect(findNextIncrement(join(dir, 'missing'), 'chat')).toBe(1);
});

test('the next number is one more than the highest, whatever is missing in between', () => {
  touch('chat_001.md', 'chat_007.md', 'chat_3.md');
  expect(findNextIncrement(dir, 'chat')).toBe(8);
  touch('chat_1000.md');
  expect(findNextIncrement(dir, 'chat')).toBe(1001);
});

test('only files of exactly that name are counted', () => {
  touch(
    'other_005.md',
    'chat_9.txt',
    'chat_x.md',
    'my_chat_9.md',
    'chat_9.md.tmp',
    'chat_-9.md',
    'chat_2_9.md',
  );
  touch(`chat_${'9'.repeat(30)}.md`);
  expect(findNextIncrement(dir, 'chat')).toBe(1);
});

test('a name is taken as it is, not as a pattern', () => {
  touch('a.b_004.md', 'axb_009.md');
  expect(findNextIncrement(dir, 'a.b')).toBe(5);
});

test('numbers have three digits at least', () => {
  expect(outputName('chat', 7)).toBe('chat_007.md');
  expect(outputName('chat', 1234)).toBe('chat_1234.md');
});

test('each text is written under a number of its own, in a folder that is made', () => {
  const out = join(dir, 'new', 'folder');
  expect([1, 2].map((turn) => basename(writeNextOutput(out, 'chat', `turn ${turn}`)))).toEqual([
    'chat_001.md',
    'chat_002.md',
  ]);
  expect(readFileSync(join(out, 'chat_002.md'), 'utf8')).toBe('turn 2');
});

test('a number that somebody took since the folder was read is not written over', () => {
  const putBack = replaceDisk({
    readdirSync: ((folder: string) => {
      const names = readdirSync(folder);
      touch('chat_001.md', 'chat_002.md'); // another run, in between
      return names;
    }) as typeof disk.readdirSync,
  });
  try {
    expect(basename(writeNextOutput(dir, 'chat', 'ours'))).toBe('chat_003.md');
  } finally {
    putBack();
  }
  expect(readFileSync(join(dir, 'chat_001.md'), 'utf8')).toBe('chat_001.md');
  expect(readdirSync(dir).sort()).toEqual(['chat_001.md', 'chat_002.md', 'chat_003.md']);
});

test('a folder that has the name of the next file is passed over', () => {
  mkdirSync(join(dir, 'chat_001.md'));
  expect(basename(writeNextOutput(dir, 'chat', 'text'))).toBe('chat_002.md');
});

test.each(['', 'a/b', '../a', 'a\\b', 'a\nb'])('%j can be no name of a context', (namespace) => {
  expect(() => writeNextOutput(dir, namespace, 'text')).toThrow(/cannot be named/);
  expect(readdirSync(dir)).toEqual([]);
});
