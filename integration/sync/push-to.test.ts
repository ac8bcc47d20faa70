import { expect } from 'vitest';
import { startDaemon, startHttp } from '../support/process/servers.ts';
import {
  addCheckpoint,
  addClone,
  checkpointsOn,
  ledger,
  METADATA,
  noteShown,
  serverHook,
  userPush,
  withOrigin,
} from '../support/repository/clones.ts';
import { HIDDEN, pushTo, refsOf } from '../support/repository/push-to.ts';
import { scenario } from '../support/repository/scenario.ts';
import type { TestRepo } from '../support/repository/test-repo.ts';

scenario('checkpoints at a ref: no clone downloads them, `entire fetch` does', (repo) => {
  const bare = withOrigin(repo);
  const said = pushTo(repo, 'ref').stdout;
  expect(said).toContain(
    'The remote keeps checkpoints at refs/entire/checkpoints/v1, from the next push on. What it has on the branch entire/checkpoints/v1 moves with `entire push --move`.',
  );
  expect(repo.entire('status').stdout).toContain(', at refs/entire/checkpoints/v1, given by');
  const first = addCheckpoint(repo);
  expect(repo.entire('push', '--preview').stdout).toMatch(
    /^Would push refs\/entire\/checkpoints\/v1 to origin/,
  );
  expect(userPush(repo).said).toEqual(['[entire] Pushing session logs to origin...']);
  expect(refsOf(repo, bare)).toEqual([HIDDEN]);
  expect(userPush(repo).said).toEqual([]);
  expect(checkpointsOn(repo)).toEqual([first]);

  const clone = addClone(repo, bare);
  expect(checkpointsOn(clone)).toEqual([]);
  expect(clone.tryGit('cat-file', '-e', repo.git('rev-parse', METADATA)).code).not.toBe(0);
  clone.git('fetch', '--quiet', '--prune');
  expect(checkpointsOn(clone)).toEqual([]);
  expect(clone.entire('fetch').stdout).toMatch(/^Fetched 1 checkpoint from origin/);
  expect(checkpointsOn(clone)).toEqual([first]);
  expect(clone.entire('fetch').stdout).toMatch(/^Already up to date with origin/);
  clone.git('fetch', '--quiet', '--prune');
  expect(clone.entire('fetch').stdout).toMatch(/^Already up to date with origin/);

  // Both at once, without force.
  pushTo(clone, 'ref');
  const [second, third] = [addCheckpoint(clone), addCheckpoint(repo)];
  repo.git('push', '--quiet');
  expect(clone.entire('push').stdout).toContain('after merging what others had pushed');
  repo.entire('fetch');
  const all = [first, second, third].sort();
  expect(checkpointsOn(repo)).toEqual(all);
  expect(checkpointsOn(repo, HIDDEN, bare)).toEqual(all);
  expect(refsOf(repo, bare)).toEqual([HIDDEN]);
  for (const one of [repo, clone]) one.expectSound();
});

scenario('resume asks for the checkpoint of a commit that a clone got without it', (repo) => {
  const bare = withOrigin(repo);
  pushTo(repo, 'ref');
  const id = addCheckpoint(repo);
  repo.git('push', '--quiet');
  const clone = addClone(repo, bare);
  expect(checkpointsOn(clone)).toEqual([]);
  const { stdout, stderr } = clone.entire('resume', 'main', '--force');
  expect(stdout + stderr).toContain('claude -r');
  expect(checkpointsOn(clone)).toEqual([id]);
});

scenario('a server that takes branches and tags alone: said, with the way back', (repo) => {
  const bare = withOrigin(repo);
  serverHook(bare, 'update', `case "$1" in refs/heads/*|refs/tags/*|refs/notes/*) ;; *) exit 1;; esac`);
  pushTo(repo, 'ref');
  addCheckpoint(repo);
  expect(userPush(repo)).toMatchObject({ code: 0 });
  const refused = repo.tryEntire('push');
  expect(refused.code).toBe(1);
  expect(refused.stderr).toContain(
    '`entire enable --push-to branch` goes back to the branch, and nothing is lost.',
  );
  pushTo(repo, 'branch');
  repo.entire('push');
  expect(refsOf(repo, bare)).toEqual([METADATA]);
});

scenario('a ref there that is no commit, or of another layout', (repo) => {
  const bare = withOrigin(repo);
  const id = addCheckpoint(repo);
  repo.git('push', '--quiet');
  pushTo(repo, 'ref');
  const before = repo.git('rev-parse', METADATA);
  const tree = repo.git('-C', bare, 'rev-parse', `${METADATA}^{tree}`);
  for (const odd of [
    tree,
    repo.git('-C', bare, 'rev-parse', `${METADATA}:${id.slice(0, 2)}/${id.slice(2)}/metadata.json`),
  ]) {
    repo.git('-C', bare, 'update-ref', HIDDEN, odd);
    const { code, stderr } = repo.tryEntire('fetch');
    expect(code).toBe(1);
    expect(stderr).toContain('its refs/entire/checkpoints/v1 is no commit');
    expect(repo.tryEntire('push').code).toBe(1);
    expect(userPush(repo).code).toBe(0);
  }
  expect(repo.git('rev-parse', METADATA)).toBe(before);
  expect(repo.git('for-each-ref', 'refs/entire/tracking/origin/checkpoints')).toBe('');

  const other = repo.git('-C', bare, 'rev-parse', 'refs/heads/main');
  repo.git('-C', bare, 'update-ref', HIDDEN, other);
  repo.entire('fetch'); // what is not ours is kept beside what is
  expect(checkpointsOn(repo)).toEqual([id]);
  repo.expectSound();
});

scenario('a shallow clone, and a repository of SHA-256', (repo) => {
  repo.variables = { GIT_DEFAULT_HASH: 'sha256' };
  const bare = withOrigin(repo);
  pushTo(repo, 'ref');
  const id = addCheckpoint(repo);
  const note = (one: TestRepo, digit: string): void => {
    one.git('commit', '--quiet', '--allow-empty', '-m', `More ${digit}`);
    one.git('notes', '--ref=entire', 'add', `--message=Entire-Checkpoint: ${digit.repeat(12)}`, 'HEAD');
  };
  note(repo, '1');
  repo.git('push', '--quiet');
  expect(checkpointsOn(repo, HIDDEN, bare)).toEqual([id]);
  const clone = addClone(repo, bare);
  clone.git('fetch', '--quiet', '--depth=1', '--update-shallow');
  expect(clone.git('rev-parse', '--is-shallow-repository')).toBe('true');
  pushTo(clone, 'ref');
  clone.entire('fetch');
  expect(checkpointsOn(clone)).toEqual([id]);
  expect(clone.git('notes', '--ref=entire', 'list').split(' ')[1]).toHaveLength(64);
  note(clone, '2');
  note(repo, '3');
  repo.entire('push');
  clone.entire('push');
  repo.entire('fetch');
  expect(repo.git('notes', '--ref=entire', 'list').split('\n')).toHaveLength(3);
  expect(repo.git('rev-parse', 'refs/notes/entire')).toBe(clone.git('rev-parse', 'refs/notes/entire'));
});

scenario('over HTTP, and from a remote that takes nothing', async (repo) => {
  const bare = withOrigin(repo);
  repo.git('-C', bare, 'config', 'http.receivepack', 'true');
  const host = await startHttp(repo, 'ada:s3cret');
  repo.git('remote', 'set-url', 'origin', `http://ada:s3cret@${host}/remote.git`);
  noteShown(repo);
  const first = addCheckpoint(repo);
  repo.git('notes', '--ref=entire', 'add', `--message=Entire-Checkpoint: ${first}`, 'HEAD');
  repo.git('push', '--quiet');
  expect(refsOf(repo, bare)).toEqual([METADATA]);
  pushTo(repo, 'ref');
  expect(repo.entire('push', '--move').stdout).toContain('is removed there');
  expect(refsOf(repo, bare)).toEqual([HIDDEN]);
  expect(JSON.stringify(ledger(repo))).not.toContain('s3cret');

  const url = await startDaemon(repo); // without --enable=receive-pack
  const clone = addClone(repo, bare);
  clone.git('remote', 'set-url', 'origin', `${url}/remote.git`);
  noteShown(clone);
  pushTo(clone, 'ref');
  expect(clone.entire('fetch').stdout).toMatch(/^Fetched 1 checkpoint and notes of 1 commit from origin/);
  addCheckpoint(clone);
  const hook = clone.run('entire', ['hooks', 'git', 'pre-push', 'origin']);
  expect(hook).toMatchObject({
    code: 0,
    stderr: expect.stringContaining('Warning: failed to push session logs'),
  });
  const refused = clone.tryEntire('push', '--move');
  expect(refused.code).toBe(1);
  expect(refused.stderr).toMatch(/^Error: Failed to push checkpoints to origin: .*\nHint: /);
  expect(checkpointsOn(repo, HIDDEN, bare)).toEqual([first]);
});

scenario('what was forgotten is replaced at the ref as it would be on the branch', (repo) => {
  const bare = withOrigin(repo);
  pushTo(repo, 'ref');
  const session = repo.session();
  session.prompt('Write a file');
  session.edit('one.txt', 'one\n');
  session.stop();
  repo.commit('Add one', 'one.txt');
  const kept = addCheckpoint(repo);
  repo.git('push', '--quiet');
  const command = 'git push --force origin entire/checkpoints/v1:refs/entire/checkpoints/v1';
  expect(repo.entire('forget', session.id, '--yes').stdout).toContain(
    `  - on origin it is no branch: \`${command}\` replaces it there`,
  );
  const met = repo.tryEntire('fetch');
  expect(met.stderr).toContain(`replace the ref there with \`${command}\``);
  expect(checkpointsOn(repo)).toEqual([kept]);
  repo.entire('forget', session.id, '--yes');
  repo.run('sh', ['-c', command]);
  expect(checkpointsOn(repo, HIDDEN, bare)).toEqual([kept]);
  expect(repo.entire('fetch').stderr).toBe('');
  expect(repo.git('log', '--all', '--format=%B')).not.toContain(session.id);
});

scenario('flags that do not fit', (repo) => {
  repo.ready();
  expect(repo.tryEntire('enable', '--push-to', 'tag').stderr).toContain(
    'unknown place: tag (use branch or ref)',
  );
  expect(repo.tryEntire('push', '--move', '--preview').stderr).toContain('cannot specify both');
});
