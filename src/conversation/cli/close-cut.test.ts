import fc from 'fast-check';
import { expect, it } from 'vitest';
import { closeCut } from './close-cut.ts';

it('leaves a whole text as it is', () => {
  for (const text of ['{"a":1}', '{\n  "a": 1\n}\n', '', ' ', '"a"']) expect(closeCut(text)).toBe(text);
});

it.each([
  ['{"b":"two wo', '{"b":"two wo"}'],
  ['{"b":[1,2', '{"b":[1]}'],
  ['{"a":"x","b', '{"a":"x"}'],
  ['{"a":"x","b":', '{"a":"x"}'],
  ['{"a":"x\\', '{"a":"x"}'],
  ['{"a":"x\\\\', '{"a":"x\\\\"}'],
  ['{"a":"x\\u00', '{"a":"x"}'],
  ['{"a":"x\uFFFD', '{"a":"x"}'],
  ['{"a":"x\\"y', '{"a":"x\\"y"}'],
  ['{\n  "m": [\n    {"t": "go', '{\n  "m": [\n    {"t": "go"}]}'],
])('gives %j an end', (cut, whole) => {
  expect(closeCut(cut)).toBe(whole);
});

it('makes JSON of any beginning of an object', () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.jsonValue()), fc.nat(), fc.boolean(), (value, at, isWide) => {
      const text = JSON.stringify(value, null, isWide ? 2 : 0);
      const cut = text.slice(0, 1 + (at % text.length));
      expect(JSON.parse(closeCut(cut))).toBeTypeOf('object');
    }),
    { numRuns: 2000 },
  );
});

it('takes what is no JSON at all, a hundred thousand brackets, and a long line', () => {
  for (const text of [
    'no JSON',
    ']]]',
    '"',
    '['.repeat(100_000),
    `{"a":"${'\\'.repeat(1_000_001)}`,
    '{"a":"\uD800',
  ])
    expect(closeCut(text)).toBeTypeOf('string');
});
