import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { goBack, temporary, turns } from '../support/command/rewind.ts';
import { addWork, commitStaged, expectLinked, expectNotLinked } from '../support/command/work.ts';
import { variation } from '../support/repository/scenario.ts';
import type { TestRepo } from '../support/repository/test-repo.ts';

const firstOf = (repo: TestRepo, sessionId: string): string =>
  temporary(repo).findLast(({ session_id: id }) => id === sessionId)?.id as string;

/** Steps whose branch was made anew have whole seconds. */
const aMoment = () => new Promise((done) => setTimeout(done, 1_050));

describe('going back leaves what is none of its business', () => {
  variation('what another session wrote before the point, in a turn that ended after it', async (repo) => {
    repo.ready();
    const other = repo.session();
    other.prompt('x');
    other.edit('x.txt', 'x\n');
    await aMoment();
    const own = turns(repo, { 'a.txt': 'v1\n' });
    await aMoment();
    other.edit('y.txt', 'y\n');
    other.stop();
    addWork(repo, { 'a.txt': 'v2\n' }, own);
    const { stderr } = goBack(repo, firstOf(repo, own.id));
    expect(stderr).toContain(`What session ${other.id} (Claude Code) did since then`);
    expect([repo.exists('x.txt'), repo.exists('y.txt'), repo.read('a.txt')]).toEqual([true, false, 'v1\n']);
  });

  variation('what another session has in hand, and wrote before the point', (repo) => {
    repo.ready();
    const other = addWork(repo, { 'd.txt': 'one\ntwo\nthree\n' });
    repo.entire('undo');
    repo.entire('redo'); // its work again, by name
    const own = addWork(repo, { 'd.txt': 'one\nours\nthree\n' });
    const point = firstOf(repo, own.id);
    addWork(repo, { 'd.txt': 'one\nours\nand more\n' }, own);
    expect(goBack(repo, point).stderr).not.toContain(other.id);
    expect(repo.read('d.txt')).toBe('one\nours\nthree\n');
  });

  variation('undo and redo of what a commit has: what is written there later is nobody’s work', (repo) => {
    repo.ready();
    repo.write('e.txt', 'one\ntwo\nthree\n');
    repo.commit('Mine', 'e.txt');
    const session = addWork(repo, { 'e.txt': 'two\nthree\nfour\n' });
    repo.commit('Theirs', 'e.txt');
    expectLinked(repo, session, 'e.txt');
    repo.entire('undo');
    repo.entire('redo');
    repo.write('e.txt', 'three\nfour\nmine\n');
    repo.commit('Mine again', 'e.txt');
    expectNotLinked(repo, 'no-overlap');
  });

  variation('a commit leaves nothing in hand of lines that another session added, and had undone', (repo) => {
    repo.ready();
    const session = addWork(repo, { 'b.txt': 'one\ntwo\n' });
    const other = addWork(repo, { 'b.txt': 'one\ntwo\nof the other\n' });
    repo.entire('undo', '--session', other.id);
    expect(repo.read('b.txt')).toBe('one\ntwo\n');
    repo.commit('All there is', 'b.txt');
    expectLinked(repo, session, 'b.txt');
    expect(repo.state(session.id).files_touched ?? []).toEqual([]);
    repo.git('mv', 'b.txt', 'c.txt');
    repo.commit('Moved', 'c.txt');
    expectNotLinked(repo, 'no-overlap');
  });

  for (const when of ['in a turn', 'after it'])
    variation(
      `undo ${when} of what is staged: the commit of that is the session's, as it is its work`,
      (repo) => {
        repo.ready();
        const session = repo.session();
        session.prompt('write');
        session.edit('README.md', `${repo.read('README.md')}by the agent\n`);
        session.edit('new.txt', 'new\n');
        if (when === 'after it') session.stop();
        repo.git('add', 'README.md', 'new.txt');
        repo.entire('undo', '--session', session.id);
        expect([repo.read('README.md').includes('agent'), repo.exists('new.txt')]).toEqual([false, false]);
        commitStaged(repo);
        expectLinked(repo, session, 'README.md', 'new.txt');
      },
    );

  variation('undo beside what the user had staged: the commit of that is nobody’s', (repo) => {
    repo.ready();
    repo.write('README.md', '# demo\nmine\n');
    repo.git('add', 'README.md');
    repo.write('README.md', '# demo\nmine\nmore of mine\n');
    addWork(repo, { 'README.md': '# demo\nmine\nmore of mine\nby the agent\n' });
    repo.entire('undo');
    repo.gitWith({ env: { ENTIRE_TEST_TTY: '1' } }, 'commit', '--quiet', '-m', 'Mine');
    expectNotLinked(repo, 'no-overlap');
  });

  for (const [path, before] of [
    ['README.md', '# demo\nmine, before\n'],
    ['notes.txt', 'mine one\nmine two\n'],
  ] as const)
    variation(`undo of a turn in ${path}, which had lines of the user's: those are nobody's work`, (repo) => {
      repo.ready();
      repo.write(path, before);
      const session = addWork(repo, { [path]: `${before}by the agent\n` });
      repo.entire('undo');
      expect(repo.read(path)).toBe(before);
      expect(repo.entire('status').stdout).not.toContain('not committed yet');
      repo.commit('Mine', path);
      expectNotLinked(repo, 'no-overlap');
      repo.entire('redo'); // over a commit: its work again
      expect(repo.read(path)).toBe(`${before}by the agent\n`);
      repo.commit('Theirs', path);
      expectLinked(repo, session, path);
    });
});

variation(
  'undo asks nobody beside a session that was interrupted, whatever its client wrote then',
  (repo) => {
    repo.ready();
    const busy = repo.session();
    busy.prompt('x');
    busy.edit('b.txt', 'b\n');
    const say = (content: unknown) => busy.write({ type: 'user', message: { role: 'user', content } });
    say([{ type: 'text', text: '[Request interrupted by user]' }]);
    addWork(repo, { 'a.txt': 'a\n' });
    expect(repo.tryEntire('undo', '--dry-run').code).toBe(0);
    say(
      '<command-name>/cost</command-name>\n<command-message>cost</command-message>\n<command-args></command-args>',
    );
    say('<local-command-stdout>Total cost: $0.1</local-command-stdout>');
    expect(repo.tryEntire('undo', '--dry-run').code).toBe(0);
  },
);

variation('before the first commit each prompt begins a step of its own', (repo) => {
  repo.init();
  repo.entire('enable', '--agent', 'claude-code');
  const session = repo.session();
  session.prompt('first');
  session.edit('a.txt', 'a\n');
  session.prompt('second');
  session.edit('b.txt', 'b\n');
  session.stop();
  const { stdout } = repo.entire('undo', '--list');
  expect(stdout).not.toContain('broken off');
  const { undo } = JSON.parse(repo.entire('undo', '--list', '--json').stdout);
  expect(undo.map(({ files }: { files: string[] }) => files)).toEqual([['b.txt'], ['a.txt']]);
  repo.entire('undo');
  expect([repo.exists('a.txt'), repo.exists('b.txt')]).toEqual([true, false]);
});

variation(
  'a commit with a name that the disk refuses is linked, beside a session whose shell ran',
  (repo) => {
    repo.ready();
    const session = repo.session();
    session.prompt('go');
    session.edit('a.txt', 'a\n');
    session.shell(() => {});
    const oid = repo.git('rev-parse', 'HEAD:README.md');
    repo.git('add', 'a.txt');
    repo.git('update-index', '--add', '--cacheinfo', `100644,${oid},${'n'.repeat(300)}`);
    repo.git('commit', '--quiet', '-m', 'Long');
    expect(repo.verdict()).toMatchObject({ reason: 'linked', sessions: [session.id] });
  },
);

variation('uninstalling leaves the bytes of the user’s own exclude list', (repo) => {
  repo.ready();
  const file = join(repo.commonDir, 'info', 'exclude');
  mkdirSync(join(repo.commonDir, 'info'), { recursive: true });
  const bytes = Buffer.from('# mine\nf\xe9.log\n', 'latin1');
  writeFileSync(file, bytes);
  addWork(repo, { 'a.txt': 'a\n' });
  expect(readFileSync(file, 'latin1')).toContain('/.entire/tmp/\n');
  repo.entire('disable', '--uninstall', '--force');
  expect(readFileSync(file)).toEqual(bytes);
});

variation(
  'what a shell wrote in a turn that the end of its session broke off is linked, and the agent’s',
  (repo) => {
    repo.ready();
    const session = repo.session();
    session.prompt('go');
    session.edit('a.txt', 'by a tool\n');
    session.shell(() => repo.write('shell.txt', 'by the shell of the agent\n'));
    session.end(); // Ctrl-C: no stop comes
    expect(repo.entire('status').stdout).toContain('a.txt, shell.txt');
    const id = repo.commit('Shell', 'shell.txt') as string;
    expect(repo.verdict()).toMatchObject({ reason: 'linked', checkpoint: id, sessions: [session.id] });
    const { counts } = JSON.parse(repo.entire('blame', 'shell.txt', '--json').stdout);
    expect(counts).toMatchObject({ human: 0 });
  },
);

variation('a pause in a turn, after a commit in it: undo leaves what is private', (repo) => {
  repo.ready();
  const session = repo.session();
  session.prompt('go');
  session.edit('a.txt', 'a\n');
  session.shell(() => repo.write('shell.txt', 'partial\n'));
  repo.commit('In the turn', 'a.txt', 'shell.txt');
  repo.entire('pause');
  repo.write('private.txt', 'private\n').write('README.md', 'private\n');
  const listed = () => repo.entire('undo', '--list').stdout;
  expect(listed()).not.toMatch(/private\.txt|README/);
  repo.tryEntire('undo', '--dry-run');
  repo.tryEntire('undo');
  expect([repo.read('private.txt'), repo.read('README.md')]).toEqual(['private\n', 'private\n']);
  repo.entire('pause', '--end');
  expect(listed()).not.toMatch(/private\.txt|README/);
  repo.tryEntire('undo');
  expect([repo.read('private.txt'), repo.read('README.md')]).toEqual(['private\n', 'private\n']);
});

variation('a step that a rewind of another session made again is gone back to after an undo', (repo) => {
  repo.ready();
  const own = turns(repo, { 'a.txt': 'v1\n' }, { 'a.txt': 'v2\n' });
  const other = turns(repo, { 'b.txt': 'w1\n' }, { 'b.txt': 'w2\n' });
  const before = temporary(repo).map(({ id }) => id);
  goBack(repo, firstOf(repo, own.id), '--session-only');
  const points = temporary(repo).filter(({ session_id: id }) => id === other.id);
  for (const { id } of points) expect(before).not.toContain(id);
  repo.entire('undo', '--steps', '2', '--session', other.id);
  expect(repo.exists('b.txt')).toBe(false);
  for (const [at, content] of ['w2\n', 'w1\n'].entries()) {
    expect(goBack(repo, points[at]?.id as string).stderr).toContain('Restored: b.txt');
    expect(repo.read('b.txt')).toBe(content);
  }
});

variation('a step of a turn without a record of its own is as old as it is', async (repo) => {
  repo.ready();
  const own = addWork(repo, { 'a.txt': 'v1\n' });
  const other = addWork(repo, { 'b.txt': 'w1\n' });
  repo.entire('undo', '--session', other.id);
  repo.entire('redo', '--session', other.id); // before the point: what it was is known by what came after
  await aMoment();
  repo.write('a.txt', 'mine\n');
  addWork(repo, { 'a.txt': 'mine\n' }, own);
  const [point] = temporary(repo);
  addWork(repo, { 'b.txt': 'w1\nw2\n' }, other);
  const { stderr } = goBack(repo, point?.id as string);
  expect(stderr).toContain(`What session ${other.id} (Claude Code) did since then`);
  expect([repo.read('a.txt'), repo.read('b.txt')]).toEqual(['mine\n', 'w1\n']);
});
