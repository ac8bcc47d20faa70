import { expect } from 'vitest';
import { BUILDS, type Build } from '../process/builds.ts';
import { stayInMemory } from '../process/in-memory.ts';
import { TestRepo } from '../repository/test-repo.ts';
import { randomFrom } from '../runner/random.ts';
import { Collect } from './collect.ts';
import { loadLibrary } from './library.ts';
import { Reset } from './reset.ts';
import { Restore } from './restore.ts';
import { Resume } from './resume.ts';
import { Rewind } from './rewind.ts';
import { Steps } from './steps.ts';
import { GoingBackStorm } from './storm.ts';
import type { Victim } from './victim.ts';

/** So many that some come late enough in each. */
const MANY = 200;

/** Kills so many commands. `ENTIRE_TEST_SEED` chooses the same moments again, as far as the machine is as fast. */
export async function rage(kills: number): Promise<void> {
  const seed = Number(process.env.ENTIRE_TEST_SEED ?? Date.now() % 2 ** 31);
  const victims: Victim[] = [];
  stayInMemory();
  const { FileSnapshotStore } = await loadLibrary();
  try {
    // A reset is git's work for the most part: slow, and seldom hit where it counts.
    const inRepositories = [Steps, Rewind, Resume, Collect, ...(kills < MANY ? [] : [Reset])];
    for (const make of inRepositories) {
      const repo = new TestRepo(BUILDS[0] as Build);
      try {
        victims.push(new make(repo, FileSnapshotStore));
      } catch (error) {
        repo.remove();
        throw error;
      }
    }
    victims.push(new Restore(FileSnapshotStore));
    const storm = new GoingBackStorm(victims, randomFrom(seed));
    try {
      await storm.rage(kills);
    } finally {
      console.log(`ENTIRE_TEST_SEED=${seed}: ${storm.kills} kills:\n${describe(storm)}`);
    }
    if (kills < MANY) return;
    for (const [name, { halfway, over }] of storm.tallies) expect(halfway + over, name).toBeGreaterThan(0);
  } finally {
    for (const victim of victims) victim.remove();
  }
}

const describe = ({ tallies }: GoingBackStorm): string =>
  [...tallies]
    .map(([name, { kills, ...found }]) => {
      const counts = Object.entries(found).map(([what, count]) => `${what} ${count}`);
      return `  ${name}: ${kills} (${counts.join(', ')})`;
    })
    .join('\n');
