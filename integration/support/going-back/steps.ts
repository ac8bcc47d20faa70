import { existsSync, readdirSync, readFileSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { TestRepo } from '../repository/test-repo.ts';
import { gitView, lostSince, type View, viewOf } from '../undo/view.ts';
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

const FILES = 120;
const SESSION = 'session-1';

/** A turn that changed, made and removed many files, undone and done again by turns. */
export class Steps implements Victim {
  readonly name = 'undo and redo';
  private readonly repo: TestRepo;
  private readonly standing: View;
  private readonly undone: View;
  private readonly git: Record<string, string>;
  private isUndone = false;

  constructor(repo: TestRepo) {
    this.repo = repo;
    repo.ready();
    repo.write('mine.txt', 'staged\n').git('add', '.');
    repo.write('mine.txt', 'not staged\n');
    for (let n = 0; n < FILES; n++) if (n % 3 !== 0) repo.write(`src/${n % 7}/${n}.txt`, `before ${n}\n`);
    repo.git('add', 'src');
    repo.git('commit', '--quiet', '-m', 'Begin', '--', 'src');
    this.undone = viewOf(repo.dir);
    const session = repo.session(SESSION);
    session.prompt('change it all');
    session.shell(() => {
      for (let n = 0; n < FILES; n++) {
        if (n % 3 === 2) repo.run('rm', [`src/${n % 7}/${n}.txt`]);
        else repo.write(`src/${n % 7}/${n}.txt`, `after ${n}\n`);
      }
    });
    session.stop();
    this.standing = viewOf(repo.dir);
    this.git = gitView(repo);
  }

  prepare(): Command {
    return entireIn(this.repo, this.direction);
  }

  look(): Found {
    const { repo } = this;
    const now = viewOf(repo.dir);
    expectEither(now, this.standing, this.undone);
    expect(lostSince(repo, this.view), 'lost').toEqual([]);
    expect(gitView(repo)).toEqual(this.git);
    expectFsck(repo);
    for (const name of readdirSync(join(this.store, 'snaps')).filter((file) => file.endsWith('.json')))
      JSON.parse(readFileSync(join(this.store, 'snaps', name), 'utf8'));
    if (this.isWaiting) return 'halfway';
    return pathsThatDiffer(this.view, now).length === 0 ? 'not begun' : 'over';
  }

  meanwhile(): void {
    collectAll(this.repo, SESSION);
  }

  ends(): Command[] {
    return ['--continue', '--abort'].map((how) => entireIn(this.repo, this.direction, how));
  }

  settle(isClean: boolean): void {
    expect(this.isWaiting, 'still halfway').toBe(false);
    const { stdout } = this.repo.entire('undo', '--list', '--json', '--session', SESSION);
    this.isUndone = JSON.parse(stdout).undo.length === 0;
    expect(pathsThatDiffer(this.view, viewOf(this.repo.dir)), 'neither end').toEqual([]);
    if (isClean) expectTidy(this.repo);
  }

  remove(): void {
    this.repo.remove();
  }

  private get direction(): 'undo' | 'redo' {
    return this.isUndone ? 'redo' : 'undo';
  }

  private get view(): View {
    return this.isUndone ? this.undone : this.standing;
  }

  private get store(): string {
    return join(this.repo.commonDir, 'entire', 'snapshots', SESSION);
  }

  private get isWaiting(): boolean {
    return existsSync(join(this.store, 'journal.json'));
  }
}

/** Takes away what nobody needs, as if nothing in the store were young. */
export function collectAll(repo: TestRepo, session: string): void {
  const blobs = join(repo.commonDir, 'entire', 'snapshots', session, 'blobs');
  for (const name of readdirSync(blobs)) utimesSync(join(blobs, name), 1, 1);
  expect(repo.entire('gc').stdout).not.toContain('left alone');
}
