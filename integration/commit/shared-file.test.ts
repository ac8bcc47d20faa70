import { renameSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import type { AgentSession } from '../support/agent/session.ts';
import { addWork } from '../support/command/work.ts';
import { variation } from '../support/repository/scenario.ts';
import type { TestRepo } from '../support/repository/test-repo.ts';

const OWN = 'const agent = compute(1000);\nconst second = compute(1001);\n';
const OTHER = 'const another = compute(3000);\nconst yetAnother = compute(3001);\n';

const begin = (repo: TestRepo): [AgentSession, AgentSession] => {
  repo.ready();
  return [repo.session(), repo.session()];
};

/** A session gives a file another name, and writes another one in its place. */
function moveAndWrite(repo: TestRepo, session: AgentSession, text: string): void {
  session.prompt('move it, and write another one');
  session.shell(() => renameSync(join(repo.dir, 'a.ts'), join(repo.dir, 'b.ts')));
  session.edit('a.ts', text);
  session.stop();
}

/** Commits a file: the commit is linked to these sessions. */
function commitOf(repo: TestRepo, path: string, ...sessions: readonly AgentSession[]): void {
  repo.commit(`Commit ${path}`, path);
  const ids = repo.verdict()?.sessions ?? [];
  expect(ids.toSorted()).toEqual(sessions.map(({ id }) => id).toSorted());
}

describe('a new file that two sessions have in hand', () => {
  const short = ['port: 80', 'host: a', 'user: b', 'tls: on', 'log: 1', 'ttl: 9'];
  for (const [path, first, next] of [
    ['a.yml', 'title: settings of the service we run', 'title: how it runs in production'],
    ['a.py', 'rate = compute_rate_of_first(1)', 'rate = compute_rate_of_another(2)'],
  ] as const)
    variation(`of ${path} the second one changes the one line that tells: it is of both`, (repo) => {
      const [one, two] = begin(repo);
      const rest = short.map((line) => `${line}\n`).join('');
      addWork(repo, { [path]: `${first}\n${rest}` }, one);
      addWork(repo, { [path]: `${next}\n${rest}` }, two);
      commitOf(repo, path, one, two);
      expect(repo.entire('blame', path).stdout).toContain('7 lines: agent 7 (100%)');
    });

  for (const [what, head] of [
    ['an import', "import { useState, useEffect } from 'react';\n"],
    ['a licence', '// Copyright 2026 Example Incorporated\n'],
  ] as const)
    variation(`${what} stays on top of what the second one puts in its place`, (repo) => {
      const [one, two] = begin(repo);
      addWork(repo, { 'a.ts': `${head}${OWN}` }, one);
      moveAndWrite(repo, two, `${head}${OTHER}`);
      commitOf(repo, 'a.ts', two);
      commitOf(repo, 'b.ts', one, two);
    });

  variation('a person adds a line to what the second one put in its place', (repo) => {
    const [one, two] = begin(repo);
    addWork(repo, { 'a.ts': OWN }, one);
    moveAndWrite(repo, two, OTHER);
    repo.write('a.ts', `${OTHER}const mine = compute(5000);\n`);
    commitOf(repo, 'a.ts', two);
    commitOf(repo, 'b.ts', one, two);
  });

  variation('the first one does something else after that', (repo) => {
    const [one, two] = begin(repo);
    addWork(repo, { 'a.ts': OWN }, one);
    moveAndWrite(repo, two, OTHER);
    addWork(repo, { 'c.ts': 'const further = compute(777);\n' }, one);
    commitOf(repo, 'a.ts', two);
    commitOf(repo, 'b.ts', one, two);
    commitOf(repo, 'c.ts', one);
  });

  variation('the first one goes on in it after that: it is of both', (repo) => {
    const [one, two] = begin(repo);
    addWork(repo, { 'a.ts': OWN }, one);
    moveAndWrite(repo, two, OTHER);
    addWork(repo, { 'a.ts': `${OTHER}const further = compute(777);\n` }, one);
    commitOf(repo, 'a.ts', one, two);
  });

  variation('a person puts the first one’s version back: it is its work alone', (repo) => {
    const [one, two] = begin(repo);
    addWork(repo, { 'a.ts': OWN }, one);
    addWork(repo, { 'a.ts': OTHER }, two);
    repo.write('a.ts', OWN);
    commitOf(repo, 'a.ts', one);
  });

  variation('the second one takes its own lines out again, and gives the rest another name', (repo) => {
    const [one, two] = begin(repo);
    one.prompt('write it');
    one.edit('a.ts', OWN);
    two.prompt('go on in it');
    two.edit('a.ts', `${OWN}${OTHER}`);
    one.stop();
    two.stop();
    two.prompt('keep them apart');
    two.shell(() => renameSync(join(repo.dir, 'a.ts'), join(repo.dir, 'b.ts')));
    two.edit('b.ts', OWN);
    two.edit('c.ts', OTHER);
    two.stop();
    commitOf(repo, 'c.ts', two);
    commitOf(repo, 'b.ts', one, two);
  });
});
