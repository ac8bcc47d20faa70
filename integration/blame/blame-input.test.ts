import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { variation } from '../support/repository/scenario.ts';
import type { TestRepo } from '../support/repository/test-repo.ts';

const refused = (repo: TestRepo, ...args: string[]): string => {
  const { code, stdout, stderr } = repo.tryEntire('blame', ...args);
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
  return stderr;
};

describe('blame says what a path is that has no lines', () => {
  variation('a folder, and a file that is gone', (repo) => {
    repo.ready().write('src/a.ts', 'a\n').write('b.ts', 'b\n').commit('Add', '.');
    for (const args of [['src'], ['src/'], ['--rev', 'HEAD', 'src']])
      expect(refused(repo, ...args)).toMatch(
        /^Error: src\/? is a folder, not a file\nHint: `entire log -- src\/?`/,
      );
    rmSync(join(repo.dir, 'b.ts'));
    expect(refused(repo, 'b.ts')).toBe(
      'Error: b.ts is not in the worktree any more\nHint: `entire blame --rev HEAD b.ts` shows it as the last commit has it.\n',
    );
    expect(refused(repo, 'c.ts')).toContain("no such path 'c.ts' in HEAD");
    expect(repo.tryEntire('why', 'src').stderr).toContain('src is a folder, not a checkpoint');
    expect(repo.tryEntire('explain', 'src').stderr).toContain('src is a folder, not a checkpoint');
  });
});
