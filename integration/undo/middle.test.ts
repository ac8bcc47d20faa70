import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { variation } from '../support/repository/scenario.ts';
import type { TestRepo } from '../support/repository/test-repo.ts';
import { viewOf } from '../support/undo/view.ts';

const ONE = 'bee76f83-58dd-4892-8e75-8c5fe1567bcd';
const TWO = 'cafe8aaa-58dd-4892-8e75-8c5fe1567bcd';

const lines = Array.from({ length: 20 }, (_, at) => `line ${at}`);
const text = (changes: Record<number, string> = {}) =>
  `${lines.map((line, at) => changes[at] ?? line).join('\n')}\n`;

/** A turn of a session that leaves these contents. */
function turn(repo: TestRepo, id: string, files: Record<string, string>): void {
  const session = repo.session(id);
  session.prompt(`write ${Object.keys(files).join(' and ')}`);
  for (const [path, content] of Object.entries(files)) session.edit(path, content);
  session.stop();
}

/** A committed file, and the turns that left it so, one after the other. */
function withFile(repo: TestRepo, ...turns: ReadonlyArray<readonly [string, Record<number, string>]>): void {
  repo.ready();
  repo.write('f.txt', text());
  repo.commit('F', 'f.txt');
  for (const [id, changes] of turns) turn(repo, id, { 'f.txt': text(changes) });
}

describe('a turn that others came after', () => {
  variation('is taken back alone where they wrote other lines, and comes back', (repo) => {
    withFile(
      repo,
      [ONE, { 2: 'first' }],
      [ONE, { 2: 'first', 9: 'second' }],
      [TWO, { 2: 'first', 9: 'second', 16: 'other' }],
    );
    const after = viewOf(repo.dir);
    expect(repo.entire('undo', 'bee7:1', '--dry-run').stdout).toContain(
      '  merged    f.txt: your lines and those of others stay\n',
    );
    expect(repo.entire('undo', 'bee7:1').stdout).toContain('To reverse this: entire redo');
    expect(repo.read('f.txt')).toBe(text({ 9: 'second', 16: 'other' }));
    expect(repo.tryEntire('undo', 'bee7:1').stderr).toContain('was undone already');
    repo.entire('redo', 'bee7:1');
    expect(viewOf(repo.dir)).toEqual(after);
  });

  variation('leaves later ones to be taken back, and all come back in turn', (repo) => {
    withFile(
      repo,
      [ONE, { 2: 'first' }],
      [ONE, { 2: 'first', 9: 'second' }],
      [ONE, { 2: 'first', 9: 'second', 16: 'third' }],
    );
    expect(repo.entire('undo', 'bee7:2').stdout).toMatch(/^ {2}merged {4}f\.txt$/m); // nobody else wrote there
    repo.entire('undo', 'bee7:3');
    expect(repo.read('f.txt')).toBe(text({ 2: 'first' }));
    expect(repo.tryEntire('redo', 'bee7:2').stderr).toContain('is not what was undone last');
    repo.entire('undo');
    expect(repo.read('f.txt')).toBe(text());
    for (const there of [
      { 2: 'first' },
      { 2: 'first', 16: 'third' },
      { 2: 'first', 9: 'second', 16: 'third' },
    ]) {
      repo.entire('redo');
      expect(repo.read('f.txt')).toBe(text(there));
    }
    repo.entire('undo', '--session', ONE, '--steps', '3');
    expect(repo.read('f.txt')).toBe(text());
  });

  variation('is left where they wrote on the same lines: they are named, and what takes all back', (repo) => {
    withFile(repo, [ONE, { 2: 'first' }], [ONE, { 2: 'again' }], [TWO, { 2: 'again, by another' }]);
    turn(repo, ONE, { 'g.txt': 'g\n' });
    const hint = `1 file left as it is. Later turns wrote to it: bee76f83:2, cafe8aaa:1.
Hint: \`entire undo --steps 3 --files f.txt\` takes those back with it; \`entire undo bee76f83:1 --files f.txt --force\` takes the earlier version all the same: what you and others wrote in that file goes, too; \`entire redo\` brings it back.
`;
    const { code, stdout, stderr } = repo.tryEntire('undo', 'bee7:1');
    expect([code, stderr]).toEqual([1, `Error: ${hint}`]);
    expect(stdout).toContain(
      '  left      f.txt: it was changed since, and the two changes touch the same lines',
    );
    const dry = repo.entire('undo', 'bee7:1', '--dry-run').stdout;
    expect(dry).toContain(`\n${hint.replace('left as it is', 'would be left as it is')}`);
    repo.entire('undo', '--steps', '3', '--files', 'f.txt');
    expect([repo.read('f.txt'), repo.read('g.txt')]).toEqual([text(), 'g\n']);
    repo.entire('redo', '--steps', '3');
    expect(repo.read('f.txt')).toBe(text({ 2: 'again, by another' }));
    repo.entire('undo', 'bee7:1', '--files', 'f.txt', '--force');
    expect(repo.read('f.txt')).toBe(text());
    repo.entire('redo');
    expect(repo.read('f.txt')).toBe(text({ 2: 'again, by another' }));
  });

  variation('what another session keeps from being looked at hides nothing of what was done', (repo) => {
    withFile(repo, [ONE, { 2: 'first' }], [TWO, { 2: 'again' }]);
    const journal = join(repo.commonDir, 'entire/snapshots', TWO, 'journal.json');
    writeFileSync(journal, '{');
    const { code, stdout, stderr } = repo.tryEntire('undo', 'bee7:1');
    expect(code).toBe(1);
    expect(stdout).toContain('  left      f.txt: ');
    expect(stderr).toMatch(
      /^Error: 1 file left as it is\.\nHint: `entire undo bee76f83:1 --files f\.txt --force` /,
    );
    rmSync(journal);
  });

  variation('what takes later ones back with it is about files that it takes back', (repo) => {
    repo.ready();
    turn(repo, ONE, { 'a.txt': 'a\n', 'b.txt': 'b\n' });
    turn(repo, ONE, { 'a.txt': 'a 2\n', 'b.txt': 'b 2\n' });
    repo.write('a.txt', 'mine\n');
    const { stderr } = repo.tryEntire('undo', 'bee7:1');
    expect(stderr).toContain('2 files left as they are. Later turns wrote to b.txt: bee76f83:2.\n');
    expect(stderr).toContain('Hint: `entire undo --steps 2 --files b.txt` takes those back with it; ');
    expect(stderr).toContain(
      '`entire undo bee76f83:1 --files a.txt b.txt --force` takes the earlier version all the same: what you and others wrote in those files goes, too; `entire redo` brings it back.\n',
    );
    repo.entire('undo', '--steps', '2', '--files', 'b.txt');
    expect([repo.read('a.txt'), repo.exists('b.txt')]).toEqual(['mine\n', false]);
    expect(repo.tryEntire('undo', 'bee7:1').stderr).not.toContain('Later turns');
  });

  variation('goes where it can, and the rest is left', (repo) => {
    repo.ready();
    turn(repo, ONE, { 'a.txt': 'a\n', 'b.txt': 'b\n' });
    turn(repo, ONE, { 'b.txt': 'b\nmore\n' });
    const { code, stdout, stderr } = repo.tryEntire('undo', 'bee7:1');
    expect([code, repo.exists('a.txt'), repo.read('b.txt')]).toEqual([1, false, 'b\nmore\n']);
    expect(stdout).toContain(
      '  deleted   a.txt\n  left      b.txt: it was not there before, and was changed since',
    );
    expect(stderr).toContain('Later turns wrote to it: bee76f83:2.');
    repo.entire('redo');
    expect(repo.read('a.txt')).toBe('a\n');
  });

  variation('a rewind stands on it: that goes first', (repo) => {
    withFile(repo, [ONE, { 2: 'first' }], [ONE, { 2: 'first', 9: 'second' }]);
    repo.entire('rewind', '--to', 'bee7:1');
    for (const flags of [[], ['--dry-run'], ['--diff']])
      expect(repo.tryEntire('undo', 'bee7:1', ...flags).stderr).toBe(
        `Error: turn bee76f83:1 is below a rewind of its session.
Hint: \`entire undo --session ${ONE} --steps 1\` takes back the rewind.
`,
      );
    expect(repo.read('f.txt')).toBe(text({ 2: 'first' }));
  });

  variation('of a session that went back along with another: the rewind brings it back', (repo) => {
    withFile(repo, [ONE, { 2: 'first' }], [ONE, { 2: 'first', 9: 'second' }]);
    turn(repo, TWO, { 'g.txt': 'g\n' });
    repo.entire('rewind', '--to', 'bee7:1');
    expect(repo.exists('g.txt')).toBe(false);
    for (const direction of ['undo', 'redo'])
      expect(repo.tryEntire(direction, 'cafe:1').stderr).toBe(
        `Error: turn cafe8aaa:1 went back along with a rewind of another session.
Hint: \`entire undo --session ${ONE} --steps 1\` takes back the rewind.
`,
      );
    repo.entire('undo', '--session', ONE, '--steps', '1');
    expect(repo.read('g.txt')).toBe('g\n');
    repo.entire('undo', 'cafe:1');
    expect(repo.exists('g.txt')).toBe(false);
  });

  variation('what is left of the file is its session’s: for a commit, and for blame', (repo) => {
    withFile(repo, [ONE, { 2: 'first' }], [ONE, { 2: 'first', 9: 'second' }]);
    repo.entire('undo', 'bee7:1');
    repo.write('f.txt', text({ 9: 'second', 16: 'mine' }));
    repo.commit('Kept', 'f.txt');
    expect(repo.message('HEAD')).toContain('Entire-Checkpoint');
    const { lines: blamed } = JSON.parse(repo.entire('blame', 'f.txt', '--json').stdout);
    expect([2, 9, 16].map((at) => blamed[at].class)).toEqual(['human', 'agent', 'human']);
    expect(blamed[9].session_id).toBe(ONE);
  });
});
