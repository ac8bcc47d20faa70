import { expect } from 'vitest';
import { unhooked } from '../support/command/relink.ts';
import { addWork } from '../support/command/work.ts';
import { classesOf } from '../support/repository/links.ts';
import { variation } from '../support/repository/scenario.ts';

const line = (name: string): string => `export const ${name} = computeTheAnswerOf('${name}');\n`;

variation(
  'of a squash, lines of a commit whose checkpoint is not here are nobody’s, and what was typed is a person’s',
  (repo) => {
    repo.ready().git('switch', '--quiet', '-c', 'topic');
    addWork(repo, { 'mine.ts': line('mine') }).end();
    repo.commit('Mine', 'mine.ts');
    // A colleague’s, whose checkpoints are not pushed.
    repo.write('theirs.ts', line('theirs'));
    repo.write('mine.ts', `${line('mine')}${line('added')}`);
    repo.git('add', 'theirs.ts', 'mine.ts');
    unhooked(repo, 'commit', '--quiet', '-m', 'Theirs\n\nEntire-Checkpoint: 0123456789ab');
    repo.git('switch', '--quiet', 'main');
    repo.git('merge', '--quiet', '--squash', 'topic');
    repo.write('mine.ts', `${repo.read('mine.ts')}${line('typed')}`);
    repo.git('commit', '--quiet', '--all', '-m', 'All of it');
    expect(classesOf(repo, 'mine.ts')).toEqual([
      'agent:written',
      'unknown:checkpoint-missing',
      'human:not-written',
    ]);
    expect(classesOf(repo, 'theirs.ts')).toEqual(['unknown:checkpoint-missing']);
  },
);
