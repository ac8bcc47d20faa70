import { chmodSync, existsSync, mkdirSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { addWork } from '../support/command/work.ts';
import { scenario, variation } from '../support/repository/scenario.ts';
import type { TestRepo } from '../support/repository/test-repo.ts';
import { gitView, viewOf } from '../support/undo/view.ts';

/** What went wrong in public with going back, each with the thread that tells of it: here it must not. */
describe('public disasters of going back', () => {
  scenario(
    '`git clean` deleted a gigabyte of ignored and untracked output (github/copilot-cli#1675)',
    (repo) => {
      repo.ready();
      repo
        .write('.gitignore', 'out/\n')
        .write('out/model.bin', 'hours of work\n')
        .write('data/raw.csv', '1,2\n');
      repo.commit('Ignore', '.gitignore');
      truncateSync(join(repo.dir, 'out/model.bin'), 1_000_000_000);
      const session = repo.session();
      session.prompt('build');
      session.edit('src/app.ts', 'app\n');
      session.shell(() => {
        repo.write('out/log.txt', 'built\n');
        repo.git('add', 'src/app.ts');
      });
      session.stop();
      const git = gitView(repo);
      repo.entire('undo');
      expect(repo.exists('src')).toBe(false);
      expect(statSync(join(repo.dir, 'out/model.bin')).size).toBe(1_000_000_000);
      expect([repo.read('out/log.txt'), repo.read('data/raw.csv')]).toEqual(['built\n', '1,2\n']);
      expect(gitView(repo)).toEqual(git);
    },
  );

  variation('a rewind in one session wiped the edits of another (anthropics/claude-code#28078)', (repo) => {
    repo.ready();
    const [a, b] = [repo.session(), repo.session()];
    a.prompt('one');
    b.prompt('two');
    a.edit('shared.txt', 'a1\n');
    b.edit('b.txt', 'b1\n');
    a.shell(() => repo.write('a.txt', 'a by shell\n'));
    b.edit('shared.txt', 'a1\nb1\n');
    a.stop();
    b.shell(() => repo.write('b2.txt', 'b by shell\n'));
    b.stop();
    const result = repo.tryEntire('undo', '--session', a.id);
    expect(result.stdout).toContain('left      shared.txt');
    expect(viewOf(repo.dir)).toEqual({
      'README.md': '644 # demo\n\nbase line\n',
      'b.txt': '644 b1\n',
      'b2.txt': '644 b by shell\n',
      'shared.txt': '644 a1\nb1\n',
    });
  });

  variation('undo in one folder of a monorepo destroyed another (anomalyco/opencode#3176)', (repo) => {
    repo.ready();
    repo.write('packages/a/index.ts', 'a\n').write('packages/b/index.ts', 'b\n');
    repo.commit('Packages', 'packages');
    repo.write('packages/b/index.ts', 'b, not committed\n').write('packages/b/new.ts', 'untracked\n');
    const session = repo.session();
    const cwd = join(repo.dir, 'packages/a');
    session.prompt('work in a', { cwd });
    session.editWithoutHook('packages/a/index.ts', 'a by the agent\n');
    session.reportEdit('packages/a/index.ts', { cwd });
    session.shell(() => repo.write('packages/a/made.ts', 'made\n'));
    session.stop('Done.', { cwd });
    repo.write('packages/b/later.ts', 'written since\n');
    const before = viewOf(join(repo.dir, 'packages/b'));
    const result = repo.run('entire', ['undo'], { cwd });
    expect([result.code, result.stderr]).toEqual([0, '']);
    expect(viewOf(cwd)).toEqual({ 'index.ts': '644 a\n' });
    expect(viewOf(join(repo.dir, 'packages/b'))).toEqual(before);
  });

  variation('undo deleted files that the agent never made (anomalyco/opencode#3148)', (repo) => {
    repo.ready();
    repo.write('mine.txt', 'untracked, from before\n');
    addWork(repo, { 'mine.txt': 'by the agent\n' });
    repo.write('since.txt', 'untracked, from after\n');
    repo.entire('undo');
    expect([repo.read('mine.txt'), repo.read('since.txt')]).toEqual([
      'untracked, from before\n',
      'untracked, from after\n',
    ]);
  });

  variation(
    'deleted tracked files were not restored (anthropics/claude-code#93045, entireio/cli#1408)',
    (repo) => {
      repo.ready();
      repo.write('src/a.ts', 'a\n').write('src/deep/b.ts', 'b\n').write('run.sh', 'echo\n');
      chmodSync(join(repo.dir, 'run.sh'), 0o755);
      repo.commit('Files', 'src', 'run.sh');
      const before = viewOf(repo.dir);
      const session = repo.session();
      session.prompt('delete everything');
      session.shell(() => {
        repo.git('rm', '--quiet', '-r', 'src');
        rmSync(join(repo.dir, 'run.sh'));
      });
      session.stop();
      repo.entire('undo');
      expect(viewOf(repo.dir)).toEqual(before);
      expect(repo.git('ls-files', 'src')).toBe(''); // the index is the user's, and stays
    },
  );

  variation('edits by shell commands were not undone (anthropics/claude-code#93262, #34368)', (repo) => {
    repo.ready();
    const session = repo.session();
    session.prompt('use sed');
    session.shell(() => {
      repo.run('sed', ['-i', 's/base/agent/', 'README.md']);
      repo.run('sh', ['-c', 'mkdir -p gen && for n in 1 2 3; do echo $n > gen/$n.txt; done']);
    });
    session.stop();
    repo.entire('undo');
    expect(viewOf(repo.dir)).toEqual({ 'README.md': '644 # demo\n\nbase line\n' });
  });

  variation('the index was clobbered by a restore (openai/codex#8214, #11626)', (repo) => {
    repo.ready();
    repo.write('a.txt', 'one\ntwo\n').write('b.txt', 'b\n');
    repo.commit('Files', 'a.txt', 'b.txt');
    repo.write('a.txt', 'one, staged\ntwo\n');
    repo.git('add', 'a.txt');
    repo.write('a.txt', 'one, staged\ntwo, not staged\n').write('new.txt', 'new\n');
    repo.git('add', '--intent-to-add', 'new.txt');
    repo.git('update-index', '--skip-worktree', 'b.txt');
    addWork(repo, { 'a.txt': 'by the agent\n', 'new.txt': 'by the agent\n' });
    repo.git('stash', 'list');
    const git = gitView(repo);
    const staged = repo.git('ls-files', '--stage', '-v');
    for (const command of ['undo', 'redo', 'undo']) repo.entire(command);
    expect(gitView(repo)).toEqual(git);
    expect(repo.git('ls-files', '--stage', '-v')).toBe(staged);
    expect([repo.read('a.txt'), repo.read('new.txt')]).toEqual(['one, staged\ntwo, not staged\n', 'new\n']);
  });

  variation('nested repositories were renamed, and stayed so (cline/cline#5598, #9590, #4388)', (repo) => {
    repo.ready();
    const inner = nested(repo, 'vendor/lib');
    const session = repo.session();
    session.prompt('vendor it');
    session.edit('vendor/note.txt', 'note\n');
    session.edit('vendor/lib/agent.txt', 'in the inner one\n');
    session.shell(() => nested(repo, 'vendor/other'));
    session.stop();
    const head = repo.gitWith({ cwd: inner }, 'rev-parse', 'HEAD');
    const config = viewOf(join(inner, '.git'));
    repo.entire('undo');
    expect(repo.exists('vendor/note.txt')).toBe(false);
    for (const path of [
      'vendor/lib/.git',
      'vendor/other/.git',
      'vendor/other/lib.txt',
      'vendor/lib/agent.txt',
    ])
      expect(existsSync(join(repo.dir, path)), path).toBe(true);
    expect(viewOf(join(inner, '.git'))).toEqual(config);
    expect(repo.gitWith({ cwd: inner }, 'rev-parse', 'HEAD')).toBe(head);
  });

  variation(
    'work that was not committed was lost, or undo refused because of it (entireio/cli#668)',
    (repo) => {
      repo.ready();
      repo.write('mine.txt', 'mine\n').write('README.md', '# demo\n\nmine, not committed\n');
      repo.git('add', 'mine.txt');
      addWork(repo, { 'a.txt': 'a\n', 'README.md': 'by the agent\n' });
      repo.write('other.txt', 'also mine\n');
      repo.entire('undo');
      expect(viewOf(repo.dir)).toEqual({
        'README.md': '644 # demo\n\nmine, not committed\n',
        'mine.txt': '644 mine\n',
        'other.txt': '644 also mine\n',
      });
    },
  );

  variation('undo reported success, and restored nothing (anomalyco/opencode#29520, #2642)', (repo) => {
    repo.ready();
    repo.write('.gitignore', 'secret.env\n').write('secret.env', 'KEY=1\n');
    const session = repo.session();
    session.prompt('change them');
    session.readFile('secret.env'); // as the client wants it
    session.edit('secret.env', 'KEY=2\n');
    session.edit('README.md', 'by the agent\n');
    session.stop();
    repo.write('README.md', 'by the user\n');
    const result = repo.tryEntire('undo');
    expect([result.code, result.stdout]).toEqual([1, expect.not.stringContaining('restored')]);
    expect(result.stderr).toContain('2 files left as they are');
    const dry = JSON.parse(repo.entire('undo', '--dry-run', '--json', '--files', 'secret.env').stdout);
    expect(dry.files).toEqual([{ path: 'secret.env', outcome: 'restored' }]);
    repo.entire('undo', '--files', 'secret.env');
    expect(repo.read('secret.env')).toBe('KEY=1\n');
  });

  variation(
    'a first snapshot of a large repository took minutes and gigabytes (anomalyco/opencode#1646, #3182)',
    (repo) => {
      repo.ready();
      mkdirSync(join(repo.dir, 'data'));
      for (let n = 0; n < 300; n++)
        writeFileSync(join(repo.dir, 'data', `${n}.bin`), Buffer.alloc(200_000, n));
      addWork(repo, { 'a.txt': 'a\n' });
      const kept = Number(
        repo.run('du', ['-sk', join(repo.commonDir, 'entire/snapshots')]).stdout.split('\t')[0],
      );
      expect(kept).toBeLessThan(20_000); // of 60,000 KiB that were there: what a prompt can afford
      repo.entire('undo');
      expect(repo.exists('a.txt')).toBe(false);
      expect(viewOf(join(repo.dir, 'data'))['299.bin']).toHaveLength(4 + 200_000);
    },
  );
});

/** A repository of somebody else's within ours, with one commit. */
function nested(repo: TestRepo, path: string): string {
  const dir = join(repo.dir, path);
  mkdirSync(dir, { recursive: true });
  const git = (...args: string[]) => repo.gitWith({ cwd: dir }, ...args);
  git('init', '--quiet');
  writeFileSync(join(dir, 'lib.txt'), 'lib\n');
  git('add', '.');
  git('-c', 'user.name=Bob', '-c', 'user.email=bob@example.com', 'commit', '--quiet', '-m', 'Lib');
  return dir;
}
