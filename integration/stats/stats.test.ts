import { describe, expect } from 'vitest';
import { linesOf, shares, stats } from '../support/command/stats.ts';
import { onBothBuilds, variation } from '../support/repository/scenario.ts';
import type { TestRepo } from '../support/repository/test-repo.ts';

const ID = 'aaaaaaaa-1111-2222-3333-444444444444';

/** As somebody who has no hooks commits. */
const bare = (repo: TestRepo, message: string) =>
  repo.git('-c', 'core.hooksPath=/dev/null', 'commit', '--quiet', '--all', '-m', message);

/** Some days of two persons and a session: what each commit adds stands beside it. */
function history(repo: TestRepo): void {
  repo.ready();
  const session = repo.session(ID);
  session.start();
  session.prompt('make a');
  session.edit('src/a.ts', linesOf('Agent', 10));
  session.stop();
  repo.write('src/b.ts', linesOf('Person', 5));
  repo.commit('Add a and b', 'src'); // 10 of the agent, 5 by hand
  repo.write('src/b.ts', linesOf('Person', 5) + linesOf('Second', 3));
  repo.commit('More of b', 'src/b.ts'); // 3 by hand
  repo.git('mv', 'src/a.ts', 'src/main.ts');
  repo.commit('Rename'); // none
  repo.write('src/main.ts', repo.read('src/main.ts').replaceAll(/^/gm, '  ').trimEnd().concat('\n'));
  repo.commit('Indent', 'src/main.ts'); // 10 of the agent, once more
  repo.git('config', 'user.name', 'Bob');
  repo.git('config', 'user.email', 'bob@example.com');
  repo.git('switch', '--quiet', '--create', 'feature');
  session.prompt('make c');
  session.edit('src/c.ts', linesOf('Cee', 7));
  session.stop();
  repo.commit('Add c', 'src/c.ts'); // 7 of the agent
  const rows = repo.read('src/c.ts').split('\n');
  repo.write('src/d.ts', `${rows.slice(0, 3).join('\n')}\n`).write('src/c.ts', rows.slice(3).join('\n'));
  repo.commit('Split', 'src'); // 3 of the agent, moved by hand
  repo.write('src/e.ts', linesOf('Bob', 4));
  repo.commit('Add e', 'src/e.ts'); // 4 by hand
  repo.write('src/f.ts', linesOf('Nohook', 6)).git('add', '.');
  bare(repo, 'Add f'); // 6 nobody knows
  repo.git('switch', '--quiet', 'main');
  repo.write('src/g.ts', linesOf('Main', 2));
  repo.commit('Add g', 'src/g.ts'); // 2 by hand
  repo.git('switch', '--quiet', 'feature');
  repo.git('merge', '--quiet', '--no-edit', 'main');
}

describe('stats', () => {
  onBothBuilds('counts lines that were added and that survive, whoever wrote them', (repo) => {
    history(repo);
    const own = stats(repo);
    expect(own.range).toMatchObject({ kind: 'branch', name: 'feature', commits: 4, merges: 1 });
    expect(own.added).toEqual(shares(10, 4, 6));
    expect(own.surviving).toEqual(shares(7, 4, 6));
    expect(own.unknown).toEqual({ 'no-record': 6 });
    expect(own.by_person).toMatchObject([{ key: 'Bob <bob@example.com>', added: shares(10, 4, 6) }]);
    expect(own.sessions).toMatchObject([{ session_id: ID, prompts: 1, first_prompt: 'make c' }]);

    const all = stats(repo, 'HEAD~9..');
    const files = Object.fromEntries(
      all.by_file.map(({ key, added, surviving }) => [key, [added, surviving]]),
    );
    expect(files['src/main.ts']).toEqual([shares(20, 0), shares(10, 0)]); // it was src/a.ts first
    expect(Object.keys(files)).not.toContain('src/a.ts');
    expect(files['src/b.ts']).toEqual([shares(0, 8), shares(0, 8)]);
    expect(files['src/d.ts']).toEqual([shares(3, 0), shares(3, 0)]);
    expect(all.by_agent.map(({ key, added }) => [key, added.agent])).toContainEqual(['Claude Code', 30]);
    expect(all.by_session.find(({ key }) => key === ID)?.added).toEqual(shares(30, 0));
    expect(all.sessions).toMatchObject([{ prompts: 2 }]);

    const shown = repo.entire('stats').stdout;
    expect(shown).toContain(
      'Commits of feature that the default branch does not have: 4\n1 merge not counted',
    );
    expect(shown).toContain('Added:      20 lines: agent 10 (50%), human 4 (20%), unknown 6 (30%)\n');
    expect(shown).toContain('Surviving:  17 lines: agent 7 (41%), human 4 (24%), unknown 6 (35%)\n');
    expect(shown).toContain('Unknown:    6 in commits without a record\n');
    expect(repo.entire('stats', '--format', 'markdown').stdout).toBe(
      [
        '| lines | added | surviving |',
        '| --- | ---: | ---: |',
        '| Claude Code | 10 (50%) | 7 (41%) |',
        '| Bob | 4 (20%) | 4 (24%) |',
        '| unknown | 6 (30%) | 6 (35%) |',
        '',
        'Commits of feature that the default branch does not have: 4; 1 session, 1 prompt, 264 tokens. 1 merge not counted: what they merged was added by other commits.',
        '',
      ].join('\n'),
    );
  });

  variation('says where the record is not here, and where a shallow clone ends', (repo) => {
    history(repo);
    const source = repo.dir;
    for (const [name, depth] of [
      ['whole', []],
      ['cut', ['--depth', '3']],
    ] as const) {
      repo.dir = `${repo.scratch}/${name}`;
      const what = ['--quiet', '--single-branch', '--branch', 'feature', ...depth];
      repo.gitWith({ cwd: source }, 'clone', ...what, `file://${source}`, repo.dir);
      const found = stats(repo, 'HEAD');
      if (name === 'whole') {
        expect(found.missing_checkpoints).toBeGreaterThan(0);
        expect(found.added).toMatchObject({ agent: 0, human: 0 });
        expect(found.unknown).toMatchObject({ 'checkpoint-missing': 35 });
        expect(repo.entire('stats', 'HEAD').stdout).toContain('not in this clone: run `entire fetch`.');
      } else {
        expect(found.range.cut_off).toBeGreaterThan(0);
        expect(found.by_file.map(({ key }) => key)).not.toContain('README.md');
        expect(repo.entire('stats', 'HEAD').stdout).toContain('this clone is shallow and ends there');
        const old = repo.run('entire', ['stats', 'HEAD~9..']);
        expect(old).toMatchObject({ code: 1, stderr: expect.stringContaining('This clone is shallow') });
        repo.gitWith(
          { cwd: source },
          'clone',
          ...what.slice(0, -1),
          '1',
          `file://${source}`,
          `${repo.dir}-1`,
        );
        repo.dir += '-1';
        expect(repo.entire('stats').stdout).toMatch(/^No commits of feature that can be counted\.\n1 commit/);
        expect(repo.entire('export', '--format', 'json').stderr).toContain('this clone is shallow');
      }
    }
  });

  variation('a prompt and its tokens count once, however many commits they led to', (repo) => {
    repo.ready();
    const session = repo.session(ID);
    session.start();
    const ask = (prompt: string, ...files: string[]) => {
      session.prompt(prompt);
      for (const file of files) session.edit(file, linesOf(file.slice(0, -3), 3));
      session.stop();
    };
    ask('what is this');
    ask('go on');
    ask('go on');
    ask('make both', 'one.ts', 'two.ts');
    repo.commit('One', 'one.ts');
    const first = stats(repo, 'HEAD~1..').sessions;
    expect(first).toMatchObject([{ session_id: ID, prompts: 4 }]);
    repo.commit('Two', 'two.ts');
    expect(stats(repo, 'HEAD~2..').sessions).toEqual(first);
    // What comes after them does count, and what a later commit left of it does not once more.
    ask('go on', 'three.ts', 'four.ts');
    repo.commit('Three', 'three.ts');
    const both = stats(repo, 'HEAD~3..').sessions;
    expect(both).toMatchObject([{ prompts: 5 }]);
    const tokens = (found: typeof first) => Object.values(found[0]?.token_usage ?? {});
    expect(Math.max(...tokens(both))).toBeGreaterThan(Math.max(...tokens(first)));
    repo.commit('Four', 'four.ts');
    expect(stats(repo, 'HEAD~4..').sessions).toEqual(both);
  });

  variation('reads whatever names and texts there are', (repo) => {
    repo.ready();
    const session = repo.session(ID);
    session.prompt('odd ones');
    const odd = ['a "quoted" name.ts', 'tab\tname.ts', 'ünïcode 検索.ts', 'back\\slash.ts', ' blank.ts '];
    for (const [at, name] of odd.entries()) session.edit(name, linesOf(`Odd${at}`, 2));
    const like = '+++ b/other.ts\n--- a/other.ts\ndiff --git a/x b/x\n@@ -1 +1 @@ text\n\\ No newline\n-- \n';
    session.edit('like.patch', like);
    session.edit('crlf.txt', linesOf('Crlf', 3).replaceAll('\n', '\r\n'));
    session.edit('unended.txt', linesOf('Unended', 2).trimEnd());
    session.stop();
    repo.write('blob.bin', '\0\u0001\0').write('empty.txt', '');
    repo.commit('Odd', '.');
    const { by_file: files, added } = stats(repo, 'HEAD~1..');
    const byName = Object.fromEntries(files.map(({ key, added: { agent } }) => [key, agent]));
    expect(byName).toEqual({
      ...Object.fromEntries(odd.map((name) => [name, 2])),
      ...{ 'like.patch': 6, 'crlf.txt': 3, 'unended.txt': 2 },
    });
    expect(added).toEqual(shares(21, 0));
    const text = repo.entire('stats', 'HEAD~1..', '--by', 'file', '--format', 'markdown').stdout;
    expect(text).toContain('| back\\\\slash.ts | 2 | 2 (100%) | 0 (0%) | 0 (0%) | 2 |');
  });

  variation(
    'counts the newest of the default branch, names people by .mailmap, and refuses what is no range',
    (repo) => {
      repo.ready();
      const dates = { GIT_AUTHOR_DATE: '2025-12-31T23:59:00+0100' };
      repo
        .write('old.txt', linesOf('Old', 1))
        .write('.mailmap', 'Ada Lovelace <ada@new.example> <ada@example.com>\n');
      repo.git('add', '.');
      repo.gitWith({ env: dates }, 'commit', '--quiet', '-m', 'Old');
      const found = stats(repo);
      expect(found.range).toMatchObject({ kind: 'newest', name: 'main', commits: 3, has_more: false });
      expect(found.by_month.map(({ key }) => key)).toEqual(['2025-12', '2026-01']);
      expect(found.by_person.map(({ key }) => key)).toEqual(['Ada Lovelace <ada@new.example>']);
      for (let at = 0; at < 100; at++)
        repo.git('-c', 'core.hooksPath=/dev/null', 'commit', '--quiet', '--allow-empty', '-m', `${at}`);
      expect(stats(repo).range).toMatchObject({ commits: 100, has_more: true });
      expect(repo.entire('stats').stdout).toContain('These commits add no lines.');
      for (const word of ['nowhere..main', '--all', ''])
        expect(repo.tryEntire('stats', word).code, word).not.toBe(0);
      expect(repo.tryEntire('stats', 'nowhere..main').stderr).toContain(
        'no such range of commits: nowhere..main',
      );
      expect(repo.tryEntire('stats', '--by', 'day').code).toBe(2);
      expect(stats(repo, 'main~5...main~2').range.commits).toBe(3);
    },
  );

  variation('has nothing to say of a repository without commits, and of a branch without its own', (repo) => {
    repo.init();
    expect(repo.entire('stats').stdout).toBe('No commits yet.\n');
    repo.write('a.txt', 'a\n').git('add', '.');
    repo.git('commit', '--quiet', '-m', 'Begin');
    repo.git('switch', '--quiet', '--create', 'feature');
    expect(repo.entire('stats').stdout).toContain(
      'feature has no commits that the default branch does not have.',
    );
    expect(stats(repo, 'HEAD').added).toEqual(shares(0, 0, 1));
  });
});
