import { renameSync, rmSync } from 'node:fs';
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

  variation('a file that has another name since, or none', (repo) => {
    const body = 'one\ntwo\nthree\nfour\n';
    repo.ready().write('t/old.ts', body).write('t/gone.ts', 'g\n').write('t/z.ts', 'z\n').commit('Add', '.');
    repo.git('mv', 't/old.ts', 't/mid.ts');
    repo.commit('Move', '.');
    const moved = repo.git('rev-parse', '--short=7', 'HEAD');
    repo.git('mv', 't/mid.ts', 't/new.ts');
    repo.git('rm', '-q', 't/gone.ts');
    repo.commit('Move again', '.');
    const gone = repo.git('rev-parse', '--short=7', 'HEAD');
    for (const word of ['t/old.ts', 't/old.ts:2'])
      expect(refused(repo, word)).toBe(
        `Error: t/old.ts was renamed to t/new.ts (in ${moved} at first)\nHint: \`entire blame t/new.ts\` says who wrote its lines.\n`,
      );
    expect(refused(repo, '--rev', 'HEAD~1', 't/old.ts')).toContain(
      "`entire blame --rev 'HEAD~1' t/mid.ts` says who",
    );
    expect(refused(repo, '--rev', 'nope', 't/old.ts')).toBe('Error: commit not found: nope\n');
    for (const word of ['t/gone.ts', 't/gone.ts:1']) {
      expect(refused(repo, word)).toBe(
        `Error: t/gone.ts was deleted in ${gone}\nHint: \`entire blame --rev ${gone}~1 t/gone.ts\` shows it as it was before.\n`,
      );
      expect(repo.tryEntire('blame', '--rev', `${gone}~1`, 't/gone.ts').code).toBe(0);
    }
    renameSync(join(repo.dir, 't/z.ts'), join(repo.dir, 'z'));
    expect(refused(repo, 't/z.ts:1')).toContain(
      't/z.ts is not in the worktree any more\nHint: `entire blame --rev',
    );
    renameSync(join(repo.dir, 'z'), join(repo.dir, 't/z.ts'));
    const inside = repo.run('entire', ['blame', 't/z.ts'], { cwd: join(repo.dir, 't') });
    expect(inside).toEqual({
      code: 1,
      stdout: '',
      stderr:
        'Error: there is no t/z.ts in the current folder\nHint: Paths are taken from the current folder; did you mean `z.ts`?\n',
    });
  });

  variation('a name with a line break; a repository without commits', (repo) => {
    expect(repo.init().tryEntire('blame', 'a.txt').stderr).toBe(
      'Error: this repository has no commits yet\n',
    );
    const name = 'new\nline.ts';
    repo.ready().write(name, 'a\n').commit('Add', '.');
    expect(refused(repo, name)).toContain(
      'Error: "new\\nline.ts" has a line break in its name: nothing is recorded',
    );
    expect(refused(repo, 'no\nne')).toContain('no file of this worktree');
  });
});
