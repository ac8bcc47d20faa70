import { afterEach, expect, test } from 'vitest';
import { colourOfGit, wantsColour, wishColour } from './colour.ts';

const { NO_COLOR } = process.env;

afterEach(() => {
  wishColour('auto');
  if (NO_COLOR === undefined) delete process.env.NO_COLOR;
  else process.env.NO_COLOR = NO_COLOR;
});

test.each<[env: NodeJS.ProcessEnv, inTerminal: boolean, inPipe: boolean, git: readonly string[]]>([
  [{}, true, false, []],
  [{ TERM: 'dumb' }, false, false, []],
  [{ NO_COLOR: '1' }, false, false, ['--color=never']],
  [{ NO_COLOR: '' }, true, false, []],
  [{ CLICOLOR: '0' }, false, false, ['--color=never']],
  [{ CLICOLOR: '1' }, true, false, []],
  [{ CLICOLOR_FORCE: '1' }, true, true, ['--color=always']],
  [{ CLICOLOR_FORCE: '1', TERM: 'dumb', CLICOLOR: '0' }, true, true, ['--color=always']],
  [{ CLICOLOR_FORCE: '0' }, true, false, []],
  [{ CLICOLOR_FORCE: '1', NO_COLOR: '1' }, false, false, ['--color=never']],
  [{ FORCE_COLOR: '1' }, true, true, ['--color=always']],
  [{ FORCE_COLOR: '3' }, true, true, ['--color=always']],
  [{ FORCE_COLOR: '0' }, false, false, ['--color=never']],
  [{ FORCE_COLOR: '' }, true, false, []],
])('%j', (env, inTerminal, inPipe, git) => {
  expect(wantsColour(env, true)).toBe(inTerminal);
  expect(wantsColour(env, false)).toBe(inPipe);
  expect(wantsColour(env, undefined)).toBe(inPipe);
  expect(colourOfGit(env)).toEqual(git);
});

test('the command line is heard before the environment', () => {
  wishColour('always');
  expect(wantsColour({ NO_COLOR: '1', TERM: 'dumb' }, false)).toBe(true);
  expect(colourOfGit({ NO_COLOR: '1' })).toEqual(['--color=always']);
  wishColour('never');
  expect(wantsColour({ CLICOLOR_FORCE: '1' }, true)).toBe(false);
  expect(process.env.NO_COLOR).toBe('1');
});
