import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { BESIDE, commitMine, commitWork, lines, linkedTo, MORE, ONE } from '../support/command/put-back.ts';
import { unhooked } from '../support/command/relink.ts';
import { addWork } from '../support/command/work.ts';
import { scenario, variation } from '../support/repository/scenario.ts';
import type { TestRepo } from '../support/repository/test-repo.ts';

/** A person takes the line of a session out of its file, and nothing else; the next commit puts it into another one. */
function takeOutAndPut(repo: TestRepo, taken: Record<string, string> = {}): string {
  const id = commitWork(repo, { 'a.ts': lines(BESIDE, ONE, ...MORE) });
  commitMine(repo, { 'a.ts': lines(BESIDE, ...MORE), ...taken });
  commitMine(repo, { 'd.ts': lines('// d', ONE, '// and this') });
  return id;
}

describe('a line that the commit right before took out of a session’s file, and that this one puts into another', () => {
  const HEADER = '// SPDX-License-Identifier: Apache-2.0';

  scenario('is a person’s where their other files have it: they know it from there', (repo) => {
    repo.ready();
    commitMine(repo, { 'm.ts': lines(HEADER, '// m'), 'folder/n.ts': lines(HEADER, '// n') });
    commitWork(repo, { 'a.ts': lines(HEADER, ONE, ...MORE) });
    repo.git('rm', '--quiet', 'a.ts');
    unhooked(repo, 'commit', '--quiet', '-m', 'Gone');
    commitMine(repo, { 'd.ts': lines(HEADER, '// d', '// mine') });
    expect(linkedTo(repo)).toEqual([]);
  });

  variation('is so, too, where another file has it with other quotes, or as a part of a line', (repo) => {
    const guard = "if (process.env.NAME === 'main') return run()";
    repo.ready();
    commitMine(repo, { 'm.ts': lines(`  ${guard.replaceAll("'", '"')}; // m`) });
    commitWork(repo, { 'a.ts': lines(guard, ONE, ...MORE) });
    commitMine(repo, { 'a.ts': lines(ONE, ...MORE) });
    commitMine(repo, { 'd.ts': lines('// d', guard, '// and this') });
    expect(linkedTo(repo)).toEqual([]);
  });

  variation('is a copy where the session wrote it twice, and one still stands', (repo) => {
    repo.ready();
    commitWork(repo, { 'a.ts': lines(BESIDE, ONE, ...MORE), 's.ts': lines('// s', ONE, '// t') });
    commitMine(repo, { 'a.ts': lines(BESIDE, ...MORE) });
    commitMine(repo, { 'd.ts': lines('// d', ONE, '// and this') });
    expect(linkedTo(repo)).toEqual([]);
  });

  variation('is a copy where that commit only gave the file another name', (repo) => {
    repo.ready();
    commitWork(repo, { 'a.ts': lines(BESIDE, ONE, ...MORE) });
    repo.git('mv', 'a.ts', 'z.ts');
    unhooked(repo, 'commit', '--quiet', '-m', 'Name');
    commitMine(repo, { 'd.ts': lines('// d', ONE) });
    expect(linkedTo(repo)).toEqual([]);
  });

  variation('is a copy where that commit had put it into a file itself', (repo) => {
    repo.ready();
    takeOutAndPut(repo, { 'z.ts': lines('// z', ONE) });
    expect(linkedTo(repo)).toEqual([]);
  });

  for (const when of ['before', 'after'])
    variation(`is of nobody where a person’s file, that had it ${when} the session, lost it, too`, (repo) => {
      repo.ready();
      const mine = { 'b.ts': lines('// b', ONE, '// c') };
      if (when === 'before') commitMine(repo, mine);
      commitWork(repo, { 'a.ts': lines(BESIDE, ONE, ...MORE) });
      if (when === 'after') commitMine(repo, mine);
      commitMine(repo, { 'a.ts': lines(BESIDE, ...MORE), 'b.ts': lines('// b', '// c') });
      commitMine(repo, { 'd.ts': lines('// d', ONE, '// and this') });
      expect(linkedTo(repo)).toEqual([]);
    });

  variation('is the session’s however often another one has it in one file', (repo) => {
    repo.ready();
    const often = [...Array(9).keys()].flatMap((at) => [`const lineOfNumber${at} = ${at};`, ONE]);
    // Ids are random, and files are read in their order: of three, all but one stand behind another one.
    const others = ['x.ts', 'y.ts', 'z.ts'].map((path) => commitWork(repo, { [path]: lines(...often) }));
    for (const path of ['x.ts', 'y.ts', 'z.ts']) commitMine(repo, { [path]: lines('// gone') });
    expect(others).not.toContain(takeOutAndPut(repo));
    expect(linkedTo(repo)).toHaveLength(1);
  });
});

scenario(
  'a line that a session had moved, and that a third file has, is no session’s where it is put back',
  (repo) => {
    repo.ready();
    commitMine(repo, { 'b.ts': lines('// b') });
    commitWork(repo, { 'a.ts': lines(BESIDE, ONE, ...MORE) });
    commitWork(repo, { 'a.ts': lines(BESIDE, ...MORE), 'b.ts': lines('// b', ONE) });
    commitMine(repo, { 'b.ts': lines('// b'), 'c.ts': lines('// c', ONE, '// d') });
    commitMine(repo, { 'x.ts': '// x\n' });
    commitMine(repo, { 'b.ts': lines('// b', '// mine', ONE) });
    expect(linkedTo(repo)).toEqual([]);
  },
);

describe('a line of a session that another one moved to another file before both were committed', () => {
  const [FIRST = ''] = MORE;

  /** A session writes a line into a.ts, another one moves it to b.ts with what a person wrote below; one commit has all, and is taken back. */
  function takeBack(repo: TestRepo): string {
    repo.ready();
    commitMine(repo, { 'a.ts': lines(BESIDE) });
    const [one, two] = [repo.session(), repo.session()];
    addWork(repo, { 'a.ts': lines(ONE, FIRST, BESIDE) }, one);
    repo.write('a.ts', lines(ONE, '// mine', FIRST, BESIDE));
    two.prompt('move it');
    const file_path = join(repo.dir, 'a.ts');
    const input = { file_path, old_string: lines(ONE, '// mine', FIRST), new_string: lines(FIRST) };
    two.tool('Edit', input, { act: () => repo.write('a.ts', lines(FIRST, BESIDE)) });
    two.hook('post-file-edit', 'PostToolUse-Edit', { tool_input: input });
    two.edit('b.ts', lines(ONE, '// mine'));
    two.stop();
    const id = repo.commit('Both', 'a.ts', 'b.ts') as string;
    for (const session of [one, two]) session.end();
    repo.git('reset', '--quiet', '--mixed', 'HEAD^');
    return id;
  }

  scenario('links the part of that commit which has it, made anew alone', (repo) => {
    const id = takeBack(repo);
    for (const path of ['a.ts', 'b.ts']) {
      repo.git('add', path);
      unhooked(repo, 'commit', '--quiet', '-m', path);
      expect(linkedTo(repo)).toEqual([id]);
    }
  });

  variation('links it with hooks, too, as soon as it is made', (repo) => {
    const id = takeBack(repo);
    for (const path of ['a.ts', 'b.ts']) {
      repo.commit(path, path);
      expect(repo.git('log', '-1', '--format=%B%N', '--notes=entire')).toContain(id);
    }
  });
});
