import { cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect } from 'vitest';
import type { AgentSession } from '../support/agent/session.ts';
import { goBack, logsOnly, stepOf, temporary, turns } from '../support/command/rewind.ts';
import { addWork } from '../support/command/work.ts';
import { FaultyHost } from '../support/faults/host.ts';
import { compileFaulty } from '../support/faults/set-up.ts';
import { scenario, variation } from '../support/repository/scenario.ts';
import type { TestRepo } from '../support/repository/test-repo.ts';

beforeAll(compileFaulty);

/** A session in the middle of a turn in which a shell wrote `b.txt`, and may have written anything. */
function inTurn(repo: TestRepo): AgentSession {
  const session = repo.session();
  session.prompt('look around');
  session.shell(() => repo.write('b.txt', 'b\n'));
  return session;
}

/** What the session can take back, turn by turn. */
const undoable = (repo: TestRepo, { id }: AgentSession): string[][] =>
  JSON.parse(repo.entire('undo', '--session', id, '--list', '--json').stdout).undo.map(
    ({ files }: { files: string[] }) => files,
  );

describe('what going back does is no work of another session whose turn is running', () => {
  scenario('rewind --to: the files of the step', (repo) => {
    repo.ready();
    turns(repo, { 'a.txt': 'v1\n' }, { 'a.txt': 'v2\n', 'new.txt': 'new\n' });
    const other = inTurn(repo);
    goBack(repo, stepOf(temporary(repo), 'Turn 1').id);
    other.stop();
    expect([repo.read('a.txt'), repo.exists('new.txt')]).toEqual(['v1\n', false]);
    expect(undoable(repo, other)).toEqual([['b.txt']]);
    expect(repo.state(other.id).files_touched).toEqual(['b.txt']);
    repo.entire('undo', '--session', other.id);
    expect(repo.read('a.txt')).toBe('v1\n');
  });

  variation('rewind --to: a file that the first session wrote only after the other turn began', (repo) => {
    repo.ready();
    const own = turns(repo, { 'README.md': 'v1\n' });
    repo.git('checkout', '--quiet', '--', 'README.md');
    const other = inTurn(repo);
    addWork(repo, { 'README.md': 'v2\n', 'a.txt': 'v2\n' }, own);
    goBack(repo, stepOf(temporary(repo), 'Turn 1').id);
    other.stop();
    expect([repo.read('README.md'), repo.exists('a.txt')]).toEqual(['v1\n', false]);
    expect(undoable(repo, other)).toEqual([['b.txt']]);
    expect(repo.state(other.id).files_touched).toEqual(['b.txt']);
  });

  variation('rewind --reset: the files that it overwrites', (repo) => {
    repo.ready();
    const own = turns(repo, { 'a.txt': 'one\n' });
    repo.commit('First', 'a.txt');
    addWork(repo, { 'a.txt': 'two\n' }, own);
    repo.commit('Second', 'a.txt');
    repo.write('a.txt', 'mine\n');
    const other = inTurn(repo);
    goBack(repo, logsOnly(repo).at(-1)?.id as string, '--reset');
    other.stop();
    expect(repo.read('a.txt')).toBe('one\n');
    expect(undoable(repo, other)).toEqual([['b.txt']]);
    expect(repo.state(other.id).files_touched).toEqual(['b.txt']);
  });

  for (const how of ['--continue', '--abort'])
    variation(`a rewind that was killed at its end, and then ${how}`, (repo) => {
      repo.ready();
      const own = turns(repo, { 'a.txt': 'v1\n' }, { 'a.txt': 'v2\n', 'new.txt': 'new\n' });
      const other = inTurn(repo);
      const args = ['rewind', '--to', stepOf(temporary(repo), 'Turn 1').id];
      const keep = { recursive: true, preserveTimestamps: true };
      const places = [repo.dir, repo.home].map(
        (place, at) => [place, join(repo.scratch, `copy-${at}`)] as const,
      );
      for (const [place, copy] of places) cpSync(place, copy, keep);
      const dry = new FaultyHost(repo);
      expect(dry.command(...args)).toMatchObject({ code: 0 });
      for (const [place, copy] of places) {
        rmSync(place, { recursive: true });
        cpSync(copy, place, keep);
      }
      const at = dry.operations.findLastIndex((operation) => /^rmSync .*journal\.json/.test(operation));
      expect(new FaultyHost(repo, { kind: 'killed', at: at + 1 }).command(...args).code).toBe(null);
      repo.entire('undo', '--session', own.id, how);
      other.stop();
      expect(repo.read('a.txt')).toBe(how === '--abort' ? 'v2\n' : 'v1\n');
      expect(undoable(repo, other)).toEqual([['b.txt']]);
      expect(repo.state(other.id).files_touched).toEqual(['b.txt']);
    });

  variation('a rewind refused for one that waits to be finished makes no step of the open turn', (repo) => {
    repo.ready();
    const own = turns(repo, { 'a.txt': 'v1\n' }, { 'a.txt': 'v2\n' });
    const args = ['rewind', '--to', stepOf(temporary(repo), 'Turn 1').id];
    own.prompt('goes on');
    own.edit('b.txt', 'b\n');
    const store = join(repo.commonDir, 'entire', 'snapshots', own.id);
    const records = () => readdirSync(join(store, 'snaps'));
    const before = records();
    const record = JSON.parse(readFileSync(join(store, 'snaps', before[0] as string), 'utf8'));
    const journal = { version: 1, id: (before[0] as string).replace('.json', ''), record };
    writeFileSync(join(store, 'journal.json'), JSON.stringify(journal));
    expect(repo.tryEntire(...args)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('entire undo --continue'),
    });
    expect(records()).toEqual(before);
  });
});
