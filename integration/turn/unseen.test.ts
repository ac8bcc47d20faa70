import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { variation } from '../support/repository/scenario.ts';

describe('work that git status does not show at the end of the turn', () => {
  variation(
    'an ignored file that is added by force later is linked; its content is stored nowhere before',
    (repo) => {
      repo.ready();
      repo.write('.gitignore', 'dist/\n.env\n').commit('Ignore', '.gitignore');
      const session = repo.session('session-1');
      session.prompt('build it');
      session.edit('dist/out.js', 'built\n');
      session.edit('.env', 'SOME=setting-of-mine\n');
      session.edit('src.js', 'source\n');
      session.stop();
      const source = repo.commit('Add the source', 'src.js') as string;
      expect(repo.storedJson(source, '0/metadata.json').files_touched).toEqual(['src.js']);
      session.prompt('and more');
      session.stop();
      repo.git('add', '--force', 'dist/out.js');
      const id = repo.commit('Add the build') as string;
      expect(repo.storedJson(id, '0/metadata.json').files_touched).toEqual(['dist/out.js']);
      const blob = repo.git('hash-object', '.env');
      expect(repo.tryGit('cat-file', '-e', blob).code).not.toBe(0);
    },
  );

  variation('edits that the agent stashed in its turn are linked once they are committed', (repo) => {
    repo.ready();
    const session = repo.session('session-1');
    session.prompt('try something');
    session.edit('README.md', '# demo\n\nbase line\nmore\n');
    session.edit('new.txt', 'new\n');
    session.shell(() => repo.git('stash', '--include-untracked', '--quiet'));
    session.stop();
    repo.write('mine.txt', 'by hand\n');
    expect(repo.commit('By hand', 'mine.txt')).toBeUndefined();
    repo.git('stash', 'pop', '--quiet');
    const id = repo.commit('Take it after all', 'README.md', 'new.txt') as string;
    expect(repo.storedJson(id, '0/metadata.json').files_touched).toEqual(['README.md', 'new.txt']);
  });

  variation('an edit that the agent took back is not waited for', (repo) => {
    repo.ready();
    const session = repo.session('session-1');
    session.prompt('try something');
    session.edit('README.md', '# other\n');
    session.shell(() => repo.git('checkout', '--', 'README.md'));
    session.stop();
    repo.write('README.md', '# by hand\n');
    expect(repo.commit('By hand', 'README.md')).toBeUndefined();
  });

  variation('a deletion that the user stashed, with the rest committed, is linked in the end', (repo) => {
    repo.ready();
    repo.write('old.txt', 'old\n').commit('Add old', 'old.txt');
    const session = repo.session('session-1');
    session.prompt('remove old.txt, add new.txt');
    session.deleteFile('old.txt');
    session.edit('new.txt', 'new\n');
    session.stop();
    repo.git('stash', 'push', '--quiet', '--', 'old.txt');
    const first = repo.commit('Add new', 'new.txt') as string;
    expect(repo.storedJson(first, '0/metadata.json').files_touched).toEqual(['new.txt']);
    repo.git('stash', 'pop', '--quiet');
    const second = repo.commit('Remove old', 'old.txt') as string;
    expect(repo.storedJson(second, '0/metadata.json').files_touched).toEqual(['old.txt']);
  });
});

describe('a step that could not be saved', () => {
  variation('what a shell changed in that turn is linked all the same', (repo) => {
    repo.ready();
    const session = repo.session('session-1');
    session.prompt('generate it');
    session.shell(() => repo.write('generated.txt', 'made\n'));
    const obstacle = join(
      repo.commonDir,
      'refs',
      'heads',
      'entire',
      `${repo.git('rev-parse', 'HEAD').slice(0, 7)}-e3b0c4`,
    );
    mkdirSync(join(obstacle, 'x.lock'), { recursive: true });
    writeFileSync(join(obstacle, 'x.lock', 'in-the-way'), '');
    session.stop();
    expect(repo.state(session.id)).toMatchObject({ phase: 'idle', files_touched: ['generated.txt'] });
    rmSync(obstacle, { recursive: true });
    session.prompt('go on');
    session.stop();
    const id = repo.commit('Add it', 'generated.txt') as string;
    expect(repo.storedJson(id, '0/metadata.json').files_touched).toEqual(['generated.txt']);
  });
});
