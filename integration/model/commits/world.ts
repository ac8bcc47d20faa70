import { expect } from 'vitest';
import type { AgentSession } from '../../support/agent/session.ts';
import type { TestRepo } from '../../support/repository/test-repo.ts';
import type { Dice } from '../../support/runner/dice.ts';
import type { Elsewhere } from './facts.ts';
import {
  type Actor,
  type FileState,
  LineBook,
  renderLines,
  type SessionName,
  type Tree,
  unitsBetween,
} from './lines.ts';
import { Observer } from './observed.ts';
import { Pair } from './pair.ts';
import { Ledger } from './promise.ts';

const NAMES = ['a.txt', 'b.txt', 'c d.txt', 'dir/e.txt', 'dir/f.txt', 'g.txt'];

/** One sequence: the two repositories, two sessions, and what the model knows. */
export class World {
  readonly repo: TestRepo;
  readonly pair: Pair;
  readonly book = new LineBook();
  readonly ledger = new Ledger();
  readonly observer: Observer;
  readonly sessions: Record<SessionName, AgentSession>;
  /** What was done, for the report of a failure. */
  readonly story: string[] = [];
  /** How often what happened, for the last line of a run. */
  readonly counts = new Map<string, number>();
  private numbers = 0;
  /** Verdicts of the commits that made the repository. */
  private readonly earlier: number;

  constructor(repo: TestRepo) {
    this.repo = repo;
    repo.ready();
    for (const name of ['a.txt', 'dir/e.txt']) repo.write(name, renderLines(this.book.newLines(4)));
    repo.git('add', '.');
    repo.git('commit', '--quiet', '-m', 'Begin');
    repo.git('tag', 'begin');
    this.pair = new Pair(repo);
    this.pair.inTwin('tag', '--force', 'begin');
    this.sessions = { A: repo.session('session-a'), B: repo.session('session-b') };
    this.observer = new Observer(
      repo,
      new Map([
        ['session-a', 'A'],
        ['session-b', 'B'],
      ]),
    );
    this.earlier = this.observer.verdicts().length;
  }

  tell(line: string): void {
    this.story.push(line);
  }

  number(): number {
    return ++this.numbers;
  }

  count(what: string): void {
    this.counts.set(what, (this.counts.get(what) ?? 0) + 1);
  }

  prompt(session: SessionName): void {
    this.tell(`${session}: prompt`);
    this.sessions[session].prompt(`do number ${this.number()}`);
    this.ledger.prompt(session);
  }

  stop(session: SessionName): void {
    this.tell(`${session}: stop`);
    this.sessions[session].stop();
    this.ledger.stop(session, this.elsewhere(), this.pair.worktree());
  }

  /** Where the work is that HEAD does not have. */
  elsewhere(): Elsewhere {
    return { dirty: this.pair.dirty(), stashed: this.pair.stashed() };
  }

  /** The session in its turn, one begun now if need be. */
  inTurn(session: SessionName): AgentSession {
    if (!this.ledger.isActive(session)) this.prompt(session);
    return this.sessions[session];
  }

  /** Puts a file's new state into both worktrees, and on record. */
  put(actor: Actor, path: string, after: FileState | undefined, reported = false): void {
    const before = this.pair.worktree().get(path);
    this.book.did(actor, unitsBetween(path, before, after));
    const act = () => (after ? this.pair.write(path, after) : this.pair.remove(path));
    if (actor === 'user') act();
    else if (!reported) this.sessions[actor].shell(act);
    else {
      this.sessions[actor].seesBefore(path);
      act();
      this.sessions[actor].tool(before ? 'Edit' : 'Write', { file_path: `${this.repo.dir}/${path}` });
      this.sessions[actor].reportEdit(path);
    }
    this.ledger.changed(actor, [path], reported);
  }

  /** Runs git in both; whatever it does to the worktree, no session did. */
  git(args: readonly string[], options: { env?: Record<string, string>; input?: string } = {}): boolean {
    const before = this.pair.worktree();
    const { ok } = this.pair.git(args, options);
    const after = this.pair.worktree();
    this.tell(`git ${args.join(' ')}${ok ? '' : '   (fails)'}`);
    this.ledger.changed('user', changedPaths(before, after), false);
    return ok;
  }

  /** A file that is there. */
  anyFile(dice: Dice): string | undefined {
    const there = [...this.pair.worktree().keys()].filter((path) => path !== 'README.md');
    return there.length > 0 ? dice.oneOf(there) : undefined;
  }

  /** A name that is free. */
  freeName(dice: Dice): string | undefined {
    const free = NAMES.filter((name) => !this.pair.worktree().has(name));
    return free.length > 0 ? dice.oneOf(free) : undefined;
  }

  anyName(dice: Dice): string {
    return dice.oneOf(NAMES);
  }

  /** After every step: nothing of the user's is other than without us, and every commit has its verdict. */
  expectSound(): void {
    this.pair.expectAlike();
    expect(this.observer.verdicts().length, 'one verdict for each run of post-commit').toBe(
      this.pair.postCommitRuns() + this.earlier,
    );
  }
}

export function changedPaths(before: Tree, after: Tree): string[] {
  const paths = [...new Set([...before.keys(), ...after.keys()])];
  return paths.filter(
    (path) =>
      unitsBetween(path, before.get(path), after.get(path)).length > 0 ||
      before.has(path) !== after.has(path),
  );
}
