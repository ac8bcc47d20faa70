import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isDistinctive, LineTooLong, lettersIn, linesOf, plainLine, plainLines } from './lines.ts';

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
