import { mkdirSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import {
  BESIDE,
  commitMine,
  commitMoves,
  commitWork,
  lines,
  linkedTo,
  MORE,
  ONE,
} from '../support/command/put-back.ts';
import { unhooked } from '../support/command/relink.ts';
import { scenario, variation } from '../support/repository/scenario.ts';
import type { TestRepo } from '../support/repository/test-repo.ts';

const MINE = '// mine';

/** A person takes a line of a session out of a file, and puts it back beside one of their own. */
function putBack(repo: TestRepo, path: string, line = ONE): void {
  const others = repo
    .read(path)
    .split('\n')
    .filter((one) => one !== '' && one !== line);
  commitMine(repo, { [path]: lines(...others) });
  commitMine(repo, { [path]: lines(...others, BESIDE, line) });
}

describe('a line that is put back in a file to which a session gave another name', () => {
  scenario('is that of the session which wrote it under the old one', (repo) => {
    repo.ready();
    const first = commitWork(repo, { 'a.ts': lines(...MORE, ONE) });
    commitMoves(repo, { 'a.ts': 'b.ts' });
    putBack(repo, 'b.ts');
    expect(linkedTo(repo)).toEqual([first]);
    commitMine(repo, { 'b.ts': lines(...MORE), 'c.ts': lines(ONE) });
    expect(linkedTo(repo)).toEqual([]);
  });

  variation('is so where the file had two more names', (repo) => {
    repo.ready();
    const first = commitWork(repo, { 'a.ts': lines(...MORE, ONE) });
    commitMoves(repo, { 'a.ts': 'b.ts' });
    commitMoves(repo, { 'b.ts': 'c.ts' });
    putBack(repo, 'c.ts');
    expect(linkedTo(repo)).toEqual([first]);
  });

  variation('is so where the commit that gave it the name changed it, too', (repo) => {
    repo.ready();
    const first = commitWork(repo, { 'a.ts': lines(...MORE, ONE) });
    commitMoves(repo, { 'a.ts': 'b.ts' }, { 'b.ts': lines('const more = somethingMore();', ...MORE, ONE) });
    putBack(repo, 'b.ts');
    expect(linkedTo(repo)).toEqual([first]);
  });

  variation('is so where another file, which was the same, got another name with it', (repo) => {
    repo.ready();
    const first = commitWork(repo, { 'x/a.ts': lines(...MORE, ONE), 'y/a.ts': lines(...MORE, ONE) });
    for (const folder of ['x2', 'y2']) mkdirSync(join(repo.dir, folder));
    commitMoves(repo, { 'x/a.ts': 'x2/a.ts', 'y/a.ts': 'y2/a.ts' });
    putBack(repo, 'x2/a.ts');
    expect(linkedTo(repo)).toEqual([first]);
  });

  variation('is so where the commit of the session was made anew before', (repo) => {
    repo.ready();
    const first = commitWork(repo, { 'a.ts': lines(...MORE, ONE) });
    repo.write('a.ts', lines(MINE, ...MORE, ONE));
    unhooked(repo, 'commit', '--quiet', '--amend', '--no-edit', 'a.ts');
    commitMoves(repo, { 'a.ts': 'b.ts' });
    putBack(repo, 'b.ts');
    expect(linkedTo(repo)).toEqual([first]);
  });
});

describe('a line that a person takes from one file of a session to another one is nobody’s', () => {
  scenario('where the file has the name that the other one had before', (repo) => {
    repo.ready();
    commitWork(repo, { 'a.ts': lines(...MORE) });
    commitMoves(repo, { 'a.ts': 'b.ts' });
    commitWork(repo, { 'a.ts': lines('const whole = anotherFile();', ONE) });
    commitMine(repo, { 'b.ts': lines(...MORE, BESIDE, ONE) });
    expect(linkedTo(repo)).toEqual([]);
  });

  variation('where it gets that name later, whenever it is asked', (repo) => {
    repo.ready();
    commitWork(repo, { 'a.ts': lines(...MORE, ONE) });
    commitMine(repo, { 'b.ts': lines(MINE) });
    commitMine(repo, { 'b.ts': lines(MINE, BESIDE, ONE) });
    const asked = repo.git('rev-parse', 'HEAD');
    expect(linkedTo(repo, asked)).toEqual([]);
    repo.git('rm', '--quiet', 'b.ts');
    unhooked(repo, 'commit', '--quiet', '-m', 'Gone');
    commitMoves(repo, { 'a.ts': 'b.ts' });
    expect(linkedTo(repo, asked)).toEqual([]);
  });

  variation('where it has that name on another branch only', (repo) => {
    repo.ready();
    commitWork(repo, { 'a.ts': lines(...MORE, ONE) });
    repo.git('switch', '--quiet', '-c', 'topic');
    commitMoves(repo, { 'a.ts': 'b.ts' });
    repo.git('switch', '--quiet', 'main');
    commitMine(repo, { 'b.ts': lines(MINE) });
    commitMine(repo, { 'b.ts': lines(MINE, BESIDE, ONE) });
    expect(linkedTo(repo)).toEqual([]);
  });
});

describe('a line that is put back where the commit of its session was made anew', () => {
  const TWO = 'const theWorkOfTheSecondSession = here(andThere);';

  scenario('is that of the session where a note alone says so', (repo) => {
    repo.ready();
    const first = commitWork(repo, { 'a.ts': lines(...MORE, ONE) });
    repo.write('a.ts', lines(MINE, ...MORE, ONE));
    unhooked(repo, 'commit', '--quiet', '--amend', '-m', 'Another message', 'a.ts');
    repo.entire('relink');
    putBack(repo, 'a.ts');
    expect(linkedTo(repo)).toEqual([first]);
  });

  variation('is so where the middle of its message says so', (repo) => {
    repo.ready();
    const first = commitWork(repo, { 'a.ts': lines(...MORE, ONE) });
    const second = commitWork(repo, { 'a.ts': lines(...MORE, ONE, TWO) });
    repo.git('reset', '--quiet', '--soft', 'HEAD~2');
    repo.write('a.ts', lines(...MORE, ONE, TWO, MINE)).git('add', 'a.ts');
    const [one, two] = [first, second].map((id) => `Entire-Checkpoint: ${id}`);
    unhooked(repo, 'commit', '--quiet', '-m', `Work\n\n${one}\n\nMore work\n\n${two}`);
    putBack(repo, 'a.ts');
    expect(linkedTo(repo)).toEqual([first]);
    putBack(repo, 'a.ts', TWO);
    expect(linkedTo(repo)).toEqual([second]);
  });

  variation('is so where a branch still has the old commit', (repo) => {
    repo.ready();
    const first = commitWork(repo, { 'a.ts': lines(...MORE, ONE) });
    repo.git('branch', 'backup');
    repo.write('a.ts', lines(MINE, ...MORE, ONE));
    unhooked(repo, 'commit', '--quiet', '--amend', '--no-edit', 'a.ts');
    putBack(repo, 'a.ts');
    expect(linkedTo(repo)).toEqual([first]);
  });
});

describe('a revert in a file to which a person gave another name', () => {
  for (const [what, keeps] of [
    ['is of the session whose line it brings back', false],
    ['is of none where the file that it wrote is still there', true],
  ] as const)
    variation(what, (repo) => {
      repo.ready();
      const first = commitWork(repo, { 'a.ts': lines(ONE, ...MORE) });
      if (!keeps) repo.git('rm', '--quiet', '--cached', 'a.ts');
      commitMine(repo, { 'b.ts': lines(MINE, ONE, BESIDE) });
      commitMine(repo, { 'b.ts': lines(MINE, BESIDE) });
      unhooked(repo, 'revert', '--no-edit', 'HEAD');
      expect(linkedTo(repo)).toEqual(keeps ? [] : [first]);
    });
});

describe('a short line of a file that then got the name which another one had, in one commit made of all', () => {
  const SHORT = 'if (isReady(37)) {';

  function remake(repo: TestRepo): string {
    repo.ready();
    commitMine(repo, { 'a.ts': lines('// a', ...MORE), 'b.ts': lines(BESIDE) });
    const base = repo.git('rev-parse', 'HEAD');
    const session = repo.session();
    session.prompt('move b away, and ask first');
    session.shell(() => renameSync(join(repo.dir, 'b.ts'), join(repo.dir, 'c.ts')));
    session.edit('a.ts', lines(SHORT, '}', ...MORE));
    session.stop();
    session.end();
    repo.git('add', '--all');
    const id = repo.commit('Ask first') as string;
    commitMoves(repo, { 'a.ts': 'b.ts' });
    repo.git('reset', '--quiet', '--mixed', base);
    repo.git('add', '--all');
    return id;
  }

  scenario('is linked by itself, and by what is stored alone', (repo) => {
    const id = remake(repo);
    repo.git('commit', '--quiet', '-m', 'Made again');
    expect(repo.git('notes', '--ref=entire', 'show', 'HEAD')).toBe(`Entire-Checkpoint: ${id}`);
    repo.git('update-ref', '-d', 'refs/notes/entire');
    expect(linkedTo(repo)).toEqual([id]);
  });

  variation('is a person’s where they have copied the file', (repo) => {
    remake(repo);
    repo.git('checkout', '--quiet', 'HEAD', '--', 'a.ts');
    unhooked(repo, 'commit', '--quiet', '-m', 'Made again');
    expect(linkedTo(repo)).toEqual([]);
  });
});
