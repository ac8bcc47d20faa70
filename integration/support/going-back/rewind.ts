import { existsSync, readdirSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { AgentSession } from '../agent/session.ts';
import { replacedLogs } from '../command/resume.ts';
import { stepOf, temporary } from '../command/rewind.ts';
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
/** Older than any lock that we wait for. */
const LONG_AGO_MS = 11 * 60_000;

/** What going back to a step changes. */
interface Look {
  readonly files: View;
  readonly state: unknown;
  readonly steps: string;
}

/** `entire rewind --to` the first of two steps that changed, made and removed many files. */
export class Rewind implements Victim {
  readonly name = 'rewind --to';
  private readonly repo: TestRepo;
  private readonly session: AgentSession;
  private readonly target: string;
  private readonly putBack: () => void;
  private readonly git: Record<string, string>;
  private readonly before: Look;
  private readonly after: Look;
  /** The transcript: as it was, and cut. */
  private readonly whole: string;
  private readonly cut: string;

  constructor(repo: TestRepo) {
    this.repo = repo;
    repo.ready();
    repo.write('mine.txt', 'staged\n').git('add', '.');
    repo.write('mine.txt', 'not staged\n');
    this.session = repo.session('session-1');
    this.turn('turn 1', () => this.writeAll('one', (n) => n % 3 !== 0));
    this.turn('turn 2', () => {
      this.writeAll('two', (n) => n % 3 !== 2);
      for (let n = 2; n < FILES; n += 3) repo.run('rm', [`src/${n % 5}/${n}.txt`]);
    });
    this.target = stepOf(temporary(repo), 'Turn 1').id;
    this.git = this.userGit();
    this.putBack = keepCopy(repo);
    this.before = this.lookAt();
    this.whole = this.session.read();
    repo.entire('rewind', '--to', this.target);
    this.after = this.lookAt();
    this.cut = this.session.read();
    expect(pathsThatDiffer(this.before.files, this.after.files)).toHaveLength(FILES);
    expect(this.cut.length).toBeLessThan(this.whole.length);
  }

  prepare(): Command {
    this.putBack();
    return entireIn(this.repo, 'rewind', '--to', this.target);
  }

  look(): Found {
    const { repo, before, after } = this;
    const files = viewOf(repo.dir);
    expectEither(files, before.files, after.files);
    expect(lostSince(repo, before.files), 'lost').toEqual([]);
    expect(this.userGit()).toEqual(this.git);
    expectFsck(repo);
    this.expectTranscript();
    if (existsSync(this.journal)) return 'halfway';
    return pathsThatDiffer(before.files, files).length === 0 ? 'not begun' : 'over';
  }

  meanwhile(): void {
    collectAll(this.repo, this.session.id);
  }

  ends(): Command[] {
    this.ageLocks();
    return ['--continue', '--abort'].map((how) =>
      entireIn(this.repo, 'undo', '--session', this.session.id, how),
    );
  }

  settle(isClean: boolean): void {
    const { repo, before, after } = this;
    expect(existsSync(this.journal), 'still halfway').toBe(false);
    this.ageLocks();
    const now = this.lookAt();
    const isDone = pathsThatDiffer(now.files, before.files).length > 0;
    expect(now, isDone ? 'done' : 'not done').toEqual(isDone ? after : before);
    expect(this.session.read()).toBe(isDone ? this.cut : this.whole);
    this.expectTranscript();
    if (isClean) expectTidy(repo);
    if (isDone) {
      repo.entire('undo', '--session', this.session.id);
      expect(this.lookAt(), 'undone').toEqual(before);
      expect(this.session.read(), 'undone').toBe(this.whole);
    } else {
      repo.entire('rewind', '--to', this.target);
      expect(this.lookAt(), 'done after all').toEqual(after);
      expect(this.session.read()).toBe(this.cut);
    }
    expectTidy(repo);
    expect(this.userGit()).toEqual(this.git);
  }

  remove(): void {
    this.repo.remove();
  }

  private turn(prompt: string, act: () => void): void {
    this.session.prompt(prompt);
    this.session.shell(act);
    this.session.stop();
  }

  private writeAll(text: string, isMeant: (n: number) => boolean): void {
    for (let n = 0; n < FILES; n++)
      if (isMeant(n)) this.repo.write(`src/${n % 5}/${n}.txt`, `${text} ${n}\n`);
  }

  private get journal(): string {
    return join(this.repo.commonDir, 'entire', 'snapshots', this.session.id, 'journal.json');
  }

  private lookAt(): Look {
    const { repo } = this;
    const { last_interaction_time: _, ...state } = repo.state(this.session.id);
    const steps = repo.git('log', '--format=%s %an', repo.shadowBranches()[0] as string);
    return { files: viewOf(repo.dir), state, steps };
  }

  /** HEAD, index and what else is the user's. */
  private userGit(): Record<string, string> {
    const { refs = '', ...rest } = gitView(this.repo);
    const theirs = refs.split('\n').filter((line) => !/\trefs\/(heads\/)?entire\//.test(line));
    return { ...rest, refs: theirs.join('\n') };
  }

  /** It is whole, or it is cut and the whole one kept. */
  private expectTranscript(): void {
    const now = this.session.read();
    expect([this.whole, this.cut]).toContain(now);
    if (now !== this.whole) expect(replacedLogs(this.repo, this.session.id)).toContain(this.whole);
  }

  /** Git's locks at refs that only we write say nothing of their owners: time passes. */
  private ageLocks(): void {
    const refs = join(this.repo.commonDir, 'refs', 'heads', 'entire');
    const time = new Date(Date.now() - LONG_AGO_MS);
    for (const name of readdirSync(refs, { recursive: true, encoding: 'utf8' }))
      if (name.endsWith('.lock')) utimesSync(join(refs, name), time, time);
  }
}
