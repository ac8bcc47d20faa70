import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Shown, Width } from './capture.ts';

/** A command line, and what a terminal showed of it, with colours. */
export interface Screen {
  readonly line: string;
  readonly shown: readonly { readonly widths: readonly Width[]; readonly text: string }[];
}

const TITLE = '═══ ';
const WIDTHS = '─── ';
/** Stands for the escape character, so that a golden file can be read. */
const ESCAPE = '␛';

/** What is the same in several widths is kept once. */
export const toScreen = (line: string, shown: readonly Shown[]): Screen => ({
  line,
  shown: [...new Set(shown.map(({ coloured }) => coloured))].map((text) => ({
    text,
    widths: shown.flatMap(({ coloured, width }) => (coloured === text ? width : [])),
  })),
});

/** A golden file that holds screens. */
export const renderGolden = (screens: readonly Screen[]): string =>
  screens
    .map(({ line, shown }) => {
      const parts = shown.map(({ widths, text }) => `${WIDTHS}${widths.join(' ')}\n${text}`);
      return `${TITLE}${line}\n${parts.join('')}`;
    })
    .join('')
    .replaceAll('\x1b', ESCAPE);

const SIZE = /\b\d+\.\d(?= KiB\b)/g;

/**
 * Sizes of what git has compressed differ by some bytes from run to run, as ids and times in it do: where one of a text is next to the one
 * that stands there in the golden file, that is put in its place.
 */
export function withSizesOf(golden: string, text: string): string {
  const sizes = golden.match(SIZE) ?? [];
  let at = 0;
  return text.replace(SIZE, (size) => {
    const kept = sizes[at++];
    return kept?.length === size.length && Math.abs(Number(kept) - Number(size)) < 0.15 ? kept : size;
  });
}

/** The screens that a golden file holds. */
const parseGolden = (file: string): Screen[] =>
  split(file.replaceAll(ESCAPE, '\x1b'), TITLE).map(([line, rest]) => ({
    line,
    shown: split(rest, WIDTHS).map(([widths, text]) => ({
      text,
      widths: widths.split(' ').map(Number) as unknown as Width[],
    })),
  }));

/** What stands behind each line that begins with a mark. */
const split = (text: string, mark: string): [head: string, rest: string][] =>
  `\n${text}`
    .split(`\n${mark}`)
    .slice(1)
    .map((part) => {
      const end = part.indexOf('\n');
      return [part.slice(0, end), `${part.slice(end + 1)}\n`];
    });

/** The file that holds the help of each command. */
export const HELP = 'help-of-commands.txt';

/** All screens of a folder but the help of each command, which would be half of them. */
export const readScreens = (folder: string): Screen[] =>
  readdirSync(folder)
    .filter((name) => name !== HELP)
    .sort()
    .flatMap((name) => parseGolden(readFileSync(join(folder, name), 'utf8')));
