import fc from 'fast-check';
import { expect, test } from 'vitest';
import { subjectFromPrompt } from './words.ts';

test.each([
  ['fix the login', 'Fix the login'],
  ['Can you please fix the login?', 'Fix the login'],
  ["let's could you I'd like you to  fix\n\tit", 'Fix it'],
  ['Please', 'Please'],
  ['please  ', 'Please'],
  ['PLEASE fix', 'PLEASE fix'],
  ['why??', 'Why?'],
  ['can you ?', 'Claude Code session updates'],
  ['élan', 'Élan'],
  ['👍 it', '👍 it'],
  ['\0\u001b[31mAdd\0 a\u202e file', 'Add a file'],
  ['', 'Claude Code session updates'],
  [' \n ', 'Claude Code session updates'],
  [undefined, 'Claude Code session updates'],
])('%j becomes %j', (prompt, subject) => {
  expect(subjectFromPrompt(prompt, 'Claude Code')).toBe(subject);
});

test('cut at 72 code points, without a space at the end', () => {
  expect(subjectFromPrompt('👍'.repeat(80), 'x')).toBe('👍'.repeat(72));
  expect(subjectFromPrompt(`${'a'.repeat(71)} bcd`, 'x')).toBe(`A${'a'.repeat(70)}`);
});

test('always one line that says something', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 200 }), (prompt) => {
      const subject = subjectFromPrompt(prompt, 'Claude Code');
      expect(subject).not.toMatch(/^\s|[\r\n]|\s$/);
      expect(subject).not.toBe('');
      expect([...subject].length).toBeLessThanOrEqual(74); // capitals of a ligature are up to three letters
    }),
  );
});
