import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { logsOnly, stepOf, temporary, turns } from '../support/command/rewind.ts';
import { addWork } from '../support/command/work.ts';
import { realGit, withProgram } from '../support/process/programs.ts';
import { scenario, variation } from '../support/repository/scenario.ts';
import type { TestRepo } from '../support/repository/test-repo.ts';

/** Runs a command of ours during which, once the point is found, somebody else runs git. */
function whileGit(repo: TestRepo, script: string, ...args: string[]) {
  const git = realGit(repo);
  const done = join(repo.scratch, 'done');
  const env = withProgram(
    repo,
    'git',
    `case "$*" in *--disambiguate*) [ -e '${done}' ] || { : >'${done}'; cd '${repo.dir}'; ${script.replaceAll('git ', `'${git}' `)}; } >&2;; esac`,
    `exec '${git}' "$@"`,
  );
  const result = repo.run('entire', args, { env });
  expect(existsSync(done), result.stderr).toBe(true);
  return result;
}

const COMMIT = 'git commit --quiet --no-verify --allow-empty -m Meanwhile';
const OTHER_BRANCH = 'git switch --quiet -c other';

describe('HEAD moves between the look and the act: nothing is done, and it says so', () => {
  for (const [what, script] of [
    ['a commit', COMMIT],
    ['another branch', OTHER_BRANCH],
  ] as const)
    scenario(`--reset: ${what}`, (repo) => {
      repo.ready();
      const session = turns(repo, { 'a.txt': 'one\n' });
      repo.commit('First', 'a.txt');
      addWork(repo, { 'a.txt': 'two\n' }, session);
      repo.commit('Second', 'a.txt');
      repo.write('a.txt', 'mine\n');
      const before = session.read();
      const to = logsOnly(repo).at(-1)?.id as string;
      const { code, stderr } = whileGit(repo, script, 'rewind', '--to', to, '--reset');
      expect(stderr).toContain('Error: HEAD moved while it was looked at, so nothing was done\n');
      expect(code).toBe(1);
      expect(repo.message('HEAD').split('\n')[0]).toBe(what === 'a commit' ? 'Meanwhile' : 'Second');
      expect(repo.read('a.txt')).toBe('mine\n');
      expect(session.read()).toBe(before);
    });

  variation('a step of the commit before', (repo) => {
    repo.ready();
    const session = turns(repo, { 'a.txt': 'one\n' });
    repo.commit('First', 'a.txt'); // with a checkpoint, commits are looked for, too
    addWork(repo, { 'a.txt': 'v1\n' }, session);
    addWork(repo, { 'a.txt': 'v2\n', 'b.txt': 'b\n' }, session);
    const step = stepOf(temporary(repo), 'Write a.txt').id;
    const { code, stderr } = whileGit(repo, `ENTIRE=0 ${COMMIT}`, 'rewind', '--to', step);
    expect(stderr).toContain('Error: HEAD moved while it was looked at, so nothing was done\n');
    expect([code, repo.read('a.txt'), repo.exists('b.txt')]).toEqual([1, 'v2\n', true]);
  });
});
