import { rmSync } from 'node:fs';
import { expect } from 'vitest';
import { blame } from '../support/command/blame.ts';
import { diverge, limit } from '../support/command/conflict.ts';
import { addWork } from '../support/command/work.ts';
import { scenario } from '../support/repository/scenario.ts';
import type { TestRepo } from '../support/repository/test-repo.ts';

type Session = ReturnType<TestRepo['session']>;

const FALLBACK = 'export const fallback = readFallback(limit, 20);\n';
const SECOND = 'export const second = readSecondFallback(limit, 30);\n';

/** A session's line on a branch is rebased onto a person's in its place. */
function meetConflict(repo: TestRepo): Session {
  const author = diverge(repo);
  repo.git('switch', '--quiet', 'topic');
  repo.tryGit('rebase', 'main');
  return author;
}

function goOn(repo: TestRepo): void {
  repo.git('add', 'a.ts');
  repo.gitWith({ env: { GIT_EDITOR: ':' } }, 'rebase', '--continue');
}

/** More than is looked at of a transcript in one go: 9 MiB, in lines that are not too long each. */
function sayMuch(session: Session): void {
  for (let at = 0; at < 3; at++) session.say('talk '.repeat(629_146));
}

const owners = (repo: TestRepo): string[] =>
  blame(repo, 'a.ts').lines.map((line) => line.session_id ?? line.class);

scenario('blame: what a session put into a conflict is its own, however long it talks on', (repo) => {
  const author = meetConflict(repo);
  const session = addWork(repo, { 'a.ts': `${limit(100)}${FALLBACK}` });
  session.prompt('and now?');
  sayMuch(session);
  session.stop();
  addWork(repo, { 'a.ts': `${limit(100)}${FALLBACK}${SECOND}` }, session);
  goOn(repo);
  session.prompt('and what is next?');
  session.stop();
  expect(owners(repo)).toEqual([author.id, session.id, session.id]);
});

scenario(
  'blame: what a turn may have put there is no person’s where the turn is too long to be read',
  (repo) => {
    const author = meetConflict(repo);
    const session = repo.session();
    session.prompt('resolve it');
    session.edit('a.ts', `${limit(100)}${FALLBACK}`);
    sayMuch(session);
    session.stop();
    goOn(repo);
    expect(owners(repo)).toEqual([author.id, 'unknown']);
  },
);

scenario('blame: nor where the transcript is gone', (repo) => {
  const author = meetConflict(repo);
  const session = addWork(repo, { 'a.ts': `${limit(100)}${FALLBACK}` });
  goOn(repo);
  rmSync(session.transcript);
  expect(owners(repo)).toEqual([author.id, 'unknown']);
});

scenario('blame: a person’s line is theirs beside a turn that is too long to be read', (repo) => {
  const author = meetConflict(repo);
  const session = repo.session();
  session.prompt('look at it');
  sayMuch(session);
  session.stop();
  repo.write('a.ts', `${limit(100)}${FALLBACK}`);
  goOn(repo);
  expect(owners(repo)).toEqual([author.id, 'human']);
});
