import { readdirSync, rmSync, truncateSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { FileSnapshotStore } from '../../../src/index.ts';
import { keepCopy } from '../repository/keep-copy.ts';
import type { TestRepo } from '../repository/test-repo.ts';
import { gitView, type View, viewOf } from '../undo/view.ts';
import { type Command, entireIn, expectTidy, type Found, pathsThatDiffer, type Victim } from './victim.ts';

const MIB = 1 << 20;
/** A file of this size is stored as it is. */
const LARGE_MIB = 65;
/** About half of what the turns take fits as well. */
const BUDGET_MIB = 67;
const TURNS = 4;
const FILES = 30;
const FILE_BYTES = 16 * 1024;
const STRAYS = 40;

/** `entire gc` where two sessions have more than the budget allows, and contents lie about that nobody names. */
export class Collect implements Victim {
  readonly name = 'gc';
  private readonly repo: TestRepo;
  /** By session, what there was before each of its turns, and after the last. */
  private readonly views = new Map<string, View[]>();
  private readonly putBack: () => void;
  private readonly work: View;
  private readonly git: Record<string, string>;
  /** Files of all stores, before and after. */
  private readonly before: readonly string[];
  private readonly after: readonly string[];
  private rounds = 0;

  constructor(repo: TestRepo, Store: typeof FileSnapshotStore) {
    this.repo = repo;
    repo.ready();
    const settings = { strategy_options: { snapshots: { budget_mb: BUDGET_MIB } } };
    repo.write('.entire/settings.local.json', JSON.stringify(settings));
    this.keepLargeFile(Store);
    for (let turn = 1; turn <= TURNS; turn++)
      for (const id of ['session-a', 'session-b']) this.turn(id, turn);
    this.leaveStrays();
    this.git = gitView(repo);
    this.work = viewOf(repo.dir);
    this.before = this.list();
    this.putBack = keepCopy(repo);
    const { evicted } = JSON.parse(repo.entire('gc', '--dry-run', '--json').stdout);
    const announced = evicted.map(({ session_id: id, steps }: { session_id: string; steps: number }) => [
      id,
      steps,
    ]);
    repo.entire('gc');
    this.after = this.list();
    expect(announced, 'of each session some').toHaveLength(2);
    for (const [id, steps] of announced) expect(this.stepsOf(id)).toBe(TURNS - steps);
  }

  prepare(): Command {
    this.putBack();
    return this.command;
  }

  look(): Found {
    const { repo } = this;
    const now = this.list();
    expect(this.before, 'came from nowhere').toEqual(expect.arrayContaining(now));
    expect(now, 'more is gone than was announced').toEqual(expect.arrayContaining([...this.after]));
    expect(JSON.parse(repo.tryEntire('verify', '--read-data', '--json').stdout).problems).toEqual([]);
    this.expectUntouched();
    if (now.length === this.before.length) return 'not begun';
    return now.length === this.after.length ? 'over' : 'halfway';
  }

  /** The same again. */
  ends(): Command[] {
    return [this.command];
  }

  settle(isClean: boolean): void {
    const { repo } = this;
    if (!isClean) repo.entire('gc');
    expect(this.list(), 'as if nobody had killed it').toEqual(this.after);
    expectTidy(repo);
    expect(repo.entire('gc').stdout).toContain('Nothing to remove.');
    this.expectUntouched();
    this.expectUndone(...([...this.views][this.rounds++ % 2] as [string, readonly View[]]));
  }

  remove(): void {
    this.repo.remove();
  }

  private get command(): Command {
    return entireIn(this.repo, 'gc');
  }

  /** Most of the budget, in one step: each session keeps its newest. */
  private keepLargeFile(Store: typeof FileSnapshotStore): void {
    const file = join(this.repo.dir, 'large.bin');
    writeFileSync(file, '');
    truncateSync(file, LARGE_MIB * MIB);
    const root = join(this.repo.commonDir, 'entire', 'snapshots', 'session-large');
    new Store({ root, cwd: this.repo.dir }).snap([file]);
    rmSync(file);
  }

  private turn(id: string, turn: number): void {
    const { repo } = this;
    const session = repo.session(id);
    this.views.set(id, [...(this.views.get(id) ?? []), viewOf(repo.dir)]);
    session.prompt(`turn ${turn}`);
    session.shell(() => {
      for (let n = 0; n < FILES; n++)
        repo.write(`${id}/${n}.txt`, `${turn} ${n} `.padEnd(FILE_BYTES, `${turn}`));
    });
    session.stop();
  }

  /** What killed processes left long ago; and nothing is young. */
  private leaveStrays(): void {
    const snapshots = join(this.repo.commonDir, 'entire', 'snapshots');
    const blobs = join(snapshots, 'session-a', 'blobs');
    for (let n = 0; n < STRAYS; n++)
      writeFileSync(join(blobs, String(n).padStart(64, '0')), 'x'.repeat(MIB / 4));
    writeFileSync(join(blobs, `${'0'.repeat(64)}.1-0123456789ab.tmp`), 'half');
    for (const name of this.list()) utimesSync(join(snapshots, name), 1, 1);
  }

  private list(): string[] {
    const snapshots = join(this.repo.commonDir, 'entire', 'snapshots');
    const all = readdirSync(snapshots, { recursive: true, withFileTypes: true });
    const files = all.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name));
    // What is put aside on its way out is still there.
    return files.map((file) => file.slice(snapshots.length + 1).replace(/\.\d+\.tmp$/, '')).sort();
  }

  private stepsOf(id: string): number {
    const { stdout } = this.repo.entire('undo', '--list', '--json', '--session', id);
    return JSON.parse(stdout).undo.length;
  }

  /** All steps that are left can be taken back. */
  private expectUndone(id: string, views: readonly View[]): void {
    const { repo } = this;
    const steps = this.stepsOf(id);
    repo.entire('undo', '--session', id, '--steps', String(steps));
    const [then, now] = [views[TURNS - steps] as View, viewOf(repo.dir)];
    expect(pathsThatDiffer(then, now).filter((path) => path.startsWith(`${id}/`))).toEqual([]);
  }

  private expectUntouched(): void {
    expect(pathsThatDiffer(this.work, viewOf(this.repo.dir)), 'files').toEqual([]);
    expect(gitView(this.repo)).toEqual(this.git);
  }
}
