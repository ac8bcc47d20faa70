import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect } from 'vitest';
import { stepOf, temporary, turns } from '../support/command/rewind.ts';
import { addWork } from '../support/command/work.ts';
import { FAULTY } from '../support/faults/host.ts';
import { compileFaulty } from '../support/faults/set-up.ts';
import { killInMemory } from '../support/process/in-memory.ts';
import { keepCopy } from '../support/repository/keep-copy.ts';
import { variation } from '../support/repository/scenario.ts';
import type { TestRepo } from '../support/repository/test-repo.ts';

killInMemory();
beforeAll(compileFaulty);

const PATHS = ['a.txt', 'b.txt', 'deep/c.txt', 'x.txt', 'mine.txt'];
const STRIDE = Number(process.env.ENTIRE_TEST_STRIDE ?? 53);

/** A text with room between its ends, so that changes of both can be told apart. */
const long = (top: string, end: string) => `${top}\n${'-\n'.repeat(10)}${end}\n`;

/** What a rewind changes, as far as it must be one or the other. */
function lookAt(repo: TestRepo, id: string, other: string) {
  const { last_interaction_time: _, ...state } = repo.state(id);
  const theirs = {
    state: repo.state(other),
    records: readdirSync(join(repo.commonDir, 'entire', 'snapshots', other, 'snaps')).length,
  };
  const branch = repo.git('log', '--format=%s %an', repo.shadowBranches()[0] as string);
  const files = Object.fromEntries(
    PATHS.map((path) => [path, repo.exists(path) ? repo.read(path) : undefined]),
  );
  return { files, state, theirs, branch };
}

type Everything = ReturnType<typeof lookAt> & { readonly transcript: string };

/** A repository to go back in, as it is put back again and again; and what going back makes of it. */
function prepare(repo: TestRepo) {
  repo.ready();
  const session = turns(
    repo,
    { 'a.txt': 'v1\n', 'deep/c.txt': long('v1', 'end') },
    { 'a.txt': 'v2\n', 'b.txt': 'b\n', 'deep/c.txt': long('v2', 'end') },
  );
  const other = addWork(repo, { 'x.txt': 'another session\n' });
  repo.write('mine.txt', 'mine\n').write('deep/c.txt', long('v2', 'mine'));
  const target = stepOf(temporary(repo), 'Turn 1').id;
  const putBack = keepCopy(repo);
  const report = join(repo.scratch, 'operations');
  const rewind = (fault: string) => {
    rmSync(report, { force: true });
    return repo.run(FAULTY, ['rewind', '--to', target], {
      env: { ENTIRE_TEST_FAULT: fault, ENTIRE_TEST_FAULT_REPORT: report },
    });
  };
  const before = { ...lookAt(repo, session.id, other.id), transcript: session.read() };
  expect(rewind('').code).toBe(0);
  const after = { ...lookAt(repo, session.id, other.id), transcript: session.read() };
  expect(after.files).toEqual({
    'a.txt': 'v1\n',
    'deep/c.txt': long('v1', 'mine'),
    'mine.txt': 'mine\n',
  });
  expect(after.transcript).not.toBe(before.transcript);
  const operations = readFileSync(report, 'utf8').trimEnd().split('\n');
  expect(operations.length).toBeGreaterThan(100);
  return {
    ...{ session, other, target, before, after, operations, rewind },
    journal: join(repo.commonDir, 'entire', 'snapshots', session.id, 'journal.json'),
    putBack,
  };
}

/** Every file is as it was before or as it is after, and git is sound. */
function expectWhole(repo: TestRepo, made: ReturnType<typeof prepare>, when: string) {
  const { session, other, before, after } = made;
  const now = lookAt(repo, session.id, other.id);
  for (const path of PATHS)
    expect([before.files[path], after.files[path]], `${path}, ${when}`).toContain(now.files[path]);
  expect(repo.tryGit('fsck', '--strict', '--no-dangling').code, `fsck, ${when}`).toBe(0);
  return now;
}

describe('a rewind that is killed (I1, I2)', () => {
  variation(
    'at any operation: it can be finished or taken back, whole, with state, steps and transcript',
    (repo) => {
      const made = prepare(repo);
      const { session, other, before, after, operations, rewind, journal, putBack } = made;
      const outcomes = { untouched: 0, aborted: 0, finished: 0, done: 0 };
      const all = (): Everything => ({ ...lookAt(repo, session.id, other.id), transcript: session.read() });
      // What comes with and after the transcript is where a kill could leave it cut for good.
      const late = operations.findIndex((operation) => operation.includes('.jsonl')) + 1;
      expect(late).toBeGreaterThan(1);
      const moments = operations
        .map((_, at) => at + 1)
        .filter((at) => (at - 1) % (at < late ? STRIDE : Math.min(STRIDE, 11)) === 0);
      for (const at of moments) {
        putBack();
        rewind(`killed:${at}`);
        const killed = expectWhole(repo, made, `killed at ${at}`);
        if (existsSync(journal)) {
          const how = outcomes.aborted <= outcomes.finished ? '--abort' : '--continue';
          repo.entire('undo', '--session', session.id, how);
          expect(all(), `${how}, killed at ${at}`).toEqual(how === '--abort' ? before : after);
          outcomes[how === '--abort' ? 'aborted' : 'finished']++;
          if (how === '--continue') repo.entire('undo', '--session', session.id);
        } else {
          const isDone = killed.files['a.txt'] === 'v1\n';
          expect(all(), `killed at ${at}`).toEqual(isDone ? after : before);
          outcomes[isDone ? 'done' : 'untouched']++;
          if (isDone) repo.entire('undo', '--session', session.id);
        }
        expect(all(), `taken back, killed at ${at}: ${operations[at - 1]}`).toEqual(before);
      }
      for (const [outcome, times] of Object.entries(outcomes)) expect(times, outcome).toBeGreaterThan(0);
      putBack();
    },
  );

  variation('a disk that fails, or a git: it says so, and nothing is lost', (repo) => {
    const made = prepare(repo);
    const { session, other, target, before, after, operations, rewind, journal, putBack } = made;
    // Before that nobody knows yet what is asked for; a disk that fails then is no failure of ours.
    const begin = operations.findIndex((operation) => operation.includes('restore.lock'));
    expect(begin).toBeGreaterThan(0);
    for (let at = begin; at <= operations.length; at += STRIDE * 2) {
      const isGit = operations[at - 1]?.startsWith('git ');
      const kind = isGit ? 'git says the disk is full' : at % 4 === 3 ? 'ENOSPC' : 'EIO';
      const when = `${kind} at ${at}: ${operations[at - 1]}`;
      putBack();
      const { code, stderr } = rewind(`${kind}:${at}`);
      expect([0, 1], `${when}\n${stderr}`).toContain(code);
      if (code === 1) expect(stderr, when).toMatch(/^Error: /m);
      expectWhole(repo, made, when);
      if (existsSync(journal)) {
        repo.entire('undo', '--session', session.id, '--continue');
        expect(lookAt(repo, session.id, other.id).files, when).toEqual(after.files);
      } else if (repo.read('a.txt') === 'v1\n') {
        repo.entire('undo', '--session', session.id);
        expect(lookAt(repo, session.id, other.id).files, when).toEqual(before.files);
      } else {
        repo.entire('rewind', '--to', target);
        expect(lookAt(repo, session.id, other.id).files, when).toEqual(after.files);
      }
    }
    putBack();
  });
});
