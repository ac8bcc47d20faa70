import {
  appendFileSync,
  existsSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import type { AgentSession } from '../support/agent/session.ts';
import { addWork } from '../support/command/work.ts';
import { canWeigh, runWeighed } from '../support/process/peak.ts';
import { onBothBuilds, variation } from '../support/repository/scenario.ts';
import type { TestRepo } from '../support/repository/test-repo.ts';
import { viewOf } from '../support/undo/view.ts';

const storeOf = (repo: TestRepo, { id }: AgentSession): string =>
  join(repo.commonDir, 'entire', 'snapshots', id);

/** Files of a store that a pattern names, absolute. */
const storeFiles = (store: string, name: RegExp): string[] =>
  readdirSync(store, { recursive: true, encoding: 'utf8' })
    .filter((path) => name.test(path))
    .map((path) => join(store, path))
    .sort();

describe('large and binary files', () => {
  onBothBuilds('bytes that are no text come back as they were', (repo) => {
    repo.ready();
    const bytes = Buffer.from(Array.from({ length: 70_000 }, (_, at) => (at * 7919) & 255));
    writeFileSync(join(repo.dir, 'image.bin'), bytes);
    const session = repo.session();
    session.prompt('shrink it');
    session.shell(() => writeFileSync(join(repo.dir, 'image.bin'), bytes.subarray(0, 100)));
    session.stop();
    appendFileSync(join(repo.dir, 'image.bin'), 'by the user');
    expect(repo.tryEntire('undo').stdout).toContain('left      image.bin: it was changed since');
    repo.entire('undo', '--files', 'image.bin', '--force');
    expect(repo.run('cmp', ['image.bin', '-'], { input: bytes }).code).toBe(0);
    repo.entire('redo');
    expect(statSync(join(repo.dir, 'image.bin')).size).toBe(111);
  });

  variation('a file of 500 MB that the agent made goes, and comes back, in bounded memory', (repo, skip) => {
    repo.ready();
    const big = join(repo.dir, 'big.bin');
    const session = repo.session();
    session.prompt('make a big one');
    session.edit('small.txt', 'small\n');
    session.shell(() => {
      writeFileSync(big, 'start');
      truncateSync(big, 500_000_000);
      appendFileSync(big, 'end');
    });
    session.stop();
    const maxMiB = (command: string) => {
      const { code, stderr, mib } = runWeighed(repo, ['entire', command]);
      expect([code, stderr.replace(/^(Keeping|Preparing|Restoring): \d of \d\n/gm, '')]).toEqual([0, '']);
      return mib;
    };
    if (!canWeigh(repo)) skip('memory is measured with python3, which is not here');
    expect(maxMiB('undo')).toBeLessThan(300);
    expect([existsSync(big), repo.exists('small.txt')]).toEqual([false, false]);
    expect(maxMiB('redo')).toBeLessThan(300);
    expect(statSync(big).size).toBe(500_000_003);
    expect(repo.run('tail', ['-c', '3', big]).stdout).toBe('end');
  });
});

describe('what was too much for a hook', () => {
  variation('is taken back, done again and taken back again, in the part of a step as well', (repo) => {
    repo.ready();
    const names = ['one.bin', 'two.bin'];
    const exist = () => names.map((name) => repo.exists(name));
    const session = repo.session();
    session.prompt('make big ones');
    session.shell(() => {
      for (const name of names) {
        repo.write(name, name);
        truncateSync(join(repo.dir, name), (64 << 20) + 1);
      }
    });
    session.stop();
    for (const _ of [1, 2]) {
      repo.entire('undo');
      expect(exist()).toEqual([false, false]);
      repo.entire('redo');
      expect(exist()).toEqual([true, true]);
    }
    repo.entire('undo', '--files', 'two.bin');
    expect(exist()).toEqual([true, false]);
    repo.entire('undo');
    expect(exist()).toEqual([false, false]);
    repo.entire('redo', '--steps', '2');
    expect([exist(), statSync(join(repo.dir, 'two.bin')).size]).toEqual([[true, true], (64 << 20) + 1]);
  });
});

describe('names', () => {
  variation('that mean something elsewhere', (repo) => {
    repo.ready();
    const names = ['__proto__', 'constructor', 'a b/ü "x" $(y).txt', '-rf', '*.txt', 'tab\there', ':(top)x'];
    addWork(repo, Object.fromEntries(names.map((name) => [name, 'x\n'])));
    expect(Object.keys(viewOf(repo.dir)).sort()).toEqual([...names, 'README.md'].sort());
    repo.entire('undo');
    expect(Object.keys(viewOf(repo.dir)).sort()).toEqual(['README.md']);
  });
});

describe('a redo that could not do everything', () => {
  variation('does the rest by force', (repo) => {
    repo.ready();
    addWork(repo, { 'README.md': 'by the agent\n', 'a.txt': 'a\n' });
    repo.entire('undo');
    repo.write('README.md', 'by the user\n');
    const { code, stderr } = repo.tryEntire('redo');
    expect([code, repo.read('a.txt'), repo.read('README.md')]).toEqual([1, 'a\n', 'by the user\n']);
    expect(stderr).toContain('entire redo --force');
    repo.entire('redo', '--force');
    expect(repo.read('README.md')).toBe('by the agent\n');
    repo.entire('undo', '--files', 'README.md', '--force');
    expect(repo.tryEntire('undo', '--list').stdout).toContain('1 file');
  });
});

describe('what an undo does is no work of another session', () => {
  variation('whose turn is running, and which ran a shell command', (repo) => {
    repo.ready();
    const a = addWork(repo, { 'README.md': 'by a\n', 'a.txt': 'a\n' });
    const b = repo.session();
    b.prompt('look around');
    b.shell(() => repo.write('b.txt', 'b\n'));
    repo.entire('undo', '--session', a.id);
    b.stop();
    const list = JSON.parse(repo.entire('undo', '--session', b.id, '--list', '--json').stdout);
    expect(list.undo.map(({ files }: { files: string[] }) => files)).toEqual([['b.txt']]);
  });
});

describe('a clock that was set back', () => {
  variation('later steps are later, also where the start of a turn is lost', (repo) => {
    repo.ready();
    const session = addWork(repo, { 'README.md': 'one\n' });
    const [first = ''] = storeFiles(storeOf(repo, session), /^snaps\/.*\.json$/);
    renameSync(first, first.replace(/\d{13}/, '4102444800000')); // made in 2100, it says
    rmSync(join(storeOf(repo, session), 'start.json'));
    addWork(repo, { 'README.md': 'two\n' }, session);
    repo.entire('undo');
    expect(repo.read('README.md')).toBe('one\n');
  });
});

describe('damaged stores', () => {
  const damage = (file: string, bytes = '') => writeFileSync(file, bytes);

  variation('a record of no bytes: named, and nothing is changed', (repo) => {
    repo.ready();
    const session = addWork(repo, { 'a.txt': 'a\n' });
    addWork(repo, { 'b.txt': 'b\n' }, session);
    const before = viewOf(repo.dir);
    const [first = ''] = storeFiles(storeOf(repo, session), /^snaps\/.*\.json$/);
    damage(first);
    const { code, stderr } = repo.tryEntire('undo');
    expect([code, stderr]).toEqual([1, expect.stringContaining(`${first} cannot be read`)]);
    expect(viewOf(repo.dir)).toEqual(before);
  });

  variation('a record of another session: no hindrance', (repo) => {
    repo.ready();
    const broken = addWork(repo, { 'a.txt': 'a\n' });
    const sound = addWork(repo, { 'b.txt': 'b\n' });
    for (const file of storeFiles(storeOf(repo, broken), /^snaps\/.*\.json$/)) damage(file);
    expect(repo.entire('undo', '--list').stdout).toContain('b.txt');
    expect(repo.entire('undo').stderr).toContain(`What session ${broken.id} did here cannot be read`);
    expect(repo.tryEntire('undo', '--session', broken.id).stderr).toContain('cannot be read');
    expect(repo.tryEntire('undo', '--session', sound.id).stderr).toContain('nothing to undo');
    expect(viewOf(repo.dir)).toEqual({ 'README.md': '644 # demo\n\nbase line\n', 'a.txt': '644 a\n' });
  });

  variation('half a journal: says where what was replaced is, and goes on without it', (repo) => {
    repo.ready();
    const session = addWork(repo, { 'a.txt': 'a\n' });
    const journal = join(storeOf(repo, session), 'journal.json');
    damage(journal, '{"version":1,"id":"17');
    for (const args of [['undo'], ['undo', '--continue'], ['undo', '--abort'], ['redo']]) {
      const { code, stderr } = repo.tryEntire(...args);
      expect([code, stderr]).toEqual([1, expect.stringContaining(journal)]);
    }
    expect(repo.read('a.txt')).toBe('a\n');
    addWork(repo, { 'b.txt': 'b\n' }, session); // hooks go on
    rmSync(journal);
    repo.entire('undo', '--steps', '2');
    expect([repo.exists('a.txt'), repo.exists('b.txt')]).toEqual([false, false]);
  });

  for (const how of ['damaged', 'missing']) {
    variation(`a content that is ${how}: its file is left, and the rest is undone`, (repo) => {
      repo.ready();
      repo.write('one.txt', 'one\n').write('two.txt', 'two\n');
      const session = addWork(repo, { 'one.txt': 'agent\n', 'two.txt': 'agent 2\n' });
      const blob =
        storeFiles(storeOf(repo, session), /^blobs\//).find((file) => readIs(repo, file, 'one\n')) ?? '';
      if (how === 'missing') rmSync(blob);
      else damage(blob, 'uno\n');
      const { code, stdout } = repo.tryEntire('undo');
      expect([code, stdout]).toEqual([
        1,
        expect.stringMatching(new RegExp(`left {6}one.txt: the stored content .* is ${how}`)),
      ]);
      expect([repo.read('one.txt'), repo.read('two.txt')]).toEqual(['agent\n', 'two\n']);
      repo.entire('redo');
      expect(repo.read('two.txt')).toBe('agent 2\n');
    });
  }

  variation('a start of a turn that is no JSON: the turn can still be undone', (repo) => {
    repo.ready();
    const session = repo.session();
    session.prompt('go');
    damage(join(storeOf(repo, session), 'start.json'), '\0\0\0\0');
    session.edit('README.md', 'by the agent\n');
    session.stop();
    repo.entire('undo');
    expect(repo.read('README.md')).toBe('# demo\n\nbase line\n');
  });

  variation(
    'a content that a hook kept, damaged before the stop: this turn and the next are steps',
    (repo) => {
      repo.ready();
      const session = repo.session();
      repo.write('mine.txt', 'mine\n');
      session.prompt('one');
      session.edit('mine.txt', 'by the agent\n');
      session.edit('b.txt', 'b\n');
      for (const file of storeFiles(storeOf(repo, session), /^blobs\//)) damage(file);
      session.stop();
      addWork(repo, { 'c.txt': 'c\n' }, session);
      const { stdout } = repo.tryEntire('undo', '--steps', '2');
      expect(stdout).toMatch(/left {6}mine.txt: the stored content .* is damaged/);
      expect([repo.read('mine.txt'), repo.exists('b.txt'), repo.exists('c.txt')]).toEqual([
        'by the agent\n',
        false,
        false,
      ]);
      repo.entire('redo');
      expect([repo.read('b.txt'), repo.read('c.txt')]).toEqual(['b\n', 'c\n']);
    },
  );
});

const readIs = (repo: TestRepo, file: string, text: string): boolean =>
  repo.run('cat', [file]).stdout === text;
