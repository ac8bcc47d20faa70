import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, vi } from 'vitest';
import { problems } from '../support/command/verify.ts';
import {
  type Exceptions,
  KEPT_BY_RESET,
  NOT_COUNTED,
  NOT_VERIFIED,
  OUT_OF_REACH,
  SAYS_NOTHING,
  SCRUBBED,
} from '../support/damage/exceptions.ts';
import { KINDS, type Kind } from '../support/damage/kinds.ts';
import { SESSION, Stage } from '../support/damage/stage.ts';
import { variation } from '../support/repository/scenario.ts';
import type { TestRepo } from '../support/repository/test-repo.ts';

vi.setConfig({ testTimeout: 600_000 });

/** What agents and the like have in their homes is none of ours. */
const OURS = KINDS.filter(({ name }) => !/^hooks of |^~\//.test(name));

const WORD = 'xylothorax';

const namesIn = (exceptions: Exceptions): string[] => Object.values(exceptions).flat();

function seenTo(exceptions: Exceptions): Kind[] {
  const names = new Set(namesIn(exceptions));
  expect([...names].filter((one) => !OURS.some(({ name }) => name === one))).toEqual([]);
  return OURS.filter(({ name }) => !names.has(name));
}

const isFile = (file: string): boolean => existsSync(file) && statSync(file).isFile();
const says = (file: string): boolean => isFile(file) && readFileSync(file, 'latin1').includes(WORD);

function put(file: string, text: string): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}

/** Whatever of these is not there. */
function fill(stage: Stage, kinds: readonly Kind[]): void {
  for (const file of kinds.map(({ place }) => place(stage))) if (!existsSync(file)) put(file, '{}\n');
}

const placeOf = (stage: Stage, name: string): string =>
  (OURS.find((kind) => kind.name === name) as Kind).place(stage);

/** What only chance leaves: a session that was archived, a step back that was cut short, a log that says too much. */
function leaveWords(stage: Stage): void {
  const state = JSON.parse(readFileSync(placeOf(stage, 'session state'), 'utf8'));
  const archived = placeOf(stage, 'archived state');
  const id = /([^/]+)\.json$/.exec(archived)?.[1];
  put(archived, JSON.stringify({ ...state, session_id: id, phase: 'ended', checkpoint_count: 0 }));
  const record = JSON.parse(readFileSync(placeOf(stage, 'record of a turn'), 'utf8'));
  put(
    placeOf(stage, 'journal of a step back'),
    JSON.stringify({ version: 1, id: '1795661379305-c4a44afac22b', record }),
  );
  for (const name of ['log', 'older log'])
    appendFileSync(placeOf(stage, name), `${JSON.stringify({ msg: `said ${WORD}` })}\n`);
  for (const name of ['long transcript', 'calls of sub-agents', 'tokens so far'])
    put(placeOf(stage, name), JSON.stringify({ version: 1, said: WORD }));
  for (const name of ['index of entire search', 'index of entire search, all folders'])
    put(placeOf(stage, name), WORD);
}

function scrubs(stage: Stage): void {
  const { repo } = stage;
  leaveWords(stage);
  const rules = { custom_redactions: { words: WORD } };
  writeFileSync(join(stage.root, '.entire/settings.local.json'), JSON.stringify({ redaction: rules }));
  const silent = new Set(namesIn(SAYS_NOTHING).filter((name) => name !== 'local settings'));
  const told = OURS.filter(({ place }) => says(place(stage))).map(({ name }) => name);
  expect(told.filter((name) => silent.has(name))).toEqual([]);
  expect(namesIn(SCRUBBED).filter((name) => !told.includes(name))).toEqual([]);

  const counts = { states: 2, tasks: 1, steps: 3, logs: 2, caches: 1 };
  const trial = JSON.parse(repo.entire('scrub', '--dry-run', '--json').stdout);
  expect(Object.fromEntries(Object.keys(SCRUBBED).map((key) => [key, trial[key]]))).toEqual(counts);
  expect(OURS.filter(({ place }) => says(place(stage))).map(({ name }) => name)).toEqual(told);
  const report = JSON.parse(repo.entire('scrub', '--json').stdout);
  expect(report).toMatchObject(counts);
  expect(Object.keys(SCRUBBED).sort()).toEqual(Object.keys(counts).sort());
  const reached = new Set(namesIn(SCRUBBED));
  expect(OURS.filter(({ name, place }) => reached.has(name) && says(place(stage)))).toEqual([]);
  expect(Object.keys(OUT_OF_REACH).filter((part) => !report.out_of_reach.join('\n').includes(part))).toEqual(
    [],
  );
  expect(existsSync(placeOf(stage, 'archived state'))).toBe(true);
}

/** Each file grows by as much as no two of them together: what is missed is known by the sum. */
function counts(stage: Stage): void {
  const { repo } = stage;
  const kinds = seenTo(NOT_COUNTED);
  fill(stage, kinds);
  const total = (): number => JSON.parse(repo.entire('du', '--json').stdout).total;
  const before = total();
  let grown = 0;
  const files = new Set(kinds.map(({ place }) => place(stage)));
  for (const [at, file] of [...files].entries()) {
    truncateSync(file, statSync(file).size + 1000 * (at + 1));
    grown += 1000 * (at + 1);
  }
  expect(total() - before, [...files].map((file, at) => `${1000 * (at + 1)}: ${file}`).join('\n')).toBe(
    grown,
  );
}

/** What would keep others from being looked at is damaged alone. */
const ALONE = ['record of a turn', 'journal of a step back'];

function verifies(stage: Stage): void {
  const { repo } = stage;
  const damaged = seenTo(NOT_VERIFIED).map(({ name, place }) => ({ name, file: place(stage) }));
  const isMissed = (among: typeof damaged): string[] => {
    for (const { file } of among) put(file, '\0\n');
    const where = problems(repo, '--read-data').map((problem) => problem.where);
    return among
      .filter(({ file }) => !where.some((one) => one === file || file.startsWith(`${one}/`)))
      .map(({ name }) => name);
  };
  expect(isMissed(damaged.filter(({ name }) => !ALONE.includes(name)))).toEqual([]);
  for (const one of ALONE) {
    stage.putBack();
    expect(isMissed(damaged.filter(({ name }) => name === one))).toEqual([]);
  }
}

function resets(stage: Stage): void {
  const named = OURS.filter(({ place }) => place(stage).includes(SESSION));
  const kept = new Set(namesIn(KEPT_BY_RESET));
  const locks = named.filter(({ name }) => /\block\b/.test(name)).map(({ name }) => name);
  fill(
    stage,
    named.filter(({ name }) => !locks.includes(name)),
  );
  stage.repo.entire('reset', '--session', SESSION, '--force');
  const left = named.filter(({ place }) => existsSync(place(stage))).map(({ name }) => name);
  expect(left.filter((name) => !kept.has(name))).toEqual([]);
  expect(named.map(({ name }) => name).filter((name) => kept.has(name) && !locks.includes(name))).toEqual(
    left,
  );
}

variation('scrub, du, verify and reset see to every format, or there is a reason', (repo: TestRepo) => {
  const all = [SCRUBBED, OUT_OF_REACH, SAYS_NOTHING].flatMap(namesIn);
  expect([...all].sort()).toEqual(OURS.map(({ name }) => name).sort());
  const stage = new Stage(repo).set(WORD);
  for (const look of [scrubs, counts, verifies, resets]) {
    stage.putBack();
    look(stage);
  }
});
