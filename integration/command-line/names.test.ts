import { describe, expect } from 'vitest';
import { addWork } from '../support/command/work.ts';
import { scenario, variation } from '../support/repository/scenario.ts';
import type { TestRepo } from '../support/repository/test-repo.ts';

const ONE = 'bee76f83-58dd-4892-8e75-8c5fe1567bcd';
const TWO = 'cafe8aaa-58dd-4892-8e75-8c5fe1567bcd';

/** Two sessions side by side: three turns of the one, and one of the other. */
function withTurns(repo: TestRepo): void {
  repo.ready();
  const [one, two] = [repo.session(ONE), repo.session(TWO)];
  addWork(repo, { 'a.txt': 'one\n' }, one);
  addWork(repo, { 'b.txt': 'b\n' }, one);
  addWork(repo, { 'c.txt': 'c\n' }, two);
  addWork(repo, { 'd.txt': 'd\n' }, one);
}

const refused = (repo: TestRepo, ...args: string[]): string => {
  const { code, stdout, stderr } = repo.tryEntire(...args);
  expect(code, stderr).toBeGreaterThan(0);
  expect(stdout).toBe('');
  return stderr;
};

/** The id of the step that `entire log` prints for the turn that touched a file. */
function stepOf(repo: TestRepo, file: string): string {
  const rows: { step?: string; files: string[] }[] = JSON.parse(repo.entire('log', '--json').stdout);
  return rows.find((row) => row.step && JSON.stringify(row.files).includes(file))?.step?.slice(0, 7) ?? '';
}

describe('a turn has one name in every command', () => {
  scenario('its number in its session: diff, explain, undo, redo, forget', (repo) => {
    withTurns(repo);
    expect(repo.entire('diff', 'bee7:3').stdout).toContain('turn bee76f83:3');
    expect(repo.entire('explain', 'bee7:3').stdout).toContain(`Session:     ${ONE}`);
    expect(repo.entire('forget', 'bee7:3', '--dry-run').stdout).toContain('To be forgotten: turn bee76f83:3');
    repo.entire('undo', 'bee7:3');
    expect([repo.exists('d.txt'), repo.exists('c.txt'), repo.exists('b.txt')]).toEqual([false, true, true]);
    expect(refused(repo, 'undo', 'bee7:3')).toContain(
      'turn bee76f83:3 was undone already.\nHint: `entire redo',
    );
    repo.entire('redo', 'bee7:3');
    expect(repo.read('d.txt')).toBe('d\n');
    expect(repo.entire('forget', ':-1', '--dry-run').stdout).toContain('\n  Write d.txt: d.txt\n');
    expect(refused(repo, 'redo', 'bee7:3')).toContain('turn bee76f83:3 was not undone.');
  });

  variation('what log calls it', (repo) => {
    withTurns(repo);
    const step = stepOf(repo, 'd.txt');
    expect(step).toMatch(/^[0-9a-f]{7}$/);
    expect(repo.entire('explain', step).stdout).toContain(`Step:        ${step} [uncommitted]`);
    repo.entire('undo', step);
    expect(repo.exists('d.txt')).toBe(false);
    expect(refused(repo, 'undo', step)).toContain('was undone already');
  });

  variation('counted from the newest of the worktree, or of its session', (repo) => {
    withTurns(repo);
    repo.entire('undo', ':-2'); // of the other session
    expect(['b.txt', 'c.txt', 'd.txt'].map((path) => repo.exists(path))).toEqual([true, false, true]);
    repo.entire('undo', 'bee7:-1');
    expect(repo.exists('d.txt')).toBe(false);
    expect(refused(repo, 'undo', ':-9')).toContain('there is no turn :-9: 2 turns');
    expect(refused(repo, 'undo', ':1')).toContain(':1 names no turn');
    expect(refused(repo, 'undo', 'zzz')).toContain('zzz is too short for an id');
  });

  variation('one that others came after is taken back alone, and brought back', (repo) => {
    withTurns(repo);
    repo.entire('undo', 'bee7:1');
    expect(['a.txt', 'b.txt', 'c.txt', 'd.txt'].map((path) => repo.exists(path))).toEqual([
      false,
      true,
      true,
      true,
    ]);
    repo.entire('redo', 'bee7:1');
    expect(repo.read('a.txt')).toBe('one\n');
    repo.entire('undo', '--session', ONE, '--steps', '3');
    expect([repo.exists('a.txt'), repo.exists('c.txt')]).toEqual([false, true]);
    expect(refused(repo, 'redo', 'bee7:9')).toContain('has no turn 9');
  });

  variation('with files, what counts is what it did to those', (repo) => {
    withTurns(repo);
    repo.entire('undo', 'bee7:1', '--files', 'a.txt');
    expect([repo.exists('a.txt'), repo.exists('b.txt'), repo.exists('d.txt')]).toEqual([false, true, true]);
    expect(refused(repo, 'undo', 'bee7:2', '--files', 'd.txt')).toContain(
      'turn bee76f83:2 did nothing to d.txt that is not undone already.',
    );
    expect(refused(repo, 'undo', 'bee7:3', '--steps', '2')).toContain('--steps counts from the newest turn');
  });

  variation('one that is not over', (repo) => {
    withTurns(repo);
    const session = repo.session(ONE);
    session.prompt('More');
    session.edit('e.txt', 'e\n');
    repo.entire('undo', 'bee7:4');
    expect([repo.exists('e.txt'), repo.exists('d.txt')]).toEqual([false, true]);
  });

  variation('one that was taken back with others is not brought back alone', (repo) => {
    withTurns(repo);
    repo.entire('undo', '--session', ONE, '--steps', '3');
    expect(refused(repo, 'redo', 'bee7:1')).toBe(
      `Error: turn bee76f83:1 was undone along with 2 others.
Hint: \`entire redo --session ${ONE}\` brings back all that was undone last.
`,
    );
    expect(repo.exists('a.txt')).toBe(false);
  });

  variation('which lists say: undo, redo', (repo) => {
    withTurns(repo);
    repo.entire('undo', 'bee7:2');
    expect(repo.entire('undo', '--list').stdout).toContain('\n       bee76f83:3  1 file: d.txt, +1 -0\n');
    expect(repo.entire('redo', '--list').stdout).toContain('\n       bee76f83:2  1 file: b.txt, +1 -0\n');
    const { undo, redo } = JSON.parse(repo.entire('undo', '--list', '--json').stdout);
    expect(undo.map((step: { turn: string }) => step.turn)).toEqual([`${ONE}:3`, `${TWO}:1`, `${ONE}:1`]);
    expect(redo[0].turn).toBe(`${ONE}:2`);
  });

  variation(
    'a name of git comes before the beginning of an id, where something is forgotten, too',
    (repo) => {
      withTurns(repo);
      repo.git('tag', 'bee7');
      for (const command of ['undo', 'forget'])
        expect(refused(repo, command, 'bee7', '--dry-run')).toContain('Error: bee7 is a commit\n');
      expect(repo.entire('forget', 'bee76', '--dry-run').stdout).toContain(`session ${ONE}`);
    },
  );

  variation('and keeps it where an earlier one is forgotten', (repo) => {
    withTurns(repo);
    repo.entire('forget', 'bee7:2', '--yes');
    for (const args of [
      ['forget', 'bee7:2', '--yes'],
      ['undo', 'bee7:2'],
    ])
      expect(refused(repo, ...args)).toBe(
        'Error: turn bee76f83:2 was forgotten\nHint: Its number stays empty, and other turns keep theirs.\n',
      );
    expect(repo.entire('diff', 'bee7:3', '--name-only').stdout).toContain('d.txt');
    expect(repo.entire('diff', 'bee7:-2', '--name-only').stdout).toContain('a.txt');
    expect(repo.entire('blame', 'd.txt', '--json').stdout).toContain(`${ONE}:3"`);
    expect(repo.entire('search', 'd.txt', '--json').stdout).toContain('bee76f83:3');
    repo.entire('forget', 'bee7:3', '--yes');
    addWork(repo, { 'e.txt': 'e\n' }, repo.session(ONE));
    expect(repo.entire('diff', 'bee7:4', '--name-only').stdout).toContain('e.txt');
    expect(refused(repo, 'diff', 'bee7:3')).toContain('turn bee76f83:3 was forgotten');
  });

  variation('also once a commit has it', (repo) => {
    withTurns(repo);
    repo.commit('All', 'a.txt', 'b.txt', 'c.txt', 'd.txt');
    const shown = repo.entire('explain', 'bee7:2').stdout;
    expect(shown).toMatch(/^Turn: {8}bee76f83:2\nSession: {5}bee76f83-.*\nAgent: {7}Claude Code\nDate: /);
    expect(shown).toContain('\n  b.txt  +1\n\n> write b.txt\n\n  write   b.txt  1 line\n');
    expect(JSON.parse(repo.entire('explain', 'bee7:2', '--json').stdout)).toMatchObject({
      ...{ turn: 2, session_id: ONE, state: 'over' },
      files: [{ path: 'b.txt', lines: { added: 1, removed: 0 } }],
    });
    expect(refused(repo, 'explain', 'bee7:2', '--raw-transcript')).toContain(
      'no transcript is stored for bee76f83:2 alone',
    );
  });
});

describe('going back to a turn', () => {
  variation('is going to what was there after it', (repo) => {
    withTurns(repo);
    repo.entire('rewind', '--to', 'bee7:2', '--dry-run');
    expect(repo.exists('d.txt')).toBe(true);
    repo.entire('rewind', '--to', 'bee7:2');
    expect([repo.exists('d.txt'), repo.exists('b.txt')]).toEqual([false, true]);
    repo.entire('undo');
    expect(repo.exists('d.txt')).toBe(true);
    repo.commit('All', 'a.txt', 'b.txt', 'c.txt', 'd.txt');
    expect(refused(repo, 'rewind', '--to', 'bee7:2')).toContain(
      'turn bee76f83:2 is no longer a point to go back to',
    );
    expect(repo.entire('rewind', '--to', 'HEAD', '--dry-run').stdout).toContain(
      'Dry run: nothing was changed.',
    );
  });
});

describe('a word means the same everywhere', () => {
  variation('a session by what it is about', (repo) => {
    repo.ready();
    addWork(repo, { 'a.txt': 'one\n' }, repo.session(ONE));
    addWork(repo, { 'b.txt': 'two\n' }, repo.session(TWO));
    for (const args of [['files'], ['diff'], ['log', '--session']])
      expect(repo.entire(...args, 'write b.txt').stdout, args.join(' ')).toContain(
        args[0] === 'log' ? 'cafe8aaa' : 'b.txt',
      );
    expect(repo.entire('resume', '--dry-run', 'Write B.txt').stderr).toContain(TWO);
    expect(refused(repo, 'diff', 'write')).toMatch(
      /write could be several things:\n {2}session {2}bee7\S+ {2}just now {2}write a.txt\n {2}session {2}cafe/,
    );
  });

  variation(
    'what changes something takes no session for what it is about, nor a name of git for one',
    (repo) => {
      repo.ready();
      const session = repo.session(ONE);
      session.prompt('Say what remains on main after 1234567, and list it in notes.txt');
      session.edit('notes.txt', 'notes\n');
      session.stop();
      for (const word of ['list', 'remains', 'notes'])
        expect(refused(repo, 'undo', word), word).toContain(`no such session or turn: ${word}`);
      expect(refused(repo, 'undo', 'main:-1')).toContain('main is a ');
      expect(refused(repo, 'undo', '--session', 'main')).toContain('main is a ');
      expect(refused(repo, 'pause', '--session', 'main')).toContain('main is a ');
      expect(refused(repo, 'files', 'main')).toContain('main is a ');
      expect(repo.entire('files', 'remains').stdout).toContain('notes.txt');
      expect(repo.read('notes.txt')).toBe('notes\n');
      for (const word of ['', 'x'.repeat(5000)])
        expect(refused(repo, 'undo', word)).toContain('no such session or turn');
    },
  );

  variation('of a step and a session that begin alike forget chooses none', (repo) => {
    withTurns(repo);
    const step = stepOf(repo, 'd.txt').slice(0, 4);
    addWork(repo, { 'e.txt': 'e\n' }, repo.session(`${step}-private`));
    expect(refused(repo, 'forget', step, '--yes')).toContain(`${step}-private, the turn ${step}`);
  });

  variation('a file is never taken for what a session is about', (repo) => {
    repo.ready();
    addWork(repo, { notes: 'one\n' }, repo.session(ONE));
    expect(refused(repo, 'undo', 'notes')).toContain(
      'notes is a file, not a session or a turn\nHint: For files: entire undo --files notes',
    );
    expect(refused(repo, 'diff', 'notes')).toContain('notes is a file');
    expect(repo.exists('notes')).toBe(true);
  });

  variation('it says what a word is where that cannot be used', (repo) => {
    withTurns(repo);
    repo.commit('All', 'a.txt', 'b.txt', 'c.txt', 'd.txt');
    expect(refused(repo, 'undo', 'HEAD')).toBe(
      'Error: HEAD is a commit\nHint: `entire undo` takes a session or turn.\n',
    );
    expect(refused(repo, 'files', 'main')).toContain(
      'main is a branch\nHint: `entire files` takes a session.',
    );
    expect(refused(repo, 'log', '--session', 'zzzz')).toContain('no such session: zzzz');
    expect(refused(repo, 'undo', '2')).toContain('Hint: For the 2 newest turns: entire undo --steps 2');
    expect(refused(repo, 'pause', '--session', 'HEAD')).toContain('HEAD is a commit');
    expect(refused(repo, 'undo', '--session', 'bee7:1')).toContain('bee7:1 is a turn');
  });

  variation('@ and HEAD~1 are as git has them', (repo) => {
    withTurns(repo);
    repo.commit('All', 'a.txt', 'b.txt', 'c.txt', 'd.txt');
    expect(repo.entire('diff', '@', '--stat').stdout).toBe(repo.entire('diff', 'HEAD', '--stat').stdout);
    expect(repo.entire('explain', '@').stdout).toMatch(/^Commit: {6}[0-9a-f]{7} /);
    expect(repo.entire('resume', '--dry-run', '@').stderr).toContain(ONE);
    expect(repo.entire('explain', 'HEAD~1').stdout).toContain('No associated Entire checkpoint');
  });
});
