import { describe, expect } from 'vitest';
import { lineDigest, parseEvidence } from '../../src/checkpoint/evidence.ts';
import { relink, unhooked } from '../support/command/relink.ts';
import { addWork } from '../support/command/work.ts';
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

describe('what commits held that no ref leads to proves links still, in a clone that has nothing but the branches', () => {
  const inClone = (repo: TestRepo, bare: string) => {
    const clone = `${repo.scratch}/clone`;
    repo.git('clone', '--quiet', `file://${bare}`, clone);
    repo.dir = clone;
    repo.git('fetch', '--quiet', 'origin', `${METADATA}:${METADATA}`);
    return relink(repo, 'HEAD').commits;
  };

  variation('a squash', (repo) => {
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
    expect(inClone(repo, bare)).toMatchObject([
      {
        checkpoints: [
          { checkpoint: first, new: true },
          { checkpoint: second, new: true },
        ],
      },
    ]);
  });

  variation('a commit that was made anew after a push between the reset and it', (repo) => {
    const bare = withOrigin(repo);
    repo.git('branch', 'other');
    const id = commitBoth(repo);
    repo.git('reset', '--quiet', '--soft', 'HEAD~1');
    expect(userPush(repo, 'origin', 'other').code).toBe(0);
    unhooked(repo, 'commit', '--quiet', '-m', 'All of it again');
    expect(userPush(repo).code).toBe(0);
    expect(inClone(repo, bare)).toMatchObject([
      { checkpoints: [{ checkpoint: id, proof: 'tree', new: true }] },
    ]);
  });
});
