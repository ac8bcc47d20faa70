import { expect, test } from 'vitest';
import { splitCommand } from './session-home.ts';

test.each([
  ['demo --resume 1', ['demo', '--resume', '1']],
  ["  demo 'two words' \"and three more\" a'b'c ", ['demo', 'two words', 'and three more', 'abc']],
  ["demo ''", ['demo', '']],
  ["demo '$HOME'", ['demo', '$HOME']],
])('%s is split into words', (line, words) => {
  expect(splitCommand(line)).toEqual(words);
});

test.each(['cd x && demo', 'demo "$ID"', 'demo "a', 'A=1 demo', 'demo > x', 'demo\\ x', 'demo *'])(
  '%s is for a shell',
  (line) => {
    expect(splitCommand(line)).toEqual(['sh', '-c', line]);
  },
);

test('nothing is no command', () => {
  expect([splitCommand(' \n'), splitCommand('a\0b')]).toEqual([undefined, undefined]);
});
