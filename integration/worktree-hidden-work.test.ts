import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect } from 'vitest';
import { type TestRepo, variation } from './support/test-repo.ts';
import { create, refusedRemoval } from './support/worktrees.ts';

/** Writes a file, and the folders above it. */
function put(root: string, path: string, text: string): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
}

/** A repository that ignores something, and a worktree of it. */
function ignoring(repo: TestRepo, ...patterns: string[]): string {
  repo.ready();
  repo.write('.gitignore', `${patterns.join('\n')}\n`).commit('Ignore', '.gitignore');
  return create(repo, 'task');
}

describe('work that is not where one looks first is refused as well', () => {
  variation('a hook of Husky that somebody wrote, whatever its folder is called', (repo) => {
    repo.ready();
    const root = create(repo, 'task');
    put(root, '.husky/bin/check.sh', 'mine\n');
    put(root, '.husky/_/pre-commit', 'of Husky\n');
    put(root, '.entire/build/notes.md', 'mine\n');
    expect(refusedRemoval(repo, 'task')).toContain(
      '- 2 untracked files: .entire/build/notes.md, .husky/bin/check.sh\n',
    );
    expect(existsSync(join(root, '.husky/_/pre-commit'))).toBe(true);
  });

  variation('a repository of its own, of which git status of the worktree says nothing', (repo) => {
    const root = ignoring(repo, '/vendor/');
    for (const path of ['src/inner', 'vendor/lib']) {
      mkdirSync(join(root, path), { recursive: true });
      repo.git('init', '--quiet', join(root, path));
      put(root, `${path}/notes.md`, 'mine\n');
    }
    put(root, 'src/a.txt', 'tracked\n');
    repo.git('-C', root, 'add', 'src/a.txt');
    repo.git('-C', root, 'commit', '--quiet', '-m', 'A folder with tracked files');
    repo.git('clone', '--quiet', `file://${repo.dir}`, join(root, 'vendor/clean'));
    expect(refusedRemoval(repo, 'task')).toContain('vendor/lib/');
    expect(refusedRemoval(repo, 'task')).toContain('src/inner/');
    expect(refusedRemoval(repo, 'task')).not.toContain('vendor/clean');
    const { kept } = JSON.parse(repo.entire('worktree', 'remove', 'task', '--force', '--json').stdout);
    for (const path of ['src/inner', 'vendor/lib']) {
      expect(readFileSync(join(kept.folder, path, 'notes.md'), 'utf8')).toBe('mine\n');
      expect(existsSync(join(kept.folder, path, '.git'))).toBe(true);
    }
  });

  variation('what was staged in a worktree whose folder is gone', (repo) => {
    repo.ready();
    const root = create(repo, 'task');
    put(root, 'staged.txt', 'staged\n');
    repo.git('-C', root, 'add', 'staged.txt');
    rmSync(root, { recursive: true });
    expect(refusedRemoval(repo, 'task')).toContain(
      '1 file with changes that are not committed: staged.txt\n',
    );
    const { kept } = JSON.parse(repo.entire('worktree', 'remove', 'task', '--force', '--json').stdout);
    expect(repo.git('show', `${kept.ref}:staged.txt`)).toBe('staged');
    expect(repo.git('worktree', 'list').split('\n')).toHaveLength(1);
  });

  variation('a file that another worktree seems to have, whose folder is a link to this one', (repo) => {
    const root = ignoring(repo, 'notes');
    put(root, 'notes/plan.md', 'plan\n');
    symlinkSync(join(root, 'notes'), join(repo.dir, 'notes'));
    expect(refusedRemoval(repo, 'task')).toContain(
      '1 ignored file that no build makes again: notes/plan.md\n',
    );
  });
});
