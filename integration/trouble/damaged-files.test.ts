// @module-tag long
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { describeAll } from '../../src/cli/commands.ts';
import { ACTS, COMMAND_LINES } from '../support/damage/acts.ts';
import { DAMAGES } from '../support/damage/damages.ts';
import { KINDS } from '../support/damage/kinds.ts';
import { NO_FILES } from '../support/damage/no-files.ts';
import { newTally, runTrial, someTrials, stageOf } from '../support/damage/trials.ts';
import { root } from '../support/process/builds.ts';
import { variation } from '../support/repository/scenario.ts';

/** The same share each time; the long form takes others. */
const SEED = Number(process.env.ENTIRE_TEST_SEED ?? 7);
const RUNS = Number(process.env.ENTIRE_TEST_DAMAGED ?? 24);

vi.setConfig({ testTimeout: 300_000 });

variation(
  'whatever stands in the place of a file that we read: hooks end soon and quietly, no command breaks',
  async (repo) => {
    const [stage, tally] = [stageOf(repo), newTally()];
    for (const trial of someTrials(SEED, RUNS)) await runTrial(stage, trial, tally);
    expect(tally.wrong, `ENTIRE_TEST_SEED=${SEED}`).toEqual([]);
    stage.putBack();
  },
);

test('the list of files that are damaged is that of the formats', () => {
  const text = readFileSync(join(root, 'ARCHITECTURE.md'), 'utf8');
  const table = text.slice(text.indexOf('## Formats on disk'), text.indexOf('### Tracking file and claims'));
  const rows = [...table.matchAll(/^\| (.+?) *\| (.+?) *\|/gm)].map(([, name = '', where = '']) => ({
    name,
    where,
  }));
  const files = rows.slice(2).filter(({ where }) => !NO_FILES.some((pattern) => pattern.test(where)));
  const damaged = new Set(KINDS.flatMap(({ row }) => row ?? []));
  expect(files.map(({ name }) => name).filter((name) => !damaged.has(name))).toEqual([]);
  expect([...damaged].filter((name) => !rows.some((row) => row.name === name))).toEqual([]);
  expect(new Set(KINDS.map(({ name }) => name)).size).toBe(KINDS.length);
  expect([KINDS.length >= 36, DAMAGES.length >= 12]).toEqual([true, true]);
});

test('every command is tried, and every hook of git and of an agent', async () => {
  const tried = new Set(COMMAND_LINES.map(([line]) => line.split(' ')[0]));
  const names = (await describeAll()).map(({ name }) => name);
  expect(names.filter((name) => !tried.has(name))).toEqual([]);
  expect(ACTS.length).toBeGreaterThan(70);
});
