import { describe, expect, test } from 'vitest';
import { isReplay, parseGitCommand } from './caller.ts';

const parse = (...argv: string[]) => parseGitCommand(argv) ?? { name: 'none', args: [] };

describe('the git that calls a hook', () => {
  test.each([
    [['git', 'commit', '--amend', '-m', 'x'], 'commit'],
    [['/usr/bin/git', '-C', 'there', '-c', 'a.b=commit', 'revert', 'HEAD'], 'revert'],
    [['git', '--no-pager', '--git-dir', 'x', 'cherry-pick', 'y'], 'cherry-pick'],
    [['/usr/lib/git-core/git-rebase', 'main'], 'rebase'],
    [['git'], ''],
  ])('%j is %s', (argv, name) => {
    expect(parseGitCommand(argv)?.name).toBe(name);
  });

  test.each([[['sh', '.git/hooks/prepare-commit-msg']], [['node', 'git', 'commit']], [[]]])(
    '%j is none',
    (argv) => {
      expect(parseGitCommand(argv)).toBeUndefined();
    },
  );

  test('a commit that another command makes is a replay', () => {
    const commit = parse('git', 'commit', '-n', '-F', '.git/MERGE_MSG');
    expect(isReplay([commit, parse('git', 'cherry-pick', '--continue')])).toBe(true);
    expect(isReplay([parse('git', 'revert', 'HEAD')])).toBe(true);
    expect(isReplay([commit, parse('git', 'ci')])).toBe(false);
  });
});
