import { describe, expect } from 'vitest';
import { relink, unhooked } from '../support/command/relink.ts';
import { addWork } from '../support/command/work.ts';
import { scenario, variation } from '../support/repository/scenario.ts';

const lines = (who: string): string =>
  `${[1, 2, 3, 4].map((at) => `line number ${at} that the ${who} session wrote`).join('\n')}\n`;

describe('a commit that has a checkpoint of its own', () => {
  scenario('is linked to another session, too, whose file it brings under another name', (repo) => {
    repo.ready();
    const one = addWork(repo, { 'a.txt': lines('first') });
    const first = repo.commit('First', 'a.txt') as string;
    one.end();
    repo.write('a.txt', 'what a person wrote over it\n');
    unhooked(repo, 'commit', '--quiet', '-m', 'Mine', 'a.txt');
    const two = addWork(repo, { 'b.txt': lines('second') });
    repo.write('c.txt', lines('first'));
    const second = repo.commit('Second', 'b.txt', 'c.txt') as string;
    two.end();
    expect(relink(repo, 'HEAD').commits).toMatchObject([
      {
        checkpoints: [
          { checkpoint: second, proof: 'commit', new: false },
          { checkpoint: first, proof: 'lines', lines: 4, new: true },
        ],
      },
    ]);
    expect(relink(repo)).toMatchObject({ written: 0 });
  });

  variation('and whose session wrote the same lines itself is linked to no other', (repo) => {
    repo.ready();
    const one = addWork(repo, { 'a.txt': lines('first') });
    repo.commit('First', 'a.txt');
    one.end();
    const two = addWork(repo, { 'b.txt': `${lines('second')}${lines('first')}` });
    const second = repo.commit('Second', 'b.txt') as string;
    two.end();
    expect(relink(repo, 'HEAD').commits).toMatchObject([
      { checkpoints: [{ checkpoint: second, proof: 'commit' }] },
    ]);
  });
});

describe('a squash of work that another session moved on', () => {
  variation('is linked to both: who carried lines to another file did not write them', (repo) => {
    repo.ready();
    const before = 'a line that a person wrote\n';
    repo.write('a.txt', before).commit('Begin', 'a.txt');
    repo.git('switch', '--quiet', '-c', 'topic');
    const one = addWork(repo, { 'a.txt': `${before}${lines('first')}` });
    const first = repo.commit('First', 'a.txt') as string;
    one.end();
    const two = addWork(repo, { 'b.txt': `${before}${lines('first')}${lines('second')}` });
    repo.git('rm', '--quiet', 'a.txt');
    const second = repo.commit('Second', 'b.txt') as string;
    two.end();
    repo.git('switch', '--quiet', 'main');
    unhooked(repo, 'merge', '--quiet', '--squash', 'topic');
    unhooked(repo, 'commit', '--quiet', '-m', 'All of it');
    expect(relink(repo, 'HEAD').commits).toMatchObject([
      { checkpoints: [{ checkpoint: first, lines: 4 }, { checkpoint: second }] },
    ]);
  });
});

describe('a checkpoint of two sessions', () => {
  variation('is found in each part of a split that has lines of one of them', (repo) => {
    repo.ready();
    const one = addWork(repo, { 'a.txt': lines('first') });
    const two = addWork(repo, { 'b.txt': lines('second') });
    const id = repo.commit('Both', 'a.txt', 'b.txt') as string;
    for (const session of [one, two]) session.end();
    unhooked(repo, 'reset', '--quiet', '--mixed', 'HEAD~1');
    for (const path of ['a.txt', 'b.txt']) {
      unhooked(repo, 'add', path);
      unhooked(repo, 'commit', '--quiet', '-m', `Half ${path}`);
    }
    const linked = [{ checkpoint: id, proof: 'contents', new: true }];
    expect(relink(repo, 'HEAD~2..HEAD').commits).toMatchObject([
      { checkpoints: linked },
      { checkpoints: linked },
    ]);
  });

  variation('that only moved what a person wrote leaves nothing to find in a copy', (repo) => {
    repo.ready();
    repo.write('mine.txt', lines('person’s'));
    repo.commit('Mine', 'mine.txt');
    repo.git('branch', 'other');
    const session = addWork(repo, { 'moved.txt': lines('person’s') });
    repo.run('rm', ['mine.txt']);
    expect(repo.commit('Moved', 'mine.txt', 'moved.txt')).toMatch(/^[0-9a-f]{12}$/);
    session.end();
    repo.git('switch', '--quiet', 'other');
    unhooked(repo, 'cherry-pick', '--no-commit', 'main');
    unhooked(repo, 'commit', '--quiet', '-m', 'Copy');
    expect(relink(repo, 'HEAD').commits).toMatchObject([{ checkpoints: [], tied: [] }]);
  });
});

describe('a commit', () => {
  variation('is not made of what was committed on top of it', (repo) => {
    repo.ready();
    repo.write('a.txt', lines('person’s'));
    repo.commit('Mine', 'a.txt');
    const mine = repo.git('rev-parse', 'HEAD');
    repo.write('a.txt', 'something else\n');
    unhooked(repo, 'commit', '--quiet', '-m', 'Other', 'a.txt');
    const session = addWork(repo, { 'a.txt': lines('person’s') });
    expect(repo.commit('Again', 'a.txt')).toMatch(/^[0-9a-f]{12}$/);
    session.end();
    expect(relink(repo, mine).commits).toMatchObject([{ checkpoints: [], tied: [] }]);
  });
});
