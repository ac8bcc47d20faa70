import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isDistinctive, isImport, LineTooLong, lettersIn, linesOf, plainLine, plainLines } from './lines.ts';

async function* asStream(pieces: readonly string[]): AsyncGenerator<string> {
  yield* pieces;
}

async function read(pieces: readonly string[]): Promise<string[]> {
  const lines: string[] = [];
  for await (const line of linesOf(asStream(pieces))) lines.push(line);
  return lines;
}

test('lines end with LF or CRLF, wherever the text is cut', async () => {
  expect(await read(['one\ntw', 'o\r', '\n\nfo', '', 'ur'])).toEqual(['one', 'two', '', 'four']);
  expect(await read([])).toEqual([]);
  expect(await read(['one\n'])).toEqual(['one']);
});

test('a JSON text with a line separator of Unicode is one line', async () => {
  const json = JSON.stringify({ text: 'a\u2028b\u2029c\u0085d\re' });
  expect(await read([`${json}\n{}\n`])).toEqual([json, '{}']);
});

test('how the text is cut makes no difference', async () => {
  const text = fc.array(fc.constantFrom('a', '\n', '\u2028', 'é'), { maxLength: 30 });
  await fc.assert(
    fc.asyncProperty(text, fc.nat(30), async (letters, at) => {
      const whole = letters.join('');
      expect(await read([whole.slice(0, at), whole.slice(at)])).toEqual(await read([whole]));
      expect((await read([whole])).join('\n')).toBe(whole.replace(/\n$/, ''));
    }),
  );
});

test('a line that has no end is given up, before it has been kept whole; what came before is read', async () => {
  let given = 0;
  async function* forEver(): AsyncGenerator<string> {
    yield 'first\n';
    for (;;) {
      given += 1;
      yield 'x'.repeat(10);
    }
  }
  const lines: string[] = [];
  await expect(async () => {
    for await (const line of linesOf(forEver(), 35)) lines.push(line);
  }).rejects.toThrow(LineTooLong);
  expect(lines).toEqual(['first']);
  expect(given).toBe(4);
  await expect(linesOf(asStream([`${'x'.repeat(36)}\n`]), 35).next()).rejects.toThrow(
    'more than 35 characters',
  );
  expect(await linesOf(asStream([`${'x'.repeat(35)}\n`]), 35).next()).toMatchObject({ done: false });
});

test.each([
  ["\tconst  s = 'x';\r", 'const s="x"'],
  ['  `a`,', '"a",;'],
  ['foo( a, b )', 'foo(a,b)'],
])('%j is %j to a formatter', (one, other) => {
  expect(plainLine(one)).toBe(plainLine(other));
});

test.each([
  ['a, b', 'a b'],
  ['x = 1', 'x = 2'],
  ['for (;;) {', 'for () {'],
])('%j is not %j', (one, other) => {
  expect(plainLine(one)).not.toBe(plainLine(other));
});

test('a text has the lines that it has one by one', () => {
  const text = "a, ;\r\n\t\n  b = 'c';;\n;,\nd;e\rf,\n`g`\x85;";
  const lines = text.split('\n').map(plainLine);
  expect(plainLines(text)).toEqual(lines.filter((line) => line !== ''));
});

test('a line of ASCII is read as one with other letters is', () => {
  const line = fc.string({
    unit: fc.constantFrom('a', 'Z', '7', ' ', '\t', '\r', '\v', '\x1c', "'", '`', '"', ',', ';', '_'),
  });
  fc.assert(
    fc.property(line, (text) => {
      expect(`é${plainLine(text)}`).toBe(plainLine(`é${text}`));
      expect(lettersIn(text) + 1).toBe(lettersIn(`é${text}`));
      expect(isDistinctive(text)).toBe(lettersIn(text) >= 16);
    }),
  );
});

test.each([
  "import { useState, useEffect } from 'react';",
  "import React, { useState } from 'react'",
  'import type { Alpha } from "./alpha";',
  "import * as path from 'node:path';",
  "import './styles.css';",
  'import{a as b}from"c";',
  'import {',
  'import React, {',
  "  } from 'there';",
  "import data from './data.json' with { type: 'json' };",
  'import os, sys',
  'import numpy as np  # noqa',
  'import java.util.concurrent.ConcurrentHashMap;',
  'import static org.junit.Assert.*;',
  'import qualified Data.Map.Strict as Map',
  'import (',
  'import log "github.com/sirupsen/logrus"',
  'from collections.abc import Mapping, Sequence',
  'from . import something',
  'from package.module import (',
  "from 'there';",
  '#include <stdio.h>',
  '  #  include "header.h" // for this',
  'include Devise::Controllers::Helpers',
  "include_once 'config/settings.php';",
  'use std::collections::{HashMap, HashSet};',
  'pub use crate::thing::Other;',
  'use App\\Http\\Controllers\\Controller as Base;',
  'use strict;',
  'use List::Util qw(first sum);',
  'using System.Collections.Generic;',
  'using static System.Math;',
  'using namespace std;',
  'package com.example.something;',
  'package main',
  "require 'active_support/core_ext'",
  'require_relative "../lib/thing"',
  "require('./register');",
  "const path = require('node:path');",
  "const { readFileSync, writeFileSync } = require('fs')",
  "const assert = require('assert').strict;",
  'local json = require "json"',
  "} = require('fs');",
  "export * from './somewhere';",
  "export { one, two as three } from './somewhere';",
  'export type { Alpha } from "./alpha";',
  '  someLongNameOfThere,',
  '  type AnotherName as Other,',
  'module.submodule',
])('%s names what it takes from elsewhere', (line) => {
  expect(isImport(line)).toBe(true);
  expect(isImport(`\t${line}\r`)).toBe(true);
});

test.each([
  'include all the words of the text in the answer',
  'import all the things that were exported before',
  'from the beginning of all things until today',
  'use strict mode for everything that is written here',
  'using what is there is better than to write it anew',
  'package the whole thing and send it to somebody',
  'require that everybody has read what stands above',
  'const x = await require("a").doAllTheThings(a, b)',
  'const answer = require("a").compute(first, second);',
  'require("./server").listen(portOfTheServer, () => {',
  'import("./page").then(({ render }) => render(root));',
  'using (var stream = File.OpenRead(nameOfTheFile))',
  'use(bodyParser.json({ limit: maximumOfBytes }));',
  'use_the_thing_that_was_made = make_the_thing(1)',
  'export const fromThere = takeItFrom(somewhere);',
  'export function copy(from = "there") {',
  'const { data } = await axios.get("require(x)");',
  '} else if (isFrom(somewhere)) {',
  'return somethingThatIsThere;',
  '',
])('%s is more than an import', (line) => {
  expect(isImport(line)).toBe(false);
});

test.each([
  ' '.repeat(400_000),
  `${' '.repeat(400_000)}and text at its far right side`,
  `import ${'a '.repeat(200_000)}`,
  `import ${' '.repeat(400_000)}!`,
  `a${' '.repeat(400_000)}!`,
  `export ${'from '.repeat(80_000)}`,
  `}${'from'.repeat(100_000)}`,
])('a very long line is not looked at for long', (line) => {
  const start = performance.now();
  for (const some of [line, line.slice(0, 990)]) isImport(some);
  expect(performance.now() - start).toBeLessThan(100);
});
