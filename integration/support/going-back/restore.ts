import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect } from 'vitest';
import type { FileSnapshotStore } from '../../../src/index.ts';
import { root as packageRoot } from '../process/builds.ts';
import { type View, viewOf } from '../undo/view.ts';
import { LIBRARY } from './library.ts';
import { type Command, expectEither, type Found, pathsThatDiffer, type Victim } from './victim.ts';

const FILES = 120;
const PROGRAM = join(packageRoot, 'integration', 'support', 'going-back', 'restore-snapshot.mjs');
const PATHS = Array.from({ length: FILES }, (_, n) => `src/${n % 7}/${n}.txt`);

/** `FileSnapshotStore.restore` in a program of somebody's, without a repository, to one of two snapshots by turns. */
export class Restore implements Victim {
  readonly name = 'restore';
  private readonly scratch = realpathSync(mkdtempSync(join(tmpdir(), 'entire-restore-')));
  private readonly cwd = join(this.scratch, 'work');
  private readonly root = join(this.scratch, 'store');
  private readonly store: FileSnapshotStore;
  private readonly views: readonly View[];
  /** Which of them the files are, and what was there that no snapshot has. */
  private from: View = {};
  private target = 0;
  private round = 0;

  constructor(Store: typeof FileSnapshotStore) {
    this.store = new Store({ root: this.root, cwd: this.cwd });
    this.views = ['one', 'two'].map((text, at) => {
      for (const [n, path] of PATHS.entries())
        if (n % 3 === at) rmSync(join(this.cwd, path), { force: true });
        else this.write(path, `${text} ${n}\n`);
      this.store.snap(PATHS);
      return viewOf(this.cwd);
    });
  }

  prepare(): Command {
    this.target = 1 - this.target;
    this.round++;
    for (let n = 2; n < FILES; n += 9) this.write(PATHS[n] as string, `unkept ${this.round} ${n}\n`);
    this.from = viewOf(this.cwd);
    return this.command(this.target);
  }

  look(): Found {
    const now = viewOf(this.cwd);
    expectEither(now, this.from, this.to);
    this.expectNothingLost();
    if (existsSync(join(this.root, 'journal.json'))) return 'halfway';
    return pathsThatDiffer(this.from, now).length === 0 ? 'not begun' : 'over';
  }

  meanwhile(): void {
    const blobs = join(this.root, 'blobs');
    for (const name of readdirSync(blobs)) utimesSync(join(blobs, name), 1, 1);
    this.store.gcBlobs();
    this.expectNothingLost();
  }

  /** The same again. */
  ends(): Command[] {
    return [this.command(this.target)];
  }

  settle(isClean: boolean): void {
    const now = viewOf(this.cwd);
    if (isClean) expect(pathsThatDiffer(now, this.to), 'restored').toEqual([]);
    else
      this.store.restore(this.store.list()[this.target] as NonNullable<ReturnType<typeof this.store.latest>>);
    expect(pathsThatDiffer(viewOf(this.cwd), this.to), 'restored').toEqual([]);
    this.expectNothingLost();
    expect(readdirSync(this.root).sort()).toEqual(['blobs', 'snaps']);
    const odd = readdirSync(join(this.root, 'snaps')).filter(
      (name) => !/^[\d]{13}-[\da-f]{12}\.json$/.test(name),
    );
    expect(odd).toEqual([]);
  }

  remove(): void {
    rmSync(this.scratch, { recursive: true, force: true });
  }

  private get to(): View {
    return this.views[this.target] as View;
  }

  private command(at: number): Command {
    const args = [PROGRAM, LIBRARY, this.root, this.cwd, String(at)];
    return { program: process.execPath, args, cwd: this.scratch, env: { HOME: this.scratch } };
  }

  private write(path: string, text: string): void {
    mkdirSync(dirname(join(this.cwd, path)), { recursive: true });
    writeFileSync(join(this.cwd, path), text);
  }

  /** What was in a file before is in it, or kept. */
  private expectNothingLost(): void {
    const now = viewOf(this.cwd);
    const lost = Object.entries(this.from).filter(([path, what]) => {
      if (what === 'empty' || now[path] === what) return false;
      const blob = join(this.root, 'blobs', sha256(what.slice(what.indexOf(' ') + 1)));
      return !existsSync(blob) || sha256(readFileSync(blob, 'latin1')) !== blob.slice(-64);
    });
    expect(lost, 'lost').toEqual([]);
  }
}

const sha256 = (text: string): string => createHash('sha256').update(text, 'latin1').digest('hex');
