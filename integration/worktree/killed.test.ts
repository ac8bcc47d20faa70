import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect } from 'vitest';
import { FAULTY } from '../support/faults/host.ts';
import { compileFaulty } from '../support/faults/set-up.ts';
import { killInMemory } from '../support/process/in-memory.ts';
import { keepCopy } from '../support/repository/keep-copy.ts';
import { variation } from '../support/repository/scenario.ts';
import type { TestRepo } from '../support/repository/test-repo.ts';
import { viewOf } from '../support/undo/view.ts';
import { create, list, noted, within } from './worktrees.ts';

killInMemory();
beforeAll(compileFaulty);

const STRIDE = Number(process.env.ENTIRE_TEST_STRIDE ?? 41);

/** A worktree with work of each kind in it, as it is put back again and again. */
function prepare(repo: TestRepo) {
  repo.ready().write('.gitignore', '*.env\n').commit('Ignore', '.gitignore');
  const root = create(repo, 'task', '--path', join(repo.home, 'task'));
  within(repo, root, () => repo.write('own.txt', 'own\n').commit('Own', 'own.txt'));
  for (const [name, text] of Object.entries(WORK)) writeFileSync(join(root, name), text);
  const before = viewOf(root);
  const putBack = keepCopy(repo);
  const report = join(repo.scratch, 'operations');
  const remove = (fault: string) => {
    rmSync(report, { force: true });
    return repo.run(FAULTY, ['worktree', 'remove', 'task', '--force'], {
      env: { ENTIRE_TEST_FAULT: fault, ENTIRE_TEST_FAULT_REPORT: report },
    });
  };
  expect(remove('').code).toBe(0);
  const operations = readFileSync(report, 'utf8').trimEnd().split('\n');
  return { root, before, putBack, remove, operations };
}

const WORK = { 'README.md': 'changed\n', 'new.txt': 'new\n', 'secret.env': 'TOKEN=1\n' };

/** Folders under the name that they have while they are removed. */
const setAside = (repo: TestRepo): string[] =>
  readdirSync(repo.home).filter((name) => name.startsWith('task.removing-'));

function keptFolders(repo: TestRepo): string[] {
  const top = join(repo.commonDir, 'entire-removed');
  return existsSync(top) ? readdirSync(top).map((name) => join(top, name)) : [];
}

/** Everything of the worktree is kept within the repository, and nothing of it is left where it was. */
function expectGone(repo: TestRepo, when: string): void {
  expect([existsSync(join(repo.home, 'task')), setAside(repo), noted(repo)], when).toEqual([false, [], []]);
  expect(
    list(repo).map(({ name }) => name),
    when,
  ).toEqual(['repo']);
  expect(readdirSync(join(repo.commonDir, 'entire', 'removals')), when).toEqual([]);
  const refs = repo.git('for-each-ref', '--format=%(refname)', 'refs/entire/removed').split('\n');
  for (const path of ['README.md', 'new.txt', 'own.txt']) {
    const kept = refs.map((ref) => repo.tryGit('show', `${ref}:${path}`).stdout);
    expect(kept, `${path}, ${when}`).toContain((WORK as Record<string, string>)[path] ?? 'own\n');
  }
  const secrets = keptFolders(repo).map((folder) => readFileSync(join(folder, 'secret.env'), 'utf8'));
  expect(secrets, when).toContain(WORK['secret.env']);
}

describe('a removal of a worktree that is killed (I1, I2)', () => {
  variation(
    'at any operation: no folder that no list knows; it is gone on with, or all of it is back',
    (repo) => {
      const { root, before, putBack, remove, operations } = prepare(repo);
      const outcomes = { back: 0, ended: 0, over: 0 };
      for (let at = 1; at <= operations.length; at += STRIDE) {
        putBack();
        remove(`killed:${at}`);
        const when = `killed at ${at}: ${operations[at - 1]}`;
        const row = list(repo).find(({ name }) => name === 'task');
        if (setAside(repo).length > 0) expect(row?.state, when).toBe('removing');
        if (row?.state === 'present') expect(viewOf(root), when).toEqual(before);
        const { code } = repo.tryEntire('worktree', 'remove', 'task'); // without --force: what is not kept yet is not lost
        if (existsSync(root)) {
          expect([code, repo.git('for-each-ref', 'refs/entire/removed'), keptFolders(repo)], when).toEqual([
            1,
            '',
            [],
          ]);
          expect(viewOf(root), when).toEqual(before);
          expect(setAside(repo), when).toEqual([]);
          repo.entire('worktree', 'remove', 'task', '--force');
          outcomes.back++;
        } else outcomes[row === undefined ? 'over' : 'ended']++;
        expectGone(repo, when);
      }
      expect(outcomes.back).toBeGreaterThan(0);
      expect(outcomes.ended).toBeGreaterThan(0);
      putBack();
    },
  );

  variation('a new worktree in the place of one whose removal was killed is none of its business', (repo) => {
    const { root, putBack, remove, operations } = prepare(repo);
    const discarding = operations.findIndex(
      (operation) => operation.includes('task.removing-') && /^rm/.test(operation),
    );
    expect(discarding).toBeGreaterThan(0);
    putBack();
    remove(`killed:${discarding + 1}`);
    expect(setAside(repo)).toHaveLength(1);
    repo.git('worktree', 'add', '--quiet', '-b', 'other', root);
    writeFileSync(join(root, 'mine.txt'), 'mine\n');
    const other = create(repo, 'another', '--path', join(repo.home, 'another'));
    repo.entire('worktree', 'remove', 'another');
    expect(existsSync(other)).toBe(false);
    expect(setAside(repo)).toEqual([]);
    expect(readFileSync(join(root, 'mine.txt'), 'utf8')).toBe('mine\n');
    expect(list(repo).map(({ name, state }) => `${name} ${state}`)).toEqual(['repo present', 'task present']);
  });
});
