import { describe, expect } from 'vitest';
import { asAgent, shellTurn, upstream } from '../support/repository/moved-head.ts';
import { variation } from '../support/repository/scenario.ts';
import type { TestRepo } from '../support/repository/test-repo.ts';

describe('undo of a turn in which HEAD lost commits leaves what those had', () => {
  for (const how of ['--soft', '--mixed']) {
    variation(`after git reset ${how}`, (repo) => {
      repo.ready();
      repo.write('f.txt', 'one\n').write('g.txt', 'g\n').commit('Begin', 'f.txt', 'g.txt');
      repo.write('f.txt', 'one\nmine\n').write('new.txt', 'mine\n').commit('Mine', 'f.txt', 'new.txt');
      shellTurn(repo, () => {
        repo.git('reset', '--quiet', how, 'HEAD~1');
        repo.write('g.txt', 'g\nby the agent\n');
      });
      expect(repo.entire('undo').stdout).not.toMatch(/f\.txt|new\.txt/);
      expect([repo.read('f.txt'), repo.read('new.txt')]).toEqual(['one\nmine\n', 'mine\n']);
      expect(repo.read('g.txt')).toBe('g\n');
    });

    variation(`after git reset ${how}, and a change of one of them`, (repo) => {
      repo.ready();
      repo.write('f.txt', 'one\n').commit('Begin', 'f.txt');
      repo.write('f.txt', 'one\nmine\n').commit('Mine', 'f.txt');
      shellTurn(repo, () => {
        repo.git('reset', '--quiet', how, 'HEAD~1');
        repo.write('f.txt', 'one\nmine\nby the agent\n');
      });
      repo.entire('undo');
      expect(repo.read('f.txt')).toBe('one\nmine\n');
    });
  }

  variation('also where the agent commits all of it again, with more', (repo) => {
    repo.ready();
    repo.write('f.txt', 'one\n').commit('Begin', 'f.txt');
    repo.write('f.txt', 'one\nmine\n').write('new.txt', 'mine\n').commit('Mine', 'f.txt', 'new.txt');
    shellTurn(repo, () => {
      repo.git('reset', '--quiet', '--soft', 'HEAD~1');
      repo.write('g.txt', 'by the agent\n');
      repo.agentCommit('All of it', 'g.txt');
    });
    expect(repo.entire('undo').stdout).not.toMatch(/f\.txt|new\.txt/);
    expect([repo.read('f.txt'), repo.read('new.txt')]).toEqual(['one\nmine\n', 'mine\n']);
    expect(repo.exists('g.txt')).toBe(false);
  });

  variation('where it stopped at a conflict of a rebase', (repo) => {
    repo.ready();
    repo.write('f.txt', 'one\n').write('h.txt', 'h\n').commit('Begin', 'f.txt', 'h.txt');
    upstream(repo, { 'f.txt': 'theirs\n' });
    repo.write('f.txt', 'mine\n').write('h.txt', 'h\nmine\n').commit('Mine', 'f.txt', 'h.txt');
    shellTurn(repo, () => void repo.tryGit('rebase', 'upstream'));
    expect(repo.read('h.txt')).toBe('h\nmine\n');
    expect(repo.entire('undo').stdout).not.toContain('h.txt');
    expect([repo.read('f.txt'), repo.read('h.txt')]).toEqual(['mine\n', 'h\nmine\n']);
  });
});

describe('undo of a turn in which HEAD came to have commits of somebody else leaves those', () => {
  for (const how of ['merge', 'rebase'])
    variation(`by git ${how}, beside a commit of the user's`, (repo) => {
      repo.ready();
      repo.write('f.txt', 'one\n').write('h.txt', 'h\n').commit('Begin', 'f.txt', 'h.txt');
      upstream(repo, { 'f.txt': 'one\ntheirs\n' });
      repo.write('h.txt', 'h\nmine\n').commit('Mine', 'h.txt');
      shellTurn(repo, () => {
        repo.git(how, '--quiet', 'upstream');
        repo.write('f.txt', 'one\ntheirs\nby the agent\n').write('h.txt', 'h\nmine\nby the agent\n');
      });
      repo.entire('undo');
      expect([repo.read('f.txt'), repo.read('h.txt')]).toEqual(['one\ntheirs\n', 'h\nmine\n']);
    });
});

describe('undo of a turn whose own commit', () => {
  /** The agent writes two files with its shell, commits them, and goes on with git. */
  function committed(repo: TestRepo, then: () => void): void {
    shellTurn(repo, () => {
      repo.write('f.txt', 'one\nby the agent\n').write('g.txt', 'by the agent\n');
      repo.agentCommit('Of the agent', 'f.txt', 'g.txt');
      then();
    });
    expect(repo.read('f.txt')).toBe('one\nby the agent\n');
    const { stdout } = repo.entire('undo');
    expect(stdout).toContain('restored  f.txt');
    expect(stdout).not.toContain('as it was');
    expect([repo.read('f.txt'), repo.exists('g.txt')]).toEqual(['one\n', false]);
  }

  const begin = (repo: TestRepo) => repo.ready().write('f.txt', 'one\n').commit('Begin', 'f.txt');

  variation('was rebased in it', (repo) => {
    repo.ready();
    upstream(repo, { 'u.txt': 'u\n' });
    repo.write('f.txt', 'one\n').commit('Begin', 'f.txt');
    committed(repo, () => repo.git('rebase', '--quiet', 'upstream'));
    expect(repo.read('u.txt')).toBe('u\n');
  });

  variation('was picked onto another branch in it', (repo) => {
    begin(repo);
    committed(repo, () => {
      const made = repo.git('rev-parse', 'HEAD');
      repo.git('checkout', '--quiet', '-b', 'feature', 'HEAD~1');
      repo.git('commit', '--quiet', '--allow-empty', '-m', 'Else');
      repo.git('cherry-pick', made);
    });
  });

  variation('was merged in it', (repo) => {
    begin(repo);
    repo.git('branch', 'trunk');
    committed(repo, () => {
      repo.git('branch', 'feature');
      repo.git('checkout', '--quiet', 'trunk');
      repo.gitWith(asAgent, 'merge', '--quiet', '--no-ff', '--no-edit', 'feature');
    });
  });

  variation('became part of the user’s in it takes back no more than its own', (repo) => {
    begin(repo);
    repo.write('mine.txt', 'mine\n').commit('Mine', 'mine.txt');
    shellTurn(repo, () => {
      repo.write('f.txt', 'one\nby the agent\n');
      repo.git('add', 'f.txt');
      repo.gitWith(asAgent, 'commit', '--quiet', '--amend', '--no-edit');
    });
    expect(repo.entire('undo').stdout).not.toContain('mine.txt');
    expect([repo.read('f.txt'), repo.read('mine.txt')]).toEqual(['one\n', 'mine\n']);
  });
});

variation('undo of a commit that was rebased onto others leaves their lines in the same file', (repo) => {
  repo.ready();
  repo.write('f.txt', '1\n2\n3\n4\n5\n6\n7\n').commit('Begin', 'f.txt');
  upstream(repo, { 'f.txt': 'theirs\n1\n2\n3\n4\n5\n6\n7\n' });
  shellTurn(repo, () => {
    repo.write('f.txt', '1\n2\n3\n4\n5\n6\n7\nby the agent\n');
    repo.agentCommit('By the agent', 'f.txt');
    repo.git('rebase', '--quiet', 'upstream');
  });
  expect(repo.read('f.txt')).toContain('theirs');
  repo.entire('undo');
  expect(repo.read('f.txt')).toBe('theirs\n1\n2\n3\n4\n5\n6\n7\n');
});

variation('undo of a commit on top of one that somebody else made in the turn leaves that', (repo) => {
  repo.ready();
  repo.write('f.txt', '1\n2\n3\n').commit('Begin', 'f.txt');
  const session = repo.session();
  session.prompt('by shell');
  repo.write('f.txt', 'mine\n1\n2\n3\n').commit('Mine', 'f.txt');
  session.shell(() => {
    repo.write('f.txt', 'mine\n1\n2\n3\nby the agent\n');
    repo.agentCommit('By the agent', 'f.txt');
  });
  session.stop();
  repo.entire('undo');
  expect(repo.read('f.txt')).toBe('mine\n1\n2\n3\n');
});
