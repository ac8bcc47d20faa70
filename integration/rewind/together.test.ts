import { describe, expect } from 'vitest';
import { locateRepo, type Repo } from '../../src/git/locate.ts';
import { readBranch } from '../../src/history/branch.ts';
import { findRewindPoint, type StepPoint } from '../../src/restore/points.ts';
import { rewindToStep } from '../../src/restore/rewind/rewind.ts';
import { goBack, stepOf, temporary, turns } from '../support/command/rewind.ts';
import { addWork, expectLinked, expectNotLinked } from '../support/command/work.ts';
import { variation } from '../support/repository/scenario.ts';
import type { TestRepo } from '../support/repository/test-repo.ts';
import { gitBesideSteps, viewOf } from '../support/undo/view.ts';

const text = (top: string, end: string) => `${top}\n${'-\n'.repeat(10)}${end}\n`;

/** What is told of where things stand, for before and after. */
const whole = (repo: TestRepo, ...ids: string[]) => ({
  files: viewOf(repo.dir),
  git: gitBesideSteps(repo),
  steps: temporary(repo).map(({ message, session_id: id }) => `${id} ${message}`),
  states: ids.map((id) => [repo.state(id).checkpoint_count, repo.state(id).files_touched]),
  undo: JSON.parse(repo.entire('undo', '--list', '--json').stdout).undo.map(
    ({ kind, subject }: { kind: string; subject: string }) => `${kind} ${subject}`,
  ),
});

describe('going back to a step, and what other sessions did since', () => {
  variation('of one that ended or waits it goes back along, said before, and undone in one step', (repo) => {
    repo.ready();
    const own = turns(repo, { 'a.txt': 'v1\n', 'shared.txt': text('own', 'end') });
    const at = viewOf(repo.dir);
    const ended = addWork(repo, { 'README.md': 'by another\n', 'made.txt': 'made\n' });
    ended.end();
    addWork(repo, { 'a.txt': 'v2\n' }, own);
    const idle = addWork(repo, { 'shared.txt': text('own', 'THEIRS'), 'x.txt': 'x\n' });
    const before = whole(repo, own.id, ended.id, idle.id);
    const point = stepOf(temporary(repo), 'Turn 1').id;
    const { stderr: said } = goBack(repo, point, '--dry-run');
    expect(viewOf(repo.dir)).toEqual(before.files);
    const { stderr } = goBack(repo, point);
    for (const shown of [said, stderr]) {
      expect(shown).toContain(
        `What session ${ended.id} (Claude Code) did since then goes back, too; its conversation stays:\n  - README.md\n  - made.txt\n`,
      );
      expect(shown).toContain(`What session ${idle.id} (Claude Code) did since then`);
      expect(shown).not.toContain('Left:');
    }
    expect(viewOf(repo.dir)).toEqual(at);
    expect(temporary(repo).map(({ message }) => message)).toEqual(['Turn 1']);
    for (const { id } of [ended, idle]) {
      expect(repo.state(id).checkpoint_count).toBe(0);
      expect(repo.state(id).files_touched ?? []).toEqual([]);
    }
    const list = JSON.parse(repo.entire('undo', '--list', '--json').stdout);
    // One undo after the other: behind the rewind stands what it took back.
    expect(list.undo.map(({ subject }: { subject: string }) => subject)).toEqual([
      'Turn 1',
      'Write shared.txt and x.txt',
      'Write a.txt',
      'Write README.md and made.txt',
      'Turn 1',
    ]);
    expect(list.redo).toEqual([]);
    const after = whole(repo, own.id, ended.id, idle.id);
    expect(stderr).toContain('To reverse this: entire undo\n');
    const dry = JSON.parse(repo.entire('undo', '--steps', '2', '--dry-run', '--json').stdout);
    repo.entire('undo');
    expect(whole(repo, own.id, ended.id, idle.id)).toEqual(before);
    repo.entire('redo');
    expect(whole(repo, own.id, ended.id, idle.id)).toEqual(after);
    const two = JSON.parse(repo.entire('undo', '--steps', '2', '--json').stdout);
    expect(two.files).toEqual(dry.files);
    expect(two.steps).toMatchObject([{ session_id: own.id }, { session_id: idle.id }]);
    expect([repo.read('shared.txt'), repo.exists('x.txt')]).toEqual([text('own', 'end'), false]);
    repo.entire('redo', '--steps', '2');
    expect(viewOf(repo.dir)).toEqual(at);
    expect(repo.run('entire', ['verify']).code).toBe(0);
    repo.commit('Own', 'a.txt', 'shared.txt');
    expectLinked(repo, own, 'a.txt', 'shared.txt');
  });

  variation('to where one is already nothing changes: lines that no session wrote stay', (repo) => {
    repo.ready();
    const own = turns(repo, { 'a.txt': text('v1', 'end') }, { 'a.txt': text('v2', 'end') });
    const other = addWork(repo, { 'x.txt': 'another session\n' });
    repo.write('a.txt', text('v2', 'mine'));
    const point = stepOf(temporary(repo), 'Turn 1').id;
    goBack(repo, point);
    expect(repo.read('a.txt')).toBe(text('v1', 'mine'));
    const { undo: _, ...before } = whole(repo, own.id, other.id);
    const { stderr } = goBack(repo, point);
    expect(whole(repo, own.id, other.id)).toMatchObject(before);
    expect(stderr).not.toMatch(/Restored|Deleted|goes back, too/);
    repo.entire('undo');
    repo.entire('undo');
    expect([repo.read('a.txt'), repo.read('x.txt')]).toEqual([text('v2', 'mine'), 'another session\n']);
  });

  variation('what such a session did before the point stays, and it can go on', (repo) => {
    repo.ready();
    const other = addWork(repo, { 'x.txt': 'x1\n' });
    const own = turns(repo, { 'a.txt': 'v1\n' });
    addWork(repo, { 'x.txt': 'x2\n', 'y.txt': 'y\n' }, other);
    goBack(repo, stepOf(temporary(repo), 'Turn 1').id);
    expect([repo.read('x.txt'), repo.exists('y.txt'), repo.read('a.txt')]).toEqual(['x1\n', false, 'v1\n']);
    expect(repo.state(other.id)).toMatchObject({ checkpoint_count: 1, files_touched: ['x.txt'] });
    addWork(repo, { 'x.txt': 'x3\n' }, other);
    repo.entire('undo');
    expect(repo.read('x.txt')).toBe('x1\n');
    repo.entire('redo');
    repo.commit('Theirs', 'x.txt');
    expectLinked(repo, other, 'x.txt');
    expect(repo.state(own.id).files_touched).toEqual(['a.txt']);
  });

  variation('lines that no session wrote stay; where they contradict the file does, and is named', (repo) => {
    repo.ready();
    turns(repo, { 'a.txt': text('v1', 'end'), 'b.txt': 'b1\n' });
    addWork(repo, { 'a.txt': text('v1', 'end'), 'x.txt': text('x', 'end'), 'y.txt': 'y\n' });
    addWork(repo, { 'a.txt': text('v2', 'end'), 'b.txt': 'b2\n', 'README.md': text('their', 'end') });
    repo.write('a.txt', text('v2', 'mine')).write('b.txt', 'mine\n').write('y.txt', 'mine\n');
    const before = viewOf(repo.dir);
    const { stderr } = goBack(repo, stepOf(temporary(repo), 'Turn 1').id);
    expect(stderr).toContain('Lines in these files that no session wrote stay:\n  - a.txt\n');
    expect(stderr).toContain('Left: b.txt (it was changed since, and the two changes touch the same lines)');
    expect(stderr).toContain('Left: y.txt (it was not there before, and was changed since)');
    // Another session wrote in them, and keeps what it did where one goes back alone.
    expect(stderr).not.toContain('--session-only');
    expect([repo.read('a.txt'), repo.read('b.txt'), repo.read('y.txt')]).toEqual([
      text('v1', 'mine'),
      'mine\n',
      'mine\n',
    ]);
    expect([repo.exists('x.txt'), repo.read('README.md')]).toEqual([false, '# demo\n\nbase line\n']);
    repo.entire('undo');
    expect(viewOf(repo.dir)).toEqual(before);
  });

  variation('the files that --session-only takes back all the same are named, and it does', (repo) => {
    repo.ready();
    turns(repo, { 'a.txt': 'a1\n', 'b.txt': 'b1\n' }, { 'a.txt': 'a2\n', 'b.txt': 'b2\n' });
    addWork(repo, { 'b.txt': 'b3\n' });
    repo.write('a.txt', 'mine\n').write('b.txt', 'mine\n');
    const point = stepOf(temporary(repo), 'Turn 1').id;
    const { code, stdout, stderr } = repo.tryEntire('rewind', '--to', point);
    expect(code).toBe(1);
    for (const path of ['a.txt', 'b.txt']) expect(stderr).toContain(`  Left: ${path} (`);
    expect(stderr).toContain(
      'With --session-only it becomes what it was all the same, and what is there now is kept: a.txt\n',
    );
    expect(stdout).not.toContain('Restored files');
    goBack(repo, point, '--session-only');
    expect([repo.read('a.txt'), repo.read('b.txt')]).toEqual(['a1\n', 'mine\n']);
  });

  variation('what somebody wrote between two turns stays, and what another session did then goes', (repo) => {
    repo.ready();
    repo.write('b.txt', text('b', 'end'));
    repo.commit('Begin', 'b.txt');
    const own = turns(repo, { 'a.txt': text('v1', 'end') });
    repo.write('a.txt', text('v1', 'mine'));
    addWork(repo, { 'b.txt': text('b', 'THEIRS') });
    addWork(repo, { 'a.txt': text('v2', 'mine'), 'b.txt': text('OWN', 'THEIRS') }, own);
    const before = viewOf(repo.dir);
    goBack(repo, stepOf(temporary(repo), 'Turn 1').id);
    expect([repo.read('a.txt'), repo.read('b.txt')]).toEqual([text('v1', 'mine'), text('b', 'end')]);
    repo.entire('undo');
    expect(viewOf(repo.dir)).toEqual(before);
  });

  variation('a file that only somebody else changed since is none of its business', (repo) => {
    repo.ready();
    const own = turns(repo, { 'a.txt': 'v1\n' }, { 'b.txt': 'b\n' });
    repo.write('a.txt', 'v1\nmine\n');
    goBack(repo, stepOf(temporary(repo), 'Turn 1').id);
    expect([repo.read('a.txt'), repo.exists('b.txt')]).toEqual(['v1\nmine\n', false]);
    expect(repo.state(own.id).files_touched).toEqual(['a.txt']);
  });

  variation('of one in a turn the files stay, and every one of them is named', (repo) => {
    repo.ready();
    turns(repo, { 'a.txt': 'v1\n' }, { 'a.txt': 'v2\n' });
    const busy = addWork(repo, { 'x.txt': 'x\n', 'made.txt': 'made\n' });
    busy.prompt('go on');
    busy.edit('now.txt', 'now\n');
    const { stderr } = goBack(repo, stepOf(temporary(repo), 'Turn 1').id);
    for (const path of ['made.txt', 'now.txt', 'x.txt']) {
      expect(stderr).toContain(`  Left: ${path} (another session wrote it since then: ${busy.id})\n`);
      expect(repo.exists(path)).toBe(true);
    }
    expect(repo.read('a.txt')).toBe('v1\n');
    expect(repo.state(busy.id).files_touched).toEqual(['made.txt', 'x.txt']);
  });

  variation(
    "what changes while it goes back stays its session's, also once all is back and gone again",
    async (repo) => {
      repo.ready();
      turns(repo, { 'a.txt': 'v1\n' }, { 'a.txt': 'v2\n' });
      const other = addWork(repo, { 'x.txt': 'x\n', 'y.txt': 'y\n' });
      const branch = readBranch(locateRepo(repo.dir) as Repo);
      const { id } = stepOf(temporary(repo), 'Turn 1');
      const point = (await findRewindPoint(branch, undefined, id)) as StepPoint;
      const onProgress = (what: string) => what === 'Restoring' && repo.write('x.txt', 'late\n');
      const { left } = await rewindToStep(branch, point, { env: repo.env, onProgress });
      expect([[...left.keys()], repo.read('x.txt'), repo.exists('y.txt')]).toEqual([
        ['x.txt'],
        'late\n',
        false,
      ]);
      const takeX = () => repo.entire('undo', '--session', other.id, '--files', 'x.txt', '--force');
      takeX();
      expect(repo.exists('x.txt')).toBe(false);
      repo.entire('redo', '--session', other.id);
      repo.entire('undo');
      repo.entire('redo');
      takeX();
      expect([repo.exists('x.txt'), repo.exists('y.txt')]).toEqual([false, false]);
      repo.entire('redo', '--session', other.id);
      repo.commit('Theirs', 'x.txt');
      expectLinked(repo, other, 'x.txt');
    },
  );

  variation('what stays of a session, and a commit took before, is not in its hands again', (repo) => {
    repo.ready();
    const [one, two] = [repo.session(), repo.session()];
    one.prompt('one');
    one.edit('a.txt', 'one\n');
    two.prompt('two');
    two.edit('b.txt', 'two\n');
    repo.commit('Both', 'a.txt', 'b.txt');
    two.edit('b.txt', 'two\nmore\n');
    two.stop();
    one.edit('c.txt', 'one\n');
    one.stop();
    repo.write('a.txt', 'mine\n');
    const step = temporary(repo).find(({ session_id: id }) => id === two.id);
    expect(goBack(repo, step?.id ?? '').stderr).toContain('Left: a.txt');
    expect(repo.tracked(one.id)).toEqual([]);
    repo.commit('Mine', 'a.txt');
    expectNotLinked(repo, 'no-overlap');
  });

  variation('--session-only leaves what others did, and makes files just what the step has', (repo) => {
    repo.ready();
    turns(repo, { 'a.txt': text('v1', 'end') }, { 'a.txt': text('v2', 'end') });
    const other = addWork(repo, { 'x.txt': 'x\n' });
    repo.write('a.txt', text('v2', 'mine'));
    const { stderr } = goBack(repo, stepOf(temporary(repo), 'Turn 1').id, '--session-only');
    expect(stderr).toContain('What you or others wrote into these files since that point goes, too');
    expect([repo.read('a.txt'), repo.read('x.txt')]).toEqual([text('v1', 'end'), 'x\n']);
    expect(repo.state(other.id).files_touched).toEqual(['x.txt']);
    expect(repo.tryEntire('rewind', '--list', '--session-only').code).toBe(2);
  });

  variation('a second way back, further, also takes along what a shell of another session did', (repo) => {
    repo.ready();
    const own = turns(repo, { 'a.txt': 'v1\n' });
    const other = repo.session();
    const byShell = (content: string) => {
      other.prompt('write');
      other.shell(() => repo.write('x.txt', content));
      other.stop();
    };
    byShell('x1\n');
    addWork(repo, { 'a.txt': 'v2\n' }, own);
    byShell('x2\n');
    const points = temporary(repo).filter(({ session_id: id }) => id === own.id);
    goBack(repo, points[0]?.id as string);
    expect([repo.read('a.txt'), repo.read('x.txt')]).toEqual(['v2\n', 'x1\n']);
    const { stderr } = goBack(repo, points[1]?.id as string);
    expect(stderr).not.toContain('Left: ');
    expect([repo.read('a.txt'), repo.exists('x.txt')]).toEqual(['v1\n', false]);
    repo.entire('undo', '--steps', '2');
    expect([repo.read('a.txt'), repo.read('x.txt')]).toEqual(['v2\n', 'x2\n']);
  });

  variation('a second way back, further, brings nothing of theirs again', (repo) => {
    repo.ready();
    const own = turns(repo, { 'a.txt': 'v1\n' }, { 'a.txt': 'v2\n' });
    addWork(repo, { 'x.txt': 'x\n' });
    addWork(repo, { 'a.txt': 'v3\n' }, own);
    const points = temporary(repo);
    goBack(repo, stepOf(points, 'Turn 2').id);
    expect([repo.read('a.txt'), repo.exists('x.txt')]).toEqual(['v2\n', false]);
    goBack(repo, stepOf(points, 'Turn 1').id);
    expect([repo.read('a.txt'), repo.exists('x.txt')]).toEqual(['v1\n', false]);
    repo.entire('undo', '--steps', '2');
    expect([repo.read('a.txt'), repo.read('x.txt')]).toEqual(['v3\n', 'x\n']);
  });
});
