import { type Flag, UsageError } from './command.ts';
import { wrongValue } from './messages.ts';
import { COLOUR_WISHES, type ColourWish } from './ui/colour.ts';
import { plain } from './ui/terminal.ts';

/** Flags that every command takes, as help and completions show them. */
export const COMMON_FLAGS: readonly Flag[] = [
  {
    name: 'color',
    short: undefined,
    describe: 'When to use colour: auto (in a terminal, or as the environment says), always or never',
    value: '<when>',
    completes: COLOUR_WISHES,
    isCommon: true,
  },
  {
    name: 'help',
    short: 'h',
    describe: 'Show help',
    value: undefined,
    completes: undefined,
    isCommon: true,
  },
  {
    name: 'no-color',
    short: undefined,
    describe: 'The same as --color never',
    value: undefined,
    completes: undefined,
    isCommon: true,
  },
];

/**
 * Takes `--color` and `--no-color` out of the words of a command, as far as they are flags. One alone means always, as with git; git
 * takes a word behind it for something else, and a misspelt colour for a branch.
 *
 * @throws {UsageError} for another value
 */
export function takeColour(
  words: readonly string[],
  command: string,
): { readonly rest: readonly string[]; readonly wish: ColourWish } {
  const end = words.includes('--') ? words.indexOf('--') : words.length;
  const rest: string[] = [];
  let wish: ColourWish = 'auto';
  for (let at = 0; at < end; at++) {
    const word = words[at] as string;
    if (word === '--no-color') wish = 'never';
    else if (word === '--color') {
      const next = at + 1 < end ? words[at + 1] : undefined;
      wish = next === undefined || next.startsWith('-') ? 'always' : parseWish(next, command);
      if (wish === next) at++;
    } else if (word.startsWith('--color=')) wish = parseWish(word.slice('--color='.length), command);
    else rest.push(word);
  }
  return { rest: [...rest, ...words.slice(end)], wish };
}

function parseWish(word: string, command: string): ColourWish {
  const wish = COLOUR_WISHES.find((one) => one === word);
  if (wish) return wish;
  throw new UsageError(wrongValue('color', plain(word), COLOUR_WISHES), command);
}
