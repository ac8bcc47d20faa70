import { expect, test } from 'vitest';
import { takeColour } from './common-flags.ts';

test.each<[words: string[], rest: string[], wish: string]>([
  [['a', '--json'], ['a', '--json'], 'auto'],
  [['--color'], [], 'always'],
  [['src', '--color'], ['src'], 'always'],
  [['--color', '--json', 'src'], ['--json', 'src'], 'always'],
  [['--color', 'never', 'src'], ['src'], 'never'],
  [['--color=always', '--no-color'], [], 'never'],
  [['--no-color', '--color=auto', 'x'], ['x'], 'auto'],
  [['--color', '--', '--color=never', 'always'], ['--', '--color=never', 'always'], 'always'],
])('%j', (words, rest, wish) => {
  expect(takeColour(words, 'log')).toEqual({ rest, wish });
});

test.each([['--color=blue'], ['--color='], ['--color', 'src']])(
  'another value is wrong usage: %s %s',
  (...words) => {
    expect(() => takeColour(words, 'log')).toThrow('--color takes auto, always or never, not "');
  },
);
