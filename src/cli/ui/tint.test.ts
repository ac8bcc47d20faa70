import { expect, test } from 'vitest';
import { tint } from './tint.ts';

test('each line is coloured by the first pattern that fits it', () => {
  const patterns = [/^ {2}(?<id>\w{7}) {2}(?<good>linked)/d, /^(?<warning>Problems:)$|^(?<quiet> .*)$/d];
  expect(tint('  1a2b3c4  linked (x)\nProblems:\n 1\nplain', patterns)).toBe(
    '  \x1b[33m1a2b3c4\x1b[39m  \x1b[32mlinked\x1b[39m (x)\n\x1b[31mProblems:\x1b[39m\n\x1b[2m 1\x1b[22m\nplain',
  );
});
