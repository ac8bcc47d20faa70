import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { inTerminal, turn } from '../support/command/resume.ts';
import { needsTerminal } from '../support/process/terminal.ts';
import {
  addCheckpoint,
  addClone,
  checkpointsOn,
  METADATA,
  withOrigin,
} from '../support/repository/clones.ts';
import { scenario, variation } from '../support/repository/scenario.ts';
import type { TestRepo } from '../support/repository/test-repo.ts';

const TRACKING = 'refs/remotes/origin/entire/checkpoints/v1';

/** A clone of a repository whose branch `feature` and checkpoint have been pushed since it was cloned. */
function withPushedFeature(repo: TestRepo): { clone: TestRepo; bare: string; id: string; session: string } {
  const bare = withOrigin(repo);
  const clone = addClone(repo, bare);
  repo.git('switch', '--quiet', '-c', 'feature');
  const session = repo.session();
  const id = turn(repo, session, 'a.txt');
  repo.git('push', '--quiet', 'origin', 'feature');
  return { clone, bare, id, session: session.id };
}

const branches = (repo: TestRepo) => repo.branches().filter((name) => !name.startsWith('entire/'));

describe('a branch that only origin has', () => {
  variation('is fetched after a yes, or with --force', (repo, skip) => {
    const { clone, session } = withPushedFeature(repo);
    expect(clone.tryEntire('resume', 'feature').stderr).toContain(
      'Error: no such branch, commit, checkpoint or session here or on origin: feature',
    );
    clone.git('fetch', '--quiet', 'origin', 'feature');
    const refused = clone.tryEntire('resume', 'feature');
    expect(refused.code).toBe(1);
    expect(refused.stderr).toContain("branch 'feature' exists only on origin");
    expect(branches(clone)).toEqual(['main']);

    const { stderr } = clone.entire('resume', 'feature', '--force');
    expect(stderr).toContain("Fetching branch 'feature' from origin...\nSwitched to branch 'feature'\n");
    expect(stderr).toContain(`Session: ${session}\n`);
    expect(clone.git('rev-parse', '--abbrev-ref', 'feature@{upstream}')).toBe('origin/feature');
    expect(clone.git('rev-parse', 'feature')).toBe(repo.git('rev-parse', 'feature'));

    needsTerminal(skip);
    clone.git('switch', '--quiet', 'main');
    clone.git('branch', '--quiet', '-D', 'feature');
    const declined = inTerminal(clone, 'resume feature', 'n\n');
    expect([declined.code, branches(clone)]).toEqual([0, ['main']]);
    expect(inTerminal(clone, 'resume feature', 'y\n').stdout).toContain(`claude -r ${session}`);
  });

  variation('uncommitted changes stop it before anything is fetched', (repo) => {
    const { clone } = withPushedFeature(repo);
    clone.git('fetch', '--quiet', 'origin', 'feature');
    clone.write('README.md', 'changed\n');
    const refused = clone.tryEntire('resume', 'feature', '--force');
    expect(refused.code).toBe(1);
    expect(refused.stderr).toContain('you have uncommitted changes');
    expect([branches(clone), clone.read('README.md')]).toEqual([['main'], 'changed\n']);
  });

  variation('a remote that does not answer is an error, and no branch is left behind', (repo) => {
    const { clone, bare } = withPushedFeature(repo);
    clone.git('fetch', '--quiet', 'origin', 'feature');
    rmSync(bare, { recursive: true });
    const { code, stderr } = clone.tryEntire('resume', 'feature', '--force');
    expect(code).toBe(1);
    expect(stderr).toContain('Error: Failed to fetch branch: ');
    expect(branches(clone)).toEqual(['main']);
  });
});

describe('metadata that only the remote has', () => {
  scenario('is fetched and united with the local checkpoints; --force is kept through', (repo) => {
    const { clone, id, session } = withPushedFeature(repo);
    const own = addCheckpoint(clone);
    repo.git('commit', '--quiet', '--allow-empty', '-m', 'On top');
    repo.git('push', '--quiet', 'origin', 'feature');
    clone.git('fetch', '--quiet', 'origin');
    expect(checkpointsOn(clone)).toEqual([own]);
    clone.git('branch', 'feature', 'origin/feature');

    const { stderr } = clone.entire('resume', 'feature', '--force');
    expect(stderr).toContain('Fetching session metadata from origin...\n');
    expect(stderr).toContain(`Session: ${session}\n`);
    expect(checkpointsOn(clone)).toEqual([own, id].sort());
    expect(checkpointsOn(clone, TRACKING)).toEqual([id]);
  });

  variation('without a local branch it becomes that of the remote', (repo) => {
    const { clone, id, session } = withPushedFeature(repo);
    clone.git('fetch', '--quiet', 'origin');
    clone.git('update-ref', '-d', METADATA);
    clone.git('branch', 'feature', 'origin/feature');
    expect(clone.entire('resume', 'feature').stderr).toContain(`Session: ${session}\n`);
    expect(checkpointsOn(clone)).toEqual([id]);
  });

  variation('offline, what was fetched before does', (repo) => {
    const { clone, bare, id, session } = withPushedFeature(repo);
    const own = addCheckpoint(clone);
    clone.git('fetch', '--quiet', 'origin');
    clone.git('branch', 'feature', 'origin/feature');
    rmSync(bare, { recursive: true });
    const { stderr } = clone.entire('resume', 'feature');
    expect(stderr).toContain('Failed to fetch metadata: ');
    expect(stderr).toContain(
      'You can try manually: git fetch origin entire/checkpoints/v1:entire/checkpoints/v1\n',
    );
    expect(stderr).toContain(`Session: ${session}\n`);
    expect(checkpointsOn(clone)).toEqual([own, id].sort());
  });

  variation('a branch that the remote has lost meanwhile is not lost here', (repo) => {
    const { clone, bare, id, session } = withPushedFeature(repo);
    clone.git('fetch', '--quiet', 'origin');
    clone.git('branch', 'feature', 'origin/feature');
    repo.git('-C', bare, 'update-ref', '-d', METADATA);
    expect(clone.entire('resume', 'feature').stderr).toContain(`Session: ${session}\n`);
    expect(checkpointsOn(clone)).toContain(id);
  });

  variation('a checkpoint that is named is read where it is, without a word to the remote', (repo) => {
    const { clone, bare, id, session } = withPushedFeature(repo);
    clone.git('fetch', '--quiet', 'origin');
    rmSync(bare, { recursive: true });
    const { stderr } = clone.entire('resume', id);
    expect(stderr).toContain(`Session: ${session}\n`);
    expect(stderr).not.toContain('Fetching');
    const file = join(clone.home, '.claude', 'projects', clone.dir.replace(/\W/g, '-'), `${session}.jsonl`);
    expect(existsSync(file)).toBe(true);
  });

  variation('what a partial clone lacks is fetched, unless it is a dry run', (repo) => {
    const { clone, bare, session } = withPushedFeature(repo);
    repo.git('-C', bare, 'config', 'uploadpack.allowFilter', 'true');
    repo.git('-C', bare, 'config', 'uploadpack.allowAnySHA1InWant', 'true');
    const dir = join(clone.scratch, 'partial');
    clone.git('clone', '--quiet', '--filter=blob:none', `file://${bare}`, dir);
    clone.dir = dir;
    clone.git('branch', '--quiet', 'feature', 'origin/feature');
    expect(clone.tryEntire('resume', 'feature', '--dry-run').code).toBe(1);
    const { stderr } = clone.entire('resume', 'feature');
    expect(stderr).toContain('Fetching what this partial clone lacks...\n');
    expect(stderr).toContain(`Session: ${session}\n`);
  });
});
