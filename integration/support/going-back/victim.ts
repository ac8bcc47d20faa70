import { existsSync, readdirSync, rmSync, utimesSync } from 'node:fs';
import { basename, join } from 'node:path';
import { expect } from 'vitest';
import type { TestRepo } from '../repository/test-repo.ts';
import type { View } from '../undo/view.ts';

/** What a kill found: nothing begun, something half done, or everything done. */
export type Found = 'not begun' | 'halfway' | 'over';

export interface Command {
  readonly program: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Record<string, string>;
}

/** Something that goes back, and may be killed while it does. What is not as it should be is thrown. */
export interface Victim {
  readonly name: string;
  /** Brings everything to where the command begins, and says which command that is. */
  prepare(): Command;
  /** Looks at what a kill left: nothing may be lost, and nothing be touched that is none of its business. */
  look(): Found;
  /** Runs something else that happens to come by, and that what is halfway must survive. */
  meanwhile?(): void;
  /** What brings that which is halfway to an end; each of them must. */
  ends(): readonly Command[];
  /**
   * Everything is at an end: it must be one of the allowed ones, and from there the other must be had.
   *
   * @param isClean the last command was not killed: it has left nothing behind, nor have those before it
   */
  settle(isClean: boolean): void;
  remove(): void;
}

export const entireIn = (repo: TestRepo, ...args: string[]): Command => ({
  ...{ program: 'entire', args, cwd: repo.dir, env: repo.env },
});

export const pathsThatDiffer = (a: View, b: View): string[] =>
  [...new Set([...Object.keys(a), ...Object.keys(b)])].filter((path) => a[path] !== b[path]);

/** Every path is as before or as after; of links and folders, too. */
export function expectEither(now: View, before: View, after: View): void {
  const odd = Object.keys(now).filter(
    (path) => now[path] !== 'empty' && now[path] !== before[path] && now[path] !== after[path],
  );
  expect(odd, 'neither as before nor as after').toEqual([]);
  const gone = Object.keys(before).filter((path) => path in after && !(path in now));
  expect(gone, 'gone').toEqual([]);
}

export function expectFsck(repo: TestRepo): void {
  const { code, stderr } = repo.tryGit('fsck', '--strict', '--no-dangling');
  expect(code, stderr).toBe(0);
}

/**
 * No journal, nothing staged, no lock, and nothing half-written that stays: contents go with the next gc, states and records with
 * what `entire clean` lists.
 */
export function expectTidy(repo: TestRepo): void {
  const halves = litterIn(repo).filter((file) => file.endsWith('.tmp') && !/\/staging-[^/]*\//.test(file));
  for (const file of halves) utimesSync(file, 1, 1); // none that a hook may be writing
  if (halves.some((file) => file.includes('/blobs/'))) repo.entire('gc');
  for (const file of halves.filter((half) => !half.includes('/blobs/'))) {
    expect(repo.entire('clean').stdout).toContain(basename(file));
    rmSync(file); // clean would also take what the next victim needs
  }
  expect(litterIn(repo), 'left behind').toEqual([]);
}

const litterIn = (repo: TestRepo): string[] =>
  ['entire', 'entire-sessions'].flatMap((folder) => {
    const own = join(repo.commonDir, folder);
    const names = existsSync(own) ? readdirSync(own, { recursive: true, encoding: 'utf8' }) : [];
    const litter = /(^|\/)(staging-[^/]*|journal\.json|[^/]*\.(tmp|lock))$/;
    return names.filter((name) => litter.test(name)).map((name) => join(own, name));
  });
