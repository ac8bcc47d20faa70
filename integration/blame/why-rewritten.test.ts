import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { why } from '../support/command/why.ts';
import { addWork } from '../support/command/work.ts';
import { linksOf } from '../support/repository/links.ts';
import { scenario, variation } from '../support/repository/scenario.ts';
import type { TestRepo } from '../support/repository/test-repo.ts';

const line = (name: string): string => `export const ${name} = computeTheAnswerOf('${name}');\n`;

/** A linked commit of three lines, to which a person adds one and takes one away, and which is amended. */
function amended(repo: TestRepo): string {
  addWork(repo.ready(), { 'a.ts': ['one', 'two', 'three'].map(line).join('') }).end();
  const id = repo.commit('Add a', 'a.ts') as string;
  repo.write('a.ts', ['one', 'three', 'mine'].map(line).join(''));
  repo.git('commit', '--quiet', '--all', '--amend', '--no-edit');
  return id;
}

const SUM = 'This commit adds 3 lines: agent 2 (67%), human 1 (33%), unknown 0 (0%).';

describe('what is said of a commit that was made again is counted in it', () => {
  scenario('an amend: not what its checkpoint was made for', (repo) => {
    const id = amended(repo);
    const { stdout } = repo.entire('why');
    expect(stdout).toContain('\n  Lines: 2 of those that this commit adds\n');
    expect(stdout).toContain(SUM);
    expect(stdout).not.toContain('Estimate');
    for (const args of [['HEAD'], [id]]) {
      const told = repo.entire('explain', ...args).stdout;
      expect(told).toContain('\nLines:       2 of the 3 that the commit adds');
      expect(told).not.toContain('estimate');
    }
  });

  variation('of a session that led to a squash twice once, and a command for each checkpoint', (repo) => {
    repo.ready().git('switch', '--quiet', '-c', 'topic');
    const session = addWork(repo, { 'a.ts': line('one') });
    const first = repo.commit('One', 'a.ts') as string;
    addWork(repo, { 'a.ts': line('one') + line('two') }, session);
    const second = repo.commit('Two', 'a.ts') as string;
    session.end();
    repo.git('switch', '--quiet', 'main');
    repo.git('merge', '--quiet', '--squash', 'topic');
    repo.git('commit', '--quiet', '-m', 'Both');
    const { stdout } = repo.entire('why');
    expect(stdout.match(/^ {2}Lines: .*$/gm)).toEqual(['  Lines: 2 of those that this commit adds']);
    for (const id of [first, second]) expect(stdout).toContain(`\n  \`entire explain --checkpoint ${id}\``);
  });

  variation('so is a commit that holds what its checkpoint counted', (repo) => {
    addWork(repo.ready(), { 'a.ts': line('one') }).end();
    repo.commit('One', 'a.ts');
    expect(repo.entire('why').stdout).toContain('  Lines: 1 of those that this commit adds\n');
    expect(repo.entire('explain', 'HEAD').stdout).toContain('\nLines:       1 of the 1 that the commit adds');
  });
});

describe('a checkpoint leads to the commit that has its work now', () => {
  variation('after an amend, a rebase and a squash', (repo) => {
    const id = amended(repo);
    const head = () => repo.git('rev-parse', 'HEAD');
    expect(why(repo, id).commit).toBe(head());
    repo.git('switch', '--quiet', '-c', 'topic');
    repo.git('commit', '--quiet', '--allow-empty', '--amend', '-m', 'In words of my own');
    expect(why(repo, id).commit).toBe(head());
    repo.git('switch', '--quiet', '--force-create', 'main', 'HEAD~1');
    repo.git('merge', '--quiet', '--squash', 'topic');
    repo.git('commit', '--quiet', '-m', 'All of it');
    repo.git('branch', '--quiet', '--delete', '--force', 'topic');
    expect(linksOf(repo)).toEqual([id]);
    expect(why(repo, id).commit).toBe(head());
    expect(why(repo, id.slice(0, 6)).commit).toBe(head());
  });

  variation('on another branch, and in a clone that made none of it', (repo) => {
    const id = amended(repo);
    const made = repo.git('rev-parse', 'HEAD');
    repo.git('switch', '--quiet', '-c', 'other', 'HEAD~1');
    expect(why(repo, id).commit).toBe(made);
    expect(repo.entire('explain', 'main').stdout).toMatch(new RegExp(`^Commit: +${made.slice(0, 7)} `));
    const clone = join(repo.scratch, 'clone');
    repo.git('clone', '--quiet', repo.dir, clone);
    const told = repo.run('entire', ['why', id, '--json'], { cwd: clone });
    expect(JSON.parse(told.stdout).commit).toBe(made);
    expect(repo.run('entire', ['why', '0123456789ab'], { cwd: clone }).code).toBe(1);
  });
});
