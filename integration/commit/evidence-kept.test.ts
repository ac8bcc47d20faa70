import { describe, expect } from 'vitest';
import { lineDigest, parseEvidence } from '../../src/checkpoint/evidence.ts';
import { relink, unhooked } from '../support/command/relink.ts';
import { addWork, editor } from '../support/command/work.ts';
import { METADATA, userPush, withOrigin } from '../support/repository/clones.ts';
import { scenario, variation } from '../support/repository/scenario.ts';
import type { TestRepo } from '../support/repository/test-repo.ts';

const A = 'the line that everybody is to see\n';
const B = 'the line that nobody is to see\n';

const kept = (repo: TestRepo, id: string, slot = 0) =>
  parseEvidence(repo.stored(id, `${slot}/evidence.json`));

/** A commit of two files of a session. */
function commitBoth(repo: TestRepo): string {
  const session = addWork(repo, { 'a.txt': A, 'b.txt': B });
  const id = repo.commit('Both', 'a.txt', 'b.txt') as string;
  session.end();
  return id;
}

/** All that any commit of a branch has of evidence. */
function evidenceIn(repo: TestRepo, dir: string): string {
  const listed = repo.git('-C', dir, 'rev-list', '--objects', METADATA).split('\n');
  const blobs = listed.flatMap((line) => (line.endsWith('/evidence.json') ? line.slice(0, 40) : []));
  expect(blobs).not.toEqual([]);
  return blobs.map((blob) => repo.git('-C', dir, 'cat-file', 'blob', blob)).join('\n');
}

/** What only b.txt says. */
const secrets = (repo: TestRepo): string[] => [
  'b.txt',
  repo.run('git', ['hash-object', '--stdin'], { input: B }).stdout.trim(),
  lineDigest(B.trim()) as string,
];

function expectNothingOfB(repo: TestRepo, text: string): void {
  for (const secret of secrets(repo)) expect(text).not.toContain(secret);
}

describe('what an amend takes out of a commit is no evidence any more', () => {
  scenario('without new work', (repo) => {
    repo.ready();
    const id = commitBoth(repo);
    expect(repo.stored(id, '0/evidence.json')).toContain('b.txt');
    repo.git('rm', '--quiet', '--cached', 'b.txt');
    repo.git('commit', '--quiet', '--amend', '--no-edit');
    expect(repo.checkpointOf('HEAD')).toBe(id);
    expectNothingOfB(repo, repo.stored(id, '0/evidence.json'));
    expect(kept(repo, id)).toMatchObject([
      { commit: repo.git('rev-parse', 'HEAD'), files: [{ path: 'a.txt' }] },
    ]);
    expect(relink(repo, 'HEAD').commits).toMatchObject([
      { checkpoints: [{ checkpoint: id, proof: 'commit', new: false }] },
    ]);
  });

  variation('with work of another session, and after another message', (repo) => {
    repo.ready();
    const id = commitBoth(repo);
    repo.git('commit', '--quiet', '--amend', '-m', `Said anew\n\nEntire-Checkpoint: ${id}`);
    addWork(repo, { 'c.txt': 'a line of another session\n' });
    repo.git('rm', '--quiet', '--cached', 'b.txt');
    repo.git('add', 'c.txt');
    repo.git('commit', '--quiet', '--amend', '--no-edit');
    expectNothingOfB(repo, repo.stored(id, '0/evidence.json') + repo.stored(id, '1/evidence.json'));
    expect(kept(repo, id)).toMatchObject([{ files: [{ path: 'a.txt' }] }]);
    expect(kept(repo, id, 1)).toMatchObject([{ files: [{ path: 'c.txt' }] }]);
  });

  variation(
    'but while a branch leads to the commit as it was, it is; and a checkpoint of another commit stays',
    (repo) => {
      repo.ready();
      const other = addWork(repo, { 'c.txt': 'a line of another commit\n' });
      const first = repo.commit('First', 'c.txt') as string;
      other.end();
      const before = repo.stored(first, '0/evidence.json');
      const id = commitBoth(repo);
      repo.git('branch', 'old');
      repo.git('rm', '--quiet', '--cached', 'b.txt');
      repo.git('commit', '--quiet', '--amend', '--no-edit');
      expect(kept(repo, id).map(({ files }) => files.map(({ path }) => path))).toEqual([
        ['a.txt', 'b.txt'],
        ['a.txt'],
      ]);
      repo.git('rm', '--quiet', '--cached', 'a.txt');
      repo.git(
        'commit',
        '--quiet',
        '--amend',
        '--allow-empty',
        '-m',
        `Copied\n\nEntire-Checkpoint: ${first}`,
      );
      expect(repo.stored(first, '0/evidence.json')).toBe(before);
    },
  );
});

describe('what only commits held that no ref leads to does not leave', () => {
  const dropped = (way: string, rewrite: (repo: TestRepo) => void, isLinked = true) =>
    variation(`after ${way}`, (repo) => {
      const bare = withOrigin(repo);
      const id = commitBoth(repo);
      rewrite(repo);
      expect(userPush(repo).code).toBe(0);
      expect(repo.git('-C', bare, 'rev-parse', METADATA)).toBe(repo.git('rev-parse', METADATA));
      expectNothingOfB(repo, evidenceIn(repo, bare));
      const [head] = relink(repo, '--dry-run', 'HEAD').commits;
      const linked = [
        ...(head?.checkpoints.map(({ checkpoint }) => checkpoint) ?? []),
        ...(head?.unproved.map(({ checkpoint }) => checkpoint) ?? []),
      ];
      expect(linked).toEqual(isLinked ? [id] : []);
      expect(userPush(repo).said).toEqual([]);
    });

  scenario('after an amend: its commits are written again before they are pushed, once', (repo) => {
    const bare = withOrigin(repo);
    repo.git('branch', 'topic');
    const id = commitBoth(repo);
    repo.git('rm', '--quiet', '--cached', 'b.txt');
    repo.git('commit', '--quiet', '--amend', '--no-edit');
    const tree = repo.git('rev-parse', `${METADATA}^{tree}`);
    userPush(repo);
    expectNothingOfB(repo, evidenceIn(repo, bare));
    expect(repo.git('-C', bare, 'rev-parse', `${METADATA}^{tree}`)).toBe(tree);
    const tip = repo.git('rev-parse', METADATA);
    addWork(repo, { 'd.txt': 'one more line of an agent\n' });
    repo.commit('More', 'd.txt');
    userPush(repo);
    repo.git('merge-base', '--is-ancestor', tip, METADATA);
    expect(relink(repo, 'HEAD~1').commits).toMatchObject([
      { checkpoints: [{ checkpoint: id, proof: 'commit' }] },
    ]);
  });

  dropped('a reset and a commit of a part', (repo) => {
    repo.git('reset', '--quiet', '--mixed', 'HEAD~1');
    unhooked(repo, 'add', 'a.txt');
    unhooked(repo, 'commit', '--quiet', '-m', 'A alone');
  });

  dropped('an amend without hooks', (repo) => {
    repo.git('rm', '--quiet', '--cached', 'b.txt');
    unhooked(repo, 'commit', '--quiet', '--amend', '--no-edit');
  });

  dropped(
    'a commit that rebase -i drops',
    (repo) => {
      repo.write('mine.txt', 'a line of mine\n');
      repo.commit('Mine', 'mine.txt');
      const env = { GIT_SEQUENCE_EDITOR: editor(repo, `sed -i 1d "$1"`) };
      repo.gitWith({ env }, 'rebase', '--quiet', '-i', 'HEAD~2');
    },
    false,
  );

  dropped('a split that leaves it in nobody’s commit, after the old ones are pruned', (repo) => {
    repo.git('reset', '--quiet', '--soft', 'HEAD~1');
    repo.git('rm', '--quiet', '--cached', 'b.txt');
    unhooked(repo, 'commit', '--quiet', '-m', 'First half');
    repo.git('reflog', 'expire', '--expire=now', '--all');
    repo.git('prune', '--expire=now');
  });

  variation('work that a squash holds still proves it, where nothing but the branches is', (repo) => {
    const bare = withOrigin(repo);
    repo.git('switch', '--quiet', '-c', 'topic');
    const first = commitBoth(repo);
    const session = addWork(repo, { 'a.txt': `${A}the second line of the agent\n` });
    repo.git('rm', '--quiet', '--cached', 'b.txt');
    const second = repo.commit('Second', 'a.txt') as string;
    session.end();
    repo.git('switch', '--quiet', 'main');
    repo.git('merge', '--quiet', '--squash', 'topic');
    unhooked(repo, 'commit', '--quiet', '-m', 'All of it');
    repo.git('branch', '--quiet', '-D', 'topic');
    userPush(repo);
    expectNothingOfB(repo, evidenceIn(repo, bare));
    const clone = `${repo.scratch}/clone`;
    repo.git('clone', '--quiet', `file://${bare}`, clone);
    repo.dir = clone;
    repo.git('fetch', '--quiet', 'origin', 'entire/checkpoints/v1:entire/checkpoints/v1');
    expect(relink(repo, 'HEAD').commits).toMatchObject([
      {
        checkpoints: [
          { checkpoint: first, new: true },
          { checkpoint: second, new: true },
        ],
      },
    ]);
  });
});
