import { cpSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect } from 'vitest';
import { problems } from '../support/command/verify.ts';
import { FaultyHost } from '../support/faults/host.ts';
import { type Fault, faultsOf } from '../support/faults/kinds.ts';
import { compileFaulty } from '../support/faults/set-up.ts';
import { aged, silentState, turn } from '../support/repository/leftovers.ts';
import { variation } from '../support/repository/scenario.ts';
import type { TestRepo } from '../support/repository/test-repo.ts';

/** Every so many pairs of operation and fault are tried, others for each command. `ENTIRE_TEST_STRIDE=1` tries all. */
const STRIDE = Number(process.env.ENTIRE_TEST_STRIDE ?? 151);

beforeAll(compileFaulty);

/** A session with a step, an edit that no step has, and a checkpoint; one to be forgotten; and litter. */
function arrange(repo: TestRepo): { readonly kept: string; readonly gone: string; readonly branch: string } {
  repo.ready();
  const kept = turn(repo, 'a.txt');
  repo.commit('Add a', 'a.txt');
  turn(repo, 'b.txt', kept);
  kept.edit('c.txt', 'c\n');
  const gone = turn(repo, 'd.txt');
  gone.edit('e.txt', 'e\n');
  const branch = repo.shadowBranches()[0] as string;
  repo.git('branch', 'entire/abc1234-e3b0c4', branch);
  silentState(repo, 'silent', { base_commit: 'f'.repeat(40) });
  aged(join(repo.commonDir, 'entire/turns/lost.json'), 50, '{"version":2}');
  return { kept: kept.id, gone: gone.id, branch };
}

for (const [index, args] of [
  ['clean', '--force'],
  ['reset', '--force', '--session', '<gone>'],
  ['reset', '--force'],
  ['verify', '--read-data'],
  ['du'],
].entries()) {
  variation(`${args.join(' ')}: whatever fails, nothing is lost that was not to go`, (repo) => {
    const { kept, gone, branch } = arrange(repo);
    const words = args.map((word) => (word === '<gone>' ? gone : word));
    const isWhole = words.length === 2 && words[0] === 'reset';
    const tip = repo.git('rev-parse', branch);
    const state = repo.state(kept);
    const files = readdirSync(repo.dir).sort();
    const pristine = join(repo.scratch, 'pristine');
    cpSync(repo.dir, pristine, { recursive: true, preserveTimestamps: true });
    const goBack = () => {
      rmSync(repo.dir, { recursive: true, force: true });
      cpSync(pristine, repo.dir, { recursive: true, preserveTimestamps: true });
    };
    const dry = new FaultyHost(repo);
    expect(dry.command(...words)).toMatchObject({ code: 0 });
    const pairs = dry.operations.flatMap((operation, at) =>
      faultsOf(operation).map((kind): { kind: Fault; at: number } => ({ kind, at: at + 1 })),
    );
    expect(pairs.length).toBeGreaterThan(100);
    for (const fault of pairs.filter((_, at) => at % STRIDE === index % STRIDE)) {
      goBack();
      const { code, stderr } = new FaultyHost(repo, fault).command(...words);
      const what = `${fault.kind}:${fault.at} ${dry.operations[fault.at - 1]}\n${stderr}`;
      if (code === null) expect(fault.kind, what).toBe('killed');
      expect(readdirSync(repo.dir).sort(), what).toEqual(files);
      expect(repo.tryGit('fsck', '--strict', '--no-dangling').code, what).toBe(0);
      if (!isWhole) {
        expect(repo.state(kept), what).toEqual(state);
        expect(repo.tracked(kept), what).toEqual(['c.txt']);
        expect(repo.git('rev-parse', branch), what).toBe(tip);
      }
      repo.entire(...words.slice(0, 2), ...(stateOf(repo, gone) ? words.slice(2) : words.slice(4)));
      // One without its owner's name may be a second old, before somebody takes it for abandoned.
      for (const name of readdirSync(join(repo.commonDir, 'entire-sessions')))
        if (name.endsWith('.lock')) aged(join(repo.commonDir, 'entire-sessions', name), 1);
      repo.entire('clean', '--force');
      expect(problems(repo), what).toEqual([]);
      repo.expectSound();
    }
  });
}

const stateOf = (repo: TestRepo, id: string): boolean => repo.stateFiles().includes(`${id}.json`);
