import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { logsOnly } from '../command/rewind.ts';
import { keepCopy } from '../repository/keep-copy.ts';
import type { TestRepo } from '../repository/test-repo.ts';
import { gitView, lostSince, type View, viewOf } from '../undo/view.ts';
import { collectAll } from './steps.ts';
import {
  type Command,
  entireIn,
  expectEither,
  expectFsck,
  expectTidy,
  type Found,
  pathsThatDiffer,
  type Victim,
} from './victim.ts';

const FILES = 60;
const SESSION = 'session-1';
/** What a git that is killed leaves to the user. */
const LOCKS_OF_GIT = ['index.lock', 'HEAD.lock', 'ORIG_HEAD.lock', 'refs/heads/main.lock'];

/** `entire rewind --reset` to a commit, in a worktree that is full of work that no commit has. */
export class Reset implements Victim {
  readonly name = 'rewind --reset';
  private readonly repo: TestRepo;
  private readonly point: string;
  private readonly putBack: () => void;
  private readonly heads: { readonly before: string; readonly after: string };
  private readonly before: View;
  private readonly after: View;
  private readonly config: string | undefined;

  constructor(repo: TestRepo) {
    this.repo = repo;
    repo.ready();
    repo.write('staged.txt', 'first\n').git('add', 'staged.txt');
    this.commit('one', (n) => n % 3 !== 0);
    this.commit('two', (n) => n % 2 === 0);
    for (let n = 0; n < FILES; n++) if (n % 4 !== 3) repo.write(pathOf(n), `mine ${n}\n`);
    repo.write('staged.txt', 'staged\n').git('add', 'staged.txt');
    repo.write('staged.txt', 'not staged\n');
    this.point = logsOnly(repo).at(-1)?.id as string;
    this.putBack = keepCopy(repo);
    this.before = viewOf(repo.dir);
    this.config = gitView(repo).config;
    const before = repo.git('rev-parse', 'HEAD');
    repo.entire('rewind', '--to', this.point, '--reset');
    this.after = viewOf(repo.dir);
    this.heads = { before, after: repo.git('rev-parse', 'HEAD') };
    expect(this.heads.after).not.toBe(before);
    expect(pathsThatDiffer(this.before, this.after).length).toBeGreaterThan(FILES / 2);
  }

  prepare(): Command {
    this.putBack();
    return this.command;
  }

  look(): Found {
    const { repo, before, after, heads } = this;
    const files = viewOf(repo.dir);
    expect(lostSince(repo, before), 'lost').toEqual([]);
    expectFsck(repo);
    expect(gitView(repo).config).toBe(this.config);
    const head = repo.git('rev-parse', 'HEAD');
    expect([heads.before, heads.after]).toContain(head);
    if (this.isWaiting) {
      expectEither(files, before, after); // git, which comes later, writes into files
      return 'halfway'; // also before the first file, and after the last one that was put back
    }
    if (head === heads.after) return 'over';
    return pathsThatDiffer(before, files).length === 0 ? 'not begun' : 'halfway';
  }

  meanwhile(): void {
    collectAll(this.repo, SESSION);
  }

  /** Without a journal it is git that was killed: the same again. */
  ends(): Command[] {
    this.clearLocks();
    if (!this.isWaiting) return [this.command];
    return ['--continue', '--abort'].map((how) => entireIn(this.repo, 'undo', '--session', SESSION, how));
  }

  settle(isClean: boolean): void {
    const { repo, before, after } = this;
    expect(this.isWaiting, 'still halfway').toBe(false);
    if (isClean) expectTidy(repo);
    this.clearLocks();
    repo.entire(...this.command.args);
    expect(repo.git('rev-parse', 'HEAD')).toBe(this.heads.after);
    expect(pathsThatDiffer(viewOf(repo.dir), after), 'reset').toEqual([]);
    expect(repo.git('status', '--porcelain', '--untracked-files=no')).toBe('');
    const kept = repo.git('for-each-ref', '--format=%(refname)', 'refs/entire/staged').split('\n');
    expect(kept.map((ref) => repo.git('show', `${ref}:staged.txt`))).toContain('staged');
    const mine = Object.keys(before).filter((path) => before[path]?.includes('mine'));
    const lacking = () => pathsThatDiffer(viewOf(repo.dir), before).filter((path) => mine.includes(path));
    repo.entire('undo', '--session', SESSION);
    // After a git that was killed the same again was a step of its own, and what git left of a file stands in the way.
    if (lacking().length > 0) repo.entire('undo', '--session', SESSION, '--force');
    expect(lacking(), 'not brought back').toEqual([]);
    expectTidy(repo);
  }

  remove(): void {
    this.repo.remove();
  }

  private commit(text: string, isMeant: (n: number) => boolean): void {
    const { repo } = this;
    const session = repo.session(SESSION);
    session.prompt(`write ${text}`);
    session.shell(() => {
      for (let n = 0; n < FILES; n++) if (isMeant(n)) repo.write(pathOf(n), `${text} ${n}\n`);
    });
    session.stop();
    repo.commit(text, 'src');
  }

  private get command(): Command {
    return entireIn(this.repo, 'rewind', '--to', this.point, '--reset');
  }

  private get isWaiting(): boolean {
    return existsSync(join(this.repo.commonDir, 'entire', 'snapshots', SESSION, 'journal.json'));
  }

  private clearLocks(): void {
    for (const name of LOCKS_OF_GIT) rmSync(join(this.repo.commonDir, name), { force: true });
  }
}

const pathOf = (n: number): string => `src/${n % 5}/${n}.txt`;
