import { renameSync } from 'node:fs';
import { join } from 'node:path';
import type { TestRepo } from '../repository/test-repo.ts';
import { relink, unhooked } from './relink.ts';
import { addWork } from './work.ts';

/** Lines that are taken out of files and put back. */

export const lines = (...all: string[]): string => all.map((line) => `${line}\n`).join('');

export const BESIDE = 'const nameOfThePerson = readTheName();';
export const ONE = 'const depthOfTheWholeTree = measure(walkTheTree);';
export const MORE = ['first', 'second', 'third'].map((at) => `const ${at}LineOfTheSession = readTheLine();`);

/** Work of a session that ends. */
export function commitWork(repo: TestRepo, files: Record<string, string>): string {
  const session = addWork(repo, files);
  const id = repo.commit('Work', ...Object.keys(files)) as string;
  session.end();
  return id;
}

/** A person's commit, of which no hook of ours hears. */
export function commitMine(repo: TestRepo, files: Record<string, string>): void {
  for (const [path, text] of Object.entries(files)) repo.write(path, text).git('add', path);
  unhooked(repo, 'commit', '--quiet', '-m', 'Mine');
}

/** A session gives files another name, and what is in them then. */
export function commitMoves(
  repo: TestRepo,
  moves: Record<string, string>,
  edited: Record<string, string> = {},
): void {
  const session = repo.session();
  session.prompt('move it');
  session.shell(() => {
    for (const [from, to] of Object.entries(moves)) renameSync(join(repo.dir, from), join(repo.dir, to));
  });
  for (const [path, text] of Object.entries(edited)) session.edit(path, text);
  session.stop();
  session.end();
  repo.git('add', '--all');
  repo.commit('Move');
}

/** The checkpoints that a commit is linked to. */
export const linkedTo = (repo: TestRepo, commit = 'HEAD'): string[] =>
  relink(repo, '--dry-run', commit).commits.flatMap(({ checkpoints }) =>
    checkpoints.map(({ checkpoint }) => checkpoint),
  );
