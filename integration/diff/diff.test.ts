import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { addWork, withWork } from '../support/command/work.ts';
import { onBothBuilds, scenario, variation } from '../support/repository/scenario.ts';
import type { TestRepo } from '../support/repository/test-repo.ts';

const ONE = 'bee76f83-58dd-4892-8e75-8c5fe1567bcd';
const TWO = 'bee8aaaa-58dd-4892-8e75-8c5fe1567bcd';

const diff = (repo: TestRepo, ...args: string[]): string => {
  const { stdout, stderr } = repo.entire('diff', ...args);
  expect(stderr).toBe('');
  return stdout;
};

/** Titles of what is shown, in its order. */
const titles = (shown: string): string[] => shown.match(/^(turn|commit) .*$/gm) ?? [];

/** Two sessions: three turns, and one of another session between the last two. */
function withTurns(repo: TestRepo): void {
  repo.ready();
  const [one, two] = [repo.session(ONE), repo.session(TWO)];
  addWork(repo, { 'a.txt': 'one\n' }, one);
  addWork(repo, { 'a.txt': 'one\ntwo\n', 'src/b.txt': 'b\n' }, one);
  addWork(repo, { 'c.txt': 'c\n' }, two);
  addWork(repo, { 'a.txt': 'two\n' }, one);
}

onBothBuilds('the newest turn of the worktree is shown as git shows a commit', (repo) => {
  withTurns(repo);
  const shown = diff(repo);
  expect(titles(shown)).toEqual(['turn bee76f83:3']);
  expect(shown).toContain('\nAgent:  Claude Code\nDate:   ');
  expect(shown).toContain('\n    Write a.txt\n\ndiff --git a/a.txt b/a.txt\n');
  expect(shown).toMatch(/@@ -1,2 \+1 @@\n-one\n two\n$/);
  expect(diff(repo, ':-1')).toBe(shown);
  repo.entire('undo');
  expect(titles(diff(repo))).toEqual(['turn bee8aaaa:1']);
});

describe('what is named', () => {
  scenario('a session is its turns, the newest first', (repo) => {
    withTurns(repo);
    const shown = diff(repo, ONE);
    expect(titles(shown)).toEqual(['turn bee76f83:3', 'turn bee76f83:2', 'turn bee76f83:1']);
    expect(diff(repo, 'bee7')).toBe(shown);
    expect(titles(diff(repo, 'bee8'))).toEqual(['turn bee8aaaa:1']);
  });

  variation('a turn is counted from the oldest, or back from the newest', (repo) => {
    withTurns(repo);
    const named = (what: string) => titles(diff(repo, what));
    expect(['bee7:1', 'bee7:3', `${ONE}:-1`, 'bee7:-3', ':-2', ':-4'].map(named)).toEqual([
      ['turn bee76f83:1'],
      ['turn bee76f83:3'],
      ['turn bee76f83:3'],
      ['turn bee76f83:1'],
      ['turn bee8aaaa:1'],
      ['turn bee76f83:1'],
    ]);
    expect(diff(repo, 'bee7:1')).toContain('new file mode 100644');
  });

  variation('a turn is what `entire log` calls it, too', (repo) => {
    withTurns(repo);
    const steps = JSON.parse(repo.entire('log', '--json').stdout).flatMap(
      ({ step }: { step?: string }) => step ?? [],
    );
    expect(steps).toHaveLength(4);
    const shown = steps.map((step: string) => titles(diff(repo, step.slice(0, 7)))[0]);
    expect(shown.toSorted()).toEqual(
      [...['bee76f83:1', 'bee76f83:2', 'bee76f83:3', 'bee8aaaa:1'].map((name) => `turn ${name}`)].toSorted(),
    );
    const why = repo.tryEntire('why', steps[0]);
    expect(why).toMatchObject({ code: 1, stdout: '' });
    expect(why.stderr).toMatch(/ is a turn of session bee[\w-]+ as it was saved, and no commit of yours\.\n/);
    const file = repo.tryEntire('diff', 'src');
    expect(file.stderr).toBe(
      'Error: src is a folder, not a turn, session, commit or checkpoint\nHint: For files: entire diff -- src\n',
    );
  });

  variation('what is nothing, or several things, ends with 1 and says what to do', (repo) => {
    withTurns(repo);
    const refused = (...args: string[]) => {
      const { code, stdout, stderr } = repo.tryEntire('diff', ...args);
      expect(stdout).toBe('');
      return [code, stderr];
    };
    expect(refused('bee')).toEqual([1, expect.stringContaining('bee is too short')]);
    expect(refused('nobody')).toEqual([
      1,
      expect.stringMatching(
        /no such turn, session, commit or checkpoint: nobody\nHint: .*entire log.*session list/,
      ),
    ]);
    const third = repo.session('bee7ffff-58dd-4892-8e75-8c5fe1567bcd');
    addWork(repo, { 'd.txt': 'd\n' }, third);
    for (const what of ['bee7', 'bee7:1'])
      expect(refused(what)).toEqual([
        1,
        expect.stringMatching(
          new RegExp(
            `bee7 could be several things:\n(  session  (${ONE}|${third.id})  just now  write .*\n){2}Hint: Use more characters of the id.\n$`,
          ),
        ),
      ]);
    expect(refused('bee76:4')).toEqual([1, expect.stringContaining('has no turn 4: 3 turns of it are kept')]);
    expect(refused('bee76:0')[1]).toContain('has no turn 0');
    expect(refused('bee76:-4')[1]).toContain('has no turn -4');
    expect(refused('nobody:1')[1]).toContain('no such session: nobody');
    expect(refused(':1')).toEqual([2, expect.stringContaining(':1 names no turn')]);
    expect(refused(':-9')[1]).toContain('there is no turn :-9: 5 turns');
    expect(refused('--stat', '--json')).toEqual([2, expect.stringContaining('--stat and --json')]);
    expect(refused('-p')[0]).toBe(2);
    expect(refused('--', '../outside')).toEqual([1, expect.stringContaining('no file of this worktree')]);
  });

  variation('the beginning of a session and of a commit may be the same: both are named', (repo) => {
    withWork(repo);
    repo.commit('A', 'a.txt');
    const oid = repo.git('rev-parse', 'HEAD');
    addWork(repo, { 'b.txt': 'b\n' }, repo.session(`${oid.slice(0, 8)}-58dd-4892-8e75-8c5fe1567bcd`));
    const { code, stderr } = repo.tryEntire('diff', oid.slice(0, 8));
    const id = `${oid.slice(0, 8)}-58dd-4892-8e75-8c5fe1567bcd`;
    expect([code, stderr]).toEqual([
      1,
      `Error: ${oid.slice(0, 8)} could be several things:
  session  ${id}  just now  write b.txt
  commit   ${oid.slice(0, 12).padEnd(id.length)}  just now  A
Hint: Use more characters of the id.
`,
    ]);
    expect(titles(diff(repo, oid))).toEqual([`commit ${oid}`]);
    expect(titles(diff(repo, oid.slice(0, 9)))[0]).toMatch(new RegExp(`^commit ${oid}|^turn`));
    repo.git('branch', oid.slice(0, 8), 'HEAD~1'); // a name of git's wins
    expect(repo.tryEntire('diff', oid.slice(0, 8)).stderr).toContain('leads to no checkpoint');
  });
});

describe('turns that do not stand', () => {
  variation('are told and not shown, unless they are named by their number, which stays', (repo) => {
    withTurns(repo);
    repo.entire('undo');
    const { stdout, stderr } = repo.entire('diff', 'bee7');
    expect(titles(stdout)).toEqual(['turn bee76f83:2', 'turn bee76f83:1']);
    expect(stderr).toBe('Not shown: 1 undone turn of this session (newest: bee76f83:3)\n');
    expect(titles(diff(repo, 'bee7:3'))).toEqual(['turn bee76f83:3, undone since']);
    expect(titles(diff(repo, 'bee7:-1'))).toEqual(['turn bee76f83:2']);
    repo.entire('undo', '--session', TWO);
    expect(repo.entire('diff', 'bee8').stdout).toBe(
      'The only kept turn of session bee8aaaa was undone; `entire diff bee8aaaa:1` still shows it.\n',
    );
    repo.entire('redo', '--session', TWO);
    expect(titles(diff(repo, 'bee8'))).toEqual(['turn bee8aaaa:1']);
  });

  variation('in part are shown as far as they stand, and that is said', (repo) => {
    withTurns(repo);
    repo.entire('undo', '--session', ONE, '--files', 'src');
    const shown = diff(repo, 'bee7:2');
    expect(shown).toContain('    1 file of this turn was undone since, and is left out.\n');
    expect(shown.match(/^diff .*$/gm)).toEqual(['diff --git a/a.txt b/a.txt']);
  });

  variation('a turn that goes on counts, and is the newest', (repo) => {
    withTurns(repo);
    const two = repo.session(TWO);
    two.prompt('go on');
    two.edit('c.txt', 'c\nmore\n');
    const before = repo.git('count-objects', '-v');
    const shown = diff(repo);
    expect(titles(shown)).toEqual([expect.stringMatching(/^turn bee8aaaa:2, (not over yet|broken off)$/)]);
    expect(shown).toContain('    Go on\n');
    expect(shown).toMatch(/\n c\n\+more\n$/);
    expect(repo.git('count-objects', '-v')).toBe(before);
    two.stop();
    expect(titles(diff(repo))).toEqual(['turn bee8aaaa:2']);
  });
});

describe('a session that went on in private', () => {
  variation('has a note above what is no longer the last that it did', (repo) => {
    const session = withWork(repo);
    repo.entire('pause');
    session.prompt('in private');
    session.edit('p.txt', 'private\n');
    session.stop();
    repo.entire('pause', '--end');
    const shown = diff(repo);
    expect(shown).toContain('    Note: the session went on in a pause after this;');
    expect(shown).not.toContain('p.txt');
    expect(shown).toContain('+one\n');
    repo.entire('forget', session.id, '--yes');
    expect(repo.tryEntire('diff', session.id)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining(`session ${session.id} was forgotten on `),
    });
  });
});

describe('where there is nothing', () => {
  scenario('it says so calmly', (repo) => {
    repo.ready();
    const said = 'No turn of an agent changed anything in this worktree yet, as far as is kept.\n';
    expect(diff(repo)).toBe(said);
    expect(diff(repo, '--json')).toBe('[]\n');
    const session = repo.session(ONE);
    session.prompt('only talk');
    session.stop();
    expect(diff(repo)).toBe(said);
    expect(diff(repo, 'bee7')).toBe(
      `No turn of session ${ONE} that is kept changed anything in this worktree.\n`,
    );
    repo.git('config', 'user.name', 'Ada');
    repo.write('.entire/settings.local.json', '{"strategy_options": {"snapshots": {"enabled": false}}}');
    expect(diff(repo)).toContain('strategy_options.snapshots.enabled');
  });

  variation('outside of a repository it refuses', (repo) => {
    const { code, stderr } = repo.tryEntire('diff');
    expect([code, stderr]).toEqual([1, expect.stringContaining('Not a git repository')]);
  });
});

describe('paths', () => {
  variation('are taken literally, from the folder where it is called, and choose among turns', (repo) => {
    withTurns(repo);
    const files = (shown: string) => shown.match(/^diff --git .*$/gm) ?? [];
    expect(files(diff(repo, 'bee7', '--', 'src'))).toEqual(['diff --git a/src/b.txt b/src/b.txt']);
    expect(titles(diff(repo, '--', 'src/b.txt'))).toEqual(['turn bee76f83:2']);
    const inside = (...args: string[]) =>
      repo.run('entire', ['diff', ...args], { cwd: join(repo.dir, 'src') }).stdout;
    expect(files(inside('bee7', '--', '../a.txt', 'b.txt'))).toHaveLength(4);
    expect(files(inside('bee7', '--', '.'))).toEqual(['diff --git a/src/b.txt b/src/b.txt']);
    expect(files(inside('bee7', '--', '..'))).toHaveLength(4);
    expect(diff(repo, '--', '*.txt')).toBe('Nothing of that changed *.txt.\n');
    expect(diff(repo, 'bee7', '--json', '--', 'none.txt')).toBe('[]\n');
    addWork(repo, { ':!a.txt': 'odd\n' }, repo.session(TWO));
    expect(files(diff(repo, ':-1', '--', ':!a.txt'))).toEqual(['diff --git a/:!a.txt b/:!a.txt']);
  });
});

variation('forms: --stat, --name-only, --word-diff, --json', (repo) => {
  withTurns(repo);
  expect(diff(repo, 'bee7:2', '--stat')).toMatch(
    / a\.txt {5}\| 1 \+\n src\/b\.txt \| 1 \+\n 2 files changed, 2 ins/,
  );
  expect(diff(repo, 'bee7:2', '--name-only')).toMatch(/\n\na\.txt\nsrc\/b\.txt\n$/);
  expect(diff(repo, 'bee7:3', '--word-diff')).toContain('[-one-]');
  const [turn, ...others] = JSON.parse(diff(repo, 'bee7:2', '--json'));
  expect(others).toEqual([]);
  expect(turn).toEqual({
    session_id: ONE,
    turn: 2,
    commit: null,
    at: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
    agent: 'Claude Code',
    prompt: 'Write a.txt and src/b.txt',
    state: 'over',
    files: [
      { path: 'a.txt', status: 'modified', added: 1, removed: 0, kept: true, reason: null, doubt: null },
      { path: 'src/b.txt', status: 'added', added: 1, removed: 0, kept: true, reason: null, doubt: null },
    ],
    not_sure: [],
  });
  const all = JSON.parse(diff(repo, 'bee7', '--json'));
  expect(all.map(({ turn }: { turn: number }) => turn)).toEqual([3, 2, 1]);
  expect(all[0].files).toMatchObject([{ path: 'a.txt', added: 0, removed: 1 }]);
});
