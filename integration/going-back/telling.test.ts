import { chmodSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { goBack, stepOf, temporary, turns } from '../support/command/rewind.ts';
import { addWork, commitStaged, expectLinked, expectNotLinked } from '../support/command/work.ts';
import { variation } from '../support/repository/scenario.ts';
import type { TestRepo } from '../support/repository/test-repo.ts';

/** A repository with a file in it. */
function withFile(repo: TestRepo, path: string, content: string): void {
  repo.ready();
  repo.write(path, content).commit('Begin', path);
}

/** A turn in which a shell wrote. */
function shellTurn(repo: TestRepo, act: () => void) {
  const session = repo.session();
  session.prompt('by a shell');
  session.shell(act);
  session.stop();
  return session;
}

describe('work without a new line is a session’s after a step back, too', () => {
  for (const [what, before, after] of [
    [
      'sorted',
      "import b from 'b';\nimport a from 'a';\nx();\n",
      "import a from 'a';\nimport b from 'b';\nx();\n",
    ],
    ['indented', 'if x:\n  a()\nb()\n', 'if x:\n  a()\n  b()\n'],
    ['doubled', 'a();\nb();\n', 'a();\na();\nb();\n'],
    ['quoted otherwise', "a = 'x'\n", 'a = "x"\n'],
    ['ended as in Windows', 'a();\nb();\n', 'a();\r\nb();\r\n'],
  ] as const) {
    variation(`lines ${what}: undone and redone`, (repo) => {
      withFile(repo, 'f.py', before);
      const session = addWork(repo, { 'f.py': after });
      repo.entire('undo');
      repo.entire('redo');
      repo.commit('Work', 'f.py');
      expectLinked(repo, session, 'f.py');
    });

    variation(`lines ${what}: staged and undone`, (repo) => {
      withFile(repo, 'f.py', before);
      const session = addWork(repo, { 'f.py': after });
      repo.git('add', 'f.py');
      repo.entire('undo');
      commitStaged(repo);
      expectLinked(repo, session, 'f.py');
    });
  }

  variation('lines indented in a turn whose successor was undone', (repo) => {
    withFile(repo, 'f.py', 'if x:\n  a()\nb()\n');
    const session = addWork(repo, { 'f.py': 'if x:\n  a()\n  b()\n' });
    addWork(repo, { 'f.py': 'if x:\n  a()\n  b()\nc()\n' }, session);
    repo.entire('undo');
    repo.commit('Work', 'f.py');
    expectLinked(repo, session, 'f.py');
  });

  const toRun = (repo: TestRepo) => shellTurn(repo, () => chmodSync(join(repo.dir, 'i.sh'), 0o755));

  variation('the mode alone: undone and redone', (repo) => {
    withFile(repo, 'i.sh', 'one\n');
    const session = toRun(repo);
    repo.entire('undo');
    repo.entire('redo');
    repo.commit('Work', 'i.sh');
    expectLinked(repo, session, 'i.sh');
  });

  variation('the mode alone: staged and undone', (repo) => {
    withFile(repo, 'i.sh', 'one\n');
    const session = toRun(repo);
    repo.git('add', 'i.sh');
    repo.entire('undo');
    commitStaged(repo);
    expectLinked(repo, session, 'i.sh');
  });

  variation('one letter of a text that is not UTF-8', (repo) => {
    repo.ready();
    const write = (text: string): void => writeFileSync(join(repo.dir, 'l.txt'), Buffer.from(text, 'latin1'));
    write('caf\xe9\n');
    repo.commit('Begin', 'l.txt');
    const session = shellTurn(repo, () => write('caf\xe8\n'));
    repo.entire('undo');
    repo.entire('redo');
    repo.commit('Work', 'l.txt');
    expectLinked(repo, session, 'l.txt');
  });
});

describe('what the user made of a file is nobody’s after a step back', () => {
  variation('where it shares a brace with what was taken back', (repo) => {
    withFile(repo, 'f.js', 'a();\nb();\nc();\nd();\ne();\n');
    const session = addWork(repo, {
      'f.js': 'function x() {\n  return 1;\n}\na();\nb();\nc();\nd();\ne();\n',
    });
    repo.write('f.js', `${repo.read('f.js')}function mine() {\n  return 2;\n}\n`);
    repo.entire('undo', '--session', session.id);
    repo.commit('Mine', 'f.js');
    expectNotLinked(repo, 'no-overlap');
  });

  variation('a file that is no text', (repo) => {
    withFile(repo, 'i.bin', 'begin\0\n');
    repo.write('i.bin', 'mine\0\n');
    addWork(repo, { 'i.bin': 'by the agent\0\n' });
    repo.entire('undo');
    expect(repo.read('i.bin')).toBe('mine\0\n');
    repo.commit('Mine', 'i.bin');
    expectNotLinked(repo, 'no-overlap');
  });

  variation('a link', (repo) => {
    repo.ready();
    const link = (to: string): void => {
      rmSync(join(repo.dir, 'l'), { force: true });
      symlinkSync(to, join(repo.dir, 'l'));
    };
    link('begin');
    repo.commit('Begin', 'l');
    link('mine');
    shellTurn(repo, () => link('agent'));
    repo.entire('undo');
    repo.commit('Mine', 'l');
    expectNotLinked(repo, 'no-overlap');
  });

  variation('where they had taken out the agent’s line by hand', (repo) => {
    withFile(repo, 'x.txt', 'one\n');
    repo.write('x.txt', 'one\nmine\n');
    addWork(repo, { 'x.txt': 'one\nmine\nagent\n', 'y.txt': 'y\n' });
    repo.write('x.txt', 'one\nmine\n');
    repo.entire('undo');
    expect(repo.entire('status').stdout).not.toMatch(/not committed yet:.*x\.txt/);
    repo.commit('Mine', 'x.txt');
    expectNotLinked(repo, 'no-overlap');
  });

  variation('where a part of a rewind is done again', (repo) => {
    withFile(repo, 'x.txt', 'one\n');
    const session = turns(repo, { 'a.txt': 'v1\n' });
    repo.write('x.txt', 'one\nmine\n');
    addWork(repo, { 'a.txt': 'v2\n', 'x.txt': 'one\nmine\nagent\n' }, session);
    goBack(repo, stepOf(temporary(repo), 'Turn 1').id);
    repo.entire('undo', '--files', 'x.txt');
    repo.entire('redo');
    expect(repo.read('x.txt')).toBe('one\nmine\n');
    expect(repo.entire('status').stdout).not.toMatch(/not committed yet:.*x\.txt/);
    repo.commit('Mine', 'x.txt');
    expectNotLinked(repo, 'no-overlap');
  });
});

describe('lines that a turn took out of a file', () => {
  const LINES = Array.from({ length: 10 }, (_, at) => `line ${at}\n`);
  const TEXT = LINES.join('');
  const stage = (repo: TestRepo, text: string): void => {
    repo.write('f.txt', text).git('add', 'f.txt');
    commitStaged(repo);
  };

  for (const [what, act] of [
    ['deleted it', (repo: TestRepo) => rmSync(join(repo.dir, 'f.txt'))],
    ['wrote it anew', (repo: TestRepo) => repo.write('f.txt', 'all new\nby the agent\n')],
  ] as const)
    variation(`are not what the user changes there, where a turn ${what} and was undone`, (repo) => {
      withFile(repo, 'f.txt', TEXT);
      const session = addWork(repo, { 'f.txt': `${TEXT}by the agent\n` });
      session.prompt('again');
      session.shell(() => act(repo));
      session.stop();
      repo.entire('undo');
      expect(repo.read('f.txt')).toBe(`${TEXT}by the agent\n`);
      stage(repo, TEXT.replace('line 1', 'mine'));
      expectNotLinked(repo, 'no-overlap');
    });

  variation('in several places are its work in each of them, also when a later turn was undone', (repo) => {
    withFile(repo, 'f.txt', TEXT);
    const without = (...gone: number[]): string => LINES.filter((_, at) => !gone.includes(at)).join('');
    const session = addWork(repo, { 'f.txt': without(1, 4, 7) });
    addWork(repo, { 'f.txt': `${without(1, 4, 7)}more\n` }, session);
    repo.entire('undo');
    stage(repo, without(4));
    expectLinked(repo, session, 'f.txt');
  });
});

variation('work on the agent’s line is linked, whether or not a later turn was undone', (repo) => {
  withFile(repo, 'f.txt', 'base\n');
  const session = addWork(repo, { 'f.txt': 'base\nconst total = sum(a, b);\n' });
  addWork(repo, { 'f.txt': 'base\nconst total = sum(a, b);\nlog(total);\n' }, session);
  repo.entire('undo');
  repo.write('f.txt', 'base\nconst total = sum(a, b, c);\n');
  repo.commit('Together', 'f.txt');
  expectLinked(repo, session, 'f.txt');
});

variation(
  'what a running turn’s shell made of a file that an undo was the last to write is linked',
  (repo) => {
    withFile(repo, 'f.txt', 'base\n');
    const session = addWork(repo, { 'f.txt': 'base\nA\n' });
    addWork(repo, { 'f.txt': 'base\nA\nB\n' }, session);
    repo.entire('undo');
    session.prompt('by a shell');
    session.shell(() => repo.write('f.txt', 'base\nC\n'));
    repo.commit('By the user', 'f.txt');
    session.stop();
    expectLinked(repo, session, 'f.txt');
  },
);

variation('lines of another session that were undone are not left with who had them in its step', (repo) => {
  repo.ready();
  const [session, other] = [repo.session(), repo.session()];
  session.prompt('one');
  session.edit('g.txt', '1\n2\n3\n4\n');
  session.stop();
  other.prompt('two');
  other.edit('g.txt', '1\n2\n3\n4\n5\n6\n');
  other.stop();
  session.prompt('three');
  session.edit('g.txt', '3\n4\n5\n6\n');
  session.stop();
  repo.entire('undo', '--session', other.id);
  repo.commit('Ours', 'g.txt');
  expectLinked(repo, session, 'g.txt');
  repo.write('g.txt', '3\n4\nmine\n').commit('Mine', 'g.txt');
  expectNotLinked(repo, 'no-overlap');
});

variation('undo of an edit leaves what another session had made there since the turn began', (repo) => {
  repo.ready();
  const [session, other] = [repo.session(), repo.session()];
  session.prompt('one');
  session.shell(() => repo.write('README.md', 'by a shell\n'));
  other.prompt('two');
  other.edit('g.txt', '1\n2\n');
  repo.commit('Theirs', 'g.txt');
  session.edit('g.txt', '2\n');
  other.edit('f.txt', 'f\n');
  other.stop();
  repo.entire('undo', '--session', session.id);
  expect(repo.read('g.txt')).toBe('1\n2\n');
});

variation('an undo is not held up by what lies in the index, however large', (repo) => {
  withFile(repo, 'x.txt', 'one\n');
  repo.write('x.txt', 'one\nmine\n');
  addWork(repo, { 'x.txt': 'one\nmine\nagent\n' });
  repo.run('truncate', ['-s', '1100M', join(repo.scratch, 'big')]);
  const oid = repo.git('hash-object', '-w', join(repo.scratch, 'big'));
  repo.git('update-index', '--cacheinfo', `100644,${oid},x.txt`);
  expect(repo.tryEntire('undo').stderr).toBe('');
  expect(repo.read('x.txt')).toBe('one\nmine\n');
});
