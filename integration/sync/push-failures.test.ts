import { existsSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import {
  freePort,
  listenSilently,
  pidsWithin,
  processesWith,
  startDaemon,
  startHttp,
} from '../support/process/servers.ts';
import {
  addBare,
  addCheckpoint,
  addClone,
  addCommit,
  checkpointsOn,
  ledger,
  METADATA,
  noteShown,
  serverHook,
  setPush,
  userPush,
  withOrigin,
} from '../support/repository/clones.ts';
import { onBothBuilds, variation } from '../support/repository/scenario.ts';
import type { TestRepo } from '../support/repository/test-repo.ts';

/** Checkpoints go to a repository at GitHub, which is somewhere else in this test. */
function sendElsewhere(repo: TestRepo, base: string, more: object = {}): void {
  setPush(repo, true, { checkpoint_remote: { provider: 'github', repo: 'acme/logs' }, ...more });
  repo.git('config', `url.${base}/.insteadOf`, 'https://github.com/');
}

const PUSHING = '[entire] Pushing session logs to https://github.com/acme/logs.git...';
const FAILED = '[entire] Warning: failed to push session logs to https://github.com/acme/logs.git:';

onBothBuilds('a remote that never answers: given up in time, with nothing left running', async (repo) => {
  const bare = withOrigin(repo);
  const port = await listenSilently(repo);
  sendElsewhere(repo, `git://127.0.0.1:${port}`, { push_timeout_seconds: 1 });
  addCheckpoint(repo);
  expect(userPush(repo)).toEqual({ code: 0, said: [PUSHING, `${FAILED} no answer within 1 s`] });
  expect(pidsWithin(repo.dir)).toEqual([]);
  expect(repo.git('-C', bare, 'rev-parse', 'main')).toBe(repo.git('rev-parse', 'main'));
  expect(ledger(repo).at(-1)).toMatchObject({ state: 'ended', result: 'unknown' });

  const fetched = repo.tryEntire('fetch', '--timeout', '1');
  expect(fetched.code).toBe(1);
  expect(fetched.stderr).toMatchInlineSnapshot(`
    "Error: Failed to fetch checkpoints from https://github.com/acme/logs.git: no answer within 1 s.
    Hint: Try again with a longer --timeout. What was to be pushed is still here.
    "
  `);
  expect(pidsWithin(repo.dir)).toEqual([]);
});

variation('ssh that hangs ends with its push; it is told not to ask', async (repo) => {
  withOrigin(repo);
  repo.write('../ssh', '#!/bin/sh\necho "$@" >"$0.args"\nexec sleep 600.25\n').run('chmod', ['+x', '../ssh']);
  sendElsewhere(repo, 'ssh://git@127.0.0.1', { push_timeout_seconds: 1 });
  repo.git('config', 'core.sshCommand', join(repo.scratch, 'ssh'));
  addCheckpoint(repo);
  for (const tty of ['0', '1']) {
    const env = { ENTIRE_TEST_TTY: tty };
    expect(repo.run('git', ['push', '--quiet'], { env }).stderr).toContain('no answer within 1 s');
    expect(processesWith('sleep 600.25')).toEqual([]);
    expect(repo.read('../ssh.args').includes('-o BatchMode=yes')).toBe(tty === '0'); // else somebody can answer
  }
});

variation('checkpoint_remote: nobody there, and no fallback to any other remote', async (repo) => {
  const bare = withOrigin(repo);
  sendElsewhere(repo, `git://127.0.0.1:${await freePort()}`);
  addCheckpoint(repo);
  const { code, said } = userPush(repo);
  expect(code).toBe(0);
  expect(said).toEqual([PUSHING, expect.stringContaining('Connection refused')]);
  expect(checkpointsOn(repo, METADATA, bare)).toEqual([]);

  const named = repo.tryEntire('push', 'origin');
  expect(named.code).toBe(1);
  expect(named.stderr).toContain('go to https://github.com/acme/logs.git, and nowhere else');
  setPush(repo, true, { checkpoint_remote: { provider: 'nobody', repo: '../evil' } });
  expect(userPush(repo).said).toEqual([
    '[entire] Warning: session logs not pushed: checkpoint_remote in .entire/settings.json names no repository',
  ]);
  expect(repo.tryEntire('push').stderr).toContain('no other remote is used in its place');
  expect(checkpointsOn(repo, METADATA, bare)).toEqual([]);
});

variation('checkpoint_remote: checkpoints go there with every push, and come back from there', (repo) => {
  const bare = withOrigin(repo);
  const logs = addBare(repo, 'acme/logs');
  const fork = addBare(repo, 'fork');
  sendElsewhere(repo, `file://${repo.scratch}`);
  const id = addCheckpoint(repo);
  expect(userPush(repo, `file://${fork}`, 'main')).toEqual({ code: 0, said: [PUSHING] });
  expect(checkpointsOn(repo, METADATA, logs)).toEqual([id]);
  addCommit(repo);
  expect(userPush(repo)).toEqual({ code: 0, said: [] });
  expect([bare, fork].flatMap((dir) => checkpointsOn(repo, METADATA, dir))).toEqual([]);
  expect(repo.git('for-each-ref', '--format=%(objectname)', 'refs/entire')).toBe(
    repo.git('rev-parse', METADATA),
  );

  const other = addClone(repo, bare);
  sendElsewhere(other, `file://${repo.scratch}`);
  expect(other.entire('fetch').stdout).toBe(
    `Fetched 1 checkpoint from https://github.com/acme/logs.git (file://${logs}).\n`,
  );
  expect(checkpointsOn(other)).toEqual([id]);
});

variation('a remote that moves while we push: fetched, merged, pushed again', (repo) => {
  const bare = withOrigin(repo);
  const other = addClone(repo, bare);
  const theirs = addCheckpoint(other, 'theirs.txt');
  other.git('push', '--quiet', '--no-verify', 'origin', `${METADATA}:refs/heads/waiting`);
  // As if the other clone had been faster by the blink of an eye, once.
  const move = `git update-ref ${METADATA} refs/heads/waiting`;
  serverHook(bare, 'update', `[ "$1" = ${METADATA} ] && [ ! -e moved ] && touch moved && ${move}; exit 0`);
  const ours = addCheckpoint(repo, 'ours.txt');
  expect(userPush(repo)).toEqual({
    code: 0,
    said: ['[entire] Pushing session logs to origin...', '[entire] Syncing with remote session logs...'],
  });
  expect(existsSync(join(bare, 'moved'))).toBe(true);
  expect(checkpointsOn(repo, METADATA, bare)).toEqual([ours, theirs].sort());
  expect(ledger(repo).map(({ result }) => result)).toEqual([undefined, 'failed', undefined, 'pushed']);
});

variation('a remote that moves again and again: given up after some tries', (repo) => {
  const bare = withOrigin(repo);
  const move = 'c=$(git commit-tree -m x 4b825dc642cb6eb9a060e54bf8d69288fbee4904) && git update-ref "$1" $c';
  const identity = 'export GIT_AUTHOR_NAME=x GIT_AUTHOR_EMAIL=x GIT_COMMITTER_NAME=x GIT_COMMITTER_EMAIL=x';
  const always = `date +%s%N | git hash-object -w --stdin >/dev/null; ${identity}; GIT_COMMITTER_DATE="@$(od -An -N3 -tu4 /dev/urandom | tr -d ' ') +0000" && export GIT_COMMITTER_DATE`;
  serverHook(bare, 'update', `case $1 in *entire*) git mktree </dev/null; ${always}; ${move};; esac; exit 0`);
  addCheckpoint(repo);
  const { code, said } = userPush(repo);
  expect(code).toBe(0);
  expect(said).toEqual([
    '[entire] Pushing session logs to origin...',
    '[entire] Syncing with remote session logs...',
    expect.stringMatching(/^\[entire\] Warning: failed to push sessions after sync: \[remote rejected\]/),
  ]);
  expect(ledger(repo)).toHaveLength(10);
});

variation('a real server: a daemon that takes pushes, and one that does not', async (repo) => {
  const bare = withOrigin(repo);
  repo.git('-C', bare, 'config', 'daemon.receivepack', 'true');
  const url = await startDaemon(repo);
  repo.git('remote', 'set-url', 'origin', `${url}/remote.git`);
  noteShown(repo);
  const id = addCheckpoint(repo);
  expect(userPush(repo).said).toEqual(['[entire] Pushing session logs to origin...']);
  expect(checkpointsOn(repo, METADATA, bare)).toEqual([id]);
  expect(JSON.parse(repo.entire('fetch', '--json').stdout)).toMatchObject({ result: 'up-to-date' });

  repo.git('-C', bare, 'config', 'daemon.receivepack', 'false');
  addCheckpoint(repo);
  const refused = repo.tryEntire('push');
  expect(refused.code).toBe(1);
  expect(refused.stderr).toMatch(/^Error: Failed to push checkpoints to origin: .*\nHint: /);
  expect(checkpointsOn(repo, METADATA, bare)).toEqual([id]);
});

variation('over HTTP: with a password that is right, and where nobody can be asked for one', async (repo) => {
  const bare = withOrigin(repo);
  repo.git('-C', bare, 'config', 'http.receivepack', 'true');
  const host = await startHttp(repo, 'ada:s3cret');
  repo.git('remote', 'set-url', 'origin', `http://ada:s3cret@${host}/remote.git`);
  noteShown(repo);
  const ids = [addCheckpoint(repo)];
  expect(userPush(repo).said).toEqual(['[entire] Pushing session logs to origin...']);
  expect(checkpointsOn(repo, METADATA, bare)).toEqual(ids);
  ids.push(addCheckpoint(repo));
  expect(repo.entire('push').stdout).toContain(`to origin (http://${host}/remote.git)`);
  expect(repo.entire('fetch').stdout).toContain('Already up to date');
  expect(JSON.stringify(ledger(repo))).not.toContain('s3cret');

  repo.git('remote', 'set-url', 'origin', `http://${host}/remote.git`);
  noteShown(repo);
  addCheckpoint(repo);
  const { code, stdout, stderr } = repo.tryEntire('push', '--json');
  expect({ code, failure: JSON.parse(stdout).failure.code }).toEqual({ code: 1, failure: 'auth' });
  expect(stderr).toContain('Hint: Sign in as for `git push`');
  expect(checkpointsOn(repo, METADATA, bare)).toEqual(ids.sort());
});

variation('what cannot be written down does not leave', (repo) => {
  const bare = withOrigin(repo);
  addCheckpoint(repo);
  repo.run('mkdir', [join(repo.commonDir, 'entire', 'pushes.jsonl')]);
  const { code, said } = userPush(repo);
  expect(code).toBe(0);
  expect(said.at(-1)).toContain('nothing leaves unrecorded');
  expect(checkpointsOn(repo, METADATA, bare)).toEqual([]);
});

variation('`entire push` asks where the branch is: deleted, or put back to an older state', (repo) => {
  const bare = withOrigin(repo);
  const first = addCheckpoint(repo);
  userPush(repo);
  const old = repo.git('rev-parse', METADATA);
  const second = addCheckpoint(repo);
  userPush(repo);
  for (const damage of [
    ['-d', METADATA],
    [METADATA, old],
  ]) {
    repo.git('-C', bare, 'update-ref', ...damage);
    expect(repo.entire('push').stdout).toContain('Pushed ');
    expect(checkpointsOn(repo, METADATA, bare)).toEqual([first, second].sort());
  }
});

variation('`push --json` says what failed, also where the remote cannot even be asked', (repo) => {
  const bare = withOrigin(repo);
  addCheckpoint(repo);
  renameSync(bare, `${bare}-away`);
  const { code, stdout } = repo.tryEntire('push', '--json');
  expect(code).toBe(1);
  expect(JSON.parse(stdout)).toMatchObject({
    remote: 'origin',
    result: 'failed',
    failure: { code: 'missing' },
    checkpoints: 0,
    to: repo.git('rev-parse', METADATA),
  });
});
