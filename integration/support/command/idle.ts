import { existsSync, mkdirSync, readdirSync, readFileSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { VerdictReason } from '../../../src/session/record/verdicts.ts';
import type { TestRepo } from '../repository/test-repo.ts';
import { expectLinked, expectNotLinked, withWork } from './work.ts';

/** A ready repository in which nobody has been at work for a minute, and a commit since: the scripts may leave the program alone. */
export function idle(repo: TestRepo): TestRepo {
  repo.ready();
  return settle(repo);
}

/** As a minute later: settings and sessions have not changed since, and a commit was made that is nobody's. */
export function settle(repo: TestRepo, reason: VerdictReason = 'no-session'): TestRepo {
  const sessions = join(repo.commonDir, 'entire-sessions');
  mkdirSync(sessions, { recursive: true });
  setBack(sessions, 60);
  for (const name of ['', ...readdirSync(join(repo.dir, '.entire'))])
    setBack(join(repo.dir, '.entire', name), 120);
  repo.git('commit', '--quiet', '--allow-empty', '-m', 'Nobody is at work');
  expectNotLinked(repo, reason);
  expect(left(repo)).toBe(200);
  return repo;
}

export function setBack(path: string, seconds: number): void {
  const at = Date.now() / 1000 - seconds;
  utimesSync(path, at, at);
}

/** How many commits the scripts may pass over yet; `undefined` without a mark. */
export function left(repo: TestRepo, name = '@'): number | undefined {
  const folder = join(repo.commonDir, 'entire/idle', name);
  if (!existsSync(join(folder, 'mark'))) return undefined;
  return Number(readFileSync(join(folder, 'head'), 'utf8').split(' ')[1]);
}

/** As {@link settle}, after a session whose work is committed: its checkpoint. HEAD is a commit behind that one. */
export function workThatIsOver(repo: TestRepo): string {
  const session = withWork(repo);
  repo.commit('Add a', 'a.txt');
  const id = expectLinked(repo, session, 'a.txt');
  session.end();
  settle(repo, 'no-overlap');
  return id;
}

export function commitByHand(repo: TestRepo, path = 'mine.txt'): void {
  repo.write(path, `${Math.random()}\n`);
  repo.git('add', '--', path);
  repo.git('commit', '--quiet', '-m', 'By hand');
}
