import { expect } from 'vitest';
import { lineDigest, parseEvidence } from '../../src/checkpoint/evidence.ts';
import { scenario, variation } from '../support/repository/scenario.ts';
import type { TestRepo } from '../support/repository/test-repo.ts';

/** What is kept of the commits of a checkpoint, in the slot of its first session. */
const kept = (repo: TestRepo, id: string) => parseEvidence(repo.stored(id, '0/evidence.json'));

const blob = (repo: TestRepo, name: string) => repo.git('rev-parse', name).trim();

scenario(
  'a checkpoint holds what its commit holds: tree, parents, ids of its patch, and lines as digests',
  (repo) => {
    repo.ready();
    const session = repo.session();
    session.prompt('write a.txt');
    session.edit('a.txt', 'the first line that the agent wrote\n}\nthe last line that the agent wrote\n');
    session.stop();
    const id = repo.commit('Add a', 'a.txt') as string;
    expect(kept(repo, id)).toEqual([
      {
        commit: blob(repo, 'HEAD'),
        tree: blob(repo, 'HEAD^{tree}'),
        parents: [blob(repo, 'HEAD^')],
        patchIds: {
          stable: expect.stringMatching(/^[0-9a-f]{40}$/),
          verbatim: expect.stringMatching(/^[0-9a-f]{40}$/),
        },
        files: [
          {
            path: 'a.txt',
            before: undefined,
            after: blob(repo, 'HEAD:a.txt'),
            added: [
              {
                lines: [
                  lineDigest('the first line that the agent wrote'),
                  undefined,
                  lineDigest('the last line that the agent wrote'),
                ],
                above: undefined,
                below: undefined,
              },
            ],
          },
        ],
        isPartial: false,
      },
    ]);
    expect(repo.stored(id, '0/evidence.json')).not.toContain('agent wrote');
  },
);

variation('of an amended commit it is what the commit holds now', (repo) => {
  repo.ready();
  const session = repo.session();
  session.prompt('write a.txt');
  session.edit('a.txt', 'one line that the agent wrote\n');
  session.stop();
  const id = repo.commit('Add a', 'a.txt') as string;
  session.prompt('and another one');
  session.edit('a.txt', 'one line that the agent wrote\nand another line that it wrote\n');
  session.stop();
  repo.git('commit', '--quiet', '--amend', '--no-edit', 'a.txt');
  expect(kept(repo, id)).toMatchObject([
    {
      commit: blob(repo, 'HEAD'),
      files: [{ after: blob(repo, 'HEAD:a.txt'), added: [{ lines: { length: 2 } }] }],
    },
  ]);
});

variation('a file whose name has the shape of a key is not named there', (repo) => {
  repo.ready();
  const session = repo.session();
  const name = `AKIA${'QWERTYUIOP123456'}.txt`;
  session.prompt('write it');
  session.edit(name, 'a line that the agent wrote\n');
  session.edit('b.txt', 'a line that the agent wrote, too\n');
  session.stop();
  const id = repo.commit('Add both', name, 'b.txt') as string;
  expect(kept(repo, id)).toMatchObject([{ files: [{ path: 'b.txt' }], isPartial: true }]);
  expect(repo.stored(id, '0/evidence.json')).not.toContain(name);
});

variation('what a person committed beside it is not named there', (repo) => {
  repo.ready();
  const session = repo.session();
  session.prompt('write a.txt');
  session.edit('a.txt', 'one line that the agent wrote\n');
  session.stop();
  repo.write('plans.txt', 'what nobody is to know\n');
  const id = repo.commit('Add both', 'a.txt', 'plans.txt') as string;
  expect(kept(repo, id)).toMatchObject([{ files: [{ path: 'a.txt' }], isPartial: true }]);
  expect(repo.stored(id, '0/evidence.json')).not.toContain('plans');
});
