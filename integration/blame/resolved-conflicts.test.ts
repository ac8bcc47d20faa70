import { describe, expect } from 'vitest';
import { blame } from '../support/command/blame.ts';
import { diverge, limit } from '../support/command/conflict.ts';
import { addWork } from '../support/command/work.ts';
import { variation } from '../support/repository/scenario.ts';
import type { TestRepo } from '../support/repository/test-repo.ts';

const FALLBACK = 'export const fallback = readFallback(limit, 20);\n';

/** Each way to meet the conflict, and to go on when it is resolved. */
const WAYS = {
  rebase: [
    ['switch', '--quiet', 'topic'],
    ['rebase', 'main'],
    ['rebase', '--continue'],
  ],
  'cherry-pick': [
    ['cherry-pick', 'topic'],
    ['cherry-pick', '--continue'],
  ],
  merge: [
    ['merge', 'topic'],
    ['commit', '--no-edit'],
  ],
} as const;

describe.each(Object.entries(WAYS))('blame: a conflict of a %s that a session resolves', (_, steps) => {
  const goOn = (repo: TestRepo) => repo.gitWith({ env: { GIT_EDITOR: ':' } }, ...(steps.at(-1) ?? []));
  const meet = (repo: TestRepo) => {
    for (const step of steps.slice(0, -1)) repo.tryGit(...step);
  };
  const owners = (repo: TestRepo) => blame(repo, 'a.ts').lines.map((line) => line.session_id ?? line.class);

  variation('in a turn, and a person goes on: what it wrote is its own', (repo) => {
    const author = diverge(repo);
    meet(repo);
    const session = addWork(repo, { 'a.ts': `${limit(100)}${FALLBACK}` });
    repo.git('add', 'a.ts');
    goOn(repo);
    expect(owners(repo)).toEqual([author.id, session.id]);
  });

  variation('and goes on itself, in the same turn', (repo) => {
    const author = diverge(repo);
    const session = repo.session();
    session.prompt('take it along, and resolve what conflicts');
    meet(repo);
    session.edit('a.ts', `${limit(100)}${FALLBACK}`);
    repo.git('add', 'a.ts');
    goOn(repo);
    session.stop();
    expect(owners(repo)).toEqual([author.id, session.id]);
  });

  variation('by a command, and goes on itself, in the same turn: its own, or nobody’s', (repo) => {
    const author = diverge(repo);
    const session = repo.session();
    session.prompt('take it along, and resolve what conflicts');
    session.shell(() => {
      meet(repo);
      repo.write('a.ts', `${limit(100)}${FALLBACK}`).git('add', 'a.ts');
      goOn(repo);
    });
    session.stop();
    const [first, second] = owners(repo);
    expect(first).toBe(author.id);
    expect([session.id, 'unknown']).toContain(second);
  });

  variation('a person does, while a session is at work: it is the person’s, or nobody’s', (repo) => {
    const author = diverge(repo);
    addWork(repo, { 'b.ts': 'export const besides = readBesides(813);\n' });
    meet(repo);
    repo.write('a.ts', `${limit(100)}${FALLBACK}`).git('add', 'a.ts');
    goOn(repo);
    const [first, second] = owners(repo);
    expect(first).toBe(author.id);
    expect(['human', 'unknown']).toContain(second);
  });
});

variation(
  'blame: lines that were there before a session took them away and put them back are not its own',
  (repo) => {
    repo.ready().git('switch', '--quiet', '--create', 'topic');
    const text = `${limit(100)}${FALLBACK}`;
    repo.write('a.ts', text).commit('Mine', 'a.ts');
    repo.git('switch', '--quiet', 'main');
    repo.write('b.ts', limit(20)).commit('Other', 'b.ts');
    repo.git('switch', '--quiet', 'topic');
    repo.git('rebase', '--quiet', 'main');
    const session = repo.session();
    for (const content of [limit(100), text]) {
      session.prompt('without it, and with it again');
      session.edit('a.ts', content);
      session.stop();
    }
    expect(blame(repo, 'a.ts').lines.map((line) => line.session_id)).toEqual([null, null]);
  },
);
