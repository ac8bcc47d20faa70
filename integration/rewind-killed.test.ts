import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect } from 'vitest';
import { FAULTY } from './support/faults/host.ts';
import { compileFaulty } from './support/faults/set-up.ts';
import { stepOf, temporary, turns } from './support/rewind.ts';
import { type TestRepo, variation } from './support/test-repo.ts';
import { addWork } from './support/work.ts';

beforeAll(compileFaulty);

const PATHS = ['a.txt', 'b.txt', 'deep/c.txt', 'x.txt', 'mine.txt'];
const STRIDE = Number(process.env.ENTIRE_TEST_STRIDE ?? 17);

/** What a rewind changes, as far as it must be one or the other. */
function lookAt(repo: TestRepo, id: string) {
  const { last_interaction_time: _, ...state } = repo.state(id);
  const branch = repo.git('log', '--format=%s %an', repo.shadowBranches()[0] as string);
  const files = Object.fromEntries(
    PATHS.map((path) => [path, repo.exists(path) ? repo.read(path) : undefined]),
  );
  return { files, state, branch };
}

describe('a rewind that is killed (I1, I2)', () => {
  variation(
    'at any operation: every file is as before or as after, and it can be finished or taken back',
    (repo) => {
      repo.ready();
      const session = turns(
        repo,
        { 'a.txt': 'v1\n', 'deep/c.txt': 'v1\n' },
        { 'a.txt': 'v2\n', 'b.txt': 'b\n', 'deep/c.txt': 'v2\n' },
      );
      addWork(repo, { 'x.txt': 'another session\n' });
      repo.write('mine.txt', 'mine\n').write('a.txt', 'v2\nand mine\n');
      const target = stepOf(temporary(repo), 'Turn 1').id;
      const saved = join(repo.scratch, 'saved');
      repo.run('mkdir', [saved]);
      repo.run('cp', ['-a', repo.dir, repo.home, saved]);
      const putBack = (): void => {
        repo.run('rm', ['-rf', repo.dir, repo.home], { cwd: repo.scratch });
        repo.run('cp', ['-a', join(saved, 'repo'), join(saved, 'home'), repo.scratch], { cwd: repo.scratch });
      };
      const report = join(repo.scratch, 'operations');
      const rewind = (fault: string) =>
        repo.run(FAULTY, ['rewind', '--to', target], {
          env: { ENTIRE_TEST_FAULT: fault, ENTIRE_TEST_FAULT_REPORT: report },
        });

      const before = { ...lookAt(repo, session.id), transcript: session.read() };
      expect(rewind('').code).toBe(0);
      const after = { ...lookAt(repo, session.id), transcript: session.read() };
      expect(after.files).toEqual({
        'a.txt': 'v1\n',
        'deep/c.txt': 'v1\n',
        'x.txt': 'another session\n',
        'mine.txt': 'mine\n',
      });
      const operations = readFileSync(report, 'utf8').trimEnd().split('\n').length;
      expect(operations).toBeGreaterThan(100);

      const outcomes = { untouched: 0, aborted: 0, finished: 0, done: 0 };
      const journal = join(repo.commonDir, 'entire', 'snapshots', session.id, 'journal.json');
      for (let at = 1; at <= operations; at += STRIDE) {
        putBack();
        rewind(`killed:${at}`);
        const killed = lookAt(repo, session.id);
        for (const path of PATHS)
          expect([before.files[path], after.files[path]], `${path}, killed at ${at}`).toContain(
            killed.files[path],
          );
        expect(repo.tryGit('fsck', '--strict', '--no-dangling').code, `fsck, killed at ${at}`).toBe(0);
        if (existsSync(journal)) {
          const how = outcomes.aborted <= outcomes.finished ? '--abort' : '--continue';
          repo.entire('undo', '--session', session.id, how);
          const { transcript, ...wanted } = how === '--abort' ? before : after;
          expect(lookAt(repo, session.id), `${how}, killed at ${at}`).toEqual(wanted);
          expect([before.transcript, transcript]).toContain(session.read());
          outcomes[how === '--abort' ? 'aborted' : 'finished']++;
        } else {
          const isDone = killed.files['a.txt'] === 'v1\n';
          const { transcript, ...wanted } = isDone ? after : before;
          expect(killed, `killed at ${at}`).toEqual(wanted);
          expect([before.transcript, transcript]).toContain(session.read());
          outcomes[isDone ? 'done' : 'untouched']++;
          repo.entire('rewind', '--to', target);
          const { transcript: cut, ...end } = after;
          expect(lookAt(repo, session.id), `again, killed at ${at}`).toEqual(end);
          expect(session.read()).toBe(cut);
        }
      }
      for (const [outcome, times] of Object.entries(outcomes)) expect(times, outcome).toBeGreaterThan(0);
      putBack();
    },
  );
});
