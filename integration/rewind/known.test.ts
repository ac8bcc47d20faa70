import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { collectGarbage } from '../../src/snapshot/store/collect.ts';
import { goBack, stepOf, temporary, turns } from '../support/command/rewind.ts';
import { addWork } from '../support/command/work.ts';
import { variation } from '../support/repository/scenario.ts';
import type { TestRepo } from '../support/repository/test-repo.ts';

describe('a step back to which the tree of a step is not enough', () => {
  variation(
    'where nobody knows any more what was done since: what no step has is named before it goes',
    (repo) => {
      repo.ready();
      const session = turns(repo, { 'a.txt': 'v1\n', 'b.txt': 'v1\n' }, { 'a.txt': 'v2\n', 'b.txt': 'v2\n' });
      rmSync(join(repo.commonDir, 'entire', 'snapshots', session.id, 'steps'));
      repo.write('a.txt', 'v2\nmine\n');
      const { stderr } = goBack(repo, stepOf(temporary(repo), 'Turn 1').id);
      expect(stderr).toContain('goes, too. `entire undo` brings it back:\n  - a.txt\n\n');
      expect([repo.read('a.txt'), repo.read('b.txt')]).toEqual(['v1\n', 'v1\n']);
      repo.entire('undo');
      expect([repo.read('a.txt'), repo.read('b.txt')]).toEqual(['v2\nmine\n', 'v2\n']);
    },
  );

  variation('what a turn that goes on did by a shell goes as well, and comes back', (repo) => {
    repo.ready();
    const session = turns(repo, { 'a.txt': 'v1\n' });
    session.prompt('turn 2');
    session.edit('a.txt', 'v2\n');
    session.shell(() => void repo.write('made.txt', 'by a shell\n'));
    const { id } = stepOf(temporary(repo), 'Turn 1');
    expect(repo.entire('rewind', '--to', id, '--dry-run').stdout).toContain('Would delete: made.txt');
    expect(goBack(repo, id).stderr).toContain('Deleted: made.txt');
    expect([repo.read('a.txt'), repo.exists('made.txt')]).toEqual(['v1\n', false]);
    repo.entire('undo');
    expect([repo.read('a.txt'), repo.read('made.txt')]).toEqual(['v2\n', 'by a shell\n']);
  });

  variation('a file that was undone before the step stays as it is', (repo) => {
    repo.ready().write('a.txt', 'begin\n').commit('Begin', 'a.txt');
    const session = turns(repo, { 'a.txt': 'undone\n' });
    repo.entire('undo');
    for (const file of ['b.txt', 'c.txt']) addWork(repo, { [file]: `${file}\n` }, session);
    const [, step] = temporary(repo);
    expect(goBack(repo, step?.id ?? '').stderr).not.toContain('a.txt');
    expect([repo.read('a.txt'), repo.exists('b.txt'), repo.exists('c.txt')]).toEqual([
      'begin\n',
      true,
      false,
    ]);
  });

  variation('a file that was undone, and written again after the step, is as it was between', (repo) => {
    repo.ready().write('a.txt', 'begin\n').commit('Begin', 'a.txt');
    const session = turns(repo, { 'a.txt': 'undone\n' });
    repo.entire('undo');
    addWork(repo, { 'b.txt': 'b\n' }, session);
    addWork(repo, { 'a.txt': 'written again\n' }, session);
    const [, step] = temporary(repo);
    goBack(repo, step?.id ?? '');
    expect(repo.read('a.txt')).toBe('begin\n');
  });

  variation(
    'what the user wrote after the step, before the session came to the file, is not lost',
    (repo) => {
      repo.ready().write('mine.txt', 'committed\n').commit('Begin', 'mine.txt');
      const session = turns(repo, { 'a.txt': 'v1\n' });
      repo.write('mine.txt', 'committed\nand mine\n');
      addWork(repo, { 'mine.txt': "committed\nand mine\nand the agent's\n" }, session);
      const [, step] = temporary(repo);
      goBack(repo, step?.id ?? '');
      expect(repo.read('mine.txt')).toBe('committed\nand mine\n');
      expect(repo.state(session.id).files_touched).toEqual(['a.txt']);
    },
  );

  variation('a file that a turn took away and nothing else, and a later one made again, goes', (repo) => {
    repo.ready();
    const session = turns(repo, { 'a.txt': 'v1\n', 'made.txt': 'by the agent\n' });
    session.prompt('turn 2');
    session.deleteFile('made.txt');
    session.stop(); // HEAD has no such file either: there is nothing to save
    addWork(repo, { 'b.txt': 'b\n' }, session);
    addWork(repo, { 'made.txt': 'once more\n' }, session);
    const [, step] = temporary(repo);
    goBack(repo, step?.id ?? '');
    expect([repo.exists('made.txt'), repo.read('a.txt'), repo.read('b.txt')]).toEqual([false, 'v1\n', 'b\n']);
  });

  variation('what the user had changed before the session, and again after the step, is not lost', (repo) => {
    repo.ready().write('mine.txt', 'committed\n').commit('Begin', 'mine.txt');
    repo.write('mine.txt', 'changed\n');
    const session = turns(repo, { 'a.txt': 'v1\n' });
    repo.write('mine.txt', 'changed again\n');
    addWork(repo, { 'mine.txt': "changed again\nand the agent's\n" }, session);
    const [, step] = temporary(repo);
    goBack(repo, step?.id ?? '');
    expect(repo.read('mine.txt')).toBe('changed again\n');
    expect(repo.state(session.id).files_touched).toEqual(['a.txt']);
  });

  variation('a file that a commit left, undone before the step, stays as it is', (repo) => {
    repo.ready();
    const session = turns(repo, { 'a.txt': 'v1\n', 'left.txt': 'not committed\n' });
    repo.commit('a', 'a.txt');
    repo.entire('undo', '--files', 'left.txt');
    addWork(repo, { 'b.txt': 'b\n' }, session);
    addWork(repo, { 'c.txt': 'c\n' }, session);
    const [, step] = temporary(repo);
    goBack(repo, step?.id ?? '');
    expect(['left.txt', 'b.txt', 'c.txt'].map((path) => repo.exists(path))).toEqual([false, true, false]);
  });

  variation('a file that was undone before a commit, which left it, stays as it is', (repo) => {
    repo.ready().write('mine.txt', 'begin\n').commit('Begin', 'mine.txt');
    const session = turns(repo, { 'mine.txt': 'undone\n', 'made.txt': 'undone\n' });
    repo.entire('undo');
    addWork(repo, { 'a.txt': 'a\n' }, session);
    repo.commit('a', 'a.txt');
    expect(repo.state(session.id).files_touched ?? []).toEqual([]);
    addWork(repo, { 'b.txt': 'b\n' }, session);
    const [step] = temporary(repo);
    goBack(repo, step?.id ?? '');
    expect([repo.read('mine.txt'), repo.exists('made.txt'), repo.read('b.txt')]).toEqual([
      'begin\n',
      false,
      'b\n',
    ]);
  });

  variation('a file that the rewind leaves as it is stays the work of the session', (repo) => {
    repo.ready();
    const session = turns(repo, { 'p.txt': 'v1\n' }, { 'p.txt': 'v2\n' });
    goBack(repo, stepOf(temporary(repo), 'Turn 1').id);
    addWork(repo, { 'q.txt': 'v3\n' }, session);
    addWork(repo, { 'q.txt': 'v4\n' }, session);
    const [, step] = temporary(repo);
    goBack(repo, step?.id ?? '');
    expect([repo.read('p.txt'), repo.read('q.txt')]).toEqual(['v1\n', 'v3\n']);
    expect(repo.state(session.id).files_touched).toEqual(['p.txt', 'q.txt']);
    repo.commit('p', 'p.txt');
    expect(repo.checkpointOf('HEAD')).toBeDefined();
  });

  variation('what another session wrote and took back is not what was there', (repo) => {
    repo.ready();
    const other = addWork(repo, { 'shared.txt': "the other's\n" });
    repo.entire('undo', '--session', other.id);
    const session = turns(repo, { 'a.txt': 'v1\n' });
    addWork(repo, { 'shared.txt': 'mine\n' }, session);
    const [, step] = temporary(repo).filter(({ session_id: id }) => id === session.id);
    goBack(repo, step?.id ?? '');
    expect(repo.exists('shared.txt')).toBe(false);
  });

  variation('what an older stash still holds and an undo took back is not in a later step', (repo) => {
    repo.ready().write('a.txt', 'begin\n').commit('Begin', 'a.txt');
    const session = turns(repo, { 'a.txt': 'stashed\n' });
    repo.git('stash', '--quiet');
    addWork(repo, { 'a.txt': 'undone\n' }, session);
    repo.entire('undo', '--session', session.id, '--steps', '2');
    addWork(repo, { 'b.txt': 'b\n' }, session);
    goBack(repo, temporary(repo)[0]?.id ?? '');
    session.prompt('go on');
    repo.entire('undo', '--session', session.id); // its steps stay, and the next one looks at all its files
    addWork(repo, { 'c.txt': 'c\n' }, session);
    addWork(repo, { 'a.txt': 'later\n' }, session);
    goBack(repo, temporary(repo)[1]?.id ?? '');
    expect([repo.read('a.txt'), repo.read('c.txt')]).toEqual(['begin\n', 'c\n']);
  });

  variation('redo of a rewind whose steps were committed since puts the files there, and says so', (repo) => {
    repo.ready().write('b.txt', 'begin\n').commit('Begin', 'b.txt');
    const session = turns(repo, { 'a.txt': 'v1\n' }, { 'a.txt': 'v2\n', 'b.txt': 'agent\n' });
    goBack(repo, stepOf(temporary(repo), 'Turn 1').id);
    repo.entire('undo', '--session', session.id);
    repo.commit('All', 'a.txt', 'b.txt');
    const { stderr } = repo.entire('redo', '--session', session.id);
    expect(stderr).toContain('committed since');
    expect([repo.read('a.txt'), repo.read('b.txt')]).toEqual(['v1\n', 'begin\n']);
    expect(repo.tracked(session.id)).toEqual(expect.arrayContaining(['a.txt', 'b.txt']));
    repo.entire('undo', '--session', session.id);
    expect([repo.read('a.txt'), repo.read('b.txt')]).toEqual(['v2\n', 'agent\n']);
  });
});

describe('a step back to which the record of an undo is gone', () => {
  /** Only the newest step of the session, and what came of it, stays on record. */
  const forget = async ({ commonDir }: TestRepo): Promise<void> =>
    void (await collectGarbage(commonDir, { budgetBytes: 0, isDryRun: false }));

  variation(
    'a file that was undone before the step, and written again after it, is not there',
    async (repo) => {
      repo.ready();
      const session = turns(repo, { 'a.txt': 'a\n' }, { 'made.txt': 'undone\n' });
      repo.entire('undo');
      addWork(repo, { 'b.txt': 'b\n' }, session);
      await forget(repo);
      addWork(repo, { 'made.txt': 'written again\n' }, session);
      goBack(repo, temporary(repo)[1]?.id ?? '');
      expect(['a.txt', 'b.txt', 'made.txt'].map((path) => repo.exists(path))).toEqual([true, true, false]);
    },
  );

  variation('a file that was undone before the step, and not written again, stays as it is', async (repo) => {
    repo.ready();
    const session = turns(repo, { 'a.txt': 'a\n' }, { 'made.txt': 'undone\n' });
    repo.entire('undo');
    addWork(repo, { 'b.txt': 'b\n' }, session);
    await forget(repo);
    addWork(repo, { 'c.txt': 'c\n' }, session);
    goBack(repo, temporary(repo)[1]?.id ?? '');
    expect(['b.txt', 'c.txt', 'made.txt'].map((path) => repo.exists(path))).toEqual([true, false, false]);
  });
});

describe('a file that a way back left to the next step', () => {
  variation('is undone when a shell makes it again', (repo) => {
    repo.ready();
    const session = turns(repo, { 'made.txt': 'by the agent\n' });
    repo.entire('undo');
    goBack(repo, stepOf(temporary(repo), 'Turn 1').id);
    repo.entire('undo', '--files', 'made.txt');
    session.prompt('turn 2');
    session.shell(() => void repo.write('made.txt', 'by a shell\n'));
    session.stop();
    repo.entire('undo');
    expect(repo.exists('made.txt')).toBe(false);
  });
});

describe('a step back in the middle of a turn', () => {
  variation('takes along what a shell made of a file after a tool, and redo finds its way', (repo) => {
    repo.ready().write('a.txt', 'begin a\n').write('b.txt', 'begin b\n').commit('Begin', 'a.txt', 'b.txt');
    const session = repo.session();
    session.prompt('turn 1');
    session.edit('b.txt', 'agent\n');
    session.edit('a.txt', 'agent\n');
    session.shell(() => rmSync(join(repo.dir, 'a.txt')));
    repo.entire('undo', '--files', 'b.txt');
    expect([repo.exists('a.txt'), repo.read('b.txt')]).toEqual([false, 'begin b\n']);
    repo.entire('redo');
    expect([repo.exists('a.txt'), repo.read('b.txt')]).toEqual([false, 'agent\n']);
    repo.entire('undo');
    expect([repo.read('a.txt'), repo.read('b.txt')]).toEqual(['begin a\n', 'begin b\n']);
  });
});

describe('a step back that cannot be done', () => {
  variation('makes no step of a turn that goes on', (repo) => {
    repo.ready();
    const session = repo.session();
    session.prompt('turn 1');
    session.edit('a.txt', 'first half\n');
    expect(repo.tryEntire('redo').stderr).toContain('nothing to redo');
    session.edit('b.txt', 'second half\n');
    session.stop();
    repo.entire('undo');
    expect([repo.exists('a.txt'), repo.exists('b.txt')]).toEqual([false, false]);
  });
});

variation(
  'what a rewind left to the next step, and you wrote there, stays at a rewind to one before',
  (repo) => {
    repo.ready();
    const session = turns(repo, { 'a.txt': 'one\ntwo\n' }, { 'a.txt': 'one\nagent\n', 'c.txt': 'c\n' });
    const [second, first] = temporary(repo).map(({ id }) => id);
    repo.write('a.txt', 'one\nmine\n');
    expect(goBack(repo, first as string).stderr).toContain('Left: a.txt');
    repo.entire('undo');
    addWork(repo, { 'b.txt': 'b\n' }, session);
    const { stderr } = goBack(repo, second as string);
    expect(stderr).not.toContain('a.txt');
    expect([repo.read('a.txt'), repo.exists('b.txt')]).toEqual(['one\nmine\n', false]);
  },
);
