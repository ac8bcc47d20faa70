import fc from 'fast-check';
import { BUILDS, type Build } from '../support/builds.ts';
import { TestRepo } from '../support/test-repo.ts';
import { anyStep, type Step, take } from './steps.ts';
import { World } from './world.ts';

const LENGTH = 20;
/** Time for making a failing sequence shorter. */
const SHRINK_MS = 60_000;

interface Failure {
  readonly error: unknown;
  readonly story: readonly string[];
  readonly steps: readonly Step[];
}

/**
 * Runs `total` random steps, in sequences of {@link LENGTH}, each in repositories of its own. Prints the seed, which is a
 * new one each time unless there is a usual one. A sequence that fails is made shorter, and the error says how to run it
 * again.
 */
export async function explore(total: number, usualSeed?: number): Promise<void> {
  const given = process.env.ENTIRE_MODEL_STEPS ?? '';
  if (given.startsWith('[')) return report(await run(JSON.parse(given) as Step[]), 0);
  const seed = Number(process.env.ENTIRE_MODEL_SEED ?? usualSeed ?? Math.floor(Math.random() * 2 ** 31));
  const sequences = Math.ceil((Number(given) || total) / LENGTH);
  console.log(`model: ${sequences * LENGTH} steps, ENTIRE_MODEL_SEED=${seed}`);
  const failed: number[] = [];
  for (let at = 0; at < sequences; at++) {
    const failure = await run(stepsOf(seed + at));
    if (failure) await note(failure, seed + at, failed);
    const taken = (at + 1) * LENGTH;
    if (taken % 1000 === 0) console.log(`model: ${taken} steps taken`);
  }
  if (failed.length > 0) throw new Error(`sequences that failed: ${failed.join(', ')}`);
}

/** `ENTIRE_MODEL_COLLECT=1` names the failures and goes on to the end. */
async function note(failure: Failure, seed: number, failed: number[]): Promise<void> {
  if (process.env.ENTIRE_MODEL_COLLECT !== '1') report(await shrink(failure), seed);
  console.log(`FAIL ${seed}: ${describe(failure)}`);
  failed.push(seed);
}

function stepsOf(seed: number): readonly Step[] {
  const sequence = fc.array(anyStep, { minLength: LENGTH, maxLength: LENGTH, size: 'max' });
  return fc.sample(sequence, { seed, numRuns: 1 })[0] as readonly Step[];
}

/** Takes the steps, one after the other; the failure of the first that goes wrong. */
async function run(steps: readonly Step[]): Promise<Failure | undefined> {
  const repo = new TestRepo(BUILDS[0] as Build);
  let world: World | undefined;
  const taken: Step[] = [];
  try {
    world = new World(repo);
    for (const step of steps) {
      taken.push(step);
      take(world, step);
      world.expectSound();
      await new Promise((resolve) => setImmediate(resolve)); // the runner wants to hear from its worker
    }
    repo.expectSound();
    return undefined;
  } catch (error) {
    return { error, story: world?.story ?? [], steps: taken };
  } finally {
    if (process.env.ENTIRE_MODEL_KEEP === '1') console.log(`model: kept ${repo.scratch}`);
    else repo.remove();
  }
}

/** Leaves out steps as long as what is left still fails. */
async function shrink(failure: Failure): Promise<Failure> {
  const until = Date.now() + SHRINK_MS;
  let best = failure;
  for (let size = Math.ceil(best.steps.length / 2); size >= 1; size = size > 1 ? Math.ceil(size / 2) : 0) {
    for (let at = best.steps.length - size; at >= 0 && Date.now() < until; at -= size) {
      const fewer = best.steps.filter((_, index) => index < at || index >= at + size);
      if (fewer.length < best.steps.length) best = (await run(fewer)) ?? best;
    }
  }
  return best;
}

function report(failure: Failure | undefined, seed: number): void {
  if (!failure) return;
  const { error, story, steps } = failure;
  const again = `ENTIRE_MODEL_SEED=${seed} ENTIRE_MODEL_STEPS=${LENGTH}\nENTIRE_MODEL_STEPS='${JSON.stringify(steps)}'`;
  throw new Error(`${describe(failure)}\n\n${story.join('\n')}\n\nagain: ${again}`, { cause: error });
}

const describe = ({ error }: Failure): string => (error instanceof Error ? error.message : String(error));
