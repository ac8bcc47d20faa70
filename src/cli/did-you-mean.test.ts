import { expect, test } from 'vitest';
import { lastWord } from './command.ts';
import { describeAll } from './commands.ts';
import { findMeant } from './did-you-mean.ts';

test.each([
  ['undoo', 'undo'],
  ['statsu', 'status'],
  ['rewnd', 'rewind'],
  ['frobnicate', undefined],
  ['', undefined],
  ['xy', undefined],
])('%s', (word, meant) => {
  expect(findMeant(word, ['undo', 'redo', 'status', 'rewind', 'du', 'gc'])).toBe(meant);
});

/** Each letter left out, doubled, changed, and swapped with the next. */
const typosOf = (word: string): string[] =>
  [...word].flatMap((letter, at) => {
    const [before, after] = [word.slice(0, at), word.slice(at + 1)];
    const swapped = after === '' ? [] : [`${before}${after[0]}${letter}${after.slice(1)}`];
    return [before + after, `${before}${letter}${letter}${after}`, `${before}q${after}`, ...swapped];
  });

/** One letter is another. */
const isChanged = (word: string, typo: string): boolean =>
  word.length === typo.length && [...word].filter((letter, at) => letter !== typo[at]).length === 1;

test('of two that are as near the longer one', () => {
  for (const words of [
    ['set', 'unset'],
    ['unset', 'set'],
  ])
    expect(findMeant('nset', words)).toBe('unset');
});

test('every typing error of one letter in a command of four letters or more finds a command as near as the one that was meant', async () => {
  const pages = await describeAll();
  for (const words of [pages, ...pages.map(({ commands }) => commands)].map((list) =>
    list.filter(({ isHidden }) => !isHidden).map(lastWord),
  ))
    for (const word of words.filter((one) => one.length >= 4))
      for (const typo of typosOf(word).filter((one) => !words.includes(one))) {
        const meant = findMeant(typo, words) ?? '';
        const near = words.filter((one) => typosOf(one).includes(typo) || isChanged(one, typo));
        expect([word, ...near], typo).toContain(meant);
      }
});
