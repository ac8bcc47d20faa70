import { chmodSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { commitWithout, why } from '../support/command/why.ts';
import { withWork } from '../support/command/work.ts';
import { scenario, variation } from '../support/repository/scenario.ts';

describe('why: bad input', () => {
  scenario('what is no commit, and where there is no repository', (repo) => {
    expect(repo.tryEntire('why').stderr).toContain("Please run 'entire why' from within a git repository.");
    repo.init();
    for (const name of [
      'HEAD',
      'no-such-thing',
      '--all',
      '',
      'HEAD:README.md',
      'a..b',
      '^HEAD',
      'HEAD^@',
      'HEAD^!',
      '-x',
    ])
      expect(repo.tryEntire('why', '--', name), name).toEqual({
        code: 1,
        stdout: '',
        stderr: 'Error: this repository has no commits yet\n',
      });
    repo.write('a.txt', 'one\n');
    commitWithout(repo, 'Add a', 'a.txt');
    const names = ['HEAD:a.txt', 'HEAD^{tree}', '^HEAD', 'HEAD^@', 'HEAD^!', 'HEAD..HEAD', '--all'];
    for (const name of [...names, 'no-such-thing'])
      expect(repo.tryEntire('why', '--', name), name).toEqual({
        code: 1,
        stdout: '',
        stderr: `Error: no such checkpoint, commit, session or turn: ${name}\nHint: \`entire log\` shows turns and commits; \`entire session list\` shows sessions.\n`,
      });
    for (const word of ['t/nope.ts:1', './nope:3'])
      expect(repo.tryEntire('why', word).stderr).toMatch(
        /^Error: no such file: \S*nope\S*\nHint: Paths are taken from the current folder; `entire blame <file>` says/,
      );
    repo.git('tag', '-a', '-m', 'a tag', 'v1');
    expect(why(repo, 'v1').commit).toBe(repo.git('rev-parse', 'HEAD'));
    expect(repo.tryEntire('why', 'HEAD', 'extra').code).toBe(2);
  });

  variation('a session or a checkpoint, or how its id begins: the newest commit that it led to', (repo) => {
    const session = withWork(repo);
    const short = session.id.slice(0, 8);
    const waiting = repo.tryEntire('why', short);
    expect(waiting).toMatchObject({ code: 1, stdout: '' });
    expect(waiting.stderr).toContain(`no commit has work of ${session.id} yet.`);
    const id = repo.commit('Add a', 'a.txt') as string;
    const [first, other] = [repo.git('rev-parse', 'HEAD'), repo.session()];
    other.prompt('and b');
    other.edit('b.txt', 'b\n');
    other.stop();
    repo.commit('Add b', 'b.txt');
    expect(repo.git('rev-parse', 'HEAD')).not.toBe(first);
    for (const word of [short, session.id, id, id.slice(0, 6)])
      expect(why(repo, word).commit, word).toBe(first);
    expect(repo.tryEntire('why', session.id.slice(0, 3)).stderr).toContain('is too short for an id');
  });

  variation(
    'a line of a file is the commit that it comes from; a file is told where it can be asked about',
    (repo) => {
      withWork(repo, { 'a.txt': 'one\ntwo\n' });
      repo.commit('Add a', 'a.txt');
      const first = repo.git('rev-parse', 'HEAD');
      repo.write('a.txt', 'one\nTWO\n').commit('Shout', 'a.txt');
      repo.write('a.txt', 'one\nTWO\nthree\n').write('b:1', 'b\n').write('b', 'c\n');
      for (const word of ['a.txt:1', 'a.txt:1:3', './a.txt:1:'])
        expect(why(repo, word).commit, word).toBe(first);
      expect(why(repo, 'a.txt:2').commit).toBe(repo.git('rev-parse', 'HEAD'));
      const refused = (word: string) => repo.tryEntire('why', word).stderr;
      expect(refused('a.txt:3')).toBe(
        'Error: a.txt:3 is not committed yet\nHint: `entire blame -L 3,3 a.txt` says who wrote it.\n',
      );
      expect(refused('a.txt:1-2')).toMatch(
        /^Error: a\.txt:1-2 comes from several commits: [0-9a-f]{7}, [0-9a-f]{7}\nHint: `entire blame -L 1,2 a\.txt` /,
      );
      const last = repo.git('rev-parse', '--short=7', 'HEAD');
      expect(refused('a.txt:2-3')).toContain(
        `Error: a.txt:2-3: partly ${last}, partly not committed yet\nHint: \`entire blame -L 2,3 a.txt\` `,
      );
      expect(refused('a.txt:9')).toContain('file a.txt has only 3 lines');
      expect(refused('a.txt')).toBe(`Error: a.txt is a file, not a checkpoint, commit, session or turn
Hint: \`entire blame a.txt\` says who wrote its lines, \`entire log -- a.txt\` which commits changed it.
`);
      expect(refused('b:1')).toContain('Error: b:1 is a file');
    },
  );

  variation('a turn is the commit that has its work', (repo) => {
    const session = withWork(repo);
    const name = (number: number) => `${session.id.slice(0, 8)}:${number}`;
    const refused = (word: string) => repo.tryEntire('why', word).stderr;
    expect(refused(name(1))).toMatch(
      /^Error: no commit that is known here has turn \S+:1\nHint: `entire diff \S+:1` /,
    );
    repo.commit('Add a', 'a.txt');
    const first = repo.git('rev-parse', 'HEAD');
    session.prompt('once more, and commit');
    session.edit('a.txt', 'one more\n');
    repo.commit('Change a', 'a.txt');
    const second = repo.git('rev-parse', 'HEAD');
    session.stop();
    session.prompt('and b');
    session.edit('b.txt', 'b\n');
    session.stop();
    expect(why(repo, name(1)).commit).toBe(first);
    expect(why(repo, name(2)).commit).toBe(second);
    expect(refused(name(3))).toContain('no commit that is known here has turn');
    repo.entire('undo');
    expect(refused(name(3))).toMatch(/^Error: turn \S+:3 was taken back, and is in no commit\n/);
    expect(refused(name(4))).toContain('has no turn 4');
    expect(refused('zzzzzzzz:1')).toContain('no such session: zzzzzzzz');
  });

  variation('relink is named where there is a checkpoint, also where a git hook is missing', (repo) => {
    withWork(repo);
    repo.commit('Add a', 'a.txt');
    repo.write('mine.txt', 'mine\n');
    commitWithout(repo, 'Mine', 'mine.txt');
    const relinks = expect.stringMatching(/`entire relink [0-9a-f]{7}`/);
    expect(why(repo).advice).toEqual([relinks]);
    rmSync(join(repo.commonDir, 'hooks', 'post-commit'));
    expect(why(repo)).toMatchObject({
      reason: 'hooks-missing',
      advice: [expect.stringContaining('entire enable'), relinks],
    });
  });

  variation('text from subjects, prompts, file names and details cannot steer the terminal', (repo) => {
    repo.ready();
    const session = repo.session();
    session.prompt('make \u001b[2Jit \u001b]0;owned\u0007red');
    session.edit('a\u001b[31m.txt', 'one\n');
    session.stop();
    repo.git('add', '.');
    repo.git('commit', '--quiet', '-m', 'Add \u001b[31mred', '--author', 'E\u001b[2Jve <eve@example.com>');
    const { stdout } = repo.entire('why');
    expect(stdout).toContain('Linked');
    expect(stdout).not.toMatch(/\u001b|\u0007/);
    expect(why(repo).subject).toBe('Add \u001b[31mred');
  });

  variation('a broken verdicts file, and a reason of a later version', (repo) => {
    withWork(repo);
    repo.commit('Add a', 'a.txt');
    const file = join(repo.commonDir, 'entire', 'verdicts.jsonl');
    writeFileSync(file, '{"torn\nnull\n');
    expect(why(repo)).toMatchObject({ status: 'linked', reason: 'trailer' });
    repo.write('mine.txt', 'mine\n');
    commitWithout(repo, 'Mine', 'mine.txt');
    const commit = repo.git('rev-parse', 'HEAD');
    writeFileSync(
      file,
      `${JSON.stringify({ commit, at: '2026-02-01T00:00:00Z', reason: 'later\u001b[2J' })}\n`,
    );
    expect(repo.entire('why').stdout).toContain('Not linked: later.');
  });

  variation('never writes: a read-only repository', (repo, skip) => {
    if (process.getuid?.() === 0) skip('root can write anyway');
    withWork(repo);
    repo.commit('Add a', 'a.txt');
    for (const name of readdirSync(join(repo.dir, '.git'))) chmodSync(join(repo.dir, '.git', name), 0o500);
    expect(why(repo)).toMatchObject({ status: 'linked' });
    for (const name of readdirSync(join(repo.dir, '.git'))) chmodSync(join(repo.dir, '.git', name), 0o700);
  });
});
