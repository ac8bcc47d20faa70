import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { addWork } from '../support/command/work.ts';
import { scenario, variation } from '../support/repository/scenario.ts';
import type { TestRepo } from '../support/repository/test-repo.ts';

/** Two turns: a file, then a change of it and another file; behind them the user changed the first line. */
function withTurns(repo: TestRepo): void {
  repo.ready();
  const session = repo.session();
  addWork(repo, { 'a.txt': 'one\ntwo\nthree\nfour\nfive\nsix\n' }, session);
  addWork(repo, { 'a.txt': 'one\ntwo\nthree\nfour\nfive\nSIX\n', 'b.txt': 'b\n' }, session);
  repo.write('a.txt', 'ONE\ntwo\nthree\nfour\nfive\nSIX\n');
}

/** Applies a patch as git does, to a copy of the worktree's files. */
function applied(repo: TestRepo, patch: string): void {
  repo.run('git', ['apply', '-'], { input: patch });
}

describe('a diff of what going back would do', () => {
  scenario('undo --dry-run --diff is what undo then does, and does nothing', (repo) => {
    withTurns(repo);
    const before = repo.git('status', '--short', '--untracked-files=all');
    const { stdout, stderr } = repo.entire('undo', '--dry-run', '--diff');
    expect(stderr).toBe('');
    expect(stdout).toMatch(
      /^Would undo: .*\n {2}merged {4}a\.txt: your lines and those of others stay\n {2}deleted {3}b\.txt\n\ndiff --git a\/a\.txt/,
    );
    expect(stdout).toContain('-SIX\n+six\n');
    expect(stdout).not.toContain('-ONE');
    expect(repo.git('status', '--short', '--untracked-files=all')).toBe(before);
    expect(repo.read('a.txt')).toBe('ONE\ntwo\nthree\nfour\nfive\nSIX\n');
    applied(repo, stdout);
    const patched = readFileSync(join(repo.dir, 'a.txt'), 'utf8');
    expect(repo.exists('b.txt')).toBe(false);
    repo.write('a.txt', 'ONE\ntwo\nthree\nfour\nfive\nSIX\n').write('b.txt', 'b\n');
    repo.entire('undo');
    expect(repo.read('a.txt')).toBe(patched);
    expect(repo.exists('b.txt')).toBe(false);
    expect(repo.entire('redo', '--diff').stdout).toContain('+SIX\n');
  });

  variation('what stays is said, and is no part of it', (repo) => {
    withTurns(repo);
    repo.write('b.txt', 'mine\n');
    const { stdout } = repo.entire('undo', '--diff');
    expect(stdout).toMatch(/ {2}left {6}b\.txt: /);
    expect(stdout).not.toContain('diff --git a/b.txt');
    expect(repo.entire('undo', '--diff', '--force', '--files', 'b.txt').stdout).toContain('-mine\n');
    expect(repo.read('b.txt')).toBe('mine\n');
  });

  variation('rewind --to --diff is what rewind then does', (repo) => {
    withTurns(repo);
    const [first] = JSON.parse(repo.entire('rewind', '--list').stdout).toReversed();
    const { stdout } = repo.entire('rewind', '--to', first.id, '--diff');
    expect(stdout).toContain('diff --git a/b.txt b/b.txt\ndeleted file mode 100644\n');
    expect(repo.exists('b.txt')).toBe(true);
    applied(repo, stdout);
    const patched = repo.read('a.txt');
    repo.write('a.txt', 'ONE\ntwo\nthree\nfour\nfive\nSIX\n').write('b.txt', 'b\n');
    repo.entire('rewind', '--to', first.id);
    expect(repo.read('a.txt')).toBe(patched);
    expect(repo.exists('b.txt')).toBe(false);
  });

  variation('of several turns of several sessions, each comes after what is undone before', (repo) => {
    withTurns(repo);
    addWork(repo, { 'a.txt': 'ONE\ntwo\nTHREE\nfour\nfive\nSIX\n' }, repo.session());
    const { stdout } = repo.entire('undo', '--diff', '--steps', '2');
    expect(stdout.match(/^Would undo: /gm)).toHaveLength(2);
    applied(repo, stdout);
    expect(repo.read('a.txt')).toBe('ONE\ntwo\nthree\nfour\nfive\nsix\n');
  });

  variation('with what makes no sense beside it it is refused', (repo) => {
    withTurns(repo);
    for (const args of [
      ['undo', '--diff', '--json'],
      ['undo', '--diff', '--list'],
      ['rewind', '--diff'],
      ['rewind', '--to', 'HEAD', '--diff', '--logs-only'],
    ])
      expect(repo.tryEntire(...args).code, args.join(' ')).toBe(2);
  });
});
