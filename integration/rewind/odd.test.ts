import { chmodSync, mkdirSync, readlinkSync, rmSync, statSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { goBack, stepOf, temporary, turns } from '../support/command/rewind.ts';
import { scenario, variation } from '../support/repository/scenario.ts';

describe('going back where a path is something else now', () => {
  scenario('a folder, a link on its way, and a nested repository are left, and said so', (repo) => {
    repo.ready();
    turns(
      repo,
      { 'a.txt': 'v1\n', 'dir/b.txt': 'v1\n', 'nested/c.txt': 'v1\n', 'ok.txt': 'v1\n' },
      { 'a.txt': 'v2\n', 'dir/b.txt': 'v2\n', 'nested/c.txt': 'v2\n', 'ok.txt': 'v2\n' },
    );
    rmSync(join(repo.dir, 'a.txt'));
    repo.write('a.txt/inside.txt', 'mine\n');
    const elsewhere = join(repo.scratch, 'elsewhere');
    mkdirSync(elsewhere);
    repo.run('cp', [join(repo.dir, 'dir/b.txt'), elsewhere]);
    rmSync(join(repo.dir, 'dir'), { recursive: true });
    symlinkSync(elsewhere, join(repo.dir, 'dir'));
    repo.git('init', '--quiet', 'nested');
    const { stderr } = goBack(repo, stepOf(temporary(repo), 'Turn 1').id);
    expect(stderr).toContain('  Left: a.txt (it is a folder now)\n');
    expect(stderr).toContain('  Left: dir/b.txt (a folder on its way is a link now)\n');
    expect(stderr).toContain('  Left: nested/c.txt (it is in a repository of its own now)\n');
    expect(repo.read('a.txt/inside.txt')).toBe('mine\n');
    expect(repo.run('cat', [join(elsewhere, 'b.txt')]).stdout).toBe('v2\n');
    expect([repo.read('nested/c.txt'), repo.read('ok.txt')]).toEqual(['v2\n', 'v1\n']);
  });

  variation(
    'where every file that differs is left, nothing goes back, and it does not say that none differs',
    (repo) => {
      repo.ready();
      const session = turns(repo, { 'a.txt': 'v1\n' }, { 'a.txt': 'v2\n' });
      rmSync(join(repo.dir, 'a.txt'));
      repo.write('a.txt/inside.txt', 'mine\n');
      const { id } = stepOf(temporary(repo), 'Turn 1');
      const whole = session.read();
      expect(goBack(repo, id, '--dry-run').stdout).toBe(
        'Nothing would go back, the conversation neither: each file that differs is left, for the reason above.\nDry run: nothing was changed.\n',
      );
      expect(repo.tryEntire('rewind', '--to', id).stderr).toContain(
        'each file that differs from that point is left',
      );
      expect(session.read()).toBe(whole);
      expect(repo.state(session.id).checkpoint_count).toBe(2);
    },
  );

  variation('links, and whether a file can be run, are what they were', (repo) => {
    repo.ready();
    const session = repo.session();
    session.prompt('turn 1');
    session.edit('run.sh', '#!/bin/sh\n');
    session.shell(() => {
      chmodSync(join(repo.dir, 'run.sh'), 0o755);
      symlinkSync('run.sh', join(repo.dir, 'link'));
    });
    session.stop();
    session.prompt('turn 2');
    session.shell(() => {
      chmodSync(join(repo.dir, 'run.sh'), 0o644);
      rmSync(join(repo.dir, 'link'));
    });
    session.edit('link', 'a file now\n');
    session.stop();
    goBack(repo, stepOf(temporary(repo), 'Turn 1').id);
    expect(statSync(join(repo.dir, 'run.sh')).mode & 0o777).toBe(0o755);
    expect(readlinkSync(join(repo.dir, 'link'))).toBe('run.sh');
    expect(repo.read('run.sh')).toBe('#!/bin/sh\n');
  });

  variation("contents come through git's filters, as a checkout writes them", (repo) => {
    repo.ready();
    repo.git('config', 'filter.shout.clean', 'tr A-Z a-z');
    repo.git('config', 'filter.shout.smudge', 'tr a-z A-Z');
    repo.write('.gitattributes', '*.crlf text eol=crlf\n*.shout filter=shout\n');
    repo.commit('Attributes', '.gitattributes');
    turns(
      repo,
      { 'a.crlf': 'one\r\ntwo\r\n', 'b.shout': 'LOUD\n' },
      { 'a.crlf': 'three\r\n', 'b.shout': 'LOUDER\n' },
    );
    goBack(repo, stepOf(temporary(repo), 'Turn 1').id);
    expect([repo.read('a.crlf'), repo.read('b.shout')]).toEqual(['one\r\ntwo\r\n', 'LOUD\n']);
  });

  variation('a filter that fails leaves its files; the others are restored', (repo) => {
    repo.ready();
    repo.write('.gitattributes', '*.bad filter=bad\n');
    repo.commit('Attributes', '.gitattributes');
    const session = turns(repo, { 'a.bad': 'v1\n', 'b.txt': 'v1\n' }, { 'a.bad': 'v2\n', 'b.txt': 'v2\n' });
    repo.git('config', 'filter.bad.smudge', 'false');
    repo.git('config', 'filter.bad.clean', 'cat');
    repo.git('config', 'filter.bad.required', 'true');
    const { stderr } = goBack(repo, stepOf(temporary(repo), 'Turn 1').id);
    expect(stderr).toMatch(/ {2}Left: a\.bad \(.+\)\n/);
    expect([repo.read('a.bad'), repo.read('b.txt')]).toEqual(['v2\n', 'v1\n']);
    expect(repo.state(session.id).files_touched).toEqual(['a.bad', 'b.txt']);
  });

  variation('names with spaces, quotes, leading dashes and magic; binary files', (repo) => {
    repo.ready();
    const names = [
      'a b.txt',
      '"quoted".txt',
      '-dash.txt',
      ':!magic.txt',
      'ümläut.txt',
      '*.txt',
      'tab\there.txt',
    ];
    const files = (text: string) => Object.fromEntries(names.map((name) => [name, text]));
    turns(repo, files('v1\0\n'), files('v2\n'));
    goBack(repo, stepOf(temporary(repo), 'Turn 1').id);
    for (const name of names) expect(repo.read(name), name).toBe('v1\0\n');
  });

  variation('a file that cannot be read is left', (repo, skip) => {
    if (process.getuid?.() === 0) skip('root may read everything');
    repo.ready();
    turns(repo, { 'a.txt': 'v1\n', 'b.txt': 'v1\n' }, { 'a.txt': 'v2\n', 'b.txt': 'v2\n' });
    chmodSync(join(repo.dir, 'a.txt'), 0o000);
    const { stderr } = goBack(repo, stepOf(temporary(repo), 'Turn 1').id);
    expect(stderr).toContain('  Left: a.txt (it cannot be read)\n');
    chmodSync(join(repo.dir, 'a.txt'), 0o644);
    expect([repo.read('a.txt'), repo.read('b.txt')]).toEqual(['v2\n', 'v1\n']);
  });

  variation("the user's staged files and HEAD are as before, and what he changed elsewhere", (repo) => {
    repo.ready();
    repo.write('own.txt', 'staged\n');
    repo.git('add', 'own.txt');
    repo.write('README.md', 'changed by me\n');
    turns(repo, { 'a.txt': 'v1\n' }, { 'a.txt': 'v2\n' });
    repo.git('add', 'a.txt');
    const staged = repo.git('ls-files', '--stage');
    repo.write('README.md', 'changed again\n');
    goBack(repo, stepOf(temporary(repo), 'Turn 1').id);
    expect(repo.git('ls-files', '--stage')).toBe(staged);
    expect([repo.read('README.md'), repo.read('a.txt')]).toEqual(['changed again\n', 'v1\n']);
  });
});

describe('HEAD moved', () => {
  variation(
    'during a turn: both steps are there, and going back to the first removes the second file',
    (repo) => {
      repo.ready();
      const session = turns(repo, { 'a.txt': 'one\n' });
      session.prompt('rebase and go on');
      session.shell(() => repo.git('commit', '--quiet', '--no-verify', '--allow-empty', '-m', 'Moved'));
      session.edit('b.txt', 'two\n');
      session.stop();
      expect(repo.shadowBranches()).toEqual([`entire/${repo.git('rev-parse', 'HEAD').slice(0, 7)}-e3b0c4`]);
      const points = temporary(repo);
      expect(points.map(({ message }) => message)).toEqual(['Rebase and go on', 'Turn 1']);
      goBack(repo, stepOf(points, 'Turn 1').id);
      expect([repo.read('a.txt'), repo.exists('b.txt')]).toEqual(['one\n', false]);
    },
  );

  variation('points are those of HEAD; after a commit the old ones are gone', (repo) => {
    repo.ready();
    const session = turns(repo, { 'a.txt': 'v1\n' }, { 'a.txt': 'v2\n' });
    expect(temporary(repo)).toHaveLength(2);
    repo.git('commit', '--quiet', '--no-verify', '--allow-empty', '-m', 'Pulled');
    session.prompt('turn 3');
    session.edit('b.txt', 'b\n');
    session.stop();
    expect(temporary(repo).map(({ message }) => message)).toEqual(['Turn 3', 'Turn 2', 'Turn 1']);
    const old = temporary(repo)[0]?.id as string;
    repo.commit('All', 'a.txt', 'b.txt');
    expect(temporary(repo)).toEqual([]);
    expect(repo.tryEntire('rewind', '--to', old).code).toBe(1);
    session.prompt('turn 4');
    session.edit('c.txt', 'c\n');
    session.stop();
    expect(temporary(repo).map(({ message }) => message)).toEqual(['Turn 4']);
  });
});
