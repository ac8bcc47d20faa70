import { BUILDS, type Build } from '../builds.ts';
import { randomFrom } from '../random.ts';
import { TestRepo } from '../test-repo.ts';
import { UndoModel } from './model.ts';

const LENGTH = 25;

/**
 * Takes random steps, in sequences of {@link LENGTH}, each in a repository of its own. Prints the seed; `ENTIRE_UNDO_SEED` and
 * `ENTIRE_UNDO_STEPS` repeat a run. The failure of a sequence names its own seed and everything that was done.
 */
export async function exploreUndo(total: number, usualSeed?: number): Promise<void> {
  const seed = Number(process.env.ENTIRE_UNDO_SEED ?? usualSeed ?? Math.floor(Math.random() * 2 ** 31));
  const steps = Number(process.env.ENTIRE_UNDO_STEPS ?? total);
  const counts = new Map<string, number>();
  console.log(`undo model: ${steps} steps, ENTIRE_UNDO_SEED=${seed}`);
  for (let at = 0; at * LENGTH < steps; at++) {
    const failure = run(seed + at, counts);
    await new Promise((resolve) => setImmediate(resolve)); // the runner wants to hear from its worker
    if (failure === undefined) continue;
    if (process.env.ENTIRE_UNDO_COLLECT !== '1') throw new Error(failure);
    console.log(failure);
  }
  console.log([...counts].map(([name, count]) => `${name} ${count}`).join(', '));
}

function run(seed: number, counts: Map<string, number>): string | undefined {
  const repo = new TestRepo(BUILDS[0] as Build);
  const story: string[] = [];
  let model: UndoModel | undefined;
  try {
    model = new UndoModel(repo, randomFrom(seed));
    for (let step = 0; step < LENGTH; step++) model.step();
    repo.expectSound();
    return undefined;
  } catch (error) {
    story.push(...(model?.story ?? []));
    return `${String((error as Error).message)}\n\n${story.join('\n')}\n\nagain: ENTIRE_UNDO_SEED=${seed} ENTIRE_UNDO_STEPS=${LENGTH}`;
  } finally {
    for (const [name, count] of model?.counts ?? []) counts.set(name, (counts.get(name) ?? 0) + count);
    if (process.env.ENTIRE_UNDO_KEEP === '1') console.log(`kept ${repo.scratch}`);
    else repo.remove();
  }
}
