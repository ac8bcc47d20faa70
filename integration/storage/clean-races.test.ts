import { copyFileSync, existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { withBroken } from '../support/command/verify.ts';
import { realGit, withProgram } from '../support/process/programs.ts';
import { silentState, stateFile, turn } from '../support/repository/leftovers.ts';
import { variation } from '../support/repository/scenario.ts';
import type { TestRepo } from '../support/repository/test-repo.ts';

const ids = (of: ReadonlyArray<{ id: string }>): string[] => of.map(({ id }) => id);

/** `entire clean` with a git that runs lines of a shell script before it lists branches for the second time. */
function cleanWhile(repo: TestRepo, args: readonly string[], ...lines: string[]) {
  const count = join(repo.scratch, 'listings');
  const env = withProgram(
    repo,
    'git',
    'case "$*" in *worktreepath*)',
    `echo >>'${count}'`,
    `if [ "$(wc -l <'${count}')" -eq 2 ]; then`,
    ...lines,
    'fi;; esac',
    `exec '${realGit(repo)}' "$@"`,
  );
  return JSON.parse(repo.run('entire', ['clean', '--json', ...args], { env }).stdout);
}

describe('what is told of branches while sessions come and go', () => {
  variation('a branch whose steps cannot all be read stays, where a state cannot be read either', (repo) => {
    repo.ready();
    const session = turn(repo, 'a.txt');
    session.edit('a.txt', 'again\n');
    session.stop();
    const [branch] = repo.shadowBranches();
    const state = readFileSync(stateFile(repo, session.id));
    writeFileSync(stateFile(repo, session.id), '{');
    withBroken(repo, `${branch}~1`, 'missing', () => {
      const { stdout, stderr } = repo.entire('clean', '--force');
      expect(stdout).toBe('Nothing to clean up.\n');
      expect(stderr).toContain(`Note: ${branch} stays: whose steps it has cannot be read`);
      expect(repo.shadowBranches()).toEqual([branch]);
    });
    writeFileSync(stateFile(repo, session.id), state);
    const id = repo.commit('Add a', 'a.txt') as string;
    expect(repo.storedJson(id, '0/metadata.json').checkpoints_count).toBe(2);
  });

  variation('a state that was set aside keeps the branch as it did before', (repo) => {
    repo.ready();
    const session = turn(repo, 'a.txt');
    const state = readFileSync(stateFile(repo, session.id));
    writeFileSync(stateFile(repo, session.id), state.subarray(0, 20));
    expect(repo.tryEntire('doctor').stdout).not.toContain('shadow-branch-unowned');
    repo.tryEntire('doctor', '--fix');
    expect(repo.stateFiles()).not.toContain(`${session.id}.json`);
    const { stdout, stderr } = repo.entire('clean', '--force');
    expect(stdout).toBe('Nothing to clean up.\n');
    expect(stderr).toContain('stays: a session whose state cannot be read may need it');
    expect(repo.shadowBranches()).toHaveLength(1);
    writeFileSync(stateFile(repo, session.id), state); // as a person would mend it
    expect(repo.storedJson(repo.commit('Add a', 'a.txt') as string, '0/metadata.json').session_id).toBe(
      session.id,
    );
  });

  variation('a session that begins between two looks keeps its branch', (repo) => {
    repo.ready();
    const { id } = turn(repo, 'a.txt');
    const [branch] = repo.shadowBranches();
    const tip = repo.git('rev-parse', branch as string);
    const [state, away] = [stateFile(repo, id), join(repo.scratch, 'state')];
    renameSync(state, away);
    repo.git('update-ref', '-d', `refs/heads/${branch}`);
    writeFileSync(stateFile(repo, 'unreadable'), '{');
    const begin = [`cp '${away}' '${state}'`, `'${realGit(repo)}' update-ref refs/heads/${branch} ${tip}`];
    expect(ids(cleanWhile(repo, [], ...begin).found)).toEqual([]);
    expect(existsSync(state)).toBe(repo.shadowBranches().length > 0);
  });

  variation('one that comes back to life after the first look keeps it as well', (repo) => {
    repo.ready();
    const { id } = turn(repo, 'a.txt');
    const [state, away] = [stateFile(repo, id), join(repo.scratch, 'state')];
    copyFileSync(state, away);
    silentState(repo, id, { checkpoint_count: 0, files_touched: [] });
    const report = cleanWhile(repo, ['--force'], `cp '${away}' '${state}'`);
    expect(ids(report.found)).toEqual(repo.shadowBranches());
    expect(report.deleted).toEqual([]);
    expect(report.kept).toContainEqual(expect.objectContaining({ kind: 'shadow-branch', reason: 'pending' }));
    expect(repo.shadowBranches()).toHaveLength(1);
  });

  variation('many branches are read once each, also where all steps have to be read', (repo) => {
    repo.ready();
    turn(repo, 'a.txt');
    const [branch = ''] = repo.shadowBranches();
    for (let n = 0; n < 5; n++) repo.git('branch', `entire/${'abcde'[n]?.repeat(7)}-e3b0c4`, branch);
    writeFileSync(stateFile(repo, 'unreadable'), '{');
    const log = join(repo.scratch, 'logs');
    const note = `case "$*" in *--format=*%B*) echo >>'${log}';; esac`;
    const env = withProgram(repo, 'git', note, `exec '${realGit(repo)}' "$@"`);
    const { stdout } = repo.run('entire', ['clean', '--force'], { env });
    expect(stdout).toContain('Step branches (5)');
    expect(readFileSync(log, 'utf8')).toHaveLength(6);
  });
});
