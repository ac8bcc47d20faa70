import { afterEach, describe, expect, test, vi } from 'vitest';
import { Parser, Tree } from 'web-tree-sitter';
import { disk, replaceDisk } from '../../base/file/disk.ts';
import { MAX_SOURCE_LENGTH, readStructure } from './read-structure.ts';

afterEach(() => vi.restoreAllMocks());

const symbolsOf = async (name: string, text: string): Promise<readonly string[]> => {
  const reading = await readStructure(name, text);
  return reading.status === 'read' ? reading.structure.symbols.map(({ path }) => path) : [reading.status];
};

describe('grammars', () => {
  test('one that cannot be read is a result with a reason, and is tried again', async () => {
    const real = disk.readFileSync;
    const restore = replaceDisk({
      readFileSync: ((file: string, ...rest: []) => {
        if (file.includes('tree-sitter-rust')) throw new Error('the disk is broken');
        return real(file, ...rest);
      }) as typeof disk.readFileSync,
    });
    try {
      expect(await readStructure('a.rs', 'fn f() {}\n')).toEqual({
        status: 'failed',
        language: 'rust',
        reason: 'the grammar of rust cannot be loaded: the disk is broken',
      });
    } finally {
      restore();
    }
    expect(await symbolsOf('a.rs', 'fn f() {}\n')).toEqual(['f']);
  });

  test('one whose bytes are no grammar is a result with a reason', async () => {
    const restore = replaceDisk({
      readFileSync: (() => Buffer.from('no grammar')) as unknown as typeof disk.readFileSync,
    });
    try {
      const reading = await readStructure('A.java', 'class A {}\n');
      expect(reading).toMatchObject({ status: 'failed', language: 'java' });
      expect(reading).toHaveProperty(
        'reason',
        expect.stringMatching(/^the grammar of java cannot be loaded: ./),
      );
    } finally {
      restore();
    }
  });

  test('each is read once, however many files are read at the same time', async () => {
    const read = vi.fn(disk.readFileSync);
    const restore = replaceDisk({ readFileSync: read as unknown as typeof disk.readFileSync });
    try {
      const text = 'package a\n\nfunc f() {\n}\n';
      const all = await Promise.all(['a.go', 'b.go', 'c.go'].map((name) => symbolsOf(name, text)));
      expect(all).toEqual([['f'], ['f'], ['f']]);
    } finally {
      restore();
    }
    expect(read.mock.calls.filter(([file]) => String(file).includes('tree-sitter-go'))).toHaveLength(1);
  });

  test('a language that has none is no failure', async () => {
    expect(await readStructure('a.zig', 'fn main() void {}\n')).toEqual({ status: 'no-grammar' });
    expect(await readStructure('Makefile', 'all:\n')).toEqual({ status: 'no-grammar' });
  });
});

describe('syntax errors', () => {
  test('what is well-formed is read, and the lines of the rest are named', async () => {
    const text = 'def before():\n    return 1\n\nx = = 2\n\ndef after():\n    return 2\n';
    const reading = await readStructure('a.py', text);
    expect(reading).toMatchObject({ status: 'read', structure: { errorLines: [4] } });
    expect(await symbolsOf('a.py', text)).toEqual(['before', 'x', 'after']);
  });

  test('a function that is never closed does not hide what comes after it', async () => {
    const text = 'function a() {\n  if (x) {\n}\n\nfunction b() {\n  return 1;\n}\n';
    expect(await symbolsOf('a.js', text)).toContain('b');
  });

  test('no more than twenty lines are named', async () => {
    const reading = await readStructure('a.py', 'x = = 2\n\n'.repeat(50));
    expect(reading.status === 'read' && reading.structure.errorLines).toHaveLength(20);
  });

  test.each(['', '\n', '\u{feff}', '\ud800', '}}}}', '"""', '/*', '\r\r\r', '@', '\\'])(
    '%j is read',
    async (text) => {
      for (const name of ['a.py', 'a.c', 'a.cpp', 'a.ts', 'a.tsx', 'a.js', 'a.go', 'a.rs', 'A.java']) {
        expect(await readStructure(name, text)).toMatchObject({ status: 'read', structure: { symbols: [] } });
      }
    },
  );
});

describe('limits', () => {
  test('what no parser should be given is refused, and the limit named', async () => {
    const refused = async (text: string): Promise<unknown> => {
      const reading = await readStructure('a.c', text);
      return reading.status === 'failed' && reading.reason;
    };
    expect(await refused(' '.repeat(MAX_SOURCE_LENGTH + 1))).toBe('longer than 2000000 characters');
    expect(await refused('int a;\0')).toBe('has NUL characters, as no source code does');
    expect(await refused('('.repeat(5_000_000 / 4))).toBe('nested deeper than 1000 brackets');
  });

  test('a parser that takes too long is stopped, and reads the next file', async () => {
    const text = 'int a;\n'.repeat(5_000);
    const reading = await readStructure('a.c', text, 0);
    expect(reading).toEqual({ status: 'failed', language: 'c', reason: 'not parsed within 0 ms' });
    expect(await symbolsOf('a.c', 'int f() { return 1; }\n')).toEqual(['f']);
  });

  test('symbols in more than 32 others are left out', async () => {
    const deep = await symbolsOf('A.java', `${'class A {\n'.repeat(40)}${'}\n'.repeat(40)}`);
    expect(deep).toHaveLength(32);
  });
});

test('parsers and trees are deleted, also where the reading fails', async () => {
  const deleted = [vi.spyOn(Parser.prototype, 'delete'), vi.spyOn(Tree.prototype, 'delete')];
  await readStructure('a.py', 'x = 1\n');
  expect(deleted.map(({ mock }) => mock.calls.length)).toEqual([1, 1]);
  await readStructure('a.py', 'x = 1\n'.repeat(5_000), 0);
  expect(deleted[0]?.mock.calls).toHaveLength(2);
});
