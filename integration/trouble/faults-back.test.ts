import { cpSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect } from 'vitest';
import { logsOnly, stepOf, temporary, turns } from '../support/command/rewind.ts';
import { addWork } from '../support/command/work.ts';
import { FaultyHost } from '../support/faults/host.ts';
import { type Fault, faultsOf } from '../support/faults/kinds.ts';
import { compileFaulty } from '../support/faults/set-up.ts';
import { variation } from '../support/repository/scenario.ts';
import type { TestRepo } from '../support/repository/test-repo.ts';

/** Every so many pairs of operation and fault are tried, others for each command. `ENTIRE_TEST_STRIDE=1` tries all. */
const STRIDE = Number(process.env.ENTIRE_TEST_STRIDE ?? 223);

beforeAll(compileFaulty);

/** A session with a commit, two steps, and a log that is older here than its checkpoint. */
function arrange(repo: TestRepo): Readonly<Record<string, string>> {
  repo.ready();
  const session = turns(repo, { 'a.txt': 'one\n' });
  repo.commit('First', 'a.txt');
  const commit = logsOnly(repo)[0]?.id as string;
  addWork(repo, { 'b.txt': 'v1\n' }, session);
  addWork(repo, { 'b.txt': 'v2\n', 'deep/c.txt': 'c\n' }, session);
  repo.write('a.txt', 'mine\n');
  return { commit, step: stepOf(temporary(repo), 'Write b.txt').id, session: session.id };
}

const COMMANDS: ReadonlyArray<readonly [first: string, ...words: string[]]> = [
  ['undo'],
  ['redo'],
  ['rewind', '--to', '<step>'],
  ['rewind', '--to', '<commit>', '--reset', '--force'],
  ['rewind', '--to', '<commit>', '--logs-only', '--force'],
  ['resume', '<session>', '--force'],
  ['resume', '<commit>', '--force'],
];

for (const [index, args] of COMMANDS.entries()) {
  variation(`${args.join(' ')}: what the disk refuses is no bug, and the file is named`, (repo) => {
    const names = arrange(repo);
    if (args[0] === 'redo') repo.entire('undo');
    const words = args.map((word) => names[word.slice(1, -1)] ?? word);
    const keep = { recursive: true, preserveTimestamps: true };
    const places = [repo.dir, repo.home].map((place, at) => [place, join(repo.scratch, `${at}`)] as const);
    for (const [place, copy] of places) cpSync(place, copy, keep);
    const goBack = () => {
      for (const [place, copy] of places) {
        rmSync(place, { recursive: true, force: true });
        cpSync(copy, place, keep);
      }
    };
    const dry = new FaultyHost(repo);
    expect(dry.command(...words)).toMatchObject({ code: 0 });
    const operations = dry.operations;
    const pairs = operations.flatMap((operation, at) =>
      faultsOf(operation).map((kind): { kind: Fault; at: number } => ({ kind, at: at + 1 })),
    );
    const tried = pairs
      .filter(({ kind }) => kind !== 'killed')
      .filter((_, at) => at % STRIDE === index % STRIDE);
    for (const fault of tried) {
      goBack();
      const { code, stderr } = new FaultyHost(repo, fault).command(...words);
      const operation = operations[fault.at - 1] as string;
      const what = `${fault.kind}:${fault.at} ${operation}\n${stderr}`;
      expect([0, 1], what).toContain(code);
      if (code === 0) continue;
      expect(stderr, what).toMatch(/^Error: ./m);
      if (!operation.startsWith('git ')) expect(stderr, what).toMatch(/^Hint: ./m);
      expect(stderr, what).not.toMatch(/^ {4}at /m);
      expect(stderr, what).not.toContain('a file could not');
    }
    goBack();
  });
}

for (const args of [['undo'], ['rewind', '--to', '<step>']])
  variation(`${args.join(' ')}: a disk that is full halfway says how to finish it`, (repo) => {
    const names = arrange(repo);
    const words = args.map((word) => names[word.slice(1, -1)] ?? word);
    const copy = join(repo.scratch, 'copy');
    const keep = { recursive: true, preserveTimestamps: true };
    for (const place of [repo.dir, repo.home]) cpSync(place, `${copy}${place}`, keep);
    const dry = new FaultyHost(repo);
    dry.command(...words);
    const { operations } = dry;
    const begun = operations.findIndex((name) => /^openSync w .*\/journal\.json/.test(name));
    const at = operations.findIndex((name, index) => index > begun && /^openSync w .*\/snaps\//.test(name));
    for (const place of [repo.dir, repo.home]) {
      rmSync(place, { recursive: true });
      cpSync(`${copy}${place}`, place, keep);
    }
    const { code, stderr } = new FaultyHost(repo, { kind: 'ENOSPC', at: at + 1 }).command(...words);
    expect(code).toBe(1);
    expect(stderr).toMatch(
      /^Error: it was stopped halfway: .*\.json could not be opened: the disk is full \(ENOSPC\)$/m,
    );
    expect(stderr).toMatch(/^Hint: Make room on the disk\. Run `entire undo --continue` to finish it/m);
    repo.entire('undo', '--continue', '--session', names.session as string);
    expect(repo.read('b.txt')).toBe('v1\n');
  });
