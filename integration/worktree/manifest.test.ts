import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect } from 'vitest';
import { scenario, variation } from '../support/repository/scenario.ts';
import type { TestRepo } from '../support/repository/test-repo.ts';
import { create, list, manifestOf, noted, placeOf, refusal, rowOf, within } from './worktrees.ts';

function overwrite(repo: TestRepo, text: string): void {
  mkdirSync(dirname(manifestOf(repo)), { recursive: true });
  writeFileSync(manifestOf(repo), text);
}

/** Leaves only when all have ended: none is to work in a repository that goes. */
async function allOf(started: readonly Promise<void>[]): Promise<void> {
  const ended = await Promise.allSettled(started);
  expect(ended.flatMap((one) => (one.status === 'rejected' ? String(one.reason) : []))).toEqual([]);
}

describe('the manifest', () => {
  scenario(
    'of several processes at once each finds its worktree noted, and no two have one name',
    async (repo) => {
      repo.ready();
      const names = ['a', 'b', 'c', 'd', 'e', 'f'];
      const make = (name: string) => repo.inBackground('entire', ['worktree', 'create', name]);
      const all = allOf(names.map(make));
      const same = await Promise.allSettled(['x', 'x', 'x'].map(make));
      await all;
      expect(same.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
      expect(noted(repo).sort()).toEqual([...names, 'x']);
      expect(list(repo).map(({ name, managed, main }) => main || (managed && name)).length).toBe(8);
      for (const name of [...names, 'x'])
        expect(rowOf(repo, name)).toMatchObject({ state: 'present', branch: name });
      await allOf(names.map((name) => repo.inBackground('entire', ['worktree', 'remove', name])));
      expect(noted(repo)).toEqual(['x']);
      expect(readdirSync(dirname(manifestOf(repo)))).toEqual(['index.json']);
    },
  );

  variation(
    'waits for another process that is just making a worktree, or has the configuration',
    async (repo) => {
      repo.ready();
      const half = join(repo.commonDir, 'worktrees', 'half');
      mkdirSync(half, { recursive: true });
      writeFileSync(join(half, 'gitdir'), `${join(repo.scratch, 'half', '.git')}\n`);
      writeFileSync(join(half, 'HEAD'), `${repo.git('rev-parse', 'HEAD')}\n`);
      writeFileSync(join(half, 'commondir'), '');
      const lock = join(repo.commonDir, 'config.lock');
      repo.git('update-ref', 'refs/remotes/origin/topic', 'HEAD');
      repo.git('config', 'remote.origin.fetch', '+refs/heads/*:refs/remotes/origin/*');
      repo.git('config', 'remote.origin.url', repo.dir);
      writeFileSync(lock, '');
      const made = allOf([repo.inBackground('entire', ['worktree', 'create', 'task', '--branch', 'topic'])]);
      await new Promise((resolve) => setTimeout(resolve, 700));
      writeFileSync(join(half, 'commondir'), '../..\n');
      await new Promise((resolve) => setTimeout(resolve, 700));
      rmSync(lock);
      await made;
      expect(repo.git('rev-parse', '--abbrev-ref', 'topic@{upstream}')).toBe('origin/topic');
      writeFileSync(lock, '');
      const removed = allOf([repo.inBackground('entire', ['worktree', 'remove', 'task', '--delete-branch'])]);
      await new Promise((resolve) => setTimeout(resolve, 1000));
      rmSync(lock);
      await removed;
      expect(repo.branches()).not.toContain('topic');
      expect(repo.tryGit('config', '--get-regexp', '^branch\\.topic').code).toBe(1);
    },
  );

  variation('of a later version is refused, and left as it is', (repo) => {
    repo.ready();
    create(repo, 'task');
    const later = '{"version": 2, "worktrees": {"what": "ever"}}\n';
    overwrite(repo, later);
    for (const args of [['list'], ['list', '--rebuild'], ['create', 'x'], ['remove', 'task']])
      expect(refusal(repo, ...args)).toMatch(
        /^Error: .*index\.json is of version 2, and this entire knows version 1 at most\.\nHint: Install the release that wrote it\./,
      );
    expect(readFileSync(manifestOf(repo), 'utf8')).toBe(later);
    expect(existsSync(placeOf(repo, 'task'))).toBe(true);
    expect(repo.branches()).not.toContain('x');
  });

  for (const [what, text, reason] of [
    ['empty', '', 'it is empty'],
    ['cut off', '{"version": 1, "worktrees": [{"id"', 'it is not JSON'],
    ['no object', '[]', 'it is not a JSON object'],
    [
      'of another kind',
      '{"version": 1, "worktrees": [{"id": 7}]}',
      '`worktrees.0.id` is missing or of another kind',
    ],
  ] as const)
    variation(`that is ${what}: git still knows the worktrees, and it is made anew from that`, (repo) => {
      repo.ready();
      const root = create(repo, 'task');
      overwrite(repo, text);
      const said = `${manifestOf(repo)} is not a manifest of worktrees: ${reason}.`;
      for (const args of [
        ['create', 'x'],
        ['remove', 'task'],
      ]) {
        const refused = refusal(repo, ...args);
        expect(refused).toContain(`Error: ${said}`);
        expect(refused).toContain('`entire worktree list --rebuild` sets the file aside');
      }
      const listed = repo.entire('worktree', 'list');
      expect(listed.stderr).toContain(`Warning: ${said}`);
      expect(listed.stdout).toContain(`    ${root}\n`);
      expect(JSON.parse(repo.entire('worktree', 'list', '--json').stdout).warning).toContain(said);
      expect(readFileSync(manifestOf(repo), 'utf8')).toBe(text);
      const { stderr } = repo.entire('worktree', 'list', '--rebuild');
      expect(stderr).toContain('✓ The manifest has 1 more worktree of this repository: task\n');
      const aside = /kept as (\S+)/.exec(stderr)?.[1] as string;
      expect(readFileSync(aside, 'utf8')).toBe(text);
      expect(rowOf(repo, 'task')).toMatchObject({ managed: true, path: root });
      repo.entire('worktree', 'remove', 'task');
    });

  variation('keeps what a later release wrote into it', (repo) => {
    repo.ready();
    create(repo, 'one');
    const value = JSON.parse(readFileSync(manifestOf(repo), 'utf8'));
    value.worktrees[0].colour = 'red';
    overwrite(repo, JSON.stringify({ ...value, more: [1] }));
    create(repo, 'two');
    expect(JSON.parse(readFileSync(manifestOf(repo), 'utf8'))).toMatchObject({
      version: 1,
      more: [1],
      worktrees: [{ name: 'one', colour: 'red' }, { name: 'two' }],
    });
  });

  variation('has the worktrees of all repositories; one that is gone is no trouble', (repo) => {
    repo.ready();
    create(repo, 'here');
    const other = join(repo.scratch, 'other');
    repo.git('clone', '--quiet', '.', other);
    const there = within(repo, other, () => create(repo, 'here'));
    expect(list(repo).map(({ name }) => name)).toEqual(['repo', 'here']);
    const all = [repo.dir, placeOf(repo, 'here'), other, there];
    within(repo, repo.scratch, () => expect(list(repo, '--all').map(({ path }) => path)).toEqual(all));
    rmSync(other, { recursive: true });
    expect(list(repo, '--all')).toMatchObject([{}, {}, { state: 'unknown', path: there }]);
    expect(repo.entire('worktree', 'list', '--all').stdout).toContain('git knows no such worktree');
  });

  variation('a worktree that was being made when the program was killed can be made again', (repo) => {
    repo.ready();
    create(repo, 'task');
    repo.git('worktree', 'remove', placeOf(repo, 'task'));
    repo.git('branch', '--quiet', '-D', 'task');
    expect(rowOf(repo, 'task')).toMatchObject({ state: 'unknown' });
    create(repo, 'task');
    expect(noted(repo)).toEqual(['task']);
    // The lock of one that died is taken over.
    const lock = join(dirname(manifestOf(repo)), 'index.lock');
    mkdirSync(lock);
    writeFileSync(join(lock, 'pid-999999'), '');
    repo.run('touch', ['-d', '2020-01-01', lock, join(lock, 'pid-999999')]);
    create(repo, 'next');
    expect(existsSync(lock)).toBe(false);
  });
});
