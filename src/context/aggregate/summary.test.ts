import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { summariseFile } from './summary.ts';

const summary = (name: string, ...lines: string[]): string => summariseFile(name, `${lines.join('\n')}\n`);

describe('a summary', () => {
  test('of Python says what its docstring, imports and definitions say', () => {
    const text = summary(
      'src/lexer.py',
      '#!/usr/bin/env python3',
      '"""Reads tokens.',
      '',
      'Slowly."""',
      'import re',
      'from os.path import join',
      'class Lexer:',
      '    def next(self): ...',
      'async def main(): ...',
    );
    expect(text).toBe(
      [
        'Python, 9 lines',
        'Reads tokens.',
        'Slowly.',
        'Imports: re, os.path',
        'Symbols: class Lexer (line 7), def main (line 9)',
      ].join('\n'),
    );
  });

  test('of TypeScript knows imports over several lines, and takes no other text for one', () => {
    const text = summary(
      'a.ts',
      '/**',
      ' * Runs things.',
      ' */',
      'import {',
      '  a,',
      "} from './a.ts';",
      "import 'side-effect';",
      "export const NAME = 'no-import';",
      'export default async function run() {}',
      'interface Options {}',
    );
    expect(text.split('\n').slice(1)).toEqual([
      'Runs things.',
      'Imports: ./a.ts, side-effect',
      'Symbols: const NAME (line 8), function run (line 9), interface Options (line 10)',
    ]);
  });

  test.each([
    [
      'a.c',
      '// About.\n#include <stdio.h>\n#define MAX 3\nstruct point {\nstatic int add(int a, int b) {',
      'stdio.h',
      'define MAX (line 3), struct point (line 4), add (line 5)',
    ],
    [
      'a.go',
      '// About.\nimport "fmt"\nfunc (s *S) Run() {\ntype S struct {',
      'fmt',
      'func Run (line 3), type S (line 4)',
    ],
    [
      'a.rs',
      '//! About.\nuse std::fmt;\npub fn run() {\nimpl<T> Shape {',
      'std::fmt',
      'fn run (line 3), impl Shape (line 4)',
    ],
    [
      'A.java',
      '/* About. */\nimport java.util.List;\npublic final class A {',
      'java.util.List',
      'class A (line 3)',
    ],
    ['a.rb', "# About.\nrequire 'json'\nmodule M\n  def x?", 'json', 'module M (line 3), def x? (line 4)'],
    ['a.sh', '#!/bin/sh\n# About.\n. ./lib.sh\nbuild() {', './lib.sh', 'build (line 4)'],
    ['Makefile', '# About.\ninclude x.mk\nall: build', 'x.mk', 'all (line 3)'],
  ])('of %s has imports, symbols and the first comment', (name, source, imports, symbols) => {
    const [, ...rest] = summary(name, source).split('\n');
    expect(rest).toEqual(['About.', `Imports: ${imports}`, `Symbols: ${symbols}`]);
  });

  test('of a document has its headings and its first paragraph', () => {
    expect(summary('README.md', '# Title', '', 'What it', 'is for.', '', 'More.', '## Use #', '')).toBe(
      ['Markdown, 8 lines', 'What it', 'is for.', 'Headings: Title (line 1), Use (line 7)'].join('\n'),
    );
  });

  test('of data has its outermost names', () => {
    expect(summary('a.toml', '# About.', '[one]', '[[two]] # many')).toContain(
      'Symbols: one (line 2), two (line 3)',
    );
    expect(summary('a.yaml', 'one:', '  two: 1', 'three: x')).toContain('one (line 1), three (line 3)');
    expect(summary('a.json', '{', '  "one": {', '    "two": 1', '  }', '}')).toContain(
      'Headings: one (line 2)',
    );
  });

  test('of a language that nobody knows has the first lines', () => {
    expect(summary('notes', 'First.', 'Second.', '', 'Fourth.')).toBe('Text, 4 lines\nFirst.\nSecond.');
    expect(summary('x.constructor', 'First.')).toBe('Text, 1 line\nFirst.');
  });

  test('of an empty file says so', () => {
    expect(summariseFile('a.py', '')).toBe('Python, empty');
  });

  test('stays short, however long the text is, and says what it leaves out', () => {
    const defs = Array.from({ length: 100 }, (_, at) => `def f${at}(): pass`);
    const text = summary('a.py', `# ${'word '.repeat(10_000)}`, ...defs);
    expect(text).toContain('def f39 (line 41), … and 60 more');
    expect(text.length).toBeLessThan(3000);
  });

  test('ends, whatever the lines are', () => {
    const names = ['a.c', 'a.css', 'a.html', 'a.ts', 'a.sql', 'a.yaml', 'a.java'];
    const line = ['a ', '<script ', 'x,', '* ', 'public ', "import '"].map((part) => part.repeat(50_000));
    for (const name of names) expect(summary(name, ...line)).not.toBe('');
  });

  test.each(['a.toml', 'a.ini', 'a.css', 'a.yaml'])('of %s ends, also where words do not', (name) => {
    const lines = ['[', '[a', 'a', '"a'].map((begin) => begin + ' '.repeat(399));
    expect(summary(name, ...Array.from({ length: 50 }, () => lines).flat())).not.toBe('');
  });

  test('of TOML and of a style sheet has names without the blanks around them', () => {
    expect(summary('a.toml', '[ a.b ] # c', '[[ d ]]', '[ ]')).toContain('Symbols: a.b (line 1), d (line 2)');
    expect(summary('a.css', '.a  {', 'p > .b{ color: red }')).toContain(
      'Symbols: .a (line 1), p > .b (line 2)',
    );
  });

  test('is made of any text, and no longer than a page', () => {
    fc.assert(
      fc.property(
        fc.constantFrom('a.py', 'a.ts', 'a.md', 'a.c', 'a'),
        fc.string({ unit: 'binary' }),
        (name, text) => {
          const made = summariseFile(name, text);
          expect(made.split('\n').length).toBeLessThanOrEqual(6);
        },
      ),
    );
  });
});
