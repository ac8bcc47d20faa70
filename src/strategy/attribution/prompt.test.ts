import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isCounted } from './prompt.ts';

const segment = fc.stringMatching(/^[\w.-]{1,12}$/);

test('nothing below .entire is ever counted', () => {
  expect(isCounted('.entire')).toBe(false);
  fc.assert(
    fc.property(fc.array(segment, { minLength: 1, maxLength: 4 }), (names) => {
      expect(isCounted(['.entire', ...names].join('/'))).toBe(false);
    }),
  );
});

test('neither are settings of agents, in any folder', () => {
  fc.assert(
    fc.property(fc.array(segment, { maxLength: 3 }), (names) => {
      expect(isCounted([...names, '.claude', 'settings.json'].join('/'))).toBe(false);
      expect(isCounted([...names, '.claude', 'settings.local.json'].join('/'))).toBe(false);
    }),
  );
});

test.each(['a.txt', '.entirely/a', 'src/.entire/a', '.claude/commands/a.md', 'settings.json'])(
  '%s is',
  (path) => {
    expect(isCounted(path)).toBe(true);
  },
);
