import { chmodSync, rmSync, symlinkSync, unlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import type { AgentSession } from '../support/agent/session.ts';
import { addWork } from '../support/command/work.ts';
import { scenario, variation } from '../support/repository/scenario.ts';
import type { TestRepo } from '../support/repository/test-repo.ts';

const diff = (repo: TestRepo, ...args: string[]): string => repo.entire('diff', ...args).stdout;
const at = (repo: TestRepo, path: string): string => join(repo.dir, path);

/** One turn of a shell command. */
function turn(repo: TestRepo, act: () => void): AgentSession {
  const session = repo.session('bee76f83-58dd-4892-8e75-8c5fe1567bcd');
  session.prompt('change it');
  session.shell(act);
  session.stop();
  return session;
}

scenario('added, deleted, made executable, a link in the place of a file, bytes', (repo) => {
  repo.ready();
  for (const path of ['gone.txt', 'run.sh', 'link.txt']) repo.write(path, `${path}\n`);
  repo.commit('Begin', 'gone.txt', 'run.sh', 'link.txt');
  turn(repo, () => {
    unlinkSync(at(repo, 'gone.txt'));
    chmodSync(at(repo, 'run.sh'), 0o755);
    unlinkSync(at(repo, 'link.txt'));
    symlinkSync('README.md', at(repo, 'link.txt'));
    repo.write('new.txt', 'new\n');
    writeFileSync(at(repo, 'bytes.bin'), Buffer.from([0, 1, 2, 0, 255]));
  });
  const shown = diff(repo);
  expect(shown).toContain('diff --git a/bytes.bin b/bytes.bin\nnew file mode 100644\n');
  expect(shown).toContain('Binary files /dev/null and b/bytes.bin differ\n');
  expect(shown).toMatch(
    /b\/gone\.txt\ndeleted file mode 100644\n.*\n--- a\/gone\.txt\n\+\+\+ \/dev\/null\n@@ -1 \+0,0 @@\n-gone\.txt\n/,
  );
  expect(shown).toContain('b/run.sh\nold mode 100644\nnew mode 100755\n');
  expect(shown).toMatch(
    /b\/link\.txt\ndeleted file mode 100644\n[\s\S]*b\/link\.txt\nnew file mode 120000\n[\s\S]*\+README\.md\n/,
  );
  const [{ files }] = JSON.parse(diff(repo, '--json'));
  expect(
    files.map(({ path, status, added, removed }: Record<string, unknown>) => [path, status, added, removed]),
  ).toEqual([
    ['bytes.bin', 'added', null, null],
    ['gone.txt', 'deleted', 0, 1],
    ['link.txt', 'modified', 1, 1],
    ['new.txt', 'added', 1, 0],
    ['run.sh', 'modified', 0, 0],
  ]);
});

variation('a folder in the place of a file, and a file in that of a folder', (repo) => {
  repo.ready().write('one', 'one\n').write('two/in.txt', 'in\n');
  repo.commit('Begin', 'one', 'two');
  turn(repo, () => {
    rmSync(at(repo, 'one'));
    repo.write('one/in.txt', 'in one\n');
    rmSync(at(repo, 'two'), { recursive: true });
    repo.write('two', 'two\n');
  });
  expect(diff(repo, '--stat', '--', 'one', 'two')).toContain('4 files changed');
});

describe('contents that are not kept', () => {
  variation('are named, and nothing is left out without a word', (repo) => {
    repo.ready();
    writeFileSync(at(repo, 'big.txt'), `${'x'.repeat(99)}\n`.repeat(30_000));
    const session = repo.session();
    session.prompt('change both');
    session.shell(() => writeFileSync(at(repo, 'big.txt'), 'small\n'));
    session.edit('a.txt', 'a\n');
    session.stop();
    const shown = diff(repo);
    expect(shown).toContain('    Not shown: big.txt: what it was before is not known\n');
    expect(shown.match(/^diff .*$/gm)).toEqual(['diff --git a/a.txt b/a.txt']);
    const [{ files }] = JSON.parse(diff(repo, '--json'));
    expect(files).toMatchObject([
      { path: 'a.txt', kept: true, reason: null },
      { path: 'big.txt', kept: false, added: null, reason: 'what it was before is not known' },
    ]);
    expect(diff(repo, '--', 'big.txt')).toMatch(/is not known\n[^\n]*Not sure[^\n]*\n\n?$/);
  });

  variation('any more, or not by git, are named as well', (repo) => {
    repo.ready();
    const session = addWork(repo, { 'README.md': 'by the agent\n', 'a.txt': 'a\n' });
    const store = join(repo.commonDir, 'entire', 'snapshots');
    rmSync(join(store, session.id), { recursive: true, force: true });
    expect(diff(repo)).toContain('No turn of an agent');
    addWork(repo, { 'a.txt': 'b\n' }, session);
    const blobs = repo
      .run('find', [store, '-path', '*blobs/*', '-type', 'f'])
      .stdout.split('\n')
      .filter(Boolean);
    expect(blobs.length).toBeGreaterThan(0);
    for (const file of blobs) rmSync(file);
    expect(diff(repo)).toContain('    Not shown: a.txt: what ');
    expect(diff(repo)).toContain('is not kept any more, or damaged\n');
  });
});

describe('line ends that git changes', () => {
  const LINES = 'one\r\ntwo\r\nthree\r\n';

  for (const [name, prepare] of [
    ['core.autocrlf', (repo: TestRepo) => repo.git('config', 'core.autocrlf', 'true')],
    ['text=auto', (repo: TestRepo) => void repo.write('.gitattributes', '* text=auto\n')],
    ['eol=crlf', (repo: TestRepo) => void repo.write('.gitattributes', '*.txt text eol=crlf\n')],
  ] as const)
    variation(`with ${name} no line differs but the one that was changed`, (repo) => {
      repo.ready();
      prepare(repo);
      repo.write('f.txt', LINES);
      repo.git('add', '.');
      repo.git('commit', '-qm', 'Begin');
      expect(repo.git('cat-file', 'blob', 'HEAD:f.txt')).not.toContain('\r');
      const session = addWork(repo, { 'f.txt': LINES.replace('two', 'TWO') });
      expect(diff(repo)).toMatch(/@@ -1,3 \+1,3 @@\n one\n-two\n\+TWO\n three\n$/);
      addWork(repo, { 'f.txt': `${LINES.replace('two', 'TWO')}four\r\n` }, session);
      expect(diff(repo)).toMatch(/ three\n\+four\n$/);
    });

  variation('a file that was committed with them keeps them on both sides', (repo) => {
    repo.ready().write('f.txt', LINES);
    repo.commit('Begin', 'f.txt');
    repo.git('config', 'core.autocrlf', 'true');
    addWork(repo, { 'f.txt': LINES.replace('two', 'TWO') });
    expect(diff(repo)).toMatch(/\n one\r\n-two\r\n\+TWO\r\n three\r\n$/);
  });

  variation('an encoding that the worktree alone has is text', (repo) => {
    repo.ready().write('.gitattributes', '*.u16 working-tree-encoding=UTF-16LE\n');
    const utf16 = (text: string): Buffer => Buffer.from(text, 'utf16le');
    writeFileSync(at(repo, 'f.u16'), utf16('one\ntwo\n'));
    repo.commit('Begin', '.gitattributes', 'f.u16');
    turn(repo, () => writeFileSync(at(repo, 'f.u16'), utf16('one\nTWO\n')));
    expect(diff(repo)).toMatch(/\n one\n-two\n\+TWO\n$/);
  });

  variation(
    'a filter of the user brings both sides into one form; a broken one keeps nothing from being shown',
    (repo) => {
      repo.ready().write('.gitattributes', '*.up filter=up\n').write('f.up', 'ONE\nTWO\n');
      repo.git('config', 'filter.up.clean', 'tr A-Z a-z');
      repo.git('config', 'filter.up.smudge', 'tr a-z A-Z');
      repo.commit('Begin', '.gitattributes', 'f.up');
      addWork(repo, { 'f.up': 'ONE\nTHREE\n' });
      expect(diff(repo)).toMatch(/\n one\n-two\n\+three\n$/);
      repo.git('config', 'filter.up.clean', 'false');
      repo.git('config', 'filter.up.required', 'true');
      expect(diff(repo)).toContain('+THREE\n');
    },
  );
});

describe('what somebody else writes', () => {
  variation('between two edits of a turn is in none of its lines', (repo) => {
    repo.ready();
    const lines = Array.from({ length: 30 }, (_, n) => `line ${n}\n`);
    const text = (changes: Record<number, string>) => lines.map((line, n) => changes[n] ?? line).join('');
    repo.write('f.txt', text({}));
    repo.commit('Begin', 'f.txt');
    const session = repo.session('bee76f83-58dd-4892-8e75-8c5fe1567bcd');
    session.prompt('change it');
    session.edit('f.txt', text({ 2: 'agent\n' }));
    repo.write('f.txt', text({ 2: 'agent\n', 15: 'mine\n' }));
    session.readFile('f.txt');
    session.edit('f.txt', text({ 2: 'agent\n', 15: 'mine\n', 27: 'again\n' }));
    session.stop();
    const shown = diff(repo);
    expect(shown.match(/^turn .*$/gm)).toEqual([
      'turn bee76f83:1',
      'turn bee76f83:1, after somebody else had written',
    ]);
    expect(shown).toContain('+agent\n');
    expect(shown).toContain('+again\n');
    expect(shown).not.toContain('mine');
    const [{ files }] = JSON.parse(diff(repo, '--json'));
    expect(files).toMatchObject([{ path: 'f.txt', added: 2, removed: 2 }]);
  });
});

describe('names and prompts that are hostile', () => {
  const ESC = '\x1b[2J\x1b]0;title\x07\u202e\x9b31m';

  variation('print as harmless text', (repo) => {
    repo.ready();
    const session = repo.session('bee76f83-58dd-4892-8e75-8c5fe1567bcd');
    session.prompt(`say ${ESC} it\nAgent: forged`);
    session.edit(`${ESC}.txt`, 'a\n');
    session.edit('--stat', 'b\n');
    session.edit('"quoted\\".txt', 'c\n');
    session.edit('ä\ttab.txt', 'd\n');
    session.stop();
    const shown = diff(repo);
    expect(shown.replaceAll('\t', '')).not.toMatch(
      /[\0-\x08\x0b-\x1f\x7f-\x9f\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069]/,
    );
    expect(shown).toContain('diff --git a/--stat b/--stat\n');
    expect(shown.match(/^diff --git /gm)).toHaveLength(4);
    expect(shown.match(/^Agent:/gm)).toHaveLength(1);
    expect(JSON.parse(diff(repo, '--json', '--', '--stat'))[0].files).toMatchObject([{ path: '--stat' }]);
  });

  variation('of a commit, too', (repo) => {
    repo.ready();
    addWork(repo, { 'a.txt': 'a\n' });
    repo.commit(`Say ${ESC} it`, 'a.txt');
    expect(diff(repo, 'HEAD')).not.toMatch(/[\0-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e]/);
    expect(diff(repo, 'HEAD')).toContain('    Say it\n');
  });
});
