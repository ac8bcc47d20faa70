import { execFileSync, spawnSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { expect } from 'vitest';
import type { TestRepo } from '../../support/repository/test-repo.ts';
import { blobId, type FileState, parseLines, renderLines, type Tree } from './lines.ts';

interface GitOptions {
  readonly env?: Record<string, string>;
  readonly input?: string;
}

/**
 * The repository under test and its twin: the same files and the same git commands, without our tool. What git makes
 * of a merge or a stash is read from the twin, so the model needs no git of its own and never looks at the tool's.
 */
export class Pair {
  readonly real: TestRepo;
  readonly twin: string;
  private readonly texts = new Map<string, string>();
  /** What there was to see in the twin, until git runs in it again. */
  private twinLook: Record<string, string> | undefined;

  constructor(real: TestRepo) {
    this.real = real;
    this.twin = join(real.scratch, 'twin');
    real.git('clone', '--quiet', '--no-hardlinks', '--single-branch', real.dir, this.twin);
    this.inTwin('remote', 'remove', 'origin');
    for (const [key, value] of [
      ['user.name', 'Ada'],
      ['user.email', 'ada@example.com'],
      ['gc.auto', '0'],
    ] as const)
      this.inTwin('config', key, value);
    // Counts the commits for which git runs post-commit.
    const hook = join(this.twin, '.git', 'hooks', 'post-commit');
    mkdirSync(dirname(hook), { recursive: true });
    writeFileSync(hook, '#!/bin/sh\necho ran >> "$(git rev-parse --git-dir)/post-commit-runs"\n', {
      mode: 0o755,
    });
  }

  /** Runs git in both; they must agree on success. */
  git(args: readonly string[], { env, input }: GitOptions = {}): { ok: boolean; text: string } {
    this.twinLook = undefined;
    // The same time in both: a rebase takes commits in the order of their dates, a squash message names them.
    const now = `${Math.floor(Date.now() / 1000)} +0000`;
    const dates = { GIT_AUTHOR_DATE: now, GIT_COMMITTER_DATE: now };
    const all = { ...this.real.env, ...dates, ...env };
    const options = { env: all, input: input ?? '', encoding: 'utf8' } as const;
    const real = spawnSync('git', args, { ...options, cwd: this.real.dir });
    const twin = spawnSync('git', args, { ...options, cwd: this.twin });
    const says = `git ${args.join(' ')}\n${real.stdout}${real.stderr}\nwithout us:\n${twin.stdout}${twin.stderr}`;
    expect(real.status, says).toBe(twin.status);
    return { ok: twin.status === 0, text: `${twin.stdout}${twin.stderr}`.trim() };
  }

  inTwin(...args: string[]): string {
    return execFileSync('git', args, {
      cwd: this.twin,
      env: this.real.env,
      encoding: 'utf8',
      stdio: 'pipe',
    }).replace(/\n$/, '');
  }

  write(path: string, file: FileState): void {
    for (const dir of [this.real.dir, this.twin]) {
      const target = join(dir, path);
      mkdirSync(dirname(target), { recursive: true });
      writeFileSync(target, renderLines(file.lines));
      chmodSync(target, file.executable ? 0o755 : 0o644);
    }
  }

  remove(path: string): void {
    for (const dir of [this.real.dir, this.twin]) rmSync(join(dir, path));
  }

  move(from: string, to: string): void {
    for (const dir of [this.real.dir, this.twin]) {
      mkdirSync(dirname(join(dir, to)), { recursive: true });
      renameSync(join(dir, from), join(dir, to));
    }
  }

  postCommitRuns(): number {
    const file = join(this.twin, '.git', 'post-commit-runs');
    return existsSync(file) ? parseLines(readFileSync(file, 'utf8')).length : 0;
  }

  /** Files of the twin's worktree. */
  worktree(): Map<string, FileState> {
    return this.filesBelow(this.twin);
  }

  /** Files of the worktree that our tool works in, where it is asked to change some. */
  realWorktree(): Tree {
    return this.filesBelow(this.real.dir);
  }

  /** Makes a file of the twin what it is where our tool has changed it. */
  follow(path: string): void {
    const [from, to] = [join(this.real.dir, path), join(this.twin, path)];
    if (existsSync(dirname(from))) mkdirSync(dirname(to), { recursive: true });
    if (existsSync(from)) cpSync(from, to, { force: true });
    else rmSync(existsSync(dirname(from)) ? to : dirname(to), { force: true, recursive: true }); // a folder goes with its last file
  }

  /** Files of a commit of the twin's, or of its index. */
  treeOf(revision: string): Tree {
    return this.entries(this.inTwin('ls-tree', '-r', '-z', revision));
  }

  index(): Tree {
    return this.entries(this.inTwin('ls-files', '-s', '-z'));
  }

  exists(revision: string): boolean {
    return spawnSync('git', ['rev-parse', '--verify', '--quiet', revision], { cwd: this.twin }).status === 0;
  }

  /** Paths that differ from HEAD, in the index or in the worktree. */
  dirty(): Set<string> {
    const out = this.inTwin('status', '--porcelain', '-z', '-uall', '--no-renames');
    return new Set(
      out
        .split('\0')
        .filter(Boolean)
        .map((line) => line.slice(3)),
    );
  }

  /** What stashes hold of files that they have changed: the lines of each. */
  stashed(): Map<string, string[][]> {
    const found = new Map<string, string[][]>();
    if (!this.exists('refs/stash')) return found;
    const put = (path: string, file: FileState | undefined) =>
      found.set(path, [...(found.get(path) ?? []), ...(file ? [[...file.lines]] : [])]);
    for (const id of parseLines(this.inTwin('log', '-g', '--format=%H', 'refs/stash'))) {
      const tracked = this.treeOf(id);
      const changed = this.inTwin('diff-tree', '-r', '--no-renames', '--name-only', '-z', `${id}^1`, id);
      for (const path of changed.split('\0').filter(Boolean)) put(path, tracked.get(path));
      if (this.exists(`${id}^3`)) for (const [path, file] of this.treeOf(`${id}^3`)) put(path, file);
    }
    return found;
  }

  /** A commit without a message of its own would get that of a squash. */
  hasSquashMessage = (): boolean => existsSync(join(this.twin, '.git', 'SQUASH_MSG'));

  /** The tool changed nothing of the user's: files, index, stashes, branches and messages are those of the twin. */
  expectAlike(): void {
    expect(Object.fromEntries(this.filesBelow(this.real.dir))).toEqual(Object.fromEntries(this.worktree()));
    this.twinLook ??= this.look(this.twin);
    expect(this.look(this.real.dir)).toEqual(this.twinLook);
  }

  private look(cwd: string): Record<string, string> {
    const ask = (...args: string[]) =>
      spawnSync('git', args, { cwd, env: this.real.env, encoding: 'utf8' }).stdout;
    const refs = ['refs/heads/main', 'refs/heads/topic', 'refs/stash'];
    const branches = ask('for-each-ref', '--format=%(refname) %(tree)%00%0a%(contents)', ...refs);
    const stashes = branches.includes('refs/stash')
      ? ask('log', '-g', '-m', '--format=%T', 'refs/stash')
      : '';
    return {
      head: readFileSync(join(cwd, '.git', 'HEAD'), 'utf8'),
      index: ask('ls-files', '-s', '-v'),
      branches: withoutTrailer(branches),
      stashes,
    };
  }

  private entries(out: string): Tree {
    const tree = new Map<string, FileState>();
    for (const line of out.split('\0').filter(Boolean)) {
      const match = /^(\d+) (?:blob )?([0-9a-f]+)(?: \d)?\t(.*)$/s.exec(line);
      if (!match || isOurs(match[3] as string)) continue;
      const [, mode, oid, path] = match as unknown as [string, string, string, string];
      tree.set(path, { lines: parseLines(this.textOf(oid)), executable: mode === '100755' });
    }
    return tree;
  }

  private textOf(oid: string): string {
    const known = this.texts.get(oid);
    if (known !== undefined) return known;
    const options = { cwd: this.twin, env: this.real.env, encoding: 'utf8' } as const;
    const text = execFileSync('git', ['cat-file', 'blob', oid], options);
    this.texts.set(oid, text);
    return text;
  }

  private filesBelow(dir: string): Map<string, FileState> {
    const files = new Map<string, FileState>();
    for (const name of readdirSync(dir, { recursive: true, encoding: 'utf8' }).sort()) {
      if (name === '.git' || name.startsWith('.git/') || isOurs(name)) continue;
      const stat = statSync(join(dir, name));
      if (stat.isDirectory()) continue;
      const text = readFileSync(join(dir, name), 'utf8');
      this.texts.set(blobId(text), text);
      files.set(name, { lines: parseLines(text), executable: (stat.mode & 0o100) !== 0 });
    }
    return files;
  }
}

const isOurs = (path: string): boolean => /^\.(entire|claude)(\/|$)/.test(path);

/** Commits have other names in the twin, since their messages differ by our trailer; the trees are the same. */
function withoutTrailer(text: string): string {
  const lines = text.split('\n').filter((line) => !line.trim().startsWith('Entire-Checkpoint:'));
  const named = lines.map((line) =>
    line.includes('\0') ? line : line.replaceAll(/\b[0-9a-f]{7,40}\b/g, 'X'),
  );
  return named
    .join('\n')
    .replaceAll(/\n{2,}/g, '\n')
    .trim();
}
