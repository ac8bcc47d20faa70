import { existsSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { listRefLocks } from '../../src/git/ref/ref-failure.ts';
import { pidsWithin } from '../support/process/servers.ts';
import {
  addCheckpoint,
  addClone,
  checkpointsOn,
  ledger,
  METADATA,
  serverHook,
  withOrigin,
} from '../support/repository/clones.ts';
import { HIDDEN, pushTo, refsOf } from '../support/repository/push-to.ts';
import { scenario } from '../support/repository/scenario.ts';
import { runInGroup } from '../support/storm/children.ts';

scenario('moving to the ref and back is one command, and loses nothing that only the remote has', (repo) => {
  const bare = withOrigin(repo);
  const first = addCheckpoint(repo);
  repo.git('push', '--quiet');
  const clone = addClone(repo, bare);
  const second = addCheckpoint(clone);
  clone.git('push', '--quiet'); // as 0.4.4 does: on the branch
  pushTo(repo, 'ref');
  const third = addCheckpoint(repo);
  const pushed = repo.entire('push').stdout;
  expect(pushed).toContain(
    'origin still has checkpoints on the branch entire/checkpoints/v1, too: `entire push --move`',
  );
  expect(pushed).toMatch(/^Pushed 1 checkpoint /);
  expect(refsOf(repo, bare)).toEqual([HIDDEN, METADATA].sort());
  expect(JSON.parse(repo.entire('push', '--json').stdout)).toMatchObject({
    also_at: METADATA,
    removed: null,
  });

  const moved = repo.entire('push', '--move').stdout;
  expect(moved).toMatch(
    /^Pushed 1 checkpoint .*\norigin keeps checkpoints at refs\/entire\/checkpoints\/v1 now; entire\/checkpoints\/v1 is removed there\.\n$/,
  );
  expect(refsOf(repo, bare)).toEqual([HIDDEN]);
  const all = [first, second, third].sort();
  expect(checkpointsOn(repo, HIDDEN, bare)).toEqual(all);
  expect(checkpointsOn(repo)).toEqual(all);
  expect(repo.entire('push', '--log').stdout).toContain(`${METADATA} removed there  pushed`);
  expect(repo.entire('push', '--move').stdout).toContain('there is nothing to move');

  // Somebody goes on with the branch: nobody loses anything.
  const fourth = addCheckpoint(clone);
  clone.git('push', '--quiet');
  expect(refsOf(repo, bare)).toEqual([HIDDEN, METADATA].sort());
  repo.entire('fetch');
  expect(checkpointsOn(repo)).toEqual([...all, fourth].sort());

  pushTo(repo, 'branch');
  expect(repo.entire('push', '--move').stdout).toContain(
    'origin keeps checkpoints on the branch entire/checkpoints/v1 now',
  );
  expect(refsOf(repo, bare)).toEqual([METADATA]);
  expect(checkpointsOn(repo, METADATA, bare)).toEqual([...all, fourth].sort());
  expect(repo.tryGit('fsck', '--no-dangling').code).toBe(0);
});

scenario('the branch is not removed where somebody pushed to it in between', (repo) => {
  const bare = withOrigin(repo);
  addCheckpoint(repo);
  repo.git('push', '--quiet');
  const clone = addClone(repo, bare);
  pushTo(repo, 'ref');
  const late = addCheckpoint(clone);
  const objects = join(clone.commonDir, 'objects');
  const tip = clone.git('rev-parse', METADATA);
  // At the moment of our push of the ref, the branch gets one more checkpoint.
  serverHook(
    bare,
    'update',
    `test "$1" = ${HIDDEN} || exit 0
if [ ! -e raced ]; then touch raced; cp -r '${objects}'/. objects/ 2>/dev/null
env -u GIT_QUARANTINE_PATH -u GIT_OBJECT_DIRECTORY -u GIT_ALTERNATE_OBJECT_DIRECTORIES git update-ref ${METADATA} ${tip}; fi
exit 0`,
  );
  repo.entire('push', '--move');
  expect(refsOf(repo, bare)).toEqual([HIDDEN]);
  expect(checkpointsOn(repo, HIDDEN, bare)).toContain(late);
  expect(ledger(repo).filter(({ removed }) => removed)).toHaveLength(2);
});

scenario('a remote that keeps the branch whatever it is asked', (repo) => {
  const bare = withOrigin(repo);
  addCheckpoint(repo);
  repo.git('push', '--quiet');
  repo.git('-C', bare, 'config', 'receive.denyDeletes', 'true');
  pushTo(repo, 'ref');
  const { code, stderr } = repo.tryEntire('push', '--move');
  expect(code).toBe(1);
  expect(stderr).toContain(
    'has everything at its new place, and entire/checkpoints/v1 could not be removed there',
  );
  expect(refsOf(repo, bare)).toEqual([HIDDEN, METADATA].sort());
  expect(repo.git('-C', bare, 'rev-parse', HIDDEN)).toBe(repo.git('rev-parse', METADATA));
});

scenario(
  'a lock that a killed git left where we note what the remote has is said, and removed once it is old',
  (repo) => {
    const bare = withOrigin(repo);
    pushTo(repo, 'ref');
    addCheckpoint(repo);
    repo.entire('push');
    const clone = addClone(repo, bare);
    pushTo(clone, 'ref');
    clone.entire('fetch');
    addCheckpoint(clone);
    clone.entire('push');
    const lock = join(repo.commonDir, 'refs', 'entire', 'tracking', 'origin', 'checkpoints.lock');
    writeFileSync(lock, '');
    const { code, stderr } = repo.tryEntire('fetch');
    expect(code).toBe(1);
    expect(stderr).toContain(`'${lock}': File exists`);
    expect(stderr).toContain(
      'When no git process is running in this repository, delete that file, and try again.',
    );
    const long = new Date(Date.now() - 11 * 60_000);
    utimesSync(lock, long, long);
    expect(repo.entire('fetch').stdout).toContain('1 checkpoint');
    expect(existsSync(lock)).toBe(false);
  },
);

scenario('a move that is killed anywhere is done by the next one, and nothing is lost', async (repo) => {
  const bare = withOrigin(repo);
  const made: string[] = [];
  for (const [at, killAfterMs] of [30, 60, 90, 130, 180, 250].entries()) {
    const [from, to] = at % 2 === 0 ? (['branch', 'ref'] as const) : (['ref', 'branch'] as const);
    pushTo(repo, from);
    made.push(addCheckpoint(repo));
    repo.entire('push', '--move');
    pushTo(repo, to);
    await runInGroup('entire', ['push', '--move'], { cwd: repo.dir, env: repo.env, killAfterMs });
    // Git is in a group of its own, and goes on for a moment.
    while (pidsWithin(repo.dir).length > 0 || pidsWithin(bare).length > 0)
      await new Promise((resolve) => setTimeout(resolve, 10));
    const places = refsOf(repo, bare);
    expect(places.length).toBeGreaterThan(0);
    const there = places.flatMap((ref) => checkpointsOn(repo, ref, bare));
    expect([...new Set(there)].sort()).toEqual([...made].sort());
    // A git of ours that the signal hit between two steps leaves its lock; nobody can tell whose it is while it is young.
    const long = new Date(Date.now() - 11 * 60_000);
    for (const { path } of listRefLocks([join(repo.commonDir, 'refs', 'entire')]))
      utimesSync(path, long, long);
    repo.entire('push', '--move');
    expect(refsOf(repo, bare)).toEqual([to === 'ref' ? HIDDEN : METADATA]);
  }
  expect(checkpointsOn(repo)).toEqual([...made].sort());
});
