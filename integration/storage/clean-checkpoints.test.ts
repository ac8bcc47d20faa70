import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { editState, silentState, turn } from '../support/repository/leftovers.ts';
import { scenario, variation } from '../support/repository/scenario.ts';
import type { TestRepo } from '../support/repository/test-repo.ts';

const METADATA = 'entire/checkpoints/v1';
const NOTHING = 'Nothing to clean up.\n';

/** A repository whose sessions make their own commits, and one of those. */
function autoCommit(repo: TestRepo, path = 'a.txt'): string {
  repo.ready();
  repo.entire('enable', '--strategy', 'auto-commit', '--project');
  repo.git('commit', '--quiet', '--all', '-m', 'Switch');
  turn(repo, path);
  return repo.checkpointOf('HEAD') as string;
}

/** Nothing leads to a commit any more but what the caller made. */
function forget(repo: TestRepo): void {
  repo.git('reset', '--hard', '--quiet', 'HEAD^');
  repo.git('reflog', 'expire', '--expire=now', '--all');
  repo.git('update-ref', '-d', 'ORIG_HEAD');
}

// biome-ignore lint/suspicious/noExplicitAny: the document as it is
const report = (repo: TestRepo): any => JSON.parse(repo.entire('clean', '--json').stdout);
const checkpoints = (repo: TestRepo): string[] =>
  report(repo).found.flatMap(({ kind, id }: Record<string, string>) => (kind === 'checkpoint' ? id : []));

const reasons = (repo: TestRepo): string[] =>
  report(repo).kept.flatMap(({ kind, reason }: Record<string, string>) =>
    kind === 'checkpoint' ? reason : [],
  );

describe('checkpoints of auto-commit that no commit names', () => {
  scenario('go with one commit on the metadata branch, which says where they were', (repo) => {
    const id = autoCommit(repo);
    turn(repo, 'b.txt');
    const kept = repo.checkpointOf('HEAD') as string;
    repo.git('branch', 'with-b');
    repo.git('reset', '--hard', '--quiet', 'HEAD~2');
    repo.git('cherry-pick', 'with-b');
    repo.git('branch', '-D', 'with-b');
    expect(checkpoints(repo)).toEqual([]); // reflogs lead there
    repo.git('reflog', 'expire', '--expire=now', '--all');
    repo.git('update-ref', '-d', 'ORIG_HEAD');
    expect(repo.checkpointOf('HEAD')).toBe(kept);

    const before = repo.git('rev-parse', METADATA);
    const dates = repo.git('log', '-1', '--format=%ad %cd', '--date=raw', METADATA);
    expect(repo.entire('clean').stdout).toContain(`Checkpoint metadata (1):\n  ${id}\n`);
    expect(repo.git('rev-parse', METADATA)).toBe(before);
    const { stdout } = repo.entire('clean', '--force');
    expect(stdout).toContain(`  Checkpoints (1):\n    ${id}\n`);
    expect(stdout).toContain(`entire/checkpoints/v1 had the deleted checkpoints at ${before}.`);
    expect(repo.storedPaths(id)).toEqual([]);
    expect(repo.storedPaths(kept)).toContain('0/full.jsonl');
    expect(repo.git('log', '-1', '--format=%an <%ae>|%cn <%ce>|%s|%P', METADATA)).toBe(
      `Entire CLI <cli@entire.io>|Entire CLI <cli@entire.io>|Cleanup: removed 1 orphaned checkpoints|${before}`,
    );
    expect(repo.git('log', '-1', '--format=%ad %cd', '--date=raw', METADATA)).toBe(dates);
    expect(repo.git('show', `${before}:${id.slice(0, 2)}/${id.slice(2)}/metadata.json`)).toContain(id);
    expect(repo.entire('clean', '--force').stdout).toBe(NOTHING);
  });

  const ways: Record<string, (repo: TestRepo) => void> = {
    'a tag': (repo) => repo.git('tag', 'v1'),
    'an annotated tag': (repo) => repo.git('tag', '-a', '-m', 'v2', 'v2'),
    'a remote-tracking ref': (repo) => repo.git('update-ref', 'refs/remotes/origin/topic', 'HEAD'),
    'a branch whose name begins like ours': (repo) => repo.git('branch', 'entire-notes'),
    'a ref of another program': (repo) => repo.git('update-ref', 'refs/original/refs/heads/main', 'HEAD'),
    'the detached HEAD of another worktree': (repo) =>
      repo.git('worktree', 'add', '--quiet', '--detach', join(repo.scratch, 'side'), 'HEAD'),
    'a stash': (repo) => {
      repo.write('README.md', 'changed\n').git('stash', '--quiet');
    },
    'a commit deep below a branch': (repo) => {
      for (let n = 0; n < 3; n++) repo.git('commit', '--quiet', '--allow-empty', '-m', `later ${n}`);
      repo.git('branch', 'deep');
      repo.git('reset', '--hard', '--quiet', 'HEAD~3');
    },
    ORIG_HEAD: () => {},
  };
  for (const [name, keep] of Object.entries(ways)) {
    variation(`${name} keeps a checkpoint`, (repo) => {
      autoCommit(repo);
      keep(repo);
      const tip = repo.git('rev-parse', 'HEAD');
      forget(repo);
      if (name === 'ORIG_HEAD') writeFileSync(join(repo.dir, '.git/ORIG_HEAD'), `${tip}\n`);
      const before = repo.git('rev-parse', METADATA);
      expect(checkpoints(repo)).toEqual([]);
      repo.entire('clean', '--force');
      expect(repo.git('rev-parse', METADATA)).toBe(before);
    });
  }

  variation('a reflog keeps a checkpoint', (repo) => {
    autoCommit(repo);
    repo.git('reset', '--hard', '--quiet', 'HEAD^');
    repo.git('update-ref', '-d', 'ORIG_HEAD');
    expect(checkpoints(repo)).toEqual([]);
    repo.git('reflog', 'expire', '--expire=now', '--all');
    expect(checkpoints(repo)).toHaveLength(1);
  });

  variation('one that a remote has stays: its commit may be in another clone', (repo) => {
    const id = autoCommit(repo);
    forget(repo);
    expect(checkpoints(repo)).toEqual([id]);
    for (const ref of ['refs/remotes/up/entire/checkpoints/v1', 'refs/entire/remotes/0123456789ab']) {
      repo.git('update-ref', ref, METADATA);
      expect(checkpoints(repo)).toEqual([]);
      expect(reasons(repo)).toEqual(['shared']);
      repo.git('update-ref', '-d', ref);
    }
  });

  variation(
    'with a shallow history, in the middle of a rebase, and of the other strategy nothing is listed',
    (repo) => {
      const id = autoCommit(repo);
      const keep = turn(repo, 'c.txt');
      expect(keep).toBeDefined();
      const root = repo.git('rev-list', '--max-parents=0', 'main');
      repo.git('reset', '--hard', '--quiet', 'HEAD^');
      forget(repo);
      expect(checkpoints(repo)).toHaveLength(2);
      writeFileSync(join(repo.dir, '.git/shallow'), `${root}\n`);
      expect(reasons(repo)).toEqual(['history-incomplete', 'history-incomplete']);
      expect(repo.entire('clean', '--force').stderr).toContain('not all commits that may name it');
      repo.git('update-ref', 'refs/heads/shallow-end', 'HEAD');
      writeFileSync(join(repo.dir, '.git/shallow'), '');
      repo.run('rm', [join(repo.dir, '.git/shallow')]);
      repo.git('update-ref', 'REVERT_HEAD', 'HEAD');
      expect(checkpoints(repo)).toEqual([]);
      repo.git('update-ref', '-d', 'REVERT_HEAD');
      expect(checkpoints(repo)).toContain(id);
    },
  );

  variation('checkpoints of commits that the user made are never touched', (repo) => {
    repo.ready();
    turn(repo, 'a.txt');
    const id = repo.commit('Add a', 'a.txt') as string;
    forget(repo);
    expect(checkpoints(repo)).toEqual([]);
    repo.entire('clean', '--force');
    expect(repo.storedPaths(id)).toContain('metadata.json');
  });
});

describe('at the same time as others', () => {
  variation('two at once delete everything once, and neither fails', async (repo) => {
    repo.ready();
    for (let n = 0; n < 30; n++) {
      repo.git('branch', `entire/${String(n).padStart(7, 'a')}-e3b0c4`);
      silentState(repo, `gone-${n}`, { base_commit: 'f'.repeat(40) });
    }
    await Promise.all([1, 2, 3].map(() => repo.inBackground('entire', ['clean', '--force'])));
    expect(repo.shadowBranches()).toEqual([]);
    expect(repo.stateFiles()).toEqual([]);
  });

  variation('a session that comes alive between the preview and --force keeps what it has', (repo) => {
    repo.ready();
    const session = repo.session();
    silentState(repo, session.id, { base_commit: '9'.repeat(40) });
    repo.git('branch', 'entire/8888888-e3b0c4');
    expect(repo.entire('clean').stdout).toContain(session.id);
    session.prompt('I am back');
    silentState(repo, 'late', { base_commit: '8'.repeat(40), checkpoint_count: 1 });
    expect(repo.entire('clean', '--force').stdout).toBe(NOTHING);
    expect(repo.state(session.id).phase).toBe('active');
    expect(repo.shadowBranches()).toEqual(['entire/8888888-e3b0c4']);
    editState(repo, 'late', { checkpoint_count: 0 });
  });

  variation('what cannot be deleted is named, the rest goes, and the exit code says so', (repo) => {
    repo.ready();
    repo.git('branch', 'entire/abc1234-e3b0c4');
    repo.git('branch', 'entire/def5678-e3b0c4');
    const lock = join(repo.dir, '.git/refs/heads/entire/abc1234-e3b0c4.lock');
    writeFileSync(lock, '');
    const { code, stdout, stderr } = repo.tryEntire('clean', '--force');
    expect(code).toBe(1);
    expect(stdout).toContain('Deleted 1 items:\n\n  Step branches (1):\n    entire/def5678-e3b0c4\n');
    expect(stdout).toMatch(
      /\n\nFailed to delete 1 items:\n\n {2}Step branches:\n {4}entire\/abc1234-e3b0c4\n$/,
    );
    expect(stderr).toMatch(
      /^Warning: entire\/abc1234-e3b0c4: .*\.lock is held\nError: failed to delete 1 items\n$/,
    );
    repo.run('rm', [lock]);
    repo.entire('clean', '--force');
    expect(repo.shadowBranches()).toEqual([]);
  });
});
