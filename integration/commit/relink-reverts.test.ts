import { describe, expect } from 'vitest';
import { relink, unhooked } from '../support/command/relink.ts';
import { addWork } from '../support/command/work.ts';
import { scenario, variation } from '../support/repository/scenario.ts';
import type { TestRepo } from '../support/repository/test-repo.ts';

const found = (repo: TestRepo, ...args: string[]) =>
  relink(repo, '--dry-run', ...args).commits.map(({ subject, checkpoints }) => [
    subject,
    ...checkpoints.map(({ checkpoint, proof, new: isNew }) => `${checkpoint} ${proof}${isNew ? ' new' : ''}`),
  ]);

const lines = (...all: string[]): string => `${all.join('\n')}\n`;
const OWN = Array.from({ length: 9 }, (_, at) => `line number ${at} of the first session`);

/** Work of two sessions, of which a person's commit takes a line each out. */
function takenOut(repo: TestRepo): [first: string, second: string] {
  repo.ready();
  const one = addWork(repo, { 'a.txt': lines(...OWN) });
  const first = repo.commit('First', 'a.txt') as string;
  one.end();
  const theirs = Array.from({ length: 9 }, (_, at) => `line number ${at} of the second session`);
  const two = addWork(repo, { 'a.txt': lines(...OWN, ...theirs) });
  const second = repo.commit('Second', 'a.txt') as string;
  two.end();
  repo.write('a.txt', lines(...OWN.slice(0, 3), ...OWN.slice(4), ...theirs.slice(0, 5), ...theirs.slice(6)));
  unhooked(repo, 'commit', '--quiet', '-m', 'Without two lines', 'a.txt');
  return [first, second];
}

describe('a revert of a commit that took lines out', () => {
  scenario('is linked to the sessions whose lines it brings back, also when it was not clean', (repo) => {
    const [first, second] = takenOut(repo);
    repo.write('a.txt', repo.read('a.txt').replace(`${OWN[2]}\n`, 'a line of a person\n'));
    unhooked(repo, 'commit', '--quiet', '-m', 'Mine', 'a.txt');
    const reverted = repo.tryGit('revert', '--no-edit', 'HEAD~1');
    expect(reverted.code).not.toBe(0);
    repo.write('a.txt', repo.read('a.txt').replaceAll(/^(<{7}|={7}|>{7}|\|{7}).*\n/gm, ''));
    repo.git('add', 'a.txt');
    unhooked(repo, '-c', 'core.editor=true', 'revert', '--continue');
    expect(found(repo, 'HEAD')).toEqual([
      ['Revert "Without two lines"', `${first} lines new`, `${second} lines new`],
    ]);
  });

  variation('is found under the name that a rebase gave to what it reverts', (repo) => {
    const [first, second] = takenOut(repo);
    unhooked(repo, 'revert', '--no-edit', 'HEAD');
    repo.git('switch', '--quiet', '-c', 'topic');
    repo.git('reset', '--quiet', '--hard', 'HEAD~2');
    repo.write('b.txt', 'mine\n');
    unhooked(repo, 'add', 'b.txt');
    unhooked(repo, 'commit', '--quiet', '-m', 'Mine');
    repo.git('switch', '--quiet', 'main');
    unhooked(repo, 'rebase', '--quiet', 'topic');
    repo.git('reflog', 'expire', '--expire=now', '--all');
    repo.git('prune', '--expire=now');
    expect(found(repo, 'HEAD')).toEqual([
      ['Revert "Without two lines"', `${first} lines new`, `${second} lines new`],
    ]);
  });

  variation('brings nothing back that only its message says', (repo) => {
    takenOut(repo);
    repo.write('c.txt', 'a line that a person wrote\n');
    unhooked(repo, 'add', 'c.txt');
    unhooked(
      repo,
      'commit',
      '--quiet',
      '-m',
      `Mine\n\nThis reverts commit ${repo.git('rev-parse', 'HEAD')}.`,
    );
    expect(found(repo, 'HEAD')).toEqual([['Mine']]);
  });

  variation('brings back no line of a session for a short one that another wrote, too', (repo) => {
    repo.ready();
    const session = addWork(repo, { 'a.txt': 'function ofTheAgent() {\n  return null;\n}\n' });
    repo.commit('Work', 'a.txt');
    session.end();
    repo.write('a.txt', `${repo.read('a.txt')}function ofAPerson() {\n  return null;\n}\n`);
    unhooked(repo, 'commit', '--quiet', '-m', 'Mine', 'a.txt');
    repo.write('a.txt', 'function ofTheAgent() {\n  return null;\n}\nnothing more is here\n');
    unhooked(repo, 'commit', '--quiet', '-m', 'Without it', 'a.txt');
    unhooked(repo, 'revert', '--no-edit', 'HEAD');
    expect(found(repo, 'HEAD')).toEqual([['Revert "Without it"']]);
  });

  variation('of work that stands alone brings nothing, and one of that revert brings it all back', (repo) => {
    repo.ready();
    repo.write('a.txt', 'a line of a person\n');
    repo.commit('Base', 'a.txt');
    addWork(repo, { 'a.txt': lines('a line of a person', ...OWN) });
    const id = repo.commit('Work', 'a.txt') as string;
    unhooked(repo, 'revert', '--no-edit', 'HEAD');
    unhooked(repo, 'revert', '--no-edit', 'HEAD');
    expect(found(repo, 'HEAD~1')).toEqual([['Revert "Work"']]);
    expect(found(repo, 'HEAD')[0]?.slice(1)).toEqual([`${id} contents new`]);
  });
});

describe('a commit that says it reverts one that is not here', () => {
  variation('brings nothing back of commits without a subject, where its own names none', (repo) => {
    repo.ready();
    const session = addWork(repo, { 'a.txt': lines(...OWN) });
    repo.commit('First', 'a.txt');
    session.end();
    repo.write('a.txt', lines(...OWN.slice(0, 3), ...OWN.slice(4)));
    unhooked(repo, 'commit', '--quiet', '--allow-empty-message', '-m', '', 'a.txt');
    unhooked(repo, 'commit', '--quiet', '--allow-empty', '-m', 'In between');
    repo.write('b.txt', `${OWN[3]}\n`).git('add', 'b.txt');
    unhooked(repo, 'commit', '--quiet', '-m', `Mine\n\nThis reverts commit ${'1'.repeat(40)}.`);
    expect(found(repo, 'HEAD')).toEqual([['Mine']]);
  });
});

describe('a file that is as it was', () => {
  scenario(
    'brings back the lines of the session that wrote them; so does one that is put back elsewhere in it',
    (repo) => {
      const [first, second] = takenOut(repo);
      repo.git('checkout', '--quiet', 'HEAD~1', '--', 'a.txt');
      unhooked(repo, 'commit', '--quiet', '-m', 'As it was');
      expect(found(repo, 'HEAD')).toEqual([['As it was', `${first} lines new`, `${second} lines new`]]);
      unhooked(repo, 'reset', '--quiet', '--hard', 'HEAD~1');
      repo.write('a.txt', `${repo.read('a.txt')}${OWN[3]}\n`);
      unhooked(repo, 'commit', '--quiet', '-m', 'Mine', 'a.txt');
      expect(found(repo, 'HEAD')).toEqual([['Mine', `${first} lines new`]]);
      unhooked(repo, 'reset', '--quiet', '--hard', 'HEAD~1');
      unhooked(repo, 'commit', '--quiet', '--allow-empty', '-m', 'In between');
      repo.write('b.txt', `${OWN[3]}\n`).git('add', 'b.txt');
      unhooked(repo, 'commit', '--quiet', '-m', 'In another file');
      expect(found(repo, 'HEAD')).toEqual([['In another file']]);
    },
  );
});

describe('a line that stood there', () => {
  variation('is brought back beside commits of other files, whatever git log is set to show', (repo) => {
    const [first] = takenOut(repo);
    repo.write('b.txt', 'mine\n');
    unhooked(repo, 'add', 'b.txt');
    unhooked(repo, 'commit', '--quiet', '-m', 'Mine');
    repo.write('a.txt', repo.read('a.txt').replace(`${OWN[2]}\n`, `${OWN[2]}\n${OWN[3]}\n`));
    unhooked(repo, 'commit', '--quiet', '-m', 'Back', 'a.txt');
    for (const setting of ['log.follow', 'log.showRoot'])
      repo.git('config', setting, `${setting === 'log.follow'}`);
    expect(found(repo, 'HEAD')).toEqual([['Back', `${first} lines new`]]);
  });

  variation('is brought back by a squash that was not clean, with the line beside it', (repo) => {
    const [first] = takenOut(repo);
    repo.git('switch', '--quiet', '-c', 'topic', 'HEAD~1');
    repo.write('a.txt', repo.read('a.txt').replace(OWN[2] as string, 'a line of a person in between'));
    unhooked(repo, 'commit', '--quiet', '-m', 'Topic', 'a.txt');
    repo.git('switch', '--quiet', 'main');
    repo.tryGit('merge', '--squash', 'topic');
    repo.write('a.txt', repo.read('a.txt').replaceAll(/^(<{7}|={7}|>{7}|\|{7}).*\n/gm, ''));
    expect(repo.read('a.txt')).toContain(OWN[3]);
    repo.git('add', 'a.txt');
    unhooked(repo, 'commit', '--quiet', '-m', 'Squashed');
    expect(found(repo, 'HEAD')).toEqual([['Squashed', `${first} lines new`]]);
  });

  variation('is brought back where its session’s commit was amended since', (repo) => {
    repo.ready();
    addWork(repo, { 'a.txt': lines(...OWN) }).end();
    const first = repo.commit('First', 'a.txt') as string;
    repo.write('a.txt', lines('a line of a person', ...OWN));
    unhooked(repo, 'commit', '--quiet', '--amend', '--no-edit', 'a.txt');
    repo.write('a.txt', lines('a line of a person', ...OWN.slice(0, 3), ...OWN.slice(4)));
    unhooked(repo, 'commit', '--quiet', '-m', 'Without it', 'a.txt');
    repo.write('a.txt', `${repo.read('a.txt')}${lines('another one', OWN[3] as string)}`);
    unhooked(repo, 'commit', '--quiet', '-m', 'Back', 'a.txt');
    expect(found(repo, 'HEAD')).toEqual([['Back', `${first} lines new`]]);
  });

  variation('is not brought back by a person’s commit that was picked later to where it stands', (repo) => {
    repo.ready().write('a.txt', 'first\n').commit('Begin', 'a.txt');
    repo.git('switch', '--quiet', '-c', 'topic');
    const session = addWork(repo, { 'a.txt': lines('first', ...OWN.slice(5), OWN[3] as string) });
    repo.commit('Work', 'a.txt');
    session.end();
    repo.git('switch', '--quiet', 'main');
    repo.write('a.txt', lines(OWN[3] as string, 'first'));
    unhooked(repo, 'commit', '--quiet', '-m', 'Mine', 'a.txt');
    repo.git('switch', '--quiet', 'topic');
    unhooked(repo, 'cherry-pick', '-X', 'theirs', 'main');
    expect(found(repo, 'main')[0]).toEqual(['Mine']);
  });
});

describe('a person’s file, of which a session copied lines into its own', () => {
  variation(
    'has nothing of the session when the person restores it, or reverts what took them out',
    (repo) => {
      repo.ready().write('mine.txt', lines('// first', ...OWN.slice(0, 2), '// last'));
      repo.commit('Mine', 'mine.txt');
      const session = addWork(repo, { 'a.txt': lines(...OWN) });
      repo.commit('Copied', 'a.txt');
      session.end();
      repo.write('mine.txt', lines('// first', '// last'));
      unhooked(repo, 'commit', '--quiet', '-m', 'Less', 'mine.txt');
      unhooked(repo, 'revert', '--no-edit', 'HEAD');
      expect(found(repo, 'HEAD')).toEqual([['Revert "Less"']]);
      unhooked(repo, 'reset', '--quiet', '--hard', 'HEAD~1');
      repo.git('checkout', '--quiet', 'HEAD~2', '--', 'mine.txt');
      unhooked(repo, 'commit', '--quiet', '-m', 'As it was');
      expect(found(repo, 'HEAD')).toEqual([['As it was']]);
    },
  );
});
