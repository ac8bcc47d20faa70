import { expect, test } from 'vitest';
import { type Facts, findLosses, findObstacles } from './losses.ts';

const clean: Facts = {
  ...{
    isMain: false,
    isBare: false,
    isHere: false,
    isForeign: false,
    locked: undefined,
    worktreesWithin: [],
  },
  ...{ branch: 'fix', isDefaultBranch: false, changed: [], hidden: [], untracked: [], ignored: [] },
  ...{ repositories: [], refs: [], submodules: [], lonelyCommits: 0, operation: undefined, running: [] },
};
const keep = { deleteBranch: false };
const drop = { deleteBranch: true };
const kinds = (found: readonly { readonly kind: string }[]): string[] => found.map(({ kind }) => kind);

test('of a clean one nothing is lost', () => {
  expect([findLosses(clean, drop), findObstacles(clean, drop)]).toEqual([[], []]);
});

test('commits are lost with their branch, or where there is none', () => {
  const alone = { ...clean, lonelyCommits: 2 };
  expect(findLosses(alone, keep)).toEqual([]);
  expect(findLosses(alone, drop)).toEqual([{ kind: 'commits', count: 2, branch: 'fix' }]);
  const detached = { ...alone, branch: undefined };
  expect(findLosses(detached, keep)).toEqual([{ kind: 'commits', count: 2, branch: undefined }]);
});

test('each kind of file, an operation and a running session', () => {
  const facts = {
    ...clean,
    ...{
      changed: ['a'],
      hidden: ['b'],
      untracked: ['c'],
      ignored: ['d'],
      repositories: ['e/'],
      refs: ['refs/worktree/f'],
      operation: 'rebase',
    },
    running: [{ id: 's', agent: 'Codex' }],
  };
  expect(kinds(findLosses(facts, keep))).toEqual([
    ...['changed', 'hidden', 'untracked', 'ignored', 'repositories', 'refs', 'operation', 'session'],
  ]);
  expect(findObstacles(facts, keep)).toEqual([]);
});

test('what stands against it whatever is asked', () => {
  const work = [{ path: 'lib', work: ['a stash'] }];
  expect(findObstacles({ ...clean, submodules: [{ path: 'lib', work: [] }] }, keep)).toEqual([]);
  const facts = {
    ...clean,
    isHere: true,
    isForeign: true,
    locked: '',
    worktreesWithin: ['/x'],
    submodules: work,
  };
  expect(kinds(findObstacles(facts, keep))).toEqual([
    'here',
    'foreign',
    'locked',
    'holds-worktrees',
    'submodule',
  ]);
  expect(
    kinds(findObstacles({ ...clean, isMain: true, isHere: true, worktreesWithin: ['/x'] }, keep)),
  ).toEqual(['main']);
  expect(kinds(findObstacles({ ...clean, isMain: true, isBare: true }, keep))).toEqual(['bare']);
  const main = { ...clean, branch: 'main', isDefaultBranch: true };
  expect([kinds(findObstacles(main, keep)), kinds(findObstacles(main, drop))]).toEqual([
    [],
    ['default-branch'],
  ]);
});
