import { describe, expect } from 'vitest';
import { BESIDE, commitMine, commitWork, lines, linkedTo, MORE, ONE } from '../support/command/put-back.ts';
import { unhooked } from '../support/command/relink.ts';
import { addWork } from '../support/command/work.ts';
import { linksOf, notedIn } from '../support/repository/links.ts';
import { scenario, variation } from '../support/repository/scenario.ts';
import type { TestRepo } from '../support/repository/test-repo.ts';

/** Lines that a person writes as a session wrote them elsewhere are the person's. */

const ALIKE = 'expect(result.code).toBe(0);';
const CALL = 'const result = runTheTool();';

/** A person's commit, of which all hooks hear. */
function commitHooked(repo: TestRepo, text: string, message = 'Mine'): void {
  repo.write('a.test.ts', text).git('add', 'a.test.ts');
  repo.git('commit', '--quiet', '-m', message);
}

/** A session's commit on top of a file of a person, which two branches have: main, and that of the commit. */
function begin(repo: TestRepo, ...work: string[]): void {
  repo.ready();
  commitMine(repo, { 'a.test.ts': lines('// tests'), 'z.txt': 'z\n' });
  repo.git('switch', '--quiet', '-c', 'topic');
  commitWork(repo, { 'a.test.ts': lines('// tests', ...work) });
}

describe('by itself, a commit is not linked for one line', () => {
  for (const args of [
    ['restore', '--staged', '--worktree', '.'],
    ['reset', '--quiet', '--', '.'],
  ])
    variation(`after a pick without a commit that git ${args[0]} gave up`, (repo) => {
      begin(repo, ALIKE, ...MORE);
      repo.git('switch', '--quiet', 'main');
      repo.git('cherry-pick', '--no-commit', 'topic');
      repo.git(...args);
      commitHooked(repo, lines('// tests', '// mine', ALIKE));
      expect(notedIn(repo)).toEqual([]);
    });

  for (const [what, ...args] of [
    ['a branch of its own', 'switch', '--quiet', '-c', 'other'],
    ['a stash', 'stash', '--quiet'],
  ] as const)
    variation(`after a reset, and ${what}: the work stands on a branch that was kept`, (repo) => {
      begin(repo, ALIKE, ...MORE);
      repo.git('branch', 'kept');
      repo.git('reset', '--quiet', '--hard', 'HEAD~1');
      repo.write('z.txt', 'changed\n').git(...args);
      commitHooked(repo, lines('// tests', '// mine', ALIKE));
      expect(notedIn(repo)).toEqual([]);
    });

  /** A rebase stops for a conflict in a person's commit, which is before or behind that of the session, and is resolved with a line more. */
  function rebase(repo: TestRepo, isFirst: boolean): void {
    const body = ['// one', '// two', '// three', '// end'];
    repo.ready();
    commitMine(repo, { 'a.test.ts': lines('// begun', ...body) });
    repo.git('switch', '--quiet', '-c', 'topic');
    const mine = () => commitHooked(repo, repo.read('a.test.ts').replace('// begun', '// begun, by me'));
    if (isFirst) mine();
    const session = addWork(repo, { 'a.test.ts': `${repo.read('a.test.ts')}${lines(...MORE, ALIKE)}` });
    const id = repo.commit('Work', 'a.test.ts') as string;
    session.end();
    if (!isFirst) mine();
    repo.git('switch', '--quiet', 'main');
    commitMine(repo, { 'a.test.ts': lines('// begun, upstream', ...body) });
    repo.git('switch', '--quiet', 'topic');
    const env = { GIT_EDITOR: 'true' };
    expect(repo.run('git', ['rebase', '--quiet', 'main'], { env }).code).toBe(1);
    const rest = isFirst ? body : [...body, ...MORE, ALIKE];
    repo.write('a.test.ts', lines('// begun, by both', ALIKE, ...rest)).git('add', 'a.test.ts');
    repo.gitWith({ env }, 'rebase', '--continue');
    expect(linksOf(repo, isFirst ? 'HEAD' : 'HEAD~1')).toEqual([id]);
    expect(notedIn(repo, isFirst ? 'HEAD~1' : 'HEAD')).toEqual([]);
  }

  variation('of a conflict that a person resolves before work which still has it', (repo) =>
    rebase(repo, true),
  );
  variation('of a conflict that a person resolves after such work', (repo) => rebase(repo, false));
});

describe('relink does not link', () => {
  scenario('two lines of a test that every test has, on another branch', (repo) => {
    begin(repo, "const result = await runTheTool(['status', '--json']);", ALIKE, ...MORE);
    repo.git('switch', '--quiet', 'main');
    commitMine(repo, {
      'a.test.ts': lines('// mine', "const result = await runTheTool(['status', '--json']);", ALIKE),
    });
    expect(linkedTo(repo)).toEqual([]);
  });

  for (const path of ['a.test.ts', 'b.test.ts'])
    variation(`one line in ${path} that the session wrote three times, beside another one`, (repo) => {
      begin(
        repo,
        ...MORE.flatMap((line) => [line, ALIKE, 'done(true);']),
        ...MORE.map((line) => `${line} // 2`),
      );
      repo.git('switch', '--quiet', 'main');
      commitMine(repo, { [path]: lines('// mine', ALIKE, 'done(true);') });
      expect(linkedTo(repo)).toEqual([]);
    });

  variation('a line that has other short ones below it than the session’s', (repo) => {
    begin(repo, ALIKE, 'return null;', ...MORE);
    repo.git('switch', '--quiet', '--orphan', 'other');
    unhooked(repo, 'branch', '--quiet', '-D', 'topic');
    commitMine(repo, { 'b.test.ts': lines('// mine', ALIKE, 'close(it);', 'return null;') });
    expect(linkedTo(repo)).toEqual([]);
  });

  variation('what a person writes after an amend that reworded all of the work', (repo) => {
    begin(repo, CALL, ALIKE);
    const own = ['const ran = runTheTool();', 'expect(ran.code).toBe(0);'];
    repo.write('a.test.ts', lines('// tests', ...own)).git('add', 'a.test.ts');
    unhooked(repo, 'commit', '--quiet', '--amend', '--no-edit');
    commitMine(repo, { 'a.test.ts': lines('// tests', ...own, '// mine', ALIKE) });
    expect(linkedTo(repo)).toEqual([]);
  });

  for (const isAmended of [false, true])
    variation(`a copy of two lines, of a commit that ${isAmended ? 'was amended' : 'is there'}`, (repo) => {
      begin(repo, CALL, ALIKE, ...MORE);
      if (isAmended) {
        repo.write('a.test.ts', lines('// mine', CALL, ALIKE, ...MORE)).git('add', 'a.test.ts');
        unhooked(repo, 'commit', '--quiet', '--amend', '--no-edit');
      }
      commitMine(repo, { 'b.test.ts': lines('// mine', CALL, ALIKE) });
      expect(linkedTo(repo)).toEqual([]);
    });

  variation('a line of a person that a session moved, for another one in a file that it changed', (repo) => {
    repo.ready();
    commitMine(repo, { 'd.ts': lines('// of a person', ALIKE, BESIDE) });
    commitWork(repo, { 'a.ts': lines('// a', ONE, ALIKE) });
    const second = commitWork(repo, {
      'a.ts': lines('// a, changed', ONE, ALIKE),
      'd.ts': lines('// of a person', BESIDE),
      'b.ts': lines('// below this is a line of the person', ALIKE),
      'c.ts': lines(...MORE),
    });
    repo.git('reset', '--quiet', '--mixed', 'HEAD^');
    repo.git('add', 'a.ts', 'd.ts');
    unhooked(repo, 'commit', '--quiet', '-m', 'First half');
    repo.git('add', '--all');
    unhooked(repo, 'commit', '--quiet', '-m', 'Second half');
    expect(linkedTo(repo)).toEqual([second]);
  });
});
