import { expect, test } from 'vitest';
import { parseWorktrees } from './worktree-list.ts';

const records = (text: string) => parseWorktrees(text).map((one) => Object.fromEntries(one));

test('attributes of each worktree, with and without a value', () => {
  const listed =
    'worktree /r\0HEAD 1\0branch refs/heads/main\0\0worktree /a b\nc\0HEAD 2\0detached\0locked on a stick\0prunable x y\0\0';
  expect(records(listed)).toEqual([
    { worktree: '/r', HEAD: '1', branch: 'refs/heads/main' },
    { worktree: '/a b\nc', HEAD: '2', detached: '', locked: 'on a stick', prunable: 'x y' },
  ]);
  expect(records('worktree /r.git\0bare\0\0')).toEqual([{ worktree: '/r.git', bare: '' }]);
  expect(records('')).toEqual([]);
});

test('what older gits print, which know no -z, is the same with other ends of lines', () => {
  const printed = 'worktree /r\nHEAD 1\nbranch refs/heads/main\n\nworktree /s\nHEAD 2\ndetached\n\n';
  expect(records(printed.replaceAll('\n', '\0')).map(({ worktree }) => worktree)).toEqual(['/r', '/s']);
});
