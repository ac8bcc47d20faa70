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
