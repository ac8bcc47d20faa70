import { expect, test } from 'vitest';
import type { CommandPage } from '../command.ts';
import { describeAll, describeOne } from '../commands.ts';
import { renderCommandHelp } from './command-help.ts';

const withBelow = (page: CommandPage): CommandPage[] => [page, ...page.commands.flatMap(withBelow)];

test('no line of the help of any command is wider than the terminal, or than people read', async () => {
  const pages = (await describeAll()).flatMap(withBelow);
  expect(pages.map(({ name }) => name)).toEqual(expect.arrayContaining(['why', 'session list', 'agent add']));
  for (const width of [60, 80, 100, 200])
    for (const page of pages) {
      const { examples } = page;
      const lines = renderCommandHelp(page, width).split('\n');
      const wide = lines.filter((line) => line.length > Math.min(width, 100));
      expect(
        wide.filter((line) => !examples.includes(line.trim())),
        `${page.name} at ${width}`,
      ).toEqual([]);
    }
});

test('arguments, flags with their values, commands and examples', async () => {
  const text = renderCommandHelp(await describeOne(['session', 'export']));
  expect(text).toMatch(
    /^entire session export <session> \[flags\]\n\nWrite a session .*\.\n\nArguments:\n {2}session {2}/,
  );
  expect(text).toMatch(/\n {2}-f, --force {2,}Replace/);
  expect(text).toContain('--format json|md|html  ');
  expect(text).toContain('\nExamples:\n  entire session export ');
  const group = renderCommandHelp(await describeOne(['session']));
  expect(group).toMatch(/^entire session \[<command>\] \[flags\]\n/);
  expect(group).toMatch(/\n {2}delete <session>\.\.\. {2}Delete/);
  await expect(describeOne(['session', 'lst'])).rejects.toThrow('did you mean "list"?');
  await expect(describeOne(['why', 'not'])).rejects.toThrow('unknown command "not" for "entire why"');
});
