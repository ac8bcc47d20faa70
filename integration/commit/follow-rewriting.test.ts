import { describe, expect } from 'vitest';
import { NAMES, rebase, text, threeLinked } from '../support/command/rebase.ts';
import { amendWithout, commitWithout } from '../support/command/why.ts';
import { addWork, editor } from '../support/command/work.ts';
import { classesOf, linksOf, notedIn } from '../support/repository/links.ts';
import { onBothBuilds, variation } from '../support/repository/scenario.ts';
import type { TestRepo } from '../support/repository/test-repo.ts';

const SQUASH = `sed -i -e '2,$s/^pick/squash/' "$1"`;
const TITLE_ONLY = `printf 'All in one\\n' >"$1"`;

describe('links go along when commits are made again', () => {
  onBothBuilds('a squash of three, in a rebase: the message names all of them', (repo) => {
    const [a, b, c] = threeLinked(repo) as [string, string, string];
    expect(rebase(repo, SQUASH)).toMatchObject({ code: 0, stderr: '' });
    expect(repo.git('rev-list', '--count', 'main..HEAD')).toBe('1');
    expect(linksOf(repo)).toEqual([c, a, b]);
    expect(notedIn(repo)).toEqual([]);
    for (const name of NAMES) expect(classesOf(repo, `${name}.ts`)).toEqual(['agent:written']);
    const [row] = JSON.parse(repo.entire('log', '-1', '--json').stdout);
    expect(row.checkpoints).toEqual([c, a, b]);
    expect(JSON.parse(repo.entire('explain', 'HEAD', '--json').stdout)).toMatchObject({
      checkpoint_id: c,
      other_checkpoints: [a, b],
    });
  });

  onBothBuilds('with a message that names none: they are in its note', (repo) => {
    const ids = threeLinked(repo);
    expect(rebase(repo, SQUASH, TITLE_ONLY)).toMatchObject({ code: 0, stderr: '' });
    expect(repo.message('HEAD')).toBe('All in one');
    expect(notedIn(repo)).toEqual(ids);
    expect(linksOf(repo)).toEqual(ids);
    for (const name of NAMES) expect(classesOf(repo, `${name}.ts`)).toEqual(['agent:written']);
    // What is amended keeps all of them; a second time there is nothing to write.
    repo.git('commit', '--quiet', '--amend', '-m', 'All in one, said better');
    expect(notedIn(repo)).toEqual(ids);
    const tip = repo.git('rev-parse', 'refs/notes/entire');
    repo.run('entire', ['hooks', 'git', 'post-rewrite', 'amend'], {
      input: `${repo.git('rev-parse', 'HEAD@{1}')} ${repo.git('rev-parse', 'HEAD')}\n`,
    });
    expect(repo.git('rev-parse', 'refs/notes/entire')).toBe(tip);
  });

  variation('an autosquash keeps the message of one, and the links of both', (repo) => {
    const [a, b, c] = threeLinked(repo) as [string, string, string];
    repo.git('commit', '--quiet', '--amend', '-m', 'fixup! Add first');
    const env = { GIT_SEQUENCE_EDITOR: ':' };
    repo.gitWith({ env }, 'rebase', '--quiet', '-i', '--autosquash', 'main');
    expect(repo.git('log', '--format=%s', 'main..HEAD').split('\n')).toEqual(['Add second', 'Add first']);
    expect(linksOf(repo, 'HEAD~1')).toEqual([a, c]);
    expect(notedIn(repo, 'HEAD~1')).toEqual([c]);
    expect(linksOf(repo)).toEqual([b]);
    expect(notedIn(repo)).toEqual([]);
    for (const name of NAMES) expect(classesOf(repo, `${name}.ts`)).toEqual(['agent:written']);
  });

  variation('a fixup that replaces what it fixes is the only one left', (repo) => {
    repo.ready().git('switch', '--quiet', '-c', 'topic');
    addWork(repo, { 'a.ts': text('first') }).end();
    const first = repo.commit('Add a', 'a.ts');
    addWork(repo, { 'a.ts': text('second') }).end();
    const second = repo.commit('fixup! Add a', 'a.ts') as string;
    repo.gitWith({ env: { GIT_SEQUENCE_EDITOR: ':' } }, 'rebase', '--quiet', '-i', '--autosquash', 'main');
    expect(repo.checkpointOf('HEAD')).toBe(first); // the message of the first says so
    expect(notedIn(repo)).toEqual([second]);
    expect(classesOf(repo, 'a.ts')).toEqual(['agent:written']);
  });

  variation('a reword that loses the trailer', (repo) => {
    const [a, b, c] = threeLinked(repo) as [string, string, string];
    expect(rebase(repo, `sed -i -e '2s/^pick/reword/' "$1"`, TITLE_ONLY).code).toBe(0);
    expect(repo.git('log', '--format=%s', 'main..HEAD').split('\n')).toEqual([
      'Add third',
      'All in one',
      'Add first',
    ]);
    expect(linksOf(repo, 'HEAD~1')).toEqual([b]);
    expect(notedIn(repo, 'HEAD~1')).toEqual([b]);
    expect([linksOf(repo), linksOf(repo, 'HEAD~2')]).toEqual([[c], [a]]);
  });

  variation('the same without the merge backend, and onto other work', (repo) => {
    const ids = threeLinked(repo);
    repo.git('switch', '--quiet', 'main');
    repo.write('mine.txt', 'mine\n');
    repo.commit('Mine', 'mine.txt');
    repo.git('switch', '--quiet', 'topic');
    repo.git('rebase', '--quiet', '--apply', 'main');
    expect([0, 1, 2].map((back) => linksOf(repo, `HEAD~${back}`))).toEqual(
      ids.toReversed().map((id) => [id]),
    );
    expect(repo.tryGit('rev-parse', '--verify', '--quiet', 'refs/notes/entire').code).toBe(1);
  });

  variation('an amend that takes the work out takes the link of it out', (repo) => {
    threeLinked(repo);
    expect(rebase(repo, SQUASH, TITLE_ONLY).code).toBe(0);
    const [a, b] = notedIn(repo);
    repo.git('rm', '--quiet', '--cached', 'third.ts');
    repo.git('commit', '--quiet', '--amend', '-m', 'Two of them');
    expect(notedIn(repo)).toEqual([a, b]);
  });
});

describe('what git says of commits is checked', () => {
  /** A branch whose second commit cannot be replayed on main. */
  function withConflict(repo: TestRepo): string[] {
    repo.ready().git('switch', '--quiet', '-c', 'topic');
    const ids = NAMES.slice(0, 2).map((name) => {
      addWork(repo, { [name === 'first' ? 'first.ts' : 'README.md']: text(name) }).end();
      return repo.commit(`Add ${name}`, '.') as string;
    });
    repo.git('switch', '--quiet', 'main');
    repo.write('README.md', 'written on main, by somebody else\n');
    repo.commit('Main', 'README.md');
    repo.git('switch', '--quiet', 'topic');
    return ids;
  }

  for (const backend of ['--merge', '--apply']) {
    variation(
      `a commit that is skipped since somebody else has made its change is not theirs (${backend})`,
      (repo) => {
        repo.ready();
        repo.write('a.ts', 'export {};\n');
        repo.commit('Base', 'a.ts');
        repo.git('switch', '--quiet', '-c', 'topic');
        addWork(repo, { 'a.ts': `import { theSameOfBoth } from './same.ts';\nexport {};\n` }).end();
        repo.commit('By the agent', 'a.ts');
        addWork(repo, { 'b.ts': text('other') }).end();
        repo.commit('Also', 'b.ts');
        repo.git('switch', '--quiet', 'main');
        repo.write(
          'a.ts',
          `import { theSameOfBoth } from './same.ts';\nimport { mineAlone } from './mine.ts';\nexport {};\n`,
        );
        repo.commit('By hand', 'a.ts');
        repo.git('switch', '--quiet', 'topic');
        expect(repo.run('git', ['rebase', backend, 'main']).code).not.toBe(0);
        repo.git('rebase', '--skip');
        expect(notedIn(repo, 'main')).toEqual([]);
      },
    );

    variation(`a commit that is skipped is not the one before it (${backend})`, (repo) => {
      const [a, b] = withConflict(repo) as [string, string];
      expect(repo.tryGit('rebase', '--quiet', backend, 'main').code).toBe(1);
      repo.git('rebase', '--skip');
      expect(repo.git('rev-list', '--count', 'main..HEAD')).toBe('1');
      expect(linksOf(repo)).toEqual([a]);
      expect(notedIn(repo)).not.toContain(b);
    });
  }

  variation('nor is one that comes to nothing, and one whose work came by another way', (repo) => {
    const [a, b] = withConflict(repo) as [string, string];
    expect(repo.tryGit('rebase', '--quiet', 'main').code).toBe(1);
    repo.git('checkout', '--quiet', '--ours', 'README.md');
    repo.git('add', 'README.md');
    repo.gitWith({ env: { GIT_EDITOR: ':' } }, 'rebase', '--continue');
    expect(repo.git('rev-list', '--count', 'main..HEAD')).toBe('1');
    expect(linksOf(repo)).toEqual([a]);
    expect(notedIn(repo)).not.toContain(b);
  });

  variation('a conflict that is resolved with the lines of the commit keeps its link', (repo) => {
    const [a, b] = withConflict(repo) as [string, string];
    expect(repo.tryGit('rebase', '--quiet', 'main').code).toBe(1);
    repo.write('README.md', `written on main, by somebody else\n${text('second')}`).git('add', 'README.md');
    repo.gitWith({ env: { GIT_EDITOR: editor(repo, TITLE_ONLY) } }, 'rebase', '--continue');
    expect(linksOf(repo)).toEqual([b]);
    expect(linksOf(repo, 'HEAD~1')).toEqual([a]);
  });

  /** A session's commit on one of a person, which a fixup then changes; `resolved` is what the conflict of it is resolved with. */
  function fixUp(
    repo: TestRepo,
    mine: string,
    work: string,
    { resolved, byCommit = false }: { resolved: string; byCommit?: boolean },
  ): string {
    repo.ready().git('switch', '--quiet', '-c', 'topic');
    const write = (...texts: string[]): TestRepo => repo.write('a.ts', texts.join(''));
    write(mine, '// begun\n').git('add', 'a.ts');
    commitWithout(repo, 'Begun', 'a.ts');
    const session = addWork(repo, { 'a.ts': `${mine}${text('first')}// begun\n${work}` });
    const id = repo.commit('Work', 'a.ts') as string;
    session.end();
    const all = [mine, text('first'), '// begun, and changed\n', work];
    write(...all).git('add', 'a.ts');
    repo.git('commit', '--quiet', '--fixup', 'HEAD~1');
    const env = { GIT_SEQUENCE_EDITOR: 'true', GIT_EDITOR: 'true' };
    expect(repo.run('git', ['rebase', '--quiet', '-i', '--autosquash', 'main'], { env }).code).toBe(1);
    write(mine, resolved, '// begun, and changed\n').git('add', 'a.ts');
    if (byCommit) repo.gitWith({ env }, 'commit', '--quiet', '--amend', '--no-edit');
    expect(repo.run('git', ['rebase', '--continue'], { env }).code).toBe(1);
    write(...all).git('add', 'a.ts');
    repo.gitWith({ env }, 'rebase', '--continue');
    expect(linksOf(repo)).toEqual([id]);
    return id;
  }

  for (const byCommit of [false, true])
    variation(
      `a conflict that brings a line of a later commit into one before it, ended by git ${byCommit ? 'commit' : 'rebase'}`,
      (repo) => {
        const work = `${text('second')}${text('third')}`;
        const id = fixUp(repo, '', work, { resolved: text('first'), byCommit });
        expect(linksOf(repo, 'HEAD~1')).toEqual([id]);
      },
    );

  variation('no line of a later commit that the one before it had itself', (repo) => {
    fixUp(repo, text('same'), `${text('second')}${text('same')}`, { resolved: '' });
    expect(linksOf(repo, 'HEAD~1')).toEqual([]);
  });

  variation('a commit that is split: the part that has its lines', (repo) => {
    repo.ready().git('switch', '--quiet', '-c', 'topic');
    repo.write('other.ts', 'export const other = 1;\n');
    addWork(repo, { 'a.ts': text('first') }).end();
    const id = repo.commit('Add both', 'a.ts', 'other.ts') as string;
    expect(rebase(repo, `sed -i -e '1s/^pick/edit/' "$1"`).code).toBe(0);
    repo.git('reset', '--quiet', 'HEAD^');
    for (const path of ['other.ts', 'a.ts']) {
      repo.git('add', path);
      repo.git('commit', '--quiet', '-m', `Add ${path}`);
    }
    repo.git('rebase', '--continue');
    expect(repo.git('log', '--format=%s', 'main..HEAD').split('\n')).toEqual(['Add a.ts', 'Add other.ts']);
    expect(linksOf(repo)).toEqual([id]);
    expect(linksOf(repo, 'HEAD~1')).toEqual([]);
  });

  variation('an id that was only copied into a message goes nowhere', (repo) => {
    const [a] = threeLinked(repo) as [string];
    repo.write('mine.txt', 'nothing but words of my own\n');
    commitWithout(repo, `Mine\n\nEntire-Checkpoint: ${a}\n\nmore`, 'mine.txt');
    const old = repo.git('rev-parse', 'HEAD');
    amendWithout(repo, 'Mine alone');
    const made = repo.git('rev-parse', 'HEAD');
    repo.run('entire', ['hooks', 'git', 'post-rewrite', 'amend'], { input: `${old} ${made}\n` });
    expect(notedIn(repo)).toEqual([]);
  });

  variation('a list that is none, and commits that are not here', (repo) => {
    threeLinked(repo);
    const nobody = 'f'.repeat(40);
    const head = repo.git('rev-parse', 'HEAD');
    for (const input of [
      '',
      '\n\n',
      'x y\n',
      `${head}\n`,
      `${nobody} ${head}\n`,
      `${head} ${nobody}\n`,
      `${head} ${head}\n`,
      `{"a": [`,
    ]) {
      const ran = repo.run('entire', ['hooks', 'git', 'post-rewrite', 'rebase'], { input });
      expect(ran, input).toEqual({ code: 0, stdout: '', stderr: '' });
    }
    expect(repo.tryGit('rev-parse', '--verify', '--quiet', 'refs/notes/entire').code).toBe(1);
  });
});
