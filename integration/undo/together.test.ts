import { closeSync, mkdirSync, openSync, rmSync, statSync, truncateSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { SubAgent } from '../support/agent/sub-agent.ts';
import { addWork } from '../support/command/work.ts';
import { scenario, variation } from '../support/repository/scenario.ts';
import type { TestRepo } from '../support/repository/test-repo.ts';
import { lostSince, viewOf } from '../support/undo/view.ts';

describe('at the same time', () => {
  scenario('two undos take back as many turns as there were that succeeded', async (repo) => {
    repo.ready();
    const session = repo.session();
    const views = [viewOf(repo.dir)];
    for (const turn of [1, 2, 3, 4]) {
      addWork(repo, { 'a.txt': `turn ${turn}\n`, [`${turn}.txt`]: `${turn}\n` }, session);
      views.push(viewOf(repo.dir));
    }
    const results = await Promise.allSettled([1, 2].map(() => repo.inBackground('entire', ['undo'])));
    const done = results.filter(({ status }) => status === 'fulfilled').length;
    expect(done).toBeGreaterThan(0);
    expect(viewOf(repo.dir)).toEqual(views[4 - done]);
    const again = await Promise.allSettled([1, 2].map(() => repo.inBackground('entire', ['redo'])));
    const redone = again.filter(({ status }) => status === 'fulfilled').length;
    expect(viewOf(repo.dir)).toEqual(views[4 - done + redone]);
    repo.entire('undo', '--steps', String(4 - done + redone));
    expect(viewOf(repo.dir)).toEqual(views[0]);
  });

  variation('an undo and the edit hooks of its session: every edit is a step or taken back', async (repo) => {
    repo.ready();
    const clean = viewOf(repo.dir);
    const session = addWork(repo, { 'README.md': 'by the agent\n' });
    session.prompt('go on');
    session.edit('first.txt', 'first\n');
    const running = repo.inBackground('entire', ['undo']);
    for (let n = 1; n <= 6; n++) session.edit(`${n}.txt`, `edit ${n}\n`);
    await running;
    const kept = Object.keys(viewOf(repo.dir));
    expect(kept).not.toContain('first.txt');
    session.stop();
    const { undo } = JSON.parse(repo.entire('undo', '--list', '--json').stdout);
    const steps = undo.flatMap(({ files }: { files: string[] }) => files);
    expect(steps.toSorted()).toEqual(
      kept
        .filter((path) => path !== 'README.md')
        .concat('README.md')
        .toSorted(),
    );
    const { stdout } = repo.entire('undo', '--steps', '9');
    expect(stdout).toContain(`\nThat is all there is to undo: ${undo.length} steps, not 9.\n`);
    expect(viewOf(repo.dir)).toEqual(clean);
  });
});

describe('what a shell changes of a file that another running session has in work', () => {
  variation('is nobody’s: undo leaves it, and says so', (repo) => {
    repo.ready();
    const [a, b] = [repo.session(), repo.session()];
    b.prompt('one');
    b.edit('shared.txt', 'b1\n');
    a.prompt('two');
    a.shell(() => repo.write('shared.txt', 'b1\na2\n').write('a.txt', 'a\n'));
    a.stop();
    const list = JSON.parse(repo.entire('undo', '--list', '--json', '--session', a.id).stdout);
    expect(list.undo).toMatchObject([{ files: ['a.txt'], not_sure: ['shared.txt'] }]);
    expect(repo.entire('undo', '--list', '--session', a.id).stdout).toContain(
      '1 file: a.txt, +1 -0, 1 not sure',
    );
    const { stdout } = repo.entire('undo', '--session', a.id);
    expect(stdout).toContain(
      'not sure  shared.txt: it changed during the turn, and another session works on it',
    );
    expect([repo.exists('a.txt'), repo.read('shared.txt')]).toEqual([false, 'b1\na2\n']);
  });

  variation('moves with the file: undo brings it back under its old name', (repo) => {
    repo.ready();
    repo.write('a.txt', 'mine\n').write('c.txt', 'mine, too\n');
    repo.commit('Begin', 'a.txt', 'c.txt');
    const [a, b] = [repo.session(), repo.session()];
    b.prompt('one');
    b.edit('a.txt', 'mine\nb1\n');
    b.edit('c.txt', 'mine, too\nb1\n');
    a.prompt('two');
    a.shell(() => {
      repo.write('b.txt', repo.read('a.txt'));
      rmSync(join(repo.dir, 'a.txt'));
      rmSync(join(repo.dir, 'c.txt'));
    });
    a.stop();
    const { stdout } = repo.entire('undo', '--session', a.id);
    expect(stdout).toContain('not sure  c.txt: it changed during the turn');
    expect([repo.exists('b.txt'), repo.read('a.txt')]).toEqual([false, 'mine\nb1\n']);
    repo.entire('redo', '--session', a.id);
    expect([repo.exists('a.txt'), repo.read('b.txt')]).toEqual([false, 'mine\nb1\n']);
  });

  variation('is said only of what the same undo does not touch, and was asked for', (repo) => {
    repo.ready();
    const [a, b] = [addWork(repo, { 'shared.txt': 'a1\n' }), repo.session()];
    b.prompt('one');
    b.edit('shared.txt', 'a1\nb1\n');
    a.prompt('two');
    a.shell(() => repo.write('shared.txt', 'a1\nb1\na2\n').write('a.txt', 'a\n'));
    a.stop();
    const dry = (...args: string[]) => repo.tryEntire('undo', '--session', a.id, '--dry-run', ...args).stdout;
    expect(dry()).toContain('not sure  shared.txt');
    expect(dry('--steps', '2')).toMatch(/ {2}(left|deleted) +shared\.txt/);
    expect(dry('--steps', '2')).not.toContain('not sure  shared.txt');
    expect(dry('--files', 'a.txt')).not.toContain('not sure  shared.txt');
  });
});

describe('what an edit left, and others wrote since', () => {
  variation('is what the next turn found there: the work of another session stays', (repo) => {
    repo.ready();
    const [a, b] = [repo.session(), repo.session()];
    b.prompt('one');
    b.edit('shared.txt', 'b1\n');
    a.prompt('two');
    a.edit('shared.txt', 'b1\na1\n');
    b.shell(() => repo.write('b.txt', 'b\n'));
    b.stop();
    b.prompt('three');
    b.shell(() => repo.write('b.txt', 'b, again\n'));
    b.edit('shared.txt', 'b1\na1\nb2\n');
    b.stop();
    repo.entire('undo', '--session', b.id);
    expect([repo.read('shared.txt'), repo.read('b.txt')]).toEqual(['b1\na1\n', 'b\n']);
  });

  variation(
    'is what the next turn found there: what the user made of it after a turn without a stop',
    (repo) => {
      repo.ready();
      const session = repo.session();
      session.prompt('one');
      session.edit('a.txt', 'agent\n');
      repo.write('a.txt', 'agent\nuser\n');
      session.prompt('two');
      session.shell(() => repo.write('a.txt', 'agent\nuser\nshell\n'));
      session.stop();
      repo.entire('undo');
      expect(repo.read('a.txt')).toBe('agent\nuser\n');
    },
  );

  variation('is what the rest of a turn found there, once an undo has closed the first part', (repo) => {
    repo.ready();
    const session = repo.session();
    session.prompt('one');
    session.edit('a.txt', 'agent\n');
    session.edit('b.txt', 'agent\n');
    repo.write('a.txt', 'agent\nuser\n');
    repo.entire('undo', '--files', 'b.txt');
    session.shell(() => repo.write('a.txt', 'agent\nuser\nshell\n'));
    session.stop();
    repo.entire('undo');
    expect(repo.read('a.txt')).toBe('agent\nuser\n');
  });
});

describe('what an undo puts back where git had nothing to say', () => {
  variation('is no work of another running turn: a file that was not there', (repo) => {
    repo.ready();
    const a = addWork(repo, { 'made.txt': 'a\n' });
    a.prompt('two');
    a.deleteFile('made.txt');
    a.stop();
    const b = repo.session();
    b.prompt('three');
    repo.entire('undo', '--session', a.id);
    b.shell(() => repo.write('b.txt', 'b\n'));
    b.stop();
    repo.entire('undo', '--session', b.id);
    expect([repo.read('made.txt'), repo.exists('b.txt')]).toEqual(['a\n', false]);
  });

  variation('is no work of another running turn: a file that was as HEAD has it', (repo) => {
    repo.ready();
    const begin = repo.read('README.md');
    const a = addWork(repo, { 'README.md': 'by the agent\n' });
    addWork(repo, { 'README.md': begin }, a);
    const b = repo.session();
    b.prompt('three');
    repo.entire('undo', '--session', a.id);
    b.shell(() => repo.write('b.txt', 'b\n'));
    b.stop();
    repo.entire('undo', '--session', b.id);
    expect([repo.read('README.md'), repo.exists('b.txt')]).toEqual(['by the agent\n', false]);
  });
});

describe('what an undo puts back, and another running turn then changes', () => {
  variation('comes back when that is undone', (repo) => {
    repo.ready();
    const a = addWork(repo, { 'README.md': 'a1\n' });
    addWork(repo, { 'README.md': 'a1\na2\n' }, a);
    const b = repo.session();
    b.prompt('three');
    repo.entire('undo', '--session', a.id);
    b.shell(() => repo.write('README.md', 'a1\nb1\n'));
    b.stop();
    repo.entire('undo', '--session', b.id);
    expect(repo.read('README.md')).toBe('a1\n');
  });
});

describe('what an undo puts back while a sub-agent of another session works in the background', () => {
  variation('is no work of the turn that goes on when the sub-agent is done', (repo) => {
    repo.ready();
    const begin = repo.read('README.md');
    const a = addWork(repo, { 'README.md': 'by the agent\n' });
    addWork(repo, { 'README.md': begin }, a);
    const b = repo.session();
    b.prompt('in the background');
    const task = new SubAgent(b, { agentId: 'a1' });
    task.start();
    task.launch();
    b.shell(() => repo.write('b.txt', 'b\n'));
    b.stop('Started it.', { background_tasks: task.running() });
    repo.entire('undo', '--session', a.id);
    task.stop();
    b.prompt('<task-notification>\n<task-id>a1</task-id>\n<status>completed</status>\n</task-notification>');
    b.shell(() => repo.write('c.txt', 'c\n'));
    b.stop();
    repo.entire('undo', '--session', b.id);
    expect([repo.read('README.md'), repo.exists('c.txt')]).toEqual(['by the agent\n', false]);
  });
});

describe('a disk that is full', () => {
  variation('at any moment of an undo: nothing is lost, and with room again it is done', (repo, skip) => {
    const disk = join(repo.scratch, 'disk');
    mkdirSync(disk);
    const { code, stderr } = repo.run('mount', ['-t', 'tmpfs', '-o', 'size=6m', 'tmpfs', disk]);
    if (code !== 0) skip(`a small disk of its own cannot be mounted here: ${stderr.trim()}`);
    repo.onRemove(() => repo.run('umount', ['-l', disk], { cwd: '/' }));
    repo.dir = join(disk, 'repo');
    mkdirSync(repo.dir);
    repo.ready();
    const files = (by: string) =>
      Object.fromEntries(
        ['a.txt', 'b.txt', 'dir/c.txt'].map((path) => [path, `${by} ${path}\n`.repeat(2_000)]),
      );
    for (const [path, text] of Object.entries(files('mine, not committed,'))) repo.write(path, text);
    const before = viewOf(repo.dir);
    addWork(repo, { ...files('by the agent'), 'new.txt': 'new\n' });
    const after = viewOf(repo.dir);
    const needed = Object.values(files('mine, not committed,')).reduce((sum, { length }) => sum + length, 0);
    const seen = new Set<string>();
    const around = Array.from({ length: 12 }, (_, at) => needed + (at - 3) * 4096);
    for (const room of [0, needed / 3, needed / 1.5, ...around]) {
      const filler = fill(repo, disk, room);
      const { code, stderr } = repo.tryEntire('undo');
      const at = `${room} bytes free: ${stderr}`;
      expect(lostSince(repo, after), at).toEqual([]);
      if (code !== 0) expect(stderr, at).toMatch(/^Error: .*(ENOSPC|left as)[\s\S]*\nHint: /);
      rmSync(filler);
      seen.add(code === 0 ? 'done' : /nothing was changed/.test(stderr) ? 'nothing' : 'half');
      for (const args of [['undo', '--continue'], ['undo']])
        if (JSON.stringify(viewOf(repo.dir)) !== JSON.stringify(before)) repo.tryEntire(...args);
      repo.tryEntire('undo', '--continue');
      expect(viewOf(repo.dir), at).toEqual(before);
      repo.entire('redo');
      expect(viewOf(repo.dir), at).toEqual(after);
    }
    expect([...seen]).toEqual(expect.arrayContaining(['done', 'half', 'nothing']));
  });
});

/** Fills the disk but for so many bytes. Returns the file that does. */
function fill(repo: TestRepo, disk: string, room: number): string {
  const filler = join(disk, 'filler');
  const fd = openSync(filler, 'w');
  try {
    for (;;) writeSync(fd, Buffer.alloc(4096));
  } catch {
    // full
  } finally {
    closeSync(fd);
  }
  truncateSync(filler, Math.max(0, statSync(filler).size - Math.ceil(room / 4096) * 4096));
  expect(repo.tryGit('rev-parse', 'HEAD').code).toBe(0);
  return filler;
}
