import { expect, test } from 'vitest';
import { canAsk, plain } from './terminal.ts';

test('text from elsewhere cannot steer the terminal', () => {
  expect(plain('a\x1b[2Jb\rc\x07\x9b31m\u202ed\te\nf é 漢 👍')).toBe('abcd\te\nf é 漢 👍');
});

test('nobody is asked without a terminal, by an agent, or in a build', () => {
  const before = [process.stdin.isTTY, process.stdout.isTTY] as const;
  try {
    process.stdin.isTTY = true;
    process.stdout.isTTY = true;
    expect(canAsk({})).toBe(true);
    expect(canAsk({ CLAUDECODE: '1' })).toBe(false);
    expect(canAsk({ CI: 'true' })).toBe(false);
    process.stdout.isTTY = false;
    expect(canAsk({})).toBe(false);
  } finally {
    [process.stdin.isTTY, process.stdout.isTTY] = before;
  }
});
