import { describe, expect } from 'vitest';
import { addWork } from '../support/command/work.ts';
import { variation } from '../support/repository/scenario.ts';
import type { TestRepo } from '../support/repository/test-repo.ts';

/** The prompt that each line is said to come from. */
const prompts = (repo: TestRepo, path: string): (string | null)[] =>
  JSON.parse(repo.entire('blame', path, '--json').stdout).lines.map(
    ({ prompt }: { prompt: string | null }) => prompt,
  );

describe('blame: the prompt that led to a line', () => {
  variation(
    'of a checkpoint of several turns it is that of the turn, also before it is committed',
    (repo) => {
      repo.ready();
      repo.write('a.txt', 'mine\n').write('b.txt', 'mine\n');
      repo.commit('Begin', 'a.txt', 'b.txt');
      const session = addWork(repo, { 'a.txt': 'line one\n\nline two\n' });
      addWork(repo, { 'b.txt': 'line three\n' }, session);
      const check = () => {
        expect(prompts(repo, 'a.txt')).toEqual(['write a.txt', 'write a.txt', 'write a.txt']);
        expect(prompts(repo, 'b.txt')).toEqual(['write b.txt']);
      };
      check();
      const id = repo.commit('Both', 'a.txt', 'b.txt');
      check();
      expect(repo.entire('blame', 'a.txt').stdout).toContain('"write a.txt"');
      const { sessions } = JSON.parse(repo.entire('blame', 'a.txt', '--json').stdout);
      expect(sessions).toMatchObject([{ session_id: session.id, checkpoint: id, prompt: 'write b.txt' }]);
    },
  );

  variation(
    'where a later prompt is at work on what an earlier commit left out, it is the earlier one',
    (repo) => {
      repo.ready();
      const session = addWork(repo, { 'a.txt': 'line one\n', 'b.txt': 'line two\n' });
      repo.commit('A', 'a.txt');
      addWork(repo, { 'c.txt': 'line three\n' }, session);
      repo.commit('Others', 'b.txt', 'c.txt');
      expect(prompts(repo, 'b.txt')).toEqual(['write a.txt and b.txt']);
      expect(prompts(repo, 'c.txt')).toEqual(['write c.txt']);
    },
  );

  variation('a commit in the middle of a turn: what came after it is of the prompt before it', (repo) => {
    repo.ready();
    const session = repo.session();
    session.prompt('do it all');
    session.edit('a.txt', 'line one\n');
    repo.commit('A', 'a.txt');
    session.edit('b.txt', 'line two\n');
    session.stop();
    addWork(repo, { 'c.txt': 'line three\n' }, session);
    repo.commit('Others', 'b.txt', 'c.txt');
    expect(prompts(repo, 'b.txt')).toEqual(['do it all']);
    expect(prompts(repo, 'c.txt')).toEqual(['write c.txt']);
  });

  variation('a line that a later turn wrote again with the whole file is that of the first', (repo) => {
    repo.ready();
    const session = addWork(repo, { 'a.txt': 'line one\n' });
    session.prompt('add a line');
    session.edit('a.txt', 'line one\nline two\n');
    session.stop();
    session.prompt('thank you');
    session.stop();
    repo.commit('Add a', 'a.txt');
    expect(prompts(repo, 'a.txt')).toEqual(['write a.txt', 'add a line']);
  });

  variation('where two turns brought a line it is not known, and none is named', (repo) => {
    repo.ready();
    const session = addWork(repo, { 'a.txt': 'line one\n' });
    session.prompt('empty it');
    session.edit('a.txt', 'something else\n');
    session.stop();
    session.prompt('as it was, with a line more');
    session.edit('a.txt', 'line one\nline two\n');
    session.stop();
    const id = repo.commit('Add a', 'a.txt');
    expect(prompts(repo, 'a.txt')).toEqual([null, 'as it was, with a line more']);
    const [first] = repo.entire('blame', 'a.txt').stdout.split('\n');
    expect(first).toContain(`${session.id.slice(0, 8)} ${id}`);
  });
});
