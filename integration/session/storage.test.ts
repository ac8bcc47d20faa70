// @module-tag long
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { root } from '../support/process/builds.ts';
import { randomFrom } from '../support/runner/random.ts';
import { checkIntegrity, compareKept, type Kind, readKept } from '../support/storage/kept.ts';
import { rage } from '../support/storage/kill-storm.ts';
import { compileStorage, type Run, type Runtime, startStorage } from '../support/storage/processes.ts';

let scratch: string;
beforeAll(() => {
  scratch = mkdtempSync(join(tmpdir(), 'entire-storage-'));
  compileStorage();
});
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

const RUNTIMES: readonly Runtime[] = ['node', 'native'];
const KINDS: readonly Kind[] = ['sqlite', 'files'];
const SEED = Number(process.env.ENTIRE_TEST_SEED ?? Date.now() % 2 ** 31);
/** `storage-kills.long.test.ts` has hundreds. */
const KILLS = 4;

/** Eight at once, four of each build. */
const eight = (start: (runtime: Runtime, name: string) => { done: Promise<Run> }): Promise<Run[]> =>
  Promise.all(
    Array.from({ length: 8 }, (_, index) => start(index % 2 === 0 ? 'native' : 'node', `p${index}`).done),
  );

const expectFine = (runs: readonly Run[]): void =>
  expect(runs.map(({ code, stderr }) => ({ code, stderr }))).toEqual(
    runs.map(() => ({ code: 0, stderr: '' })),
  );

describe.each(RUNTIMES)('every storage keeps its promises: %s', (runtime) => {
  test.each(['memory', ...KINDS])('%s', { timeout: 120_000 }, async (kind) => {
    const run = await startStorage(runtime, 'contract', kind, join(scratch, runtime)).done;
    expectFine([run]);
    const { clauses, broken } = JSON.parse(run.lines[0] ?? '');
    expect(broken).toEqual({});
    expect(clauses).toBeGreaterThan(10);
  });
});

test('in Node without `libsql`: it is said, and no file is made', () => {
  const dbPath = join(scratch, 'none', 'sessions.db');
  const hook = `export const resolve = (name, context, next) => {
    if (name === 'libsql') throw new Error('it is not installed');
    return next(name, context);
  }`;
  const program = `
    import { register } from 'node:module';
    register(${JSON.stringify(`data:text/javascript,${encodeURIComponent(hook)}`)});
    const { SQLiteStorage } = await import(${JSON.stringify(join(root, 'dist', 'index.mjs'))});
    const data = { session_id: 'a', messages: [], system: null, parent_id: null, created_at: 1, updated_at: 1, metadata: {} };
    const { code, message } = await new SQLiteStorage({ dbPath: ${JSON.stringify(dbPath)} }).save('a', data).catch((error) => error);
    console.log(code, message);`;
  const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', program], {
    encoding: 'utf8',
  });
  expect([stdout, stderr]).toEqual([
    'UNSUPPORTED there is no SQLite here: the package `libsql` cannot be loaded.\n',
    '',
  ]);
  expect(existsSync(dbPath)).toBe(false);
});

describe.each(KINDS)('eight processes, four of each build: %s', (kind) => {
  test('8 × 60 saves, none lost, none twice', { timeout: 300_000 }, async () => {
    const place = join(scratch, `saves-${kind}`);
    const runs = await eight((runtime, name) => startStorage(runtime, 'save', kind, place, name, '60'));
    expectFine(runs);
    const said = runs.flatMap(({ lines }) => lines);
    const kept = await readKept(kind, place);
    expect(said).toHaveLength(480);
    expect(compareKept(said, kept)).toEqual({ lost: [], twice: [] });
    expect([...kept.values()].flat()).toHaveLength(480);
    expect(kept.get('shared')).toHaveLength(120);
    if (kind === 'sqlite') expect(await checkIntegrity(place)).toBe('ok');
    else expect(readdirSync(place).filter((name) => !name.endsWith('.json'))).toEqual([]);
  });

  test('all save one session in rounds: one wins each, the others hear of it', {
    timeout: 300_000,
  }, async () => {
    const place = join(scratch, `race-${kind}`);
    const runs = await eight((runtime, name) => startStorage(runtime, 'race', kind, place, name, '50'));
    expectFine(runs);
    const won = runs.flatMap(({ lines }) => lines.map(Number)).sort((a, b) => a - b);
    expect(won).toEqual(Array.from({ length: 50 }, (_, index) => index + 1));
  });

  test(`kill -9 at ${KILLS} random moments: what was said to be kept is there`, {
    timeout: 300_000,
  }, async () => {
    const place = join(scratch, `kills-${kind}`);
    const { said, problems } = await rage({ kind, place, kills: KILLS, random: randomFrom(SEED) });
    console.log(`${kind}, seed ${SEED}: ${KILLS} kills, ${said} saves said to be kept`);
    expect(problems, `seed ${SEED}`).toEqual([]);
    expect(said).toBeGreaterThan(KILLS * 2);
  });
});
