import { expect, test } from 'vitest';
import { keysOf } from './former-commits.ts';

const LONG = 'const written = byNobodyElse();';

test('a line is known by itself, by the long one above it, or by the block that it is in', () => {
  expect(keysOf([LONG, '}', 'return null;'])).toEqual([
    'constwritten=byNobodyElse()',
    'constwritten=byNobodyElse()\0}',
    'constwritten=byNobodyElse()\0returnnull',
  ]);
  expect(keysOf(['retries: 5', 'host: here', 'port: 80'])).toEqual([
    '0\0retries:5\0host:here',
    '1\0retries:5\0host:here',
    '2\0retries:5\0host:here\0port:80',
  ]);
  expect(keysOf(['port: 80'])).toEqual([undefined]);
});

test('thousands of lines without a letter are no block, and no long keys', () => {
  const keys = keysOf([...Array.from({ length: 20_000 }, () => '},'), LONG]);
  expect(keys.slice(0, 19_000)).toEqual(Array.from({ length: 19_000 }, () => undefined));
  expect(Math.max(...keys.map((key) => key?.length ?? 0))).toBeLessThan(200);
});
