import { mkdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { goBack, stepOf, temporary, turns } from '../support/command/rewind.ts';
import { addWork, commitStaged, expectLinked, expectNotLinked } from '../support/command/work.ts';
import { variation } from '../support/repository/scenario.ts';
import type { TestRepo } from '../support/repository/test-repo.ts';

describe('after a step back a file is a session’s work by what it holds', () => {
  for (const when of ['in a turn', 'after it'])
    variation(`staged, undone ${when}, and unstaged: the user’s own lines are nobody’s`, (repo) => {
      repo.ready();
      const session = repo.session();
      session.prompt('write');
      session.edit('README.md', `${repo.read('README.md')}by the agent\n`);
      if (when === 'after it') session.stop();
      repo.git('add', 'README.md');
      repo.entire('undo', '--session', session.id);
      repo.git('reset', '-q');
      session.end();
      repo.write('README.md', `${repo.read('README.md')}mine alone\n`);
      repo.commit('Mine', 'README.md');
      expectNotLinked(repo, 'no-overlap');
    });

  variation('staged and undone before the first commit: that is the session’s', (repo) => {
    repo.init();
    repo.entire('enable', '--agent', 'claude-code');
    const session = addWork(repo, { 'new.txt': 'new\n', 'b.txt': 'b\n' });
    repo.git('add', 'new.txt');
    repo.entire('undo', '--session', session.id);
    expect(repo.exists('new.txt')).toBe(false);
    commitStaged(repo);
    expect(repo.message('HEAD')).toContain('Entire-Checkpoint');
  });

  variation('a name that git takes for a stage of another file', (repo) => {
    repo.ready();
    const session = addWork(repo, { '1:x.txt': 'new\n' });
    repo.git('add', '1:x.txt');
    repo.entire('undo');
    commitStaged(repo);
    expectLinked(repo, session, '1:x.txt');
  });

  const withAttributes = (repo: TestRepo, content: string): void => {
    repo.ready();
    repo.write('.gitattributes', '* text eol=crlf\n').write('r.txt', content);
    repo.commit('Begin', '.gitattributes', 'r.txt');
  };

  variation('with the line ends of Windows: staged, and undone', (repo) => {
    withAttributes(repo, '# demo\r\n');
    const session = addWork(repo, { 'r.txt': '# demo\r\nby the agent\r\n' });
    repo.git('add', 'r.txt');
    repo.entire('undo');
    commitStaged(repo);
    expectLinked(repo, session, 'r.txt');
  });

  variation('with the line ends of Windows: what the user staged beside it', (repo) => {
    withAttributes(repo, 'a\r\nb\r\n');
    repo.write('r.txt', 'a\r\nb\r\nmine\r\n');
    repo.git('add', 'r.txt');
    addWork(repo, { 'r.txt': 'a\r\nmine\r\n' });
    repo.entire('undo');
    commitStaged(repo);
    expectNotLinked(repo, 'no-overlap');
  });

  for (const again of [false, true])
    variation(
      `over a commit with a line of the user’s${again ? ', and another commit of theirs' : ''}`,
      (repo) => {
        repo.ready();
        const session = addWork(repo, { 'a.txt': 'by the agent\n' });
        if (again) repo.commit('Theirs', 'a.txt');
        repo.write('a.txt', 'by the agent\nmine at once\n');
        repo.commit('And mine', 'a.txt');
        repo.write('a.txt', 'by the agent\nmine at once\nmine\n');
        addWork(repo, { 'a.txt': 'by the agent\nmine at once\nmine\nby the agent again\n' }, session);
        repo.entire('undo');
        expect(repo.entire('status').stdout).not.toContain('not committed yet');
        repo.commit('Mine', 'a.txt');
        expectNotLinked(repo, 'no-overlap');
      },
    );
});

describe('a part of a rewind with another session along', () => {
  variation('is undone and redone: the user’s lines in its file are nobody’s', (repo) => {
    repo.ready();
    repo.write('x.txt', 'one\n').commit('X', 'x.txt');
    turns(repo, { 'a.txt': 'v1\n' }, { 'a.txt': 'v2\n' });
    repo.write('x.txt', 'one\nmine\n');
    addWork(repo, { 'x.txt': 'one\nmine\nother\n' });
    goBack(repo, stepOf(temporary(repo), 'Turn 1').id);
    repo.entire('undo', '--files', 'x.txt');
    expect(repo.read('x.txt')).toBe('one\nmine\nother\n');
    repo.entire('redo');
    expect(repo.read('x.txt')).toBe('one\nmine\n');
    expect(repo.entire('status').stdout).not.toMatch(/not committed yet:.*x\.txt/);
    repo.commit('Mine', 'x.txt');
    expectNotLinked(repo, 'no-overlap');
  });

  variation('and of its own: what a part of it brought back is linked', (repo) => {
    repo.ready();
    const session = turns(repo, { 'a.txt': 'v1\n' }, { 'a.txt': 'v2\n', 'b.txt': 'b\n' });
    goBack(repo, stepOf(temporary(repo), 'Turn 1').id);
    repo.entire('undo', '--files', 'b.txt');
    repo.commit('B', 'b.txt');
    expectLinked(repo, session, 'b.txt');
  });

  variation('is undone twice, in two rewinds: it is the work of whoever wrote it', (repo) => {
    repo.ready();
    const own = turns(repo, { 'a.txt': 'v1\n' }, { 'a.txt': 'v2\n' });
    const other = addWork(repo, { 'x.txt': 'x\n' });
    const point = stepOf(temporary(repo), 'Turn 1').id;
    goBack(repo, point);
    repo.entire('undo', '--files', 'x.txt');
    addWork(repo, { 'a.txt': 'v3\n' }, own);
    goBack(repo, point);
    repo.entire('undo', '--files', 'x.txt');
    repo.commit('X', 'x.txt');
    expectLinked(repo, other, 'x.txt');
  });
});

describe('what another session wrote over it, and had undone, takes nothing out of a session’s hands', () => {
  for (const [kind, content] of [
    ['a text', 'base\none\ntwo\n'],
    ['no text', 'base\0one\n'],
  ] as const)
    variation(`that lies in a stash while something else is committed: ${kind}`, (repo) => {
      repo.ready();
      repo.write('a.txt', 'base\n').commit('Base', 'a.txt');
      const session = addWork(repo, { 'a.txt': content, 'g.txt': 'g\n' });
      const other = addWork(repo, { 'a.txt': `${content}of the other\n` });
      repo.entire('undo', '--session', other.id);
      expect(repo.read('a.txt')).toBe(content);
      repo.git('stash', 'push', '--quiet', 'a.txt');
      repo.commit('G', 'g.txt');
      expectLinked(repo, session, 'g.txt');
      repo.git('stash', 'pop', '--quiet');
      repo.commit('A', 'a.txt');
      expectLinked(repo, session, 'a.txt');
    });

  variation('that is committed in two parts', (repo) => {
    repo.ready();
    const session = addWork(repo, { 'a.txt': 'one\ntwo\nthree\n' });
    const other = addWork(repo, { 'a.txt': 'one\ntwo\nthree\nof the other\n' });
    repo.entire('undo', '--session', other.id);
    repo.write('a.txt', 'one\n');
    repo.commit('One', 'a.txt');
    expectLinked(repo, session, 'a.txt');
    repo.write('a.txt', 'one\ntwo\nthree\n');
    repo.commit('The rest', 'a.txt');
    expectLinked(repo, session, 'a.txt');
  });
});

variation(
  'a file that a shell moved comes back, though some session took it away once, before the turn',
  (repo) => {
    repo.ready();
    repo.write('old/x', 'one\ntwo\n').write('old/y', 'y\n').commit('Begin', 'old');
    const before = repo.session();
    before.prompt('remove it');
    before.edit('c.txt', 'c\n');
    before.shell(() => rmSync(join(repo.dir, 'old/x')));
    before.stop();
    before.end();
    repo.git('checkout', '-q', '--', 'old/x');
    const [a, b] = [repo.session(), repo.session()];
    addWork(repo, { 'old/x': 'one\ntwo\nthree\n' }, b);
    a.prompt('move it');
    b.prompt('think');
    a.shell(() => {
      mkdirSync(join(repo.dir, 'new'));
      renameSync(join(repo.dir, 'old/x'), join(repo.dir, 'new/x'));
    });
    a.stop();
    repo.tryEntire('undo', '--session', a.id);
    expect([repo.exists('new/x'), repo.exists('old/x')]).toEqual([false, true]);
  },
);

variation('an undo of which the content of an older turn is gone ends as any other', (repo) => {
  repo.ready();
  const session = addWork(repo, { 'a.txt': 'first\n' });
  repo.commit('Theirs', 'a.txt');
  repo.write('a.txt', 'mine\n');
  addWork(repo, { 'a.txt': 'mine\nagain\n' }, session);
  const find = `find .git/entire/snapshots -name "*$(printf 'first\\n' | sha256sum | cut -c3-64)*" -print -delete`;
  expect(repo.run('sh', ['-c', find]).stdout).not.toBe('');
  repo.entire('undo');
  expect(repo.read('a.txt')).toBe('mine\n');
});

variation(
  'a rewind leaves out of a file what another session wrote there and had undone before the point',
  (repo) => {
    repo.ready();
    const session = addWork(repo, { 'd.txt': 'one\ntwo\n' });
    const other = addWork(repo, { 'd.txt': 'one\nof the other\ntwo\n' });
    repo.entire('undo', '--session', other.id);
    addWork(repo, { 'c.txt': 'c\n' }, session);
    const point = stepOf(temporary(repo), 'Write c.txt').id;
    addWork(repo, { 'd.txt': 'one\ntwo\nthree\n' }, session);
    goBack(repo, point);
    expect(repo.read('d.txt')).toBe('one\ntwo\n');
  },
);

variation('undo of what a shell did keeps what the user committed in the turn', (repo) => {
  repo.ready();
  repo.write('a.txt', 'one\ntwo\n').commit('Begin', 'a.txt');
  const session = repo.session();
  session.prompt('rewrite it');
  repo.write('a.txt', 'one\nmine\ntwo\n');
  repo.commit('Mine', 'a.txt');
  session.shell(() => repo.write('a.txt', 'one\nmine\ntwo\nby the agent\n').write('b.txt', 'b\n'));
  session.stop();
  repo.entire('undo');
  expect([repo.read('a.txt'), repo.exists('b.txt')]).toEqual(['one\nmine\ntwo\n', false]);
});

variation('undo of what a shell did and the agent committed takes back what it committed', (repo) => {
  repo.ready();
  repo.write('a.txt', 'one\n').commit('Begin', 'a.txt');
  const session = repo.session();
  session.prompt('rewrite it, and commit');
  session.shell(() => repo.write('a.txt', 'one\nby the agent\n'));
  repo.gitWith(
    { env: { ENTIRE_TEST_TTY: '0', CLAUDECODE: '1', CLAUDE_CODE_SESSION_ID: session.id } },
    'commit',
    '--quiet',
    '--all',
    '-m',
    'Its own',
  );
  session.shell(() => repo.write('a.txt', 'one\nby the agent\nand more\n'));
  session.stop();
  repo.entire('undo');
  expect(repo.read('a.txt')).toBe('one\n');
});

describe('what a running turn made of a file that an older turn made, too, stays with the session while it is in a stash', () => {
  const BASE = '1\n2\n3\n';
  const inSecondTurn = (repo: TestRepo, content: string) => {
    repo.ready();
    repo.write('f.txt', BASE).commit('Begin', 'f.txt');
    const session = addWork(repo, { 'f.txt': `${BASE}one\n` });
    repo.commit('Turn 1', 'f.txt');
    session.prompt('two');
    session.edit('f.txt', content);
    return session;
  };

  variation('that has one edit of it', (repo) => {
    const session = inSecondTurn(repo, `${BASE}one\ntwo\n`);
    session.edit('g.txt', 'g\n');
    repo.git('stash', 'push', '--quiet', '--', 'f.txt');
    repo.commit('G', 'g.txt');
    session.stop();
    repo.git('stash', 'pop', '--quiet');
    repo.commit('F', 'f.txt');
    expectLinked(repo, session, 'f.txt');
  });

  variation('of which a step was left by a commit before', (repo) => {
    const session = inSecondTurn(repo, `two\n${BASE}one\nthree\n`);
    session.edit('h.txt', 'h\n');
    repo.commit('H', 'h.txt');
    repo.git('stash', '--quiet');
    session.edit('g.txt', 'g\n');
    repo.commit('G', 'g.txt');
    session.stop();
    repo.git('stash', 'pop', '--quiet');
    repo.commit('F', 'f.txt');
    expectLinked(repo, session, 'f.txt');
  });
});
