import { chmodSync, mkdirSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import type { AgentSession } from '../support/agent/session.ts';
import { expectLinked, expectNotLinked, withWork } from '../support/command/work.ts';
import { variation } from '../support/repository/scenario.ts';
import type { TestRepo } from '../support/repository/test-repo.ts';

/** Stages `content` for a path while the worktree keeps what it has, as `git add -p` does. */
function stagePart(repo: TestRepo, path: string, content: string): void {
  const blob = repo.gitWith({ input: content }, 'hash-object', '-w', '--stdin');
  repo.git('update-index', '--add', '--cacheinfo', `100644,${blob},${path}`);
}

/** A finished turn in which the agent changed things by a command. */
function shellWork(repo: TestRepo, act: () => void, ready = () => {}): AgentSession {
  repo.ready();
  ready();
  const session = repo.session();
  session.prompt('do it by commands');
  session.shell(act);
  session.stop();
  return session;
}

function expectNothingLeft(repo: TestRepo, session: AgentSession): void {
  expect(repo.state(session.id).files_touched).toBeUndefined();
  expect(repo.shadowBranches()).toEqual([]);
}

describe('parts of files', () => {
  variation('add -p on a file that existed: each part has its own checkpoint', (repo) => {
    repo.ready();
    repo.write('long.txt', 'a\nb\nc\nd\ne\nf\ng\nh\n');
    repo.commit('Long', 'long.txt');
    const session = repo.session();
    session.prompt('change both ends');
    session.edit('long.txt', 'A\nb\nc\nd\ne\nf\ng\nH\n');
    session.stop();
    repo.gitWith({ input: 's\ny\nn\n' }, 'add', '-p', 'long.txt');
    repo.git('commit', '--quiet', '-m', 'First end');
    const first = expectLinked(repo, session, 'long.txt');
    expect(repo.git('show', 'HEAD:long.txt')).toBe('A\nb\nc\nd\ne\nf\ng\nh');
    expect(repo.state(session.id).files_touched).toEqual(['long.txt']);
    expect(repo.commit('Other end', 'long.txt')).not.toBe(first);
    expectLinked(repo, session, 'long.txt');
    expectNothingLeft(repo, session);
  });

  variation('partial new file: each part has its own checkpoint', (repo) => {
    const session = withWork(repo, { 'new.txt': 'one\ntwo\nthree\nfour\n' });
    stagePart(repo, 'new.txt', 'one\ntwo\n');
    repo.git('commit', '--quiet', '-m', 'Half');
    const first = expectLinked(repo, session, 'new.txt');
    expect(repo.commit('Rest', 'new.txt')).not.toBe(first);
    expectLinked(repo, session, 'new.txt');
    expectNothingLeft(repo, session);
  });

  variation('a new file that the user extended before its first commit', (repo) => {
    const session = withWork(repo, { 'new.txt': 'one\ntwo\nthree\nfour\n' });
    repo.write('new.txt', 'mine\none\ntwo\nthree\nfour\nmine, too\n');
    repo.commit('Extended', 'new.txt');
    expectLinked(repo, session, 'new.txt');
    expectNothingLeft(repo, session);
  });
});

describe('changes that are no edits', () => {
  variation('a rename, with git mv', (repo) => {
    const session = shellWork(repo, () => repo.git('mv', 'README.md', 'READ.me'));
    repo.git('commit', '--quiet', '-m', 'Rename');
    expectLinked(repo, session, 'READ.me', 'README.md');
    expectNothingLeft(repo, session);
  });

  variation('a rename without git, committed in two halves', (repo) => {
    const session = shellWork(repo, () => repo.run('mv', ['README.md', 'READ.me']));
    repo.git('add', 'READ.me');
    repo.git('commit', '--quiet', '-m', 'The new name');
    expectLinked(repo, session, 'READ.me');
    repo.git('commit', '--quiet', '-am', 'The old name goes');
    expectLinked(repo, session, 'README.md');
    expectNothingLeft(repo, session);
  });

  variation('deletions are work, too, of a tracked file', (repo) => {
    const session = shellWork(repo, () => rmSync(join(repo.dir, 'README.md')));
    repo.git('commit', '--quiet', '-am', 'Delete');
    expectLinked(repo, session, 'README.md');
    expectNothingLeft(repo, session);
  });

  variation('a file that changes only its mode', (repo) => {
    const session = shellWork(repo, () => chmodSync(join(repo.dir, 'README.md'), 0o755));
    repo.git('commit', '--quiet', '-am', 'Executable');
    expectLinked(repo, session, 'README.md');
    expect(repo.git('ls-tree', 'HEAD', 'README.md')).toMatch(/^100755/);
    expectNothingLeft(repo, session);
  });

  variation('symlinks: to a file, to a folder, to nowhere, and one that changes', (repo) => {
    const link = (to: string, name: string) => symlinkSync(to, join(repo.dir, name));
    const session = shellWork(
      repo,
      () => {
        link('README.md', 'to-file');
        link('.entire', 'to-folder');
        link('nowhere', 'dangling');
        rmSync(join(repo.dir, 'old'));
        link('elsewhere', 'old');
      },
      () => {
        link('README.md', 'old');
        repo.commit('A link', 'old');
      },
    );
    const names = ['dangling', 'old', 'to-file', 'to-folder'];
    const shown = repo.git('ls-tree', repo.shadowBranches()[0] as string, ...names);
    expect(shown.match(/^120000 blob/gm)).toHaveLength(4);
    repo.git('add', '-A');
    repo.git('commit', '--quiet', '-m', 'Links');
    expectLinked(repo, session, ...names);
    expectNothingLeft(repo, session);
  });

  variation('a submodule whose pointer moves', (repo) => {
    const other = join(repo.scratch, 'other');
    const inSub = (...args: string[]) => repo.gitWith({ cwd: join(repo.dir, 'sub') }, ...args);
    const session = shellWork(
      repo,
      () => inSub('checkout', '--quiet', 'HEAD^'),
      () => {
        mkdirSync(other);
        repo.gitWith({ cwd: other }, 'init', '--quiet', '-b', 'main');
        for (const name of ['one', 'two']) {
          const who = ['-c', 'user.name=A', '-c', 'user.email=a@b'];
          repo.gitWith({ cwd: other }, ...who, 'commit', '--quiet', '--allow-empty', '-m', name);
        }
        repo.git('-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', other, 'sub');
        repo.commit('Add sub');
      },
    );
    repo.git('commit', '--quiet', '-am', 'Move sub');
    expectLinked(repo, session, 'sub');
    expectNothingLeft(repo, session);
  });

  variation('a binary file, whole and replaced', (repo) => {
    repo.ready();
    const session = repo.session();
    session.prompt('two pictures');
    session.edit('a.bin', 'PNG\0one\0');
    session.edit('b.bin', 'PNG\0two\0');
    session.stop();
    repo.write('b.bin', 'PNG\0mine\0');
    repo.commit('Mine', 'b.bin');
    expectNotLinked(repo, 'no-overlap');
    repo.commit('A picture', 'a.bin');
    expectLinked(repo, session, 'a.bin');
  });
});
