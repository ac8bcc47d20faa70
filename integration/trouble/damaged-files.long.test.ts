import { expect, test } from 'vitest';
import { allTrials, newTally, rehearse, runTrial, someTrials, stageOf } from '../support/damage/trials.ts';
import { BUILDS, type Build } from '../support/process/builds.ts';
import { TestRepo } from '../support/repository/test-repo.ts';

const SEED = Number(process.env.ENTIRE_TEST_SEED ?? Date.now() % 1_000_000);
const ASKED = process.env.ENTIRE_TEST_DAMAGES ?? '3000';
const WORKERS = Number(process.env.ENTIRE_TEST_WORKERS ?? 2);
const NATIVE = BUILDS[0] as Build;

test('where nothing is damaged every act does what it is for', async () => {
  const repo = new TestRepo(NATIVE);
  const wrong = await rehearse(stageOf(repo));
  repo.remove();
  expect(wrong).toEqual([]);
});

test(`files that we read, damaged in every way, under every hook and command (${ASKED})`, async () => {
  const only = new RegExp(process.env.ENTIRE_TEST_ONLY ?? '');
  const trials = (ASKED === 'all' ? allTrials() : someTrials(SEED, Number(ASKED))).filter(
    ({ kind, damage }) => only.test(`${kind.name}: ${damage.name}`),
  );
  const tally = newTally();
  const work = async () => {
    const repo = new TestRepo(NATIVE);
    const stage = stageOf(repo);
    for (let next = trials.pop(); next; next = trials.pop()) {
      const before = tally.wrong.length;
      await runTrial(stage, next, tally);
      for (const line of tally.wrong.slice(before)) process.stderr.write(`WRONG ${line}\n`);
    }
    repo.remove();
  };
  await Promise.all(Array.from({ length: WORKERS }, work));
  const { runs, slowestHookMs, largestMib, wrong } = tally;
  process.stdout.write(
    `${runs} runs (seed ${SEED}), ${wrong.length} wrong; slowest hook ${Math.round(slowestHookMs)} ms, largest ${Math.round(largestMib)} MiB\n`,
  );
  expect(wrong, `ENTIRE_TEST_SEED=${SEED}`).toEqual([]);
});
