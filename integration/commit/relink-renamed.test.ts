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
