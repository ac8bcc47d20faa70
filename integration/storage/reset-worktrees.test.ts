import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { inTerminal, needsTerminal } from '../support/process/terminal.ts';
import { turn } from '../support/repository/leftovers.ts';
import { variation } from '../support/repository/scenario.ts';
import type { TestRepo } from '../support/repository/test-repo.ts';

/** A session here, and one in a linked worktree on the same commit. */
function inTwoWorktrees(repo: TestRepo) {
  repo.ready();
  const main = repo.dir;
  const linked = join(repo.scratch, 'linked');
  repo.git('worktree', 'add', '--quiet', linked);
  const here = turn(repo, 'a.txt');
  repo.dir = linked;
  const there = turn(repo, 'b.txt');
  repo.dir = main;
  return { here, there, linked };
}

variation('a reset names the worktree of each session that lives in another one', (repo) => {
  const { here, there, linked } = inTwoWorktrees(repo);
  const { stderr } = repo.entire('reset', '--force');
  expect(stderr).toContain(`Cleared session state for ${here.id}\n`);
  expect(stderr).toContain(`Cleared session state for ${there.id} (worktree ${linked})\n`);
  expect(repo.stateFiles()).toEqual([]);
  expect(repo.shadowBranches()).toHaveLength(1); // the steps of the other worktree
});

variation('and so it does of one in the middle of a turn, and where one alone is reset', (repo) => {
  const { there, linked } = inTwoWorktrees(repo);
  const main = repo.dir;
  repo.dir = linked;
  there.prompt('more');
  repo.dir = main;
  expect(repo.entire('reset').stderr).toContain(`  ${there.id} (phase: active, worktree ${linked})\n`);
  expect(repo.stateFiles()).toHaveLength(2);
  expect(repo.entire('reset', '--force', '--session', there.id).stderr).toContain(
    `Cleared session state for ${there.id} (worktree ${linked})\n`,
  );
});

variation('whoever waits for a hook of a session is told so, and for which', (repo) => {
  repo.ready();
  const { id } = turn(repo, 'a.txt');
  const lock = join(repo.commonDir, 'entire-sessions', `${id}.lock`);
  mkdirSync(lock);
  writeFileSync(join(lock, `pid-${process.pid}-of-a-container`), '');
  const command = `(sleep 2.5; rm -r '${lock}') & exec entire reset --force`;
  const { stderr } = repo.run('sh', ['-c', command]);
  expect(stderr).toMatch(new RegExp(`^Resetting session ${id}: 1 of 1\\nCleared session state for ${id}\\n`));
});

variation('the question names it before anything happens', (repo, skip) => {
  needsTerminal(skip);
  const { here, there, linked } = inTwoWorktrees(repo);
  const all = inTerminal(repo, 'reset', 'n\n').stdout.replaceAll('\r', '');
  expect(all).toContain(`Session state: ${here.id}\n`);
  expect(all).toContain(`Session state: ${there.id} (worktree ${linked})\n`);
  expect(all).toContain('Reset session data? [y/N]');
  const one = inTerminal(repo, `reset --session ${there.id}`, 'n\n').stdout;
  expect(one).toContain(`Phase: idle, Checkpoints: 1, worktree ${linked}`);
  expect(repo.stateFiles()).toHaveLength(2);
});
