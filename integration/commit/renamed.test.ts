import { mkdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { addWork, expectLinked, expectNotLinked, withWork } from '../support/command/work.ts';
import { variation } from '../support/repository/scenario.ts';
import type { TestRepo } from '../support/repository/test-repo.ts';

const own = 'const agent = compute(1000);\nconst second = compute(1001);\n';
const lines = Array.from({ length: 40 }, (_, at) => `const value${at} = somethingOfTheirs(${at});`);
const theirs = `${lines.join('\n')}\n`;
const changed = theirs.replace('somethingOfTheirs(20)', 'somethingOfTheAgents(20)');

/** A file of the user's, of which the agent has changed a line. */
function changedFile(repo: TestRepo) {
  repo.ready();
  repo.write('lib.ts', theirs).commit('Theirs', 'lib.ts');
  return addWork(repo, { 'lib.ts': changed });
}

function commitAll(repo: TestRepo): void {
  repo.git('add', '--all');
  repo.gitWith({ env: { ENTIRE_TEST_TTY: '1' } }, 'commit', '--quiet', '-m', 'By hand');
}

const remove = (repo: TestRepo, ...paths: string[]) => {
  for (const path of paths) rmSync(join(repo.dir, path));
};

describe('a file that has another name before it is committed', () => {
  variation('is linked where its change is there, as a whole or with more', (repo) => {
    const session = changedFile(repo);
    repo.git('mv', 'lib.ts', 'named.ts');
    repo.write('named.ts', `// moved\n${changed}`);
    commitAll(repo);
    expectLinked(repo, session);
  });

  variation('is linked among many MB of other files', (repo) => {
    const session = withWork(repo, { 'a.ts': own });
    remove(repo, 'a.ts');
    const row = 'some values of a table that somebody adds\n';
    for (let at = 0; at < 12; at++) repo.write(`data/${at}.csv`, `${at}\n${row.repeat(25_000)}`);
    repo.write('last.ts', `// moved\n${own}`);
    commitAll(repo);
    expectLinked(repo, session, 'last.ts');
  });

  variation('is not linked where the change was undone first', (repo) => {
    changedFile(repo);
    repo.git('checkout', '--quiet', '--', 'lib.ts');
    repo.git('mv', 'lib.ts', 'named.ts');
    commitAll(repo);
    expectNotLinked(repo, 'no-overlap');
    repo.write('copy.ts', `${theirs}// theirs, too\n`);
    commitAll(repo);
    expectNotLinked(repo, 'no-overlap');
  });

  variation('is linked where its change is committed later than its name', (repo) => {
    const session = changedFile(repo);
    repo.git('mv', 'lib.ts', 'named.ts');
    repo.gitWith({ env: { ENTIRE_TEST_TTY: '1' } }, 'commit', '--quiet', '-m', 'The name alone');
    expectNotLinked(repo, 'no-overlap');
    commitAll(repo);
    expectLinked(repo, session, 'named.ts');
  });

  variation('links no empty file, and none that has only what many files have', (repo) => {
    const strict = "'use strict';\n";
    const imports = "import { useState, useEffect } from 'react';\n";
    withWork(repo, {
      'empty.py': '',
      'a.js': `${strict}${own}`,
      'b.json': '{\n  "valueOfTheAgent": 1000\n}\n',
      'c.ts': `${imports}${own}`,
    });
    remove(repo, 'empty.py', 'a.js', 'b.json', 'c.ts');
    repo.write('docs/.gitkeep', '').write('other.js', strict).write('conf.json', '{\n}\n');
    repo.write('other.ts', imports);
    commitAll(repo);
    expectNotLinked(repo, 'no-overlap');
  });

  variation('links nothing where the commit only moves what was there, and the agent had copied', (repo) => {
    repo.ready();
    repo.write('lib.ts', theirs).commit('Theirs', 'lib.ts');
    addWork(repo, { 'copy.ts': theirs });
    remove(repo, 'copy.ts');
    repo.git('mv', 'lib.ts', 'named.ts');
    commitAll(repo);
    expectNotLinked(repo, 'no-overlap');
  });

  variation('is not linked for what the agent had copied, and the commit leaves where it was', (repo) => {
    repo.ready();
    repo.write('lib.ts', theirs).commit('Theirs', 'lib.ts');
    const session = addWork(repo, { 'a.ts': `${theirs}${own}` });
    remove(repo, 'a.ts');
    repo.write('lib.ts', `${theirs}// mine\n`).write('b.ts', `${theirs}const mine = compute(2000);\n`);
    commitAll(repo);
    expectNotLinked(repo, 'no-overlap');
    repo.write('lib.ts', theirs).write('c.ts', `${theirs}const mine = compute(2000);\n${own}`);
    commitAll(repo);
    expectLinked(repo, session, 'c.ts');
  });

  variation('is linked where all that the agent did to it was to copy it', (repo) => {
    repo.ready();
    repo.write('lib.ts', theirs).commit('Theirs', 'lib.ts');
    const session = addWork(repo, { 'a.ts': `import { it } from './it';\n${theirs}` });
    remove(repo, 'a.ts');
    repo.write('lib.ts', `${theirs}// mine\n`).write('b/a.ts', `import { it } from '../it';\n${theirs}`);
    commitAll(repo);
    expectLinked(repo, session, 'b/a.ts');
  });

  variation('is one of several of the same content: each has a new name, and nothing is left', (repo) => {
    const session = withWork(repo, { 'a/x.ts': own, 'b/x.ts': own });
    mkdirSync(join(repo.dir, 'c'));
    for (const [from, to] of [
      ['a/x.ts', 'c/x.ts'],
      ['b/x.ts', 'c/y.ts'],
    ] as const)
      renameSync(join(repo.dir, from), join(repo.dir, to));
    commitAll(repo);
    expectLinked(repo, session, 'c/x.ts', 'c/y.ts');
    expect(repo.state(session.id).files_touched).toBeUndefined();
    repo.write('d.ts', own);
    commitAll(repo);
    expectNotLinked(repo, 'no-overlap');
  });
});
