import { mkdirSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { commitBefore } from '../support/command/work.ts';
import { variation } from '../support/repository/scenario.ts';
import type { TestRepo } from '../support/repository/test-repo.ts';

const countsOf = (repo: TestRepo, file: string) =>
  JSON.parse(repo.entire('blame', file, '--json').stdout).counts;
const UNKNOWN = { agent: 0, human: 0, unknown: 1 };
const HUMAN = { agent: 0, human: 1, unknown: 0 };

describe('blame: what a turn that is not over may have written, and nobody reported', () => {
  variation('is unknown in a commit that somebody makes meanwhile; what was there before is not', (repo) => {
    repo.ready().write('before.txt', 'by hand\n');
    const session = repo.session();
    session.prompt('make it with a shell');
    repo.commit('Before', 'before.txt');
    session.shell(() => repo.write('shell.txt', 'by a shell\n'));
    repo.commit('Shell', 'shell.txt');
    expect(countsOf(repo, 'shell.txt')).toEqual(UNKNOWN);
    expect(countsOf(repo, 'before.txt')).toEqual(HUMAN);
    session.stop();
    expect(countsOf(repo, 'shell.txt')).toEqual(UNKNOWN);
    repo.write('after.txt', 'by hand\n').commit('After', 'after.txt');
    expect(countsOf(repo, 'after.txt')).toEqual(HUMAN);
  });

  variation('also beside work that is linked, and after the turn was broken off', (repo) => {
    repo.ready();
    const session = repo.session();
    session.prompt('make it with a shell');
    session.edit('tool.txt', 'by a tool\n');
    session.shell(() => repo.write('shell.txt', 'by a shell\n'));
    repo.commit('Both', 'tool.txt', 'shell.txt');
    expect(countsOf(repo, 'tool.txt')).toEqual({ agent: 1, human: 0, unknown: 0 });
    expect(countsOf(repo, 'shell.txt')).toEqual(UNKNOWN);
  });

  variation('and a person’s where only tools wrote, which report', (repo) => {
    repo.ready();
    const session = repo.session();
    session.prompt('write it');
    session.edit('tool.txt', 'by a tool\n');
    repo.write('mine.txt', 'by hand\n').commit('Mine', 'mine.txt');
    expect(countsOf(repo, 'mine.txt')).toEqual(HUMAN);
  });
});

variation(
  'blame: what is committed after an agent was at work, and no hook told of it, is unknown',
  (repo) => {
    repo.ready().write('before.txt', 'by hand\n');
    commitBefore(repo, 'Before', 'before.txt');
    const folder = join(repo.home, '.claude', 'projects', `${repo.dir.replace(/[^a-zA-Z0-9]/g, '-')}-sub`);
    mkdirSync(folder, { recursive: true });
    mkdirSync(join(repo.dir, 'sub'));
    const line = JSON.stringify({ type: 'user', cwd: join(repo.dir, 'sub') });
    const file = join(folder, 'b0c6f1f0-0000-4000-8000-000000000001.jsonl');
    writeFileSync(file, `${line}\n`);
    repo.write('sub/a.txt', 'by whom?\n').commit('During', 'sub/a.txt');
    const told = JSON.parse(repo.entire('blame', 'sub/a.txt', '--json').stdout);
    expect(told).toMatchObject({ counts: UNKNOWN, lines: [{ reason: 'unseen' }] });
    expect(countsOf(repo, 'before.txt')).toEqual(HUMAN);
    const [from, to] = [Date.now() / 1000 - 60, Date.now() / 1000 - 30];
    utimesSync(file, from, to); // it ended before the commit that this one follows
    repo.write('after.txt', 'by hand\n').commit('After', 'after.txt');
    expect(countsOf(repo, 'after.txt')).toEqual(HUMAN);
  },
);

variation(
  'blame: of two sessions in a commit one is forgotten: its lines are unknown, those of the other stay',
  (repo) => {
    repo.ready();
    const sessions = ['a', 'b'].map((name) => {
      const session = repo.session(`11111111-1111-4111-8111-11111111111${name}`);
      session.prompt(`write ${name}`);
      session.edit(`${name}.txt`, `written as ${name}\n`);
      session.stop();
      return session;
    });
    repo.commit('Both', 'a.txt', 'b.txt');
    expect(countsOf(repo, 'a.txt')).toEqual({ agent: 1, human: 0, unknown: 0 });
    repo.entire('forget', sessions[0]?.id ?? '', '--yes');
    expect(countsOf(repo, 'a.txt')).toEqual(UNKNOWN);
    expect(countsOf(repo, 'b.txt')).toEqual({ agent: 1, human: 0, unknown: 0 });
  },
);

describe('blame: lines that wait and were written by what is forgotten', () => {
  variation(
    'are unknown, also in the commit that has them, and what a person writes then is theirs',
    (repo) => {
      repo.ready().write('mine.txt', 'by hand\n');
      const session = repo.session();
      session.prompt('write a');
      session.edit('a.txt', 'written\n');
      session.stop();
      repo.entire('forget', session.id, '--yes');
      expect(countsOf(repo, 'a.txt')).toEqual(UNKNOWN);
      expect(countsOf(repo, 'mine.txt')).toEqual(HUMAN);
      repo.commit('Mine', 'mine.txt');
      repo.git('commit', '--quiet', '--amend', '--message', 'Mine, amended');
      expect(countsOf(repo, 'mine.txt')).toEqual(HUMAN);
      expect(countsOf(repo, 'a.txt')).toEqual(UNKNOWN);
      repo.variables = { ...repo.variables, GIT_AUTHOR_DATE: new Date().toISOString() };
      repo.commit('Theirs', 'a.txt');
      expect(countsOf(repo, 'a.txt')).toEqual(UNKNOWN);
      repo.write('a.txt', 'written\nby hand\n');
      expect(countsOf(repo, 'a.txt')).toEqual({ agent: 0, human: 1, unknown: 1 });
      repo.commit('More of mine', 'a.txt');
      expect(countsOf(repo, 'a.txt')).toEqual({ agent: 0, human: 1, unknown: 1 });
    },
  );

  variation('also where one turn is, and another one wrote into the same file', (repo) => {
    repo.ready();
    const session = repo.session();
    for (const text of ['one\n', 'one\ntwo\n']) {
      session.prompt(`write ${text.length}`);
      session.edit('a.txt', text);
      session.stop();
    }
    expect(countsOf(repo, 'a.txt')).toEqual({ agent: 2, human: 0, unknown: 0 });
    repo.entire('forget', `${session.id}:2`, '--yes');
    expect(countsOf(repo, 'a.txt')).toEqual({ agent: 1, human: 0, unknown: 1 });
  });
});
