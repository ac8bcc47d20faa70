import { renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import type { AgentSession } from '../support/agent/session.ts';
import { addWork, expectLinked, expectNotLinked, withWork } from '../support/command/work.ts';
import { variation } from '../support/repository/scenario.ts';
import type { TestRepo } from '../support/repository/test-repo.ts';

describe('lines that somebody carried to another file before they were committed', () => {
  const own = 'const agent = compute(1000);\nconst second = compute(1001);\n';
  const other = 'const other = compute(3000);\n';
  const mine = 'const mine = compute(2000);\n';
  const carry = (repo: TestRepo, left: string, now: string, moved: string): AgentSession => {
    const session = withWork(repo, { 'a.ts': left });
    repo.write('a.ts', now).write('b.ts', moved).commit('Move', 'b.ts');
    return session;
  };

  variation('link the commit of that file; what stays waits for its own', (repo) => {
    const session = carry(repo, `${own}${other}`, other, `${mine}${own}`);
    expectLinked(repo, session, 'b.ts');
    repo.commit('Rest', 'a.ts');
    expectLinked(repo, session, 'a.ts');
  });

  variation('link no commit of what another session made of the file then', (repo) => {
    repo.ready();
    const [one, two] = [repo.session(), repo.session()];
    addWork(repo, { 'a.ts': `${own}  return null;\n` }, one);
    two.prompt('move it, and write another one');
    two.shell(() => renameSync(join(repo.dir, 'a.ts'), join(repo.dir, 'b.ts')));
    two.edit('a.ts', `${other}  return null;\n`);
    two.stop();
    repo.commit('Other', 'a.ts');
    expect(repo.verdict()?.sessions).toEqual([two.id]);
    repo.commit('Moved', 'b.ts');
    expect(repo.verdict()?.sessions).toContain(one.id);
  });

  variation('link it, too, where what is left of the other file is committed first', (repo) => {
    repo.ready();
    const [one, two] = [repo.session(), repo.session()];
    addWork(repo, { 'a.ts': `${own}${other}` }, one);
    two.prompt('move it');
    two.edit('a.ts', other);
    two.edit('b.ts', `${own}${mine}`);
    two.stop();
    repo.commit('Part', 'a.ts');
    expect(repo.verdict()?.sessions).toContain(one.id);
    repo.commit('Rest', 'b.ts');
    expect(repo.verdict()?.sessions.toSorted()).toEqual([one.id, two.id].toSorted());
    two.prompt('write them again');
    two.edit('c.ts', `${mine}${own}`);
    two.stop();
    repo.commit('Copy', 'c.ts');
    expect(repo.verdict()?.sessions).toEqual([two.id]);
  });

  variation('link no commit on a branch that never had the lines', (repo) => {
    repo.ready();
    repo.write('a.ts', mine).commit('Base', 'a.ts');
    const main = repo.git('branch', '--show-current');
    repo.git('switch', '--quiet', '-c', 'topic');
    addWork(repo, { 'a.ts': `${mine}${own}`, 'c.ts': `${own}${other}` });
    repo.commit('Work', 'a.ts', 'c.ts');
    repo.git('switch', '--quiet', main);
    repo.write('b.ts', `${mine}${own}`).commit('Mine', 'b.ts');
    expect(repo.verdict()?.sessions).toEqual([]);
  });

  variation('link no commit after the one that had them was taken back', (repo) => {
    repo.ready();
    repo.write('a.ts', mine).commit('Base', 'a.ts');
    addWork(repo, { 'a.ts': `${mine}${own}` });
    repo.commit('Work', 'a.ts');
    repo.git('reset', '--quiet', '--hard', 'HEAD~1');
    repo.write('b.ts', `${mine}${own}`).commit('Mine', 'b.ts');
    expect(repo.verdict()?.sessions).toEqual([]);
  });

  variation('link it, too, where they are apart there, and most of what the other one lost', (repo) => {
    const [first, second] = own.split(/(?<=\n)/);
    const session = carry(repo, `${own}${other}`, other, `${second}${mine}${first}`);
    expectLinked(repo, session, 'b.ts');
  });

  variation('link it, too, where as many bytes stand in their place', (repo) => {
    const session = carry(repo, own, own.replaceAll('1', '7').replace('agent', 'other'), own);
    expectLinked(repo, session, 'b.ts');
  });

  variation('link nothing where they are apart, and not most of it', (repo) => {
    const [first, second] = own.split(/(?<=\n)/);
    const more = 'const fourth = compute(4000);\nconst fifth = compute(5000);\n';
    carry(repo, `${own}${more}${other}`, other, `${second}${mine}${first}`);
    expectNotLinked(repo, 'no-overlap');
  });

  variation('one that a person may have written there says nothing, nor do imports', (repo) => {
    const line = "import { useState, useEffect } from 'react';\n";
    const imports = `${line}import { useRouter, usePathname } from 'next';\n`;
    const list = 'import {\n  someLongNameOfThere,\n  anotherLongNameOfThere,\n} from "there";\n';
    const session = withWork(repo, { 'a.ts': `${imports}${list}${own}${other}` });
    const hold = (now: string, theirs: string) => {
      repo.write('a.ts', now).write('b.ts', theirs).commit('By hand', 'b.ts');
      expectNotLinked(repo, 'no-overlap');
    };
    hold(`import { useState } from 'react';\n${list}${own}${other}`, `${line}${mine}`);
    hold(`${own}${other}`, `${imports}${list}${mine}second;\n`);
    hold(own, `${mine}${other}`);
    repo.commit('Rest', 'a.ts');
    expectLinked(repo, session, 'a.ts');
  });

  variation('a copy of them, or what was committed before it was moved, links nothing', (repo) => {
    const more = `${other}const fourth = compute(4000);\n`;
    const session = withWork(repo, { 'a.ts': own });
    repo.commit('Work', 'a.ts');
    session.prompt('more');
    session.edit('a.ts', `${own}${more}`);
    session.stop();
    repo.write('a.ts', `${own}${more}${mine}`);
    repo.write('b.ts', `${mine}${more}`).commit('Copy', 'b.ts');
    expectNotLinked(repo, 'no-overlap');
    repo.write('a.ts', more).write('c.ts', own).commit('Move', 'c.ts');
    expectNotLinked(repo, 'no-overlap');
  });

  variation('link it where the other file is gone, and the last of them leave nothing behind', (repo) => {
    const lines = Array.from({ length: 12 }, (_, at) => `export const agent${at} = compute(${at});\n`);
    const session = withWork(repo, { 'a.ts': lines.join('') });
    rmSync(join(repo.dir, 'a.ts'));
    repo.write('b.ts', `${mine}${lines.slice(0, 4).join('')}`).commit('Some', 'b.ts');
    expectLinked(repo, session, 'b.ts');
    repo.write('c.ts', `${mine}${lines.slice(4).join('')}`).commit('Rest', 'c.ts');
    expectLinked(repo, session, 'c.ts');
    repo.write('d.ts', `${mine}${lines.slice(4).join('')}`).commit('Copy', 'd.ts');
    expectNotLinked(repo, 'no-overlap');
  });

  variation('link nothing where they are a person’s, which the agent only copied', (repo) => {
    repo.ready();
    repo.write('a.ts', mine).write('c.ts', `${other}${own}`).commit('Theirs', 'a.ts', 'c.ts');
    const session = addWork(repo, { 'a.ts': `${mine}${own}` });
    repo.write('a.ts', mine).write('c.ts', other).write('b.ts', own);
    repo.commit('Move', 'b.ts', 'c.ts');
    expectNotLinked(repo, 'no-overlap');
    session.prompt('again');
    session.edit('a.ts', `${mine}${other}${own}`);
    session.stop();
    repo.write('a.ts', mine).write('d.ts', `${other}${own}`);
    repo.git('rm', '--quiet', 'b.ts', 'c.ts');
    repo.commit('Move all', 'd.ts');
    expectNotLinked(repo, 'no-overlap');
  });

  variation('link it where they are not UTF-8, and stay where they still are', (repo) => {
    const bytes = (name: string) => Buffer.from(`const ${name} = "café au lait for all";\n`, 'latin1');
    const put = (path: string, ...names: string[]) =>
      writeFileSync(join(repo.dir, path), Buffer.concat(names.map(bytes)));
    repo.ready();
    const session = repo.session();
    session.prompt('write it');
    session.shell(() => put('a.ts', 'first', 'second', 'third', 'fourth'));
    session.stop();
    put('a.ts', 'first', 'second', 'third');
    put('b.ts', 'first', 'second');
    repo.commit('Copy', 'b.ts');
    expectNotLinked(repo, 'no-overlap');
    put('a.ts', 'third');
    put('c.ts', 'first', 'second');
    repo.commit('Move', 'c.ts');
    expectLinked(repo, session, 'c.ts');
  });
});
