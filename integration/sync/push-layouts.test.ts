import { renameSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { addWork, commitWithoutPostCommit } from '../support/command/work.ts';
import { realGit, withProgram } from '../support/process/programs.ts';
import {
  addBare,
  addCheckpoint,
  addClone,
  addCommit,
  checkpointsOn,
  ledger,
  METADATA,
  noteShown,
  setPush,
  userPush,
  withOrigin,
} from '../support/repository/clones.ts';
import { variation } from '../support/repository/scenario.ts';
import type { TestRepo } from '../support/repository/test-repo.ts';

/** From now on `origin` is pushed to these bare repositories, wherever it is fetched from. */
function pushTo(repo: TestRepo, ...bares: string[]): void {
  for (const dir of bares) repo.git('config', '--add', 'remote.origin.pushurl', `file://${dir}`);
  noteShown(repo);
}

/** A commit whose checkpoint is owed. */
function addOwed(repo: TestRepo): string {
  addWork(repo, { 'owed.txt': 'owed\n' });
  const id = commitWithoutPostCommit(repo, 'owed.txt');
  expect(checkpointsOn(repo)).not.toContain(id);
  return id;
}

variation('a checkpoint that is owed is written first, and goes along', (repo) => {
  const bare = withOrigin(repo);
  const first = addOwed(repo);
  expect(userPush(repo).code).toBe(0);
  expect(checkpointsOn(repo, METADATA, bare)).toEqual([first]);
});

variation('a checkpoint that is owed is written before `entire push`', (repo) => {
  const bare = withOrigin(repo);
  const id = addOwed(repo);
  expect(repo.entire('push').stdout).toContain('Pushed 1 checkpoint');
  expect(checkpointsOn(repo, METADATA, bare)).toEqual([id]);
});

variation('a shallow clone merges and pushes without the history before it', (repo) => {
  const bare = withOrigin(repo);
  const ids = [addCheckpoint(repo), addCheckpoint(repo)];
  userPush(repo);
  const dir = join(repo.scratch, 'shallow');
  repo.gitWith(
    { cwd: repo.scratch },
    'clone',
    '--quiet',
    '--depth=1',
    '--no-single-branch',
    `file://${bare}`,
    dir,
  );
  const main = repo.dir;
  repo.dir = dir;
  for (const entry of ['user.name=Bob', 'user.email=bob@x', 'gc.auto=0'])
    repo.git('config', ...(entry.split('=') as [string, string]));
  repo.entire('enable', '--agent', 'claude-code', '--push-sessions');
  ids.push(addCheckpoint(repo));
  repo.dir = main;
  ids.push(addCheckpoint(repo));
  repo.entire('push');
  repo.dir = dir;
  expect(repo.entire('push').stdout).toContain('after merging what others had pushed');
  expect(checkpointsOn(repo, METADATA, bare)).toEqual([...ids].sort());
  repo.dir = main;
  repo.entire('fetch');
  expect(checkpointsOn(repo)).toEqual([...ids].sort());
});

variation('a SHA-256 repository', (repo) => {
  repo.init('--object-format=sha256').write('README.md', '# demo\n');
  repo.git('add', '.');
  repo.git('commit', '--quiet', '-m', 'init');
  repo.entire('enable', '--agent', 'claude-code', '--push-sessions');
  const bare = join(repo.scratch, 'remote.git');
  repo.git('init', '--quiet', '--bare', '--object-format=sha256', '--initial-branch=main', bare);
  repo.git('remote', 'add', 'origin', `file://${bare}`);
  repo.git('add', '.');
  repo.git('commit', '--quiet', '-m', 'Enable entire');
  repo.git('push', '--quiet', '--no-verify', '-u', 'origin', 'main');
  const other = addClone(repo, bare);
  const ids = [addCheckpoint(repo), addCheckpoint(other)];
  expect(userPush(repo).said).toHaveLength(1);
  expect(other.entire('push').stdout).toContain('after merging');
  repo.entire('fetch');
  expect(checkpointsOn(repo)).toEqual(ids.sort());
  other.expectSound();
});

variation('checkpoint_push_remote: pushes to that remote carry checkpoints, others do not', (repo) => {
  const bare = withOrigin(repo);
  const backup = addBare(repo, 'backup');
  repo.git('remote', 'add', 'backup', `file://${backup}`);
  setPush(repo, true, { checkpoint_push_remote: 'backup' });
  noteShown(repo, 'backup');
  const id = addCheckpoint(repo);
  expect(userPush(repo)).toEqual({ code: 0, said: [] });
  expect(userPush(repo, 'backup', 'main').said).toEqual(['[entire] Pushing session logs to backup...']);
  expect(checkpointsOn(repo, METADATA, bare)).toEqual([]);
  expect(checkpointsOn(repo, METADATA, backup)).toEqual([id]);
});

variation('a mirror takes every branch by itself, and our push stays out of its way', (repo) => {
  const bare = withOrigin(repo);
  const mirror = addBare(repo, 'mirror');
  repo.git('remote', 'add', '--mirror=push', 'mirror', `file://${mirror}`);
  repo.git('config', 'branch.main.pushRemote', 'mirror');
  const id = addCheckpoint(repo);
  // The yes was for origin.
  expect(userPush(repo, 'mirror').said).toEqual([expect.stringContaining('This push sends session logs')]);
  expect(checkpointsOn(repo, METADATA, mirror)).toEqual([id]);
  expect(checkpointsOn(repo, METADATA, bare)).toEqual([]);
  expect(repo.tryEntire('push').stderr).toContain('mirror is a mirror');
  expect(repo.tryEntire('push', 'mirror', '--yes').stderr).toContain('mirror is a mirror');
  expect(ledger(repo)).toEqual([]);
  expect(repo.entire('fetch').stdout).toContain('Already up to date with mirror');
});

variation(
  'a remote that is fetched into local branches does not overwrite the checkpoints made here',
  (repo) => {
    const bare = withOrigin(repo);
    const other = addClone(repo, bare);
    const theirs = [addCheckpoint(other)];
    other.entire('push');
    repo.git('config', 'remote.origin.fetch', '+refs/heads/*:refs/heads/*');
    const mine = addCheckpoint(repo);
    expect(repo.entire('fetch').stdout).toContain('Fetched 1 checkpoint from origin');
    expect(checkpointsOn(repo)).toEqual([mine, ...theirs].sort());

    theirs.push(addCheckpoint(other));
    other.entire('push');
    addCommit(repo);
    expect(userPush(repo, 'origin', 'HEAD:refs/heads/topic').code).toBe(0);
    expect(checkpointsOn(repo)).toEqual([mine, ...theirs].sort());
    expect(checkpointsOn(repo, METADATA, bare)).toEqual([mine, ...theirs].sort());
  },
);

variation(
  'a remote that is pushed to elsewhere: what it is fetched from has nothing to say about consent',
  (repo) => {
    const bare = withOrigin(repo, 'undecided');
    const other = addClone(repo, bare);
    addCheckpoint(other);
    other.entire('push', '--yes');
    const fork = addBare(repo, 'fork');
    pushTo(repo, fork);
    const id = addCheckpoint(repo);
    expect(userPush(repo, 'origin', 'main').said.join('\n')).toContain(
      'stay on this machine until you decide',
    );
    expect(checkpointsOn(repo, METADATA, fork)).toEqual([]);
    expect(repo.tryEntire('push').stderr).toContain('push_sessions is off');
    expect(repo.entire('fetch').stdout).toContain(`from origin (file://${bare})`);
    expect(repo.entire('push', '--yes').stdout).toContain(`to origin (file://${fork})`);
    expect(checkpointsOn(repo, METADATA, fork)).toContain(id);
  },
);

variation('a remote with several push URLs: all of them are named and recorded', (repo) => {
  const bare = withOrigin(repo);
  const backup = addBare(repo, 'backup');
  pushTo(repo, bare, backup);
  const id = addCheckpoint(repo);
  const both = `file://${bare}, file://${backup}`;
  expect(repo.entire('push', '--preview').stdout).toContain(`to origin (${both})`);
  expect(userPush(repo)).toMatchObject({ code: 0 });
  for (const dir of [bare, backup]) expect(checkpointsOn(repo, METADATA, dir)).toEqual([id]);
  expect(ledger(repo)[0]).toMatchObject({ remote: 'origin', url: both });
});

variation('a remote that is pushed to elsewhere: what others pushed there is merged in', (repo) => {
  const bare = withOrigin(repo);
  const other = addClone(repo, bare);
  const places = ['one', 'two'].map((name) => addBare(repo, name));
  const ids = [addCheckpoint(repo), addCheckpoint(other)];
  pushTo(other, ...places);
  pushTo(repo, places[1] as string);
  expect(userPush(repo, 'origin', 'main').code).toBe(0);
  expect(other.entire('push', '--yes').stdout).toContain('after merging what others had pushed');
  expect(checkpointsOn(repo, METADATA, places[0])).toEqual(ids.sort());
  expect(checkpointsOn(repo, METADATA, places[1])).toEqual(ids.sort());
  expect(checkpointsOn(repo, METADATA, bare)).toEqual([]);
  other.expectSound();
});

variation(
  'a remote that is pushed to elsewhere: what that place has is not told by where it is fetched from',
  (repo) => {
    const bare = withOrigin(repo);
    const fork = addBare(repo, 'fork');
    pushTo(repo, fork);
    const mine = addCheckpoint(repo);
    userPush(repo, 'origin', 'main');
    expect(checkpointsOn(repo, METADATA, fork)).toEqual([mine]);
    expect(repo.entire('push').stdout).toBe('Everything up-to-date with origin.\n');
    expect(JSON.parse(repo.entire('push', '--log', '--json').stdout)).toHaveLength(1);

    const other = addClone(repo, bare);
    const theirs = addCheckpoint(other);
    other.entire('push');
    repo.entire('fetch');
    expect(repo.entire('push').stdout).toContain('Pushed 1 checkpoint');
    expect(checkpointsOn(repo, METADATA, fork)).toEqual([mine, theirs].sort());
  },
);

variation('a remote with several push URLs, one of which is away: it gets what it missed', (repo) => {
  const bare = withOrigin(repo);
  const backup = addBare(repo, 'backup');
  pushTo(repo, bare, backup);
  renameSync(backup, `${backup}-away`);
  const id = addCheckpoint(repo);
  expect(userPush(repo).said.join('\n')).toContain('failed to push session logs to origin');
  expect(checkpointsOn(repo, METADATA, bare)).toEqual([id]);
  renameSync(`${backup}-away`, backup);
  repo.git('fetch', '--quiet'); // what origin has says nothing about the other place
  expect(userPush(repo).code).toBe(0);
  expect(checkpointsOn(repo, METADATA, backup)).toEqual([id]);
});

variation('`entire fetch` forgets a branch that is gone on the remote', (repo) => {
  const bare = withOrigin(repo);
  addCheckpoint(repo);
  userPush(repo);
  repo.git('-C', bare, 'update-ref', '-d', METADATA);
  expect(repo.entire('fetch').stdout).toContain('has no checkpoints');
  expect(repo.tryGit('rev-parse', '--verify', 'refs/remotes/origin/entire/checkpoints/v1').code).not.toBe(0);
});

variation('a remote that is pushed to elsewhere from now on: the new place gets all', (repo) => {
  withOrigin(repo);
  const id = addCheckpoint(repo);
  userPush(repo);
  const fork = addBare(repo, 'fork');
  pushTo(repo, fork);
  userPush(repo, 'origin', 'main');
  expect(checkpointsOn(repo, METADATA, fork)).toEqual([id]);
});

for (const places of [
  ['ahead', 'behind'],
  ['behind', 'ahead'],
]) {
  variation(
    `several push URLs, ${places}: what all of them have is known, and no more is said to leave`,
    (repo) => {
      withOrigin(repo);
      const dirs = places.map((name) => addBare(repo, name));
      pushTo(repo, ...dirs);
      const ids = [addCheckpoint(repo), addCheckpoint(repo)];
      repo.entire('push', '--yes');
      const old = repo.git('rev-parse', METADATA);
      ids.push(addCheckpoint(repo));
      repo.entire('push');
      repo.git('-C', dirs[places.indexOf('behind')] as string, 'update-ref', METADATA, old);
      expect(repo.entire('push').stdout).toContain('Pushed 1 checkpoint ');
      for (const dir of dirs) expect(checkpointsOn(repo, METADATA, dir)).toEqual(ids.sort());
    },
  );
}

variation('several push URLs, one of which moved and then is away: it gets what it missed', (repo) => {
  const bare = withOrigin(repo);
  const other = addClone(repo, bare);
  const dirs = ['one', 'two'].map((name) => addBare(repo, name));
  pushTo(repo, ...dirs);
  pushTo(other, dirs[1] as string);
  const ids = [addCheckpoint(repo)];
  userPush(repo, 'origin', 'main');
  other.entire('fetch');
  ids.push(addCheckpoint(other));
  other.entire('push', '--yes');
  ids.push(addCheckpoint(repo));
  const away = `case "$*" in *' fetch '*'${dirs[1]}'*) exit 128;; esac`;
  const env = withProgram(repo, 'git', away, `exec '${realGit(repo)}' "$@"`);
  repo.run('entire', ['hooks', 'git', 'pre-push', 'origin'], { env });
  userPush(repo, 'origin', 'main:elsewhere');
  for (const dir of dirs) expect(checkpointsOn(repo, METADATA, dir)).toEqual(ids.sort());
});
