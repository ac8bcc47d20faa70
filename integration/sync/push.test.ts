import { statSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import {
  addBare,
  addCheckpoint,
  addClone,
  addCommit,
  checkpointsOn,
  ledger,
  METADATA,
  serverHook,
  setPush,
  userPush,
  withOrigin,
} from '../support/repository/clones.ts';
import { onBothBuilds, variation } from '../support/repository/scenario.ts';

onBothBuilds(
  'a push takes new checkpoints along, records it, and says nothing when there are none',
  (repo) => {
    const bare = withOrigin(repo);
    const id = addCheckpoint(repo);

    expect(userPush(repo)).toEqual({ code: 0, said: ['[entire] Pushing session logs to origin...'] });
    expect(checkpointsOn(repo, METADATA, bare)).toEqual([id]);
    const tip = repo.git('rev-parse', METADATA);
    expect(repo.git('rev-parse', 'refs/remotes/origin/entire/checkpoints/v1')).toBe(tip);

    expect(ledger(repo)).toMatchObject([
      { state: 'started', remote: 'origin', url: `file://${bare}`, from: null, to: tip, checkpoints: 1 },
      { state: 'ended', result: 'pushed' },
    ]);
    expect(ledger(repo)[0].bytes).toBeGreaterThan(100);
    expect(statSync(join(repo.commonDir, 'entire', 'pushes.jsonl')).mode & 0o777).toBe(0o600);

    addCommit(repo);
    expect(userPush(repo)).toEqual({ code: 0, said: [] });
    expect(ledger(repo)).toHaveLength(2);
  },
);

variation('two clones that both made checkpoints end with the same union', (repo) => {
  const bare = withOrigin(repo);
  const other = addClone(repo, bare);
  const ids = [addCheckpoint(repo), addCheckpoint(repo), addCheckpoint(other)];
  expect(userPush(repo).code).toBe(0);
  other.git('pull', '--quiet', '--no-edit', '--no-rebase');
  expect(userPush(other)).toEqual({
    code: 0,
    said: ['[entire] Pushing session logs to origin...', '[entire] Syncing with remote session logs...'],
  });
  expect(repo.entire('fetch').stdout).toBe(`Fetched 1 checkpoint from origin (file://${bare}).\n`);

  expect(checkpointsOn(repo)).toEqual([...ids].sort());
  expect(repo.git('rev-parse', METADATA)).toBe(other.git('rev-parse', METADATA));
  expect(repo.git('rev-parse', METADATA)).toBe(repo.git('-C', bare, 'rev-parse', METADATA));
  expect(repo.git('log', '-1', '--format=%B%n%an <%ae>', METADATA)).toBe(
    'Merge remote session logs\nBob <bob@example.com>',
  );
  const raw = repo.run('git', ['cat-file', 'commit', METADATA]).stdout;
  expect(raw.endsWith('\n\nMerge remote session logs')).toBe(true);
  other.expectSound();
});

variation('`entire fetch` in a fresh clone makes the local branch', (repo) => {
  const bare = withOrigin(repo);
  const id = addCheckpoint(repo);
  userPush(repo);
  repo.gitWith({ cwd: repo.scratch }, 'clone', '--quiet', '--single-branch', `file://${bare}`, 'fresh');
  const fresh = { cwd: join(repo.scratch, 'fresh') };
  const run = (...args: string[]) => repo.run('entire', args, fresh);
  expect(JSON.parse(run('fetch', '--json').stdout)).toMatchObject({
    remote: 'origin',
    result: 'created',
    before: null,
    checkpoints: 1,
  });
  expect(checkpointsOn(repo, METADATA, fresh.cwd)).toEqual([id]);
  expect(run('fetch').stdout).toBe(`Already up to date with origin (file://${bare}).\n`);
});

variation('nothing is pushed to another remote than the usual one', (repo) => {
  const bare = withOrigin(repo);
  const fork = addBare(repo, 'fork');
  repo.git('remote', 'add', 'fork', `file://${fork}`);
  addCheckpoint(repo);
  expect(userPush(repo, 'fork', 'main')).toEqual({ code: 0, said: [] });
  expect(userPush(repo, `file://${fork}`, 'main')).toEqual({ code: 0, said: [] });
  expect(userPush(repo, join(repo.scratch, 'fork.git'), 'HEAD:x')).toEqual({ code: 0, said: [] });
  expect(checkpointsOn(repo, METADATA, fork)).toEqual([]);
  expect(ledger(repo)).toEqual([]);
  // The usual one, named by its URL.
  expect(userPush(repo, `file://${bare}/`, 'main').said).toHaveLength(1);
  expect(checkpointsOn(repo, METADATA, bare)).toHaveLength(1);
});

variation('only a remote that moved is fetched from; any other refusal is said in one line', (repo) => {
  const bare = withOrigin(repo);
  addCheckpoint(repo);
  serverHook(bare, 'update', 'case $1 in *entire*) echo "no session logs here" >&2; exit 1;; esac');
  expect(userPush(repo)).toEqual({
    code: 0,
    said: [
      '[entire] Pushing session logs to origin...',
      '[entire] Warning: failed to push session logs to origin: [remote rejected] (hook declined): no session logs here',
    ],
  });
  expect(repo.git('-C', bare, 'rev-parse', 'main')).toBe(repo.git('rev-parse', 'main'));
  expect(ledger(repo).at(-1)).toMatchObject({ state: 'ended', result: 'failed' });
});

variation('no dry run, no deletion and no push of every branch takes checkpoints along', (repo) => {
  const bare = withOrigin(repo);
  addCheckpoint(repo);
  expect(userPush(repo, '--dry-run')).toEqual({ code: 0, said: [] });
  expect(userPush(repo, '-n', 'origin', 'main')).toEqual({ code: 0, said: [] });
  repo.git('push', '--quiet', '--no-verify', 'origin', 'main:gone');
  expect(userPush(repo, 'origin', '--delete', 'gone')).toEqual({ code: 0, said: [] });
  expect(checkpointsOn(repo, METADATA, bare)).toEqual([]);
  // The user's own push of the branch must not find it moved by ours.
  expect(userPush(repo, 'origin', '--all')).toEqual({ code: 0, said: [] });
  expect(checkpointsOn(repo, METADATA, bare)).toHaveLength(1);
});

variation('push_sessions false: nothing leaves, and nothing is said', (repo) => {
  const bare = withOrigin(repo, false);
  addCheckpoint(repo);
  expect(userPush(repo)).toEqual({ code: 0, said: [] });
  expect(checkpointsOn(repo, METADATA, bare)).toEqual([]);
});

variation('push_sessions that is neither true nor false allows nothing, wherever the branch is', (repo) => {
  const bare = withOrigin(repo);
  const id = addCheckpoint(repo);
  expect(userPush(repo).said).toHaveLength(1);
  setPush(repo, undefined, { push_sessions: 'false' });
  addCheckpoint(repo);
  expect(userPush(repo)).toEqual({ code: 0, said: [] });
  expect(checkpointsOn(repo, METADATA, bare)).toEqual([id]);
});

variation(
  'nobody has decided: said once, and nothing leaves, also where the remote has the branch',
  (repo) => {
    const bare = withOrigin(repo, 'undecided');
    expect(userPush(repo)).toEqual({ code: 0, said: [] }); // there is nothing yet that could leave
    addCheckpoint(repo);
    expect(userPush(repo).said).toEqual([
      '[entire] Session logs stay on this machine until you decide: `entire enable --push-sessions` sends them along with your pushes, `entire push --preview` shows what would leave',
    ]);
    addCommit(repo);
    addCheckpoint(repo);
    expect(userPush(repo)).toEqual({ code: 0, said: [] });
    expect(checkpointsOn(repo, METADATA, bare)).toEqual([]);

    // A colleague shares theirs, which says nothing of what is here.
    const other = addClone(repo, bare);
    const theirs = addCheckpoint(other);
    expect(other.entire('push').stdout).toContain('Pushed 1 checkpoint');
    repo.git('fetch', '--quiet');
    addCheckpoint(repo);
    expect(userPush(repo, 'origin', 'HEAD:topic')).toEqual({ code: 0, said: [] });
    expect(checkpointsOn(repo, METADATA, bare)).toEqual([theirs]);
  },
);

variation(
  'a place that the repository asks for: shown, agreed to, and asked for again when it changes',
  (repo) => {
    const bare = withOrigin(repo);
    const places = ['acme/logs', 'acme/more'].map((name) => {
      const dir = addBare(repo, name.replace('/', '-'));
      repo.git('config', '--add', `url.file://${dir}.insteadOf`, `https://github.com/${name}.git`);
      return dir;
    });
    const ask = (name: string | undefined): void => {
      const remote = name && { checkpoint_remote: { provider: 'github', repo: name } };
      repo.write('.entire/settings.json', JSON.stringify({ enabled: true, strategy_options: { ...remote } }));
    };
    const left = () => [bare, ...places].map((dir) => checkpointsOn(repo, METADATA, dir).length);

    ask('acme/logs');
    addCheckpoint(repo);
    expect(userPush(repo).said).toEqual([
      '[entire] Session logs stay on this machine: the repository asks for checkpoint_remote github:acme/logs, which nobody here has agreed to. To review and agree: `entire enable --push-sessions`',
    ]);
    expect(userPush(repo, 'origin', 'HEAD:topic').said).toEqual([]);
    const refused = repo.tryEntire('push', '--yes');
    expect(refused.stderr).toContain(
      'asks for checkpoint_remote github:acme/logs, which nobody here has agreed to',
    );
    expect([refused.code, left()]).toEqual([1, [0, 0, 0]]);
    expect(repo.entire('status').stdout).toContain(
      'nobody here has agreed to; run `entire enable --push-sessions` to review it',
    );
    // Without a terminal and without the flag nobody has agreed.
    expect(repo.entire('enable').stdout).toContain('asks for checkpoint_remote github:acme/logs');
    expect(userPush(repo, 'origin', 'HEAD:topic').said).toEqual([]);

    expect(repo.entire('enable', '--push-sessions').stdout).toContain(
      `Session logs go along with your pushes to: https://github.com/acme/logs.git`,
    );
    expect(repo.entire('enable').stdout).toContain('Already enabled');
    addCommit(repo);
    expect(userPush(repo).said[0]).toContain('Pushing session logs to https://github.com/acme/logs.git');
    expect(left()).toEqual([0, 1, 0]);

    ask('acme/more');
    addCheckpoint(repo);
    expect(userPush(repo).said.join()).toContain('asks for checkpoint_remote github:acme/more');
    ask(undefined);
    expect(userPush(repo, 'origin', 'HEAD:topic').said.join()).toContain(
      'no longer asks for checkpoint_remote github:acme/logs',
    );
    expect(left()).toEqual([0, 1, 0]);
    ask('acme/logs');
    expect(userPush(repo, 'origin', 'HEAD:else').said[0]).toContain(
      'Pushing session logs to https://github.com/acme/logs',
    );
    expect(left()).toEqual([0, 2, 0]);
  },
);

variation('a commit and a push within one turn are not one push behind', (repo) => {
  const bare = withOrigin(repo);
  const session = repo.session();
  session.prompt('write and push');
  session.edit('a.txt', 'one\n');
  const id = repo.agentCommit('Add a', 'a.txt') as string;
  expect(userPush(repo).code).toBe(0);
  expect(checkpointsOn(repo, METADATA, bare)).toEqual([id]);
  const path = `${METADATA}:${id.slice(0, 2)}/${id.slice(2)}/0/full.jsonl`;
  expect(repo.git('-C', bare, 'show', path)).toContain('write and push');

  session.stop('All of it is done.');
  const preview = JSON.parse(repo.entire('push', '--preview', '--json').stdout);
  expect(preview.checkpoints).toEqual([{ id, new: false, sessions: [session.id] }]);
  addCommit(repo);
  expect(userPush(repo).said).toHaveLength(1);
  expect(repo.git('-C', bare, 'show', path)).toContain('All of it is done.');
  setPush(repo, true);
});
