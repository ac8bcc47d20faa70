import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { shares, stats } from '../support/command/stats.ts';
import { addWork } from '../support/command/work.ts';
import { realGit, withProgram } from '../support/process/programs.ts';
import { scenario, variation } from '../support/repository/scenario.ts';
import type { TestRepo } from '../support/repository/test-repo.ts';
import { walkTheLine } from '../support/repository/walk.ts';

/** The git commands we run. A new one is added after a look at what it writes. */
const COMMANDS = [
  ...[
    'blame',
    'cat-file',
    'check-attr',
    'config',
    'diff-index',
    'fast-import',
    'for-each-ref',
    'hash-object',
    'interpret-trailers',
    'log',
  ],
  ...[
    'ls-files',
    'ls-tree',
    'merge-base',
    'rev-list',
    'rev-parse',
    'show-ref',
    'status',
    'stripspace',
    'symbolic-ref',
    'update-ref',
    'var',
    'diff-tree',
  ],
];

/** A `git` that writes down how `entire` calls it; git commands of the test itself do not see it. */
function withProbe(repo: TestRepo): { calls(): string[][] } {
  const log = join(repo.scratch, 'git-calls');
  const shift = 'while [ "$1" = -c ]; do shift 2; done';
  const note = `echo "$GIT_OPTIONAL_LOCKS $*" | head -n 1 >>'${log}')`;
  const { PATH } = withProgram(repo, 'git', '(', shift, note, `exec '${realGit(repo)}' "$@"`);
  const entire = `PATH='${PATH}' exec '${join(repo.build.bin, 'entire')}' "$@"`;
  repo.variables = withProgram(repo, 'entire', entire);
  return {
    calls: () =>
      readFileSync(log, 'utf8')
        .trim()
        .split('\n')
        .map((line) => line.split(' ')),
  };
}

describe('the git processes of a session', () => {
  scenario('take no optional locks, and none is of a kind that writes an index', (repo) => {
    const { calls } = withProbe(repo);
    repo.ready();
    walkTheLine(repo);
    const session = repo.session();
    session.prompt('commit in the turn');
    session.edit('three.txt', 'three\n');
    repo.agentCommit('Add three', 'three.txt');
    session.stop();
    repo.entire('status', '--json');
    repo.entire('why');
    repo.entire('blame', 'three.txt');
    repo.entire('disable', '--uninstall', '--force');
    expect(calls().length).toBeGreaterThan(40);
    expect(calls().filter(([locks]) => locks !== '0')).toEqual([]);
    const used = new Set(calls().map(([, command]) => command as string));
    expect([...used].filter((command) => !COMMANDS.includes(command))).toEqual([]);
  });

  variation('are as many for undo and redo of 600 files as of 250', (repo) => {
    const { calls } = withProbe(repo);
    repo.ready();
    const write = (count: number, text: string) => {
      for (let at = 0; at < count; at++) repo.write(`d${at % 9}/file-${at}.txt`, `${text} ${at}\n`);
    };
    write(600, 'before');
    repo.git('add', '.');
    repo.git('-c', 'core.hooksPath=/dev/null', 'commit', '--quiet', '-m', 'Many');
    const counted = (count: number): string[] => {
      const session = repo.session(`session-${count}`);
      session.prompt('change them');
      session.shell(() => write(count, 'after'));
      session.stop();
      const known = calls().length;
      for (const command of ['undo', 'redo', 'undo']) repo.entire(command, '--session', session.id);
      expect(repo.git('status', '--porcelain')).toBe('');
      return calls()
        .slice(known)
        .map(([, command]) => command as string);
    };
    const few = counted(250);
    expect(counted(600)).toEqual(few);
    expect(few.length).toBeLessThan(20);
  });

  variation('are as many for who has a local file at sixty tips as at two, and none at an edit', (repo) => {
    const { calls } = withProbe(repo);
    repo.ready();
    repo.write('.entire/settings.local.json', '{"external_agents": true}');
    const count = (act: () => unknown) => {
      const before = calls().length;
      act();
      return calls().length - before;
    };
    const session = repo.session();
    session.prompt('write a');
    repo.git('branch', 'second', 'HEAD~1');
    const status = () => expect(repo.entire('status', '--json').stdout).toContain('"setting": "on"');
    const few = count(status);
    expect(few).toBeGreaterThan(0);
    // Each with a folder of its own, in which the file may be.
    const commit = (at: number) =>
      `commit refs/heads/b${at}\ncommitter Ada <a@b.c> ${at} +0000\ndata 1\nx\nM 644 inline .entire/${at}\ndata 1\n${at % 10}\n`;
    const input = Array.from({ length: 60 }, (_, at) => commit(at)).join('\n');
    expect(repo.run('git', ['fast-import', '--quiet'], { input })).toMatchObject({ code: 0 });
    expect(count(status)).toBe(few);
    expect(count(() => session.edit('a.txt', 'one\n'))).toBe(0);
    repo.git('branch', 'has-it');
    const tree = `commit refs/heads/has-it\ncommitter Ada <a@b.c> 1 +0000\ndata 1\nx\nM 644 inline .entire/settings.local.json\ndata 2\n{}\n`;
    repo.run('git', ['fast-import', '--quiet', '--force'], { input: tree });
    expect(repo.entire('status', '--json').stdout).toContain('"setting": "shared"');
  });

  variation('are as many for why and blame after ten checkpoints as after three', (repo) => {
    const { calls } = withProbe(repo);
    repo.ready();
    const session = repo.session();
    let text = '';
    const add = (times: number) => {
      for (let at = 0; at < times; at++) {
        text += `line ${text.length}\n`;
        session.prompt('one more line');
        session.edit('a.txt', text);
        session.stop();
        repo.commit('One more', 'a.txt');
      }
    };
    const count = (...args: string[]) => {
      const before = calls().length;
      repo.entire(...args);
      return calls().length - before;
    };
    const counts = () => [count('why'), count('why', 'HEAD~1'), count('blame', 'a.txt')];
    add(3);
    const few = counts();
    add(8);
    expect(counts()).toEqual(few);
    expect(Math.max(...few)).toBeLessThan(14);
  });

  variation('are as many for stats of a history of forty files as of three', (repo) => {
    const { calls } = withProbe(repo);
    addWork(repo.ready(), { 'a.ts': 'const written = byAnAgent();\n' }).end();
    repo.commit('Add a', 'a.ts');
    const file = (name: number, at: number) =>
      `M 644 inline f${name}.ts\ndata <<END\nconst first = ${name};\nconst line${at} = ${at};\nEND\n`;
    const commit = (branch: string, files: number, at: number) => {
      const all = Array.from({ length: files }, (_, name) => file(name, at)).join('');
      return `commit refs/heads/${branch}\ncommitter Ada <a@b.c> ${at} +0000\ndata 1\nx\n${all}`;
    };
    const count = (branch: string, files: number) => {
      const input = [1, 2, 3].map((at) => commit(branch, files, at)).join('\n');
      expect(repo.run('git', ['fast-import', '--quiet'], { input })).toMatchObject({ code: 0 });
      const before = calls().length;
      const { added, surviving } = stats(repo, branch);
      expect({ added, surviving }).toEqual({
        added: shares(0, 0, 4 * files),
        surviving: shares(0, 0, 2 * files),
      });
      return calls().length - before;
    };
    expect(count('few', 3)).toBe(count('many', 40));
  });

  describe('at a commit of what a person wrote', () => {
    const names = (count: number) => Array.from({ length: count }, (_, at) => at);
    const commitCalls = (repo: TestRepo, calls: () => string[][], ...paths: string[]): string[] => {
      repo.git('add', '--', ...paths);
      const before = calls().length;
      repo.git('commit', '--quiet', '-m', 'By hand');
      expect(repo.verdict()).toMatchObject({ reason: 'no-overlap' });
      return calls()
        .slice(before)
        .map(([, command]) => command as string);
    };

    variation('are as many for thirty files that lost lines as for one, and for three sessions', (repo) => {
      const { calls } = withProbe(repo);
      repo.ready();
      const rest = (at: number) => `const rest = ${at};\n`;
      for (const at of names(60)) repo.write(`f${at}.ts`, rest(at));
      repo.write('mine.ts', '').commit('Before', '.');
      const line = (at: number, which: number) => `const agent${at} = compute(${which}000);\n`;
      const work = (name: string, files: readonly number[]) => {
        const session = repo.session(name);
        session.prompt('write');
        for (const at of files)
          session.edit(`f${at}.ts`, rest(at) + [1, 2, 3, 4, 5].map((which) => line(at, which)).join(''));
        session.stop();
        for (const at of files) repo.write(`f${at}.ts`, rest(at));
      };
      const count = (text: string) => {
        repo.write('mine.ts', text);
        return commitCalls(repo, calls, 'mine.ts');
      };
      // Two lines that are apart, of five: it has to be looked up what the turns wrote, and they are too few.
      const alike = (files: readonly number[]) => files.map((at) => line(at, 1) + line(at, 4)).join('');
      work('first', [0]);
      const [one, oneAlike] = [count('const mine = 1;\n'), count(alike([0]))];
      expect(oneAlike.length).toBeGreaterThan(one.length);
      work('second', names(30).slice(1));
      expect(count('const mine = 3;\n')).toEqual(one);
      expect(count(alike(names(30).slice(1)))).toEqual(oneAlike);
      work('third', names(60).slice(30));
      expect(count('const mine = 4;\n')).toEqual(one);
    });

    variation(
      'are as many for ninety new files as for two, where a session left one that is gone',
      (repo) => {
        const { calls } = withProbe(repo);
        repo.ready();
        repo.write('old.ts', 'const old = compute(1000);\n').commit('Old', 'old.ts');
        const session = repo.session();
        session.prompt('delete one, write one');
        session.shell(() => repo.run('rm', ['old.ts']));
        session.edit('new.ts', 'const agent = compute(2000);\n');
        session.stop();
        const count = (folder: string, many: number) => {
          for (const at of names(many))
            repo.write(`${folder}/${at}.ts`, `const vendored${folder}${at} = compute(${at});\n`);
          return commitCalls(repo, calls, folder);
        };
        expect(count('more', 90)).toEqual(count('few', 2));
        repo.run('rm', ['new.ts']);
        expect(count('again', 90)).toEqual(count('two', 2));
      },
    );
  });

  variation('leave the index byte for byte as it is, and wait for nobody who has it locked', (repo) => {
    repo.ready();
    const session = repo.session();
    session.prompt('write');
    session.edit('README.md', 'changed\n');
    const index = join(repo.dir, '.git', 'index');
    const before = readFileSync(index);
    writeFileSync(`${index}.lock`, '');
    session.stop();
    session.prompt('again');
    session.stop();
    expect(repo.state(session.id).files_touched).toEqual(['README.md']);
    expect(readFileSync(index)).toEqual(before);
    repo.run('rm', [`${index}.lock`]);
    expect(repo.commit('Change', 'README.md')).toMatch(/^[0-9a-f]{12}$/);
  });
});
