// @module-tag long
import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { BUILDS, type Build } from '../support/process/builds.ts';
import { pidsWithin } from '../support/process/servers.ts';
import {
  addCheckpoint,
  addClone,
  checkpointsOn,
  ledger,
  METADATA,
  withOrigin,
} from '../support/repository/clones.ts';
import { TestRepo } from '../support/repository/test-repo.ts';
import { runInGroup } from '../support/storm/children.ts';

/** More with `ENTIRE_TEST_CLONES=40`; fast-check prints the seed of a run that fails. */
const RUNS = Number(process.env.ENTIRE_TEST_CLONES ?? 3);

const COMMANDS = {
  push: ['push', '--yes'],
  fetch: ['fetch'],
  'pre-push': ['hooks', 'git', 'pre-push', 'origin'],
} as const;

interface Step {
  readonly clone: number;
  readonly act: 'commit' | 'commit in a turn' | 'end the turn' | keyof typeof COMMANDS;
  /** SIGKILL for the command, and for every git it has started here, after so many milliseconds. */
  readonly killAfterMs: number | undefined;
}

const step: fc.Arbitrary<Step> = fc.record({
  clone: fc.nat({ max: 2 }),
  act: fc.constantFrom(
    'commit',
    'commit',
    'commit in a turn',
    'end the turn',
    'push',
    'push',
    'fetch',
    'pre-push',
  ),
  killAfterMs: fc.option(fc.integer({ min: 1, max: 250 }), { nil: undefined }),
});

/** Three clones, what each has made, and turns that are still going on. */
class Clones {
  readonly made: string[] = [];
  readonly finished: string[] = [];
  readonly noted: string[] = [];
  private readonly open = new Map<TestRepo, { id: string; end: () => void }>();
  readonly all: TestRepo[];
  readonly bare: string;

  constructor(build: Build) {
    const first = new TestRepo(build);
    this.bare = withOrigin(first);
    this.all = [first, addClone(first, this.bare), addClone(first, this.bare)];
  }

  async take({ clone, act, killAfterMs }: Step): Promise<void> {
    const repo = this.all[clone] as TestRepo;
    if (act === 'commit') this.commit(repo);
    else if (act === 'commit in a turn') this.commitInTurn(repo);
    else if (act === 'end the turn') this.endTurn(repo);
    else await run(repo, COMMANDS[act], killAfterMs);
  }

  /** Its commit has a note, too, as one that was linked afterwards. */
  private commit(repo: TestRepo): void {
    const id = addCheckpoint(repo);
    this.made.push(id);
    // A killed git may hold the lock.
    const noted = repo.tryGit('notes', '--ref=entire', 'append', `--message=Entire-Checkpoint: ${id}`);
    if (noted.code === 0) this.noted.push(id);
  }

  private commitInTurn(repo: TestRepo): void {
    this.endTurn(repo);
    const session = repo.session();
    const name = `${session.id}.txt`;
    session.prompt('write, commit, go on');
    session.edit(name, 'text\n');
    const id = repo.agentCommit('Add a file', name) as string;
    this.made.push(id);
    this.open.set(repo, { id, end: () => void session.stop('The very last words.') });
  }

  endTurn(repo: TestRepo): void {
    const turn = this.open.get(repo);
    this.open.delete(repo);
    if (turn) this.finished.push(turn.id);
    turn?.end();
  }
}

async function run(repo: TestRepo, args: readonly string[], killAfterMs: number | undefined): Promise<void> {
  const { dir: cwd } = repo;
  // Without a terminal git is in a group of its own, and goes on when only we are killed: both happen.
  const both = killAfterMs !== undefined && killAfterMs % 2 === 0;
  const timer = both ? setTimeout(() => killWithin(cwd), killAfterMs) : undefined;
  const { code, killed, stderr } = await runInGroup('entire', args, { cwd, env: repo.env, killAfterMs });
  clearTimeout(timer);
  if (killAfterMs === undefined) expect(code, stderr).toBe(0);
  while (killed && pidsWithin(cwd).length > 0) await new Promise((resolve) => setTimeout(resolve, 10));
}

function killWithin(dir: string): void {
  for (const pid of pidsWithin(dir)) {
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      // It is gone.
    }
  }
}

/** What a killed git leaves behind, which its user removes when git says so. */
function tidyUp(repo: TestRepo): void {
  const left = readdirSync(repo.commonDir, { recursive: true, encoding: 'utf8' });
  for (const name of left.filter((path) => path.endsWith('.lock'))) {
    expect(name).toMatch(/entire|packed-refs/); // nothing else is ever locked
    rmSync(join(repo.commonDir, name), { recursive: true });
  }
  repo.git('gc', '--quiet', '--prune=now');
}

async function checkUnion(clones: Clones): Promise<void> {
  const { all, bare, made, finished, noted } = clones;
  for (const repo of all) tidyUp(repo);
  for (const repo of all) clones.endTurn(repo);
  for (const repo of all) await run(repo, COMMANDS.push, undefined);
  for (const repo of all) await run(repo, COMMANDS.fetch, undefined);

  if (made.length === 0) return; // nothing to push: each has a branch of its own, with nothing in it
  const tips = all.map((repo) => repo.tryGit('rev-parse', METADATA).stdout);
  expect(new Set([...tips, all[0]?.tryGit('-C', bare, 'rev-parse', METADATA).stdout]).size).toBe(1);
  for (const repo of all) {
    expect(checkpointsOn(repo)).toEqual([...made].sort());
    expect(notedIn(repo)).toEqual([...noted].sort());
    // No provisional form of a checkpoint has won over the finished one.
    for (const id of finished) expect(repo.stored(id, '0/full.jsonl')).toContain('The very last words.');
    repo.expectSound();
    expectRecorded(repo);
  }
}

const notedIn = (repo: TestRepo): string[] => {
  const { stdout } = repo.tryGit('grep', '-h', 'Entire-Checkpoint: ', 'refs/notes/entire');
  const lines = stdout.split('\n').filter(Boolean);
  return [...new Set(lines.map((line) => line.slice(-12)))].sort();
};

/** Every push that went through had its line before. */
function expectRecorded(repo: TestRepo): void {
  const lines = ledger(repo);
  const started = new Set(lines.filter(({ state }) => state === 'started').map(({ id }) => id));
  for (const { id, state } of lines) if (state === 'ended') expect(started).toContain(id);
}

test.skipIf(process.platform !== 'linux')(
  'clones that push and fetch in any order, killed at any moment, end with the same union [native]',
  async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 6, maxLength: 14, size: 'max' }), async (steps) => {
        const clones = new Clones(BUILDS[0] as Build);
        try {
          for (const one of steps) await clones.take(one);
          await checkUnion(clones);
        } finally {
          clones.all[0]?.remove();
        }
      }),
      { numRuns: RUNS, endOnFailure: true },
    );
  },
  RUNS * 60_000,
);
