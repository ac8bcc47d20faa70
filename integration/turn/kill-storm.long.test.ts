import { expect, test } from 'vitest';
import { BUILDS, type Build } from '../support/process/builds.ts';
import { TestRepo } from '../support/repository/test-repo.ts';
import { randomFrom } from '../support/runner/random.ts';
import { Storm } from '../support/storm/storm.ts';

const KILLS = Number(process.env.ENTIRE_TEST_KILLS ?? 200);

/** `ENTIRE_TEST_SEED` chooses the same actions again; when exactly a kill hits is up to the machine. */
test(`kill -9 at random moments, ${KILLS} times: no acknowledged edit lost, no user byte changed, the next commit works`, async () => {
  const seed = Number(process.env.ENTIRE_TEST_SEED ?? Date.now() % 2 ** 31);
  const [native] = BUILDS as [Build];
  const repo = new TestRepo(native).ready();
  try {
    const storm = new Storm(repo, randomFrom(seed));
    await storm.rage(KILLS);
    const list = (map: ReadonlyMap<string, number>) => [...map].map(([name, count]) => `${name} ${count}`);
    console.log(
      [
        `seed ${seed}: ${storm.kills} kills (${list(storm.killedIn).join(', ')}),`,
        `${storm.linkedCommits} linked commits checked,`,
        `${storm.interrupted} commits killed before their checkpoint was written,`,
        `locks left by kills: ${list(storm.locksLeft).join(', ') || 'none'}`,
      ].join(' '),
    );
    expect(storm.problems, `seed ${seed}`).toEqual([]);
    expect(storm.kills).toBe(KILLS);
  } finally {
    repo.remove();
  }
});
