import { existsSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { inTerminal, turn, withFeature } from '../support/command/resume.ts';
import { needsTerminal } from '../support/process/terminal.ts';
import { variation } from '../support/repository/scenario.ts';

const branchOf = (repo: { git(...args: string[]): string }) => repo.git('branch', '--show-current');

describe('a checkpoint below newer commits', () => {
  variation('commits without checkpoints are counted, and need a yes', (repo, skip) => {
    const { session } = withFeature(repo);
    repo.git('switch', '--quiet', 'feature');
    const found = repo.git('rev-parse', '--short=7', 'HEAD');
    for (const name of ['x', 'y']) repo.git('commit', '--quiet', '--allow-empty', '-m', name);
    rmSync(session.transcript);
    const refused = repo.tryEntire('resume', 'feature');
    expect(refused.code).toBe(1);
    expect(refused.stderr).toContain(`Found checkpoint in an older commit.
There are 2 newer commits on this branch without checkpoints.
Checkpoint from: ${found} Add a.txt

Error: `);
    expect(refused.stderr).toContain('--force');
    expect(existsSync(session.transcript)).toBe(false);
    expect(repo.entire('resume', 'feature', '--force').stderr).toContain(`claude -r ${session.id}`);
    needsTerminal(skip);
    rmSync(session.transcript);
    expect(inTerminal(repo, 'resume feature', 'n\n').stdout).toContain('Resume cancelled.');
    expect(existsSync(session.transcript)).toBe(false);
    expect(inTerminal(repo, 'resume feature', 'y\n').stdout).toContain(`claude -r ${session.id}`);
  });

  variation('a checkpoint far below HEAD is found: commits are no limit', (repo) => {
    const { session } = withFeature(repo);
    repo.git('switch', '--quiet', 'feature');
    const tree = repo.git('rev-parse', 'HEAD^{tree}');
    let tip = repo.git('rev-parse', 'HEAD');
    for (let n = 0; n < 130; n++)
      tip = repo.git('commit-tree', tree, '-p', tip, '-m', `Commit ${n}\n\nEntire-Checkpoint: none`);
    repo.git('update-ref', 'refs/heads/feature', tip);
    const { stderr } = repo.entire('resume', 'feature', '--dry-run');
    expect(stderr).toContain('There are 130 newer commits');
    expect(stderr).toContain(`claude -r ${session.id}`);
  });

  variation('a file that git ignores here, and the branch has, is never overwritten', (repo) => {
    withFeature(repo);
    repo.git('switch', '--quiet', 'feature');
    repo.write('.env', 'of the branch\n').git('add', '.env');
    repo.git('commit', '--quiet', '--no-verify', '-m', 'Add settings');
    repo.git('switch', '--quiet', 'main');
    repo.write('.gitignore', '.env\n').commit('Ignore', '.gitignore');
    repo.write('.env', 'mine, and nowhere else\n');
    const { code, stderr } = repo.tryEntire('resume', 'feature', '--force');
    expect([code, stderr]).toEqual([1, expect.stringContaining('.env')]);
    expect([repo.read('.env'), branchOf(repo)]).toEqual(['mine, and nowhere else\n', 'main']);
  });

  variation('the default branch is the one that HEAD of origin names', (repo) => {
    const { session } = withFeature(repo);
    repo.git('branch', '--quiet', '--move', 'main', 'trunk');
    const old = turn(repo, repo.session(), 'trunk.txt');
    expect(old).toMatch(/^[0-9a-f]{12}$/);
    repo.git('update-ref', 'refs/remotes/origin/trunk', 'refs/heads/trunk');
    repo.git('symbolic-ref', 'refs/remotes/origin/HEAD', 'refs/remotes/origin/trunk');
    repo.git('switch', '--quiet', '-c', 'fresh');
    repo.git('commit', '--quiet', '--allow-empty', '-m', 'Nothing of a session');
    expect(repo.entire('resume', 'fresh').stderr).toBe("No Entire checkpoint found on branch 'fresh'\n");
    expect(repo.entire('resume', 'feature').stderr).toContain(`Session: ${session.id}`);
  });
});

describe('switching', () => {
  variation('untracked files do not block it', (repo) => {
    const { session } = withFeature(repo);
    repo.write('notes.txt', 'mine\n');
    expect(repo.entire('resume', 'feature').stderr).toContain(`Session: ${session.id}`);
    expect(repo.read('notes.txt')).toBe('mine\n');
    repo.git('switch', '--quiet', 'main');
    repo.write('a.txt', 'in the way\n');
    const refused = repo.tryEntire('resume', 'feature');
    expect(refused.code).toBe(1);
    expect(refused.stderr).toMatch(/^Error: Failed to checkout branch: .*overwritten by checkout/);
    expect([branchOf(repo), repo.read('a.txt')]).toEqual(['main', 'in the way\n']);
  });

  variation('a branch of another worktree is refused in git’s words', (repo) => {
    withFeature(repo);
    repo.git('worktree', 'add', '--quiet', join(repo.scratch, 'other'), 'feature');
    const refused = repo.tryEntire('resume', 'feature');
    expect(refused.code).toBe(1);
    expect(refused.stderr).toMatch(
      /^Error: Failed to checkout branch: .*(already used by|already checked out at)/,
    );
  });

  variation('nothing is switched in the middle of a rebase', (repo) => {
    withFeature(repo);
    mkdirSync(join(repo.commonDir, 'rebase-merge'));
    const refused = repo.tryEntire('resume', 'feature');
    expect([refused.code, branchOf(repo)]).toEqual([1, 'main']);
    expect(refused.stderr).toContain('a rebase is in progress');
  });

  variation('from a detached HEAD it says where that was', (repo) => {
    const { session } = withFeature(repo);
    repo.git('switch', '--quiet', '--detach');
    const head = repo.git('rev-parse', '--short=7', 'HEAD');
    const { stderr } = repo.entire('resume', 'feature');
    expect(stderr).toContain(`HEAD was detached at ${head}`);
    expect(stderr).toContain(`Session: ${session.id}`);
    expect(branchOf(repo)).toBe('feature');
  });

  variation('a branch before its first commit has no checkpoint', (repo) => {
    repo.init();
    repo.entire('enable', '--agent', 'claude-code');
    expect(repo.entire('resume', 'main').stderr).toBe("No Entire checkpoint found on branch 'main'\n");
    expect(repo.entire('resume').stderr).toBe('No session found in this repository\n');
    expect(repo.tryEntire('resume', 'HEAD').code).toBe(1);
  });

  variation('branches of our own are no work to go on with', (repo) => {
    withFeature(repo);
    const refused = repo.tryEntire('resume', 'entire/checkpoints/v1');
    expect([refused.code, branchOf(repo)]).toEqual([1, 'main']);
    expect(refused.stderr).toContain("a branch of Entire's own");
  });

  variation('a repository where Entire is disabled is left alone', (repo) => {
    const { session } = withFeature(repo);
    repo.entire('disable');
    rmSync(session.transcript);
    const { stdout, stderr } = repo.entire('resume', 'feature');
    expect([stdout, stderr]).toEqual(['Entire is disabled. Run `entire enable` to re-enable.\n', '']);
    expect([branchOf(repo), existsSync(session.transcript)]).toEqual(['main', false]);
    expect(JSON.parse(repo.entire('resume', '--json').stdout)).toEqual({
      enabled: false,
      reason: 'disabled',
    });
  });
});
