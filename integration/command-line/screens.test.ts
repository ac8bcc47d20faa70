import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { renderSheet } from '../../scripts/demo/sheet.ts';
import type { CommandPage } from '../../src/cli/command.ts';
import { describeAll } from '../../src/cli/commands.ts';
import { widthOf } from '../../src/cli/ui/width.ts';
import { root } from '../support/process/builds.ts';
import { needsTerminal } from '../support/process/terminal.ts';
import { capture, lineOf, type Shown } from '../support/screens/capture.ts';
import { HELP, readScreens, renderGolden, toScreen, withSizesOf } from '../support/screens/golden.ts';
import { Shop } from '../support/screens/shop.ts';
import { SCREENS, type ScreenOf } from '../support/screens/table.ts';

const pages = (await describeAll()).filter(({ isHidden }) => !isHidden);
const leaves = ({ name, commands }: CommandPage): string[] =>
  commands.length === 0 ? [name] : commands.flatMap(leaves);
const names = ({ name, commands }: CommandPage): string[] => [name, ...commands.flatMap(names)];

test('every command that people see has a screen', () => {
  const shown = new Set(SCREENS.map(({ command }) => command));
  expect([...shown].sort()).toEqual(pages.flatMap(leaves).sort());
});

test('docs/screens.html is drawn from the golden files as they are', () => {
  const screens = readScreens(join(root, 'integration', 'golden', 'screens'));
  const page = readFileSync(join(root, 'docs', 'screens.html'), 'utf8');
  expect(page === renderSheet(screens), 'run `npm run screens`').toBe(true);
});

let shop: Shop | undefined;
const story = (): Shop => (shop ??= new Shop().play());
afterAll(() => shop?.remove());

const slow = { tags: ['variation'], timeout: 120_000 };

describe('what terminals of 60, 100 and 160 columns show, with colours and without', () => {
  const commands = [...new Set(SCREENS.map(({ command }) => command))];

  for (const command of commands)
    test(`entire ${command}`, slow, ({ skip }) => {
      needsTerminal(skip);
      const all = SCREENS.filter((screen) => screen.command === command).map((screen) => ({
        screen,
        shown: capture(story(), screen),
      }));
      const screens = all.map(({ screen, shown }) => toScreen(lineOf(screen), shown));
      expectFile(`${command.replaceAll(' ', '-')}.txt`, renderGolden(screens));
      for (const { screen, shown } of all) expectFitting(screen, shown);
    });

  test('the help of each command', slow, ({ skip }) => {
    needsTerminal(skip);
    const screens = pages.flatMap(names).map((name) => {
      const screen = { command: 'help', args: name.split(' ') };
      const shown = capture(story(), screen);
      expectFitting(screen, shown);
      return toScreen(lineOf(screen), shown.slice(0, 1));
    });
    expectFile(HELP, renderGolden(screens));
  });
});

/** No line is wider than the terminal, none ends in spaces, and colours are all that colours add. */
function expectFitting(
  { holdsContents, command, unbreakable = [] }: ScreenOf,
  shown: readonly Shown[],
): void {
  for (const { width, plain, coloured } of shown) {
    const where = `entire ${command}, ${width} columns`;
    expect(coloured.replace(/\x1b\[[\d;]*m/g, ''), where).toBe(plain);
    expect(plain, where).not.toContain('\x1b');
    if (holdsContents) continue;
    const lines = plain.split('\n');
    expect(
      lines.filter((line) => /\s$/.test(line)),
      where,
    ).toEqual([]);
    const isCopied = (line: string): boolean =>
      unbreakable.some((word) => line.replace(/^[ (]+|^ *[-*] |[).,]+$/g, '') === word);
    expect(
      lines.filter((line) => widthOf(line) > width && !isCopied(line)),
      where,
    ).toEqual([]);
  }
}

function expectFile(name: string, text: string): void {
  const file = join(root, 'integration', 'golden', 'screens', name);
  if (process.env.ENTIRE_TEST_GOLDEN === 'write') {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
  const golden = readFileSync(file, 'utf8');
  expect(withSizesOf(golden, text)).toBe(golden);
}
