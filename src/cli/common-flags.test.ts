import { expect, test } from 'vitest';
import { takeColour } from './common-flags.ts';

test.each<[words: string[], rest: string[], wish: string]>([
  [['a', '--json'], ['a', '--json'], 'auto'],
  [['--color'], [], 'always'],
  [['--color', 'src'], ['src'], 'always'],
  [['--color', 'never', 'src'], ['src'], 'never'],
  [['--color=always', '--no-color'], [], 'never'],
  [['--no-color', '--color=auto', 'x'], ['x'], 'auto'],
  [['--color', '--', '--color=never', 'always'], ['--', '--color=never', 'always'], 'always'],
])('%j', (words, rest, wish) => {
  expect(takeColour(words, 'log')).toEqual({ rest, wish });
});

test('another value is wrong usage', () => {
  expect(() => takeColour(['--color=blue'], 'log')).toThrow('--color takes auto, always, never');
  expect(() => takeColour(['--color='], 'log')).toThrow('--color takes');
});
