import { type Flag, UsageError } from './command.ts';
import { COLOUR_WISHES, type ColourWish } from './ui/colour.ts';

/** Flags that every command takes, as help and completions show them. */
export const COMMON_FLAGS: readonly Flag[] = [
  {
    name: 'color',
    short: undefined,
    describe: 'Colours: auto (in a terminal, or as variables say), always or never',
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
 * Takes `--color` and `--no-color` out of the words of a command, as far as they are flags. As with git, one alone means always.
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
      const next = at + 1 < end ? asWish(words[at + 1]) : undefined;
      wish = next ?? 'always';
      if (next) at++;
    } else if (word.startsWith('--color=')) {
      const asked = asWish(word.slice('--color='.length));
      if (!asked) throw new UsageError(`--color takes ${COLOUR_WISHES.join(', ')}`, command);
      wish = asked;
    } else rest.push(word);
  }
  return { rest: [...rest, ...words.slice(end)], wish };
}

const asWish = (word: string | undefined): ColourWish | undefined =>
  COLOUR_WISHES.find((one) => one === word);
