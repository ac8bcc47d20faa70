import { expect, test } from 'vitest';
import { describeAll } from '../commands.ts';
import { GROUPS, renderEnvironmentHelp, renderRootHelp } from './root-help.ts';

test('every command that people see stands in one group', async () => {
  const shown = (await describeAll()).filter(({ isHidden }) => !isHidden).map(({ name }) => name);
  expect(shown.length).toBeGreaterThan(20);
  expect(GROUPS.flatMap(({ commands }) => commands).sort()).toEqual(shown.sort());
});

test('it fits into two screens of 80 columns', () => {
  const lines = renderRootHelp().split('\n');
  expect(lines.length).toBeLessThanOrEqual(2 * 24);
  expect(lines.filter((line) => line.length > 80)).toEqual([]);
});

test('what is true of all commands has a page of its own', () => {
  expect(renderEnvironmentHelp()).toMatch(
    /^Environment variables:\n {2}ACCESSIBLE [\s\S]*\nFiles:\n[\s\S]*\nExit codes:\n {2}0 /,
  );
});
