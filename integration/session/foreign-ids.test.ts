import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { addWork, editor, expectLinked, owed, withWork } from '../support/command/work.ts';
import { addClone, withOrigin } from '../support/repository/clones.ts';
import { variation } from '../support/repository/scenario.ts';
import type { TestRepo } from '../support/repository/test-repo.ts';

const trailer = (id: string): string => `Entire-Checkpoint: ${id}`;

/** Alice's linked commit is here, and her checkpoint, if it was fetched. */
function withAlice(repo: TestRepo, isFetched = true): { id: string; stored: () => string } {
  const bare = withOrigin(repo);
  const alice = addClone(repo, bare);
  const session = addWork(alice, { 'alice.txt': 'by Alice\n' });
  const id = alice.commit('Add what Alice has', 'alice.txt') as string;
  expectLinked(alice, session, 'alice.txt');
  const local = 'refs/heads/entire/checkpoints/v1';
  alice.gitWith({ env: { ENTIRE: '0' } }, 'push', '--quiet', 'origin', 'main', local);
  const what = isFetched ? [] : ['main:refs/remotes/origin/main'];
  repo.git('fetch', '--quiet', 'origin', ...what);
  repo.git('merge', '--quiet', '--ff-only', 'origin/main');
  if (isFetched) repo.git('update-ref', local, 'refs/remotes/origin/entire/checkpoints/v1');
  return { id, stored: () => repo.git('rev-parse', `${local}:${id.slice(0, 2)}/${id.slice(2)}`) };
}

/** The ids in HEAD's last block of trailers, which somebody else's is in. */
const idsOf = (repo: TestRepo): string[] => (repo.checkpointOf('HEAD') ?? '').split(',');

/** HEAD names a foreign id and one of its own, under which the work of the session is stored. */
function expectOwnLink(repo: TestRepo, foreign: string, sessionId: string, files: string[]): void {
  const [first, own, ...more] = idsOf(repo);
  expect([first, more]).toEqual([foreign, []]);
  expect(repo.verdict()).toMatchObject({ reason: 'linked', checkpoint: own, sessions: [sessionId] });
  expect(repo.storedJson(own as string, '0/metadata.json')).toMatchObject({
    session_id: sessionId,
    files_touched: files,
  });
}

const GIVEN = {
  '-m': (_repo: TestRepo, id: string) => ['-m', 'Mine', '-m', trailer(id)],
  '-F': (repo: TestRepo, id: string) => {
    writeFileSync(join(repo.scratch, 'message'), `Mine\n\n${trailer(id)}\n`);
    return ['-F', '../message'];
  },
  '-C': () => ['-C', 'HEAD'],
  'an editor': () => ['-c', 'HEAD'],
  'a template': (repo: TestRepo, id: string) => {
    writeFileSync(join(repo.scratch, 'message'), `Mine\n\n${trailer(id)}\n`);
    return ['-t', '../message'];
  },
} as const;

describe('an id of another commit in a message', () => {
  for (const [how, args] of Object.entries(GIVEN)) {
    variation(
      `Alice’s id by ${how}: her checkpoint stays as it is, Bob’s work gets one of its own`,
      (repo) => {
        const { id, stored } = withAlice(repo);
        const before = stored();
        const session = addWork(repo, { 'alice.txt': 'by Alice\nand Bob\n', 'bob.txt': 'by Bob\n' });
        repo.git('add', '.');
        const GIT_EDITOR =
          how === 'a template'
            ? editor(repo, 'echo more >> "$1"; sed -i "s/^more$//" "$1"; sed -i "1s/Mine/Mine, too/" "$1"')
            : 'true';
        repo.gitWith({ env: { GIT_EDITOR } }, 'commit', '--quiet', ...args(repo, id));
        expect(stored()).toBe(before);
        expectOwnLink(repo, id, session.id, ['alice.txt', 'bob.txt']);
        expect(owed(repo)).toEqual([]);
      },
    );
  }

  variation('Alice’s id is not taken where her checkpoint was not fetched either', (repo) => {
    const { id } = withAlice(repo, false);
    const session = addWork(repo, { 'bob.txt': 'by Bob\n' });
    repo.git('add', '.');
    repo.git('commit', '--quiet', ...GIVEN['-m'](repo, id));
    expectOwnLink(repo, id, session.id, ['bob.txt']);
    expect(repo.tryGit('show', `entire/checkpoints/v1:${id.slice(0, 2)}/${id.slice(2)}`).code).not.toBe(0);
  });

  variation('the id of any commit of Alice’s is not taken where her checkpoint was not fetched', (repo) => {
    const { id } = withAlice(repo, false);
    repo.git('commit', '--quiet', '--allow-empty', '-m', 'On top of hers');
    const session = addWork(repo, { 'bob.txt': 'by Bob\n' });
    repo.git('add', '.');
    repo.git('commit', '--quiet', ...GIVEN['-m'](repo, id));
    expectOwnLink(repo, id, session.id, ['bob.txt']);
    expect(repo.tryGit('show', `entire/checkpoints/v1:${id.slice(0, 2)}/${id.slice(2)}`).code).not.toBe(0);
  });

  variation(
    'the id of a checkpoint that was fetched, and of which no commit is here, is not taken',
    (repo) => {
      const { id, stored } = withAlice(repo);
      const before = stored();
      repo.git('reset', '--quiet', '--hard', 'HEAD~1');
      repo.git('update-ref', '-d', 'refs/remotes/origin/main');
      repo.git('reflog', 'expire', '--expire=now', '--all');
      const session = addWork(repo, { 'bob.txt': 'by Bob\n' });
      repo.git('add', '.');
      repo.git('commit', '--quiet', ...GIVEN['-m'](repo, id));
      expect(stored()).toBe(before);
      expectOwnLink(repo, id, session.id, ['bob.txt']);
    },
  );

  variation('an id owed in another worktree is not taken by the work of this one', (repo) => {
    withWork(repo);
    repo.git('add', 'a.txt');
    const give = editor(repo, 'cp "$1" ../given; exit 1');
    expect(repo.run('git', ['commit'], { env: { GIT_EDITOR: give } }).code).not.toBe(0);
    const [id] = owed(repo).map((name) => name.replace('.json', ''));
    repo.git('worktree', 'add', '--quiet', '-b', 'taken', '../other');
    const here = repo.dir;
    repo.dir = join(repo.scratch, 'other');
    const session = addWork(repo, { 'bob.txt': 'by Bob\n' });
    repo.git('add', '.');
    repo.git('commit', '--quiet', ...GIVEN['-m'](repo, id as string));
    expectOwnLink(repo, id as string, session.id, ['bob.txt']);
    repo.dir = here;
    expect(owed(repo)).toEqual([`${id}.json`]);
  });

  variation('the id of an older commit of one’s own: the older slot stays as it is', (repo) => {
    const session = withWork(repo);
    const id = repo.commit('Add a', 'a.txt') as string;
    const slot = repo.stored(id, '0/full.jsonl');
    addWork(repo, { 'b.txt': 'two\n' }, session);
    repo.git('add', '.');
    repo.git('commit', '--quiet', ...GIVEN['-F'](repo, id));
    expectOwnLink(repo, id, session.id, ['b.txt']);
    expect(repo.stored(id, '0/full.jsonl')).toBe(slot);
    expect(repo.storedJson(id, '0/metadata.json').files_touched).toEqual(['a.txt']);
  });

  variation('an id that only the hook after the commit sees: nothing is written, the work waits', (repo) => {
    const { id, stored } = withAlice(repo);
    const before = stored();
    const session = addWork(repo, { 'bob.txt': 'by Bob\n' });
    repo.git('add', '.');
    rmSync(join(repo.dir, '.git/hooks/prepare-commit-msg'));
    repo.git('commit', '--quiet', ...GIVEN['-m'](repo, id));
    expect(stored()).toBe(before);
    expect(repo.verdict()).toMatchObject({
      reason: 'foreign-checkpoint',
      checkpoint: id,
      sessions: [session.id],
    });
    expect(repo.state(session.id).files_touched).toEqual(['bob.txt']);
  });

  variation('an id owed in another worktree is not this commit’s', (repo) => {
    const session = withWork(repo);
    repo.git('add', 'a.txt');
    const give = editor(repo, 'cp "$1" ../given; exit 1');
    expect(repo.run('git', ['commit'], { env: { GIT_EDITOR: give } }).code).not.toBe(0);
    const [id] = owed(repo).map((name) => name.replace('.json', ''));
    repo.git('branch', 'taken');
    repo.git('worktree', 'add', '--quiet', '../other', 'taken');
    repo.gitWith(
      { cwd: join(repo.scratch, 'other') },
      'commit',
      '--quiet',
      '--allow-empty',
      '-m',
      'Names it',
      '-m',
      trailer(id as string),
    );
    expect(repo.tryGit('show', `entire/checkpoints/v1:${id?.slice(0, 2)}/${id?.slice(2)}`).code).not.toBe(0);
    expect(repo.state(session.id).files_touched).toEqual(['a.txt']);
  });

  variation('an amend that was given up does not let a later commit write under the id', (repo) => {
    const { id, stored } = withAlice(repo);
    const before = stored();
    repo.run('git', ['commit', '--amend'], { env: { GIT_EDITOR: 'false' } });
    const session = addWork(repo, { 'bob.txt': 'by Bob\n' });
    repo.git('add', '.');
    repo.git('commit', '--quiet', ...GIVEN['-m'](repo, id));
    expect(stored()).toBe(before);
    expectOwnLink(repo, id, session.id, ['bob.txt']);
  });

  variation(
    'an amend that was given up, and the same commit amended elsewhere and pulled: nothing is written',
    (repo) => {
      const { id, stored } = withAlice(repo);
      const before = stored();
      const session = addWork(repo, { 'alice.txt': 'by Alice\nand Bob\n' });
      repo.run('git', ['commit', '--amend', '-a', '-v'], { env: { GIT_EDITOR: 'false' } });
      expect(owed(repo)).toEqual([`${id}.json`]);
      const tree = repo.git('rev-parse', 'HEAD^{tree}');
      const again = repo.git(
        'commit-tree',
        tree,
        '-p',
        'HEAD^',
        '-m',
        'Add what Alice has, again',
        '-m',
        trailer(id),
      );
      repo.git('reset', '--quiet', '--soft', again);
      session.prompt('go on');
      session.stop();
      expect(stored()).toBe(before);
    },
  );
});

describe('an id that is the commit’s own', () => {
  variation('a commit that is made again after a reset keeps its checkpoint', (repo) => {
    const session = withWork(repo);
    const id = repo.commit('Add a', 'a.txt') as string;
    addWork(repo, { 'b.txt': 'two\n' }, session);
    repo.git('reset', '--quiet', '--soft', 'HEAD~1');
    repo.git('add', '.');
    repo.git('commit', '--quiet', '-C', 'ORIG_HEAD');
    expect(expectLinked(repo, session, 'a.txt', 'b.txt')).toBe(id);
  });

  variation('a fresh one that another version put there, without a record of ours', (repo) => {
    const session = withWork(repo);
    repo.git('add', 'a.txt');
    rmSync(join(repo.dir, '.git/hooks/prepare-commit-msg'));
    repo.git('commit', '--quiet', ...GIVEN['-m'](repo, '0123456789ab'));
    expect(expectLinked(repo, session, 'a.txt')).toBe('0123456789ab');
  });

  variation('an amend without the hook before it', (repo) => {
    const session = withWork(repo);
    const id = repo.commit('Add a', 'a.txt');
    addWork(repo, { 'b.txt': 'two\n' }, session);
    rmSync(join(repo.dir, '.git/hooks/prepare-commit-msg'));
    repo.git('add', '.');
    repo.git('commit', '--quiet', '--amend', '--no-edit');
    expect(expectLinked(repo, session, 'a.txt', 'b.txt')).toBe(id);
  });

  variation('an amend whose transcript is gone takes nothing away that was stored', (repo) => {
    const session = withWork(repo);
    addWork(repo, { 'a.txt': 'one more\n' }, session);
    const id = repo.commit('Add a', 'a.txt') as string;
    const texts = () =>
      ['full.jsonl', 'content_hash.txt', 'prompt.txt', 'context.md'].map((name) =>
        repo.stored(id, `0/${name}`),
      );
    const listed = () => repo.storedJson(id, 'metadata.json').sessions;
    const before = { texts: texts(), listed: listed() };
    session.prompt('more');
    session.edit('b.txt', 'two\n');
    // No copy of it either: neither what was redacted of it, nor a step's.
    rmSync(session.transcript);
    rmSync(join(repo.commonDir, 'entire/transcripts', session.id), { recursive: true });
    expect(repo.git('for-each-ref', 'refs/heads/entire/')).toMatch(
      /^\S+ commit\trefs\/heads\/entire\/checkpoints\/v1$/,
    );
    repo.git('add', '.');
    repo.git('commit', '--quiet', '--amend', '--no-edit');
    expect(repo.checkpointOf('HEAD')).toBe(id);
    expect(repo.storedJson(id, '0/metadata.json').files_touched).toEqual(['a.txt', 'b.txt']);
    expect({ texts: texts(), listed: listed() }).toEqual(before);
  });

  variation(
    'Bob amends Alice’s commit: his session is added to its checkpoint, hers is as it was',
    (repo) => {
      const { id } = withAlice(repo);
      const before = repo.stored(id, '0/full.jsonl');
      const session = addWork(repo, { 'bob.txt': 'by Bob\n' });
      repo.git('add', '.');
      repo.git('commit', '--quiet', '--amend', '--no-edit');
      expect(repo.verdict()).toMatchObject({ reason: 'linked', checkpoint: id, sessions: [session.id] });
      expect(repo.stored(id, '0/full.jsonl')).toBe(before);
      expect(repo.storedJson(id, '1/metadata.json').session_id).toBe(session.id);
    },
  );
});
