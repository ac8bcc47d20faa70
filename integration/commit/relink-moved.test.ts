import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { BESIDE, commitMine, commitWork, lines, linkedTo, MORE, ONE } from '../support/command/put-back.ts';
import { unhooked } from '../support/command/relink.ts';
import { scenario, variation } from '../support/repository/scenario.ts';
import type { TestRepo } from '../support/repository/test-repo.ts';

/** A file on main, and on a branch a line of a session in it. */
function begin(repo: TestRepo): string {
  repo.ready();
  commitMine(repo, { 'b.ts': lines(BESIDE), 'c.ts': lines('// c') });
  repo.git('switch', '--quiet', '-c', 'topic');
  return commitWork(repo, { 'b.ts': lines(BESIDE, ONE), 'd.ts': lines(...MORE) });
}

/** Picks the newest commit of the branch, without what it does to `b.ts`. */
function pick(repo: TestRepo, files: Record<string, string> = {}): void {
  repo.git('switch', '--quiet', 'main');
  commitMine(repo, { 'b.ts': lines('// mine', BESIDE), ...files });
  repo.tryGit('cherry-pick', '--no-commit', 'topic');
  repo.git('checkout', '--quiet', 'HEAD', '--', 'b.ts');
}

describe('a line that a picked commit had moved to another file', () => {
  scenario('is that of the session which wrote it, whose commit was not picked', (repo) => {
    const first = begin(repo);
    const second = commitWork(repo, {
      'b.ts': '',
      'c.ts': lines('// c', BESIDE, ONE),
      'e.ts': lines(...MORE.map((line) => `${line} // again`)),
    });
    pick(repo);
    unhooked(repo, 'commit', '--quiet', '-m', 'Picked');
    expect(linkedTo(repo).sort()).toEqual([first, second].sort());
  });

  variation('is so where a person moved it, and where the file has more on main', (repo) => {
    const first = begin(repo);
    commitMine(repo, { 'b.ts': '', 'c.ts': lines('// c', BESIDE, ONE) });
    pick(repo);
    unhooked(repo, 'commit', '--quiet', '-m', 'Picked');
    expect(linkedTo(repo)).toEqual([first]);
    unhooked(repo, 'reset', '--quiet', '--hard', 'HEAD~2');
    repo.git('switch', '--quiet', 'topic');
    repo.git('reset', '--quiet', '--hard', 'HEAD~1');
    const own = { 'c.ts': lines('// c', BESIDE, ONE), 'e.ts': lines(...MORE.map((line) => `${line} // 2`)) };
    const second = commitWork(repo, { 'b.ts': '', ...own });
    pick(repo, { 'c.ts': lines('// mine', '// c') });
    repo.write('c.ts', lines('// mine', '// c', BESIDE, ONE)).git('add', 'c.ts');
    unhooked(repo, 'commit', '--quiet', '-m', 'Picked');
    expect(linkedTo(repo).sort()).toEqual([first, second].sort());
  });

  variation('is a person’s own where it was written again', (repo) => {
    begin(repo);
    commitMine(repo, { 'c.ts': lines('// c', BESIDE, ONE) });
    pick(repo);
    unhooked(repo, 'commit', '--quiet', '-m', 'Picked');
    expect(linkedTo(repo)).toEqual([]);
  });
});

describe('a line above those of a picked commit, in a file that was no longer the same', () => {
  const OTHERS = lines(...MORE.map((line) => `${line} // of the other`));

  const LAST = 'const lastLineOfTheOther = theOther();';

  function pickBelow(repo: TestRepo, ...texts: string[]): { first: string; second: string } {
    repo.ready();
    commitMine(repo, { 'd.ts': lines('// d', '') });
    repo.git('switch', '--quiet', '-c', 'topic');
    const first = commitWork(repo, { 'd.ts': lines('// d', '', ONE, ''), 'e.ts': lines(...MORE) });
    const second = commitWork(repo, { 'b.ts': OTHERS, 'd.ts': lines('// d', '', ONE, '', LAST) });
    repo.git('switch', '--quiet', 'main');
    commitMine(repo, { 'd.ts': lines('// d', '// mine', '') });
    repo.tryGit('cherry-pick', '--no-commit', 'topic');
    repo.write('d.ts', lines('// d', '// mine', '', ...texts)).git('add', 'b.ts', 'd.ts');
    unhooked(repo, 'commit', '--quiet', '-m', 'Picked');
    return { first, second };
  }

  variation('is that of the session which wrote it before', (repo) => {
    const { first, second } = pickBelow(repo, ONE, '', LAST);
    expect(linkedTo(repo).sort()).toEqual([first, second].sort());
  });

  variation('links nothing where it was left out, or of that file nothing else was picked', (repo) => {
    const { second } = pickBelow(repo, '// nothing', '', LAST);
    expect(linkedTo(repo)).toEqual([second]);
    repo.write('d.ts', lines('// d', '// mine', '', ONE)).git('add', 'd.ts');
    unhooked(repo, 'commit', '--quiet', '--amend', '--no-edit');
    expect(linkedTo(repo)).toEqual([second]);
  });
});

describe('a file that gets its new name in a commit of its own', () => {
  function beginFile(repo: TestRepo): { first: string; text: string } {
    repo.ready();
    const first = commitWork(repo, { 'c.ts': lines(ONE, ...MORE) });
    const text = lines(ONE, '// mine', '// and this', '// and that');
    commitMine(repo, { 'c.ts': text });
    return { first, text };
  }

  scenario('after what another session put in its place, has the lines of who wrote them', (repo) => {
    const { first, text } = beginFile(repo);
    commitWork(repo, { 'c.ts': lines(...MORE.map((line) => `${line} // other`)) });
    commitMine(repo, { 'b.ts': text });
    expect(linkedTo(repo)).toEqual([first]);
  });

  variation(
    'is a copy where it still has the other one, and another file where it is not the same',
    (repo) => {
      const { text } = beginFile(repo);
      commitMine(repo, { 'b.ts': text });
      expect(linkedTo(repo)).toEqual([]);
      commitWork(repo, { 'c.ts': lines(...MORE.map((line) => `${line} // other`)) });
      commitMine(repo, { 'e.ts': lines('// e') });
      commitMine(repo, { 'd.ts': `${text}// more\n` });
      expect(linkedTo(repo)).toEqual([]);
    },
  );
});

describe('a line that a session had moved to another file, in a commit that is split', () => {
  /** @param left what it leaves of the file that had the line. Returns the checkpoints of both sessions. */
  function split(repo: TestRepo, left: string): { first: string; second: string } {
    repo.ready();
    const first = commitWork(repo, { 'a.ts': lines(BESIDE, ONE) });
    const second = commitWork(repo, {
      'a.ts': left,
      'b.ts': lines('// below this is another one', ONE),
      'c.ts': lines(...MORE),
    });
    repo.git('reset', '--quiet', '--mixed', 'HEAD^');
    repo.git('add', 'a.ts');
    unhooked(repo, 'commit', '--quiet', '-m', 'First half');
    repo.git('add', '--all');
    unhooked(repo, 'commit', '--quiet', '-m', 'Second half');
    return { first, second };
  }

  scenario('is that of who wrote it', (repo) => {
    const { first, second } = split(repo, lines(BESIDE));
    expect(linkedTo(repo).sort()).toEqual([first, second].sort());
  });

  variation('is a copy where it stands in the other one, too', (repo) => {
    const { second } = split(repo, lines('// copied', BESIDE, ONE));
    expect(linkedTo(repo)).toEqual([second]);
  });
});

variation(
  'a line is beside another one where a short one stands between them, which its commit moved',
  (repo) => {
    const SHORT = '  return null;';
    repo.ready();
    commitMine(repo, { 'a.ts': lines(BESIDE), 'c.ts': lines('// c', SHORT) });
    repo.git('branch', 'other');
    const id = commitWork(repo, { 'a.ts': lines(ONE, SHORT, BESIDE), 'c.ts': lines('// c') });
    repo.git('switch', '--quiet', 'other');
    commitMine(repo, { 'b.ts': lines(BESIDE) });
    commitMine(repo, { 'b.ts': lines(ONE, SHORT, BESIDE) });
    expect(linkedTo(repo)).toEqual([id]);
  },
);

describe('a line that was taken out of a file, and put into another one later', () => {
  const SHORT = '  return null;';
  const moveLater = (repo: TestRepo, ...put: string[]): string => {
    repo.ready();
    const id = commitWork(repo, { 'a.ts': lines(ONE, SHORT, ...MORE) });
    repo.write('a.ts', lines(ONE, SHORT, ...MORE, BESIDE)).git('add', 'a.ts');
    unhooked(repo, 'commit', '--quiet', '--amend', '--no-edit');
    commitMine(repo, { 'a.ts': lines(...MORE, BESIDE) });
    commitMine(repo, { 'b.ts': lines(...put) });
    return id;
  };

  scenario(
    'is that of who wrote it, with the line below it, also where that commit was made anew',
    (repo) => {
      const id = moveLater(repo, '// mine', ONE, SHORT);
      expect(linkedTo(repo)).toEqual([id]);
    },
  );

  variation('is so alone, where the commit right before took it out', (repo) => {
    const id = moveLater(repo, '// mine', ONE, '// and this');
    expect(linkedTo(repo)).toEqual([id]);
  });

  variation('is of nobody where it is alone, and another commit came in between', (repo) => {
    moveLater(repo, '// mine');
    commitMine(repo, { 'b.ts': lines('// mine', ONE, '// and this') });
    expect(linkedTo(repo)).toEqual([]);
  });

  variation('is a copy where it was never taken out', (repo) => {
    moveLater(repo, '// mine', ONE, '// and this');
    repo.git('reset', '--quiet', '--hard', 'HEAD~2');
    commitMine(repo, { 'b.ts': lines('// mine', ONE, '// and this') });
    expect(linkedTo(repo)).toEqual([]);
  });
});

describe('a line that was moved to another file, taken out of it, and put back', () => {
  /** @param left what the session that moved it leaves of the file that had it */
  function putBack(repo: TestRepo, left: string): { first: string; second: string } {
    repo.ready();
    commitMine(repo, { 'b.ts': lines('// b') });
    const first = commitWork(repo, { 'a.ts': lines(BESIDE, ONE, ...MORE) });
    const second = commitWork(repo, { 'a.ts': left, 'b.ts': lines('// b', ONE) });
    commitMine(repo, { 'b.ts': lines('// b', '// mine') });
    commitMine(repo, { 'b.ts': lines('// b', '// mine', ONE) });
    return { first, second };
  }

  scenario('is that of who wrote it, and not of who had moved it', (repo) => {
    const { first } = putBack(repo, lines(BESIDE, ...MORE));
    expect(linkedTo(repo)).toEqual([first]);
  });

  variation('is that of who wrote it a second time, where it was never moved', (repo) => {
    const { second } = putBack(repo, lines(BESIDE, ONE, ...MORE, '// more'));
    expect(linkedTo(repo)).toEqual([second]);
  });

  variation('is a person’s own in a third file', (repo) => {
    putBack(repo, lines(BESIDE, ...MORE));
    commitMine(repo, { 'b.ts': lines('// b') });
    commitMine(repo, { 'c.ts': lines('// c', ONE) });
    expect(linkedTo(repo)).toEqual([]);
  });
});

scenario(
  'a session moves a line of another one, and the two files are committed one after the other',
  (repo) => {
    repo.ready();
    const first = commitWork(repo, { 'a.ts': lines(...MORE, ONE, BESIDE) });
    const session = repo.session();
    session.prompt('move it');
    const file_path = join(repo.dir, 'a.ts');
    const input = { file_path, old_string: `${ONE}\n${BESIDE}`, new_string: `${BESIDE}\n// more` };
    session.tool('Edit', input, { act: () => repo.write('a.ts', lines(...MORE, BESIDE, '// more')) });
    session.hook('post-file-edit', 'PostToolUse-Edit', { tool_input: input });
    session.edit('b.ts', lines('const writtenHere = byTheSecondOne();', ONE));
    session.stop();
    const part = repo.commit('Part', 'a.ts');
    const second = repo.commit('Rest', 'b.ts');
    session.end();
    expect(linkedTo(repo).sort()).toEqual([first, second].sort());
    expect(linkedTo(repo, 'HEAD~1')).toEqual([part]);
  },
);
