import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { blame } from '../support/command/blame.ts';
import { addWork } from '../support/command/work.ts';
import { variation } from '../support/repository/scenario.ts';
import type { TestRepo } from '../support/repository/test-repo.ts';

/** Of each line whose it is, and of which prompt and turn. */
const told = (repo: TestRepo, path = 'a.txt'): string[] =>
  blame(repo, path).lines.map(({ text, class: kind, prompt, turn }) =>
    [text, kind, prompt ?? '-', turn?.replace(/^.*:/, ':') ?? '-'].join(' | '),
  );

const FIRST = 'line one\nline two\n';
const MINE = `${FIRST}said I\n`;

describe('blame: a Write of the whole file has only the lines that it brought', () => {
  variation('a person’s between two turns stay theirs, and those of the earlier turn its own', (repo) => {
    repo.ready();
    const session = repo.session();
    session.prompt('begin');
    session.edit('a.txt', FIRST);
    session.stop();
    repo.write('a.txt', MINE);
    session.prompt('go on');
    session.edit('a.txt', `${MINE}line three\n`);
    const expected = [
      'line one | agent | begin | :1',
      'line two | agent | begin | :1',
      'said I | human | - | -',
      'line three | agent | go on | :2',
    ];
    expect(told(repo)).toEqual(expected); // while the turn goes on
    session.stop();
    expect(told(repo)).toEqual(expected);
    repo.commit('Both', 'a.txt');
    expect(told(repo)).toEqual(expected);
    expect(repo.entire('blame', 'a.txt').stdout).toContain(`${session.id.slice(0, 8)}:2 "go on"`);
    expect(repo.entire('diff', `${session.id}:2`).stdout).toContain('+line three');
    // Nothing is kept any more: the transcript alone does not tell a person's line from what was written again.
    rmSync(join(repo.commonDir, 'entire', 'snapshots'), { recursive: true });
    expect(told(repo)).toEqual([
      'line one | agent | begin | -',
      'line two | agent | begin | -',
      'said I | agent | go on | -',
      'line three | agent | go on | -',
    ]);
  });

  variation('within one turn, too, and what it moves, brings again or has twice is its own', (repo) => {
    repo.ready();
    const session = repo.session();
    session.prompt('begin');
    session.edit('a.txt', FIRST);
    repo.write('a.txt', MINE);
    session.edit('a.txt', `${MINE}line two\nline three\n`);
    session.stop();
    repo.commit('One', 'a.txt');
    expect(told(repo)).toEqual([
      'line one | agent | begin | :1',
      'line two | agent | begin | :1',
      'said I | human | - | -',
      'line two | agent | begin | :1',
      'line three | agent | begin | :1',
    ]);
  });

  variation('of two sessions each has its own', (repo) => {
    repo.ready();
    const first = addWork(repo, { 'a.txt': FIRST });
    repo.write('a.txt', MINE);
    const second = repo.session();
    second.prompt('go on');
    second.edit('a.txt', `${MINE}line three\n`);
    second.stop();
    const expected = [first.id, first.id, null, second.id];
    expect(blame(repo, 'a.txt').lines.map((line) => line.session_id)).toEqual(expected);
    repo.commit('Both', 'a.txt');
    expect(blame(repo, 'a.txt').lines.map((line) => line.session_id)).toEqual(expected);
    expect(blame(repo, 'a.txt').lines.map((line) => line.turn)).toEqual(
      [first.id, first.id, null, second.id].map((id) => id && `${id}:1`),
    );
  });

  variation('also where each turn was asked the same', (repo) => {
    repo.ready();
    repo.write('b.txt', 'mine alone\n');
    const session = repo.session();
    for (const more of ['x0\n', 'x1\n', 'x1\n', 'x1\nx2\n']) {
      session.prompt('go on');
      session.edit('b.txt', `mine alone\n${more}`);
      session.stop();
    }
    const expected = [
      'mine alone | human | - | -',
      'x1 | agent | go on | :2',
      'x2 | agent | go on | :3', // the third changed nothing
    ];
    expect(told(repo, 'b.txt')).toEqual(expected);
    repo.commit('B', 'b.txt');
    expect(told(repo, 'b.txt')).toEqual(expected);
  });
});
