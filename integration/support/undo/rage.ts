import { expect } from 'vitest';
import { BUILDS, type Build } from '../builds.ts';
import { randomFrom } from '../random.ts';
import { TestRepo } from '../test-repo.ts';
import { UndoStorm } from './storm.ts';

/** Kills so many commands. `ENTIRE_TEST_SEED` chooses the same moments again, as far as the machine is as fast. */
export async function rage(kills: number): Promise<void> {
  const seed = Number(process.env.ENTIRE_TEST_SEED ?? Date.now() % 2 ** 31);
  const repo = new TestRepo(BUILDS[0] as Build);
  try {
    const storm = new UndoStorm(repo, randomFrom(seed));
    await storm.rage(kills);
    const found = Object.entries(storm.found).map(([what, count]) => `${what} ${count}`);
    console.log(`ENTIRE_TEST_SEED=${seed}: ${storm.kills} kills in undo and redo (${found.join(', ')})`);
    expect(storm.problems, `ENTIRE_TEST_SEED=${seed}`).toEqual([]);
  } finally {
    repo.remove();
  }
}
