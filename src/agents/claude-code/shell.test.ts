import { describe, expect, test } from 'vitest';
import { bringsByGit } from './shell.ts';

describe('git in a command', () => {
  test.each([
    'git pull',
    'make && git merge --squash topic; ls',
    'GIT_EDITOR=true git rebase main',
    'sh -c \'git -C "a b" -c user.name=x --no-pager cherry-pick topic\'',
    'git diff main | /usr/bin/git apply',
    '(cd sub; git stash pop -q)',
    'git stash',
    'git checkout topic -- a.ts',
    'git checkout -b mine topic',
    'git switch topic',
    'git restore a.ts',
    'git restore --staged --worktree a.ts',
    'git reset --hard HEAD~1',
    'git show topic:a.ts > a.ts',
    'git \\\n  revert --no-edit HEAD',
    'echo `git am < x.patch`',
  ])('brings what is elsewhere: %s', (command) => {
    expect(bringsByGit(command)).toBe(true);
  });

  test.each([
    'git status && git commit -qm "Merge"',
    'git merge-base main topic',
    'git stash list',
    'git stash drop',
    'git checkout -q -b mine',
    'git switch -c mine && make',
    'git restore --staged a.ts',
    'git reset -q',
    'git show HEAD 2>&1 | head',
    'git log -p >/dev/null; git diff > /dev/null',
    'cat digit merge',
    './git-merge x',
    'git fetch',
    'sed -i s/pull/push/ a.ts',
  ])('brings nothing: %s', (command) => {
    expect(bringsByGit(command)).toBe(false);
  });

  test('is looked for in no time in any command', () => {
    const odd = [`git ${'-c -c '.repeat(5000)}`, `git -c ${`"'`.repeat(5000)}`, 'git '.repeat(20_000)];
    expect(odd.map(bringsByGit)).toEqual([false, false, false]);
  });
});
