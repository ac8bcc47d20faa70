import { expect, test } from 'vitest';
import { DESCRIPTIONS } from './messages.ts';
import { GROUPS, renderEnvironmentHelp, renderRootHelp } from './root-help.ts';

/** For scripts and installers alone. */
const HIDDEN = ['completion', 'curl-bash-post-install'];

test('every command that people see stands in one group', () => {
  const shown = GROUPS.flatMap(({ commands }) => commands);
  expect([...shown, ...HIDDEN].sort()).toEqual(Object.keys(DESCRIPTIONS).sort());
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
