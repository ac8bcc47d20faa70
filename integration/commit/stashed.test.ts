import { renameSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { report, rows } from '../support/agent/reported-command.ts';
import type { AgentSession } from '../support/agent/session.ts';
import { addWork, expectLinked } from '../support/command/work.ts';
import { variation } from '../support/repository/scenario.ts';
import type { TestRepo } from '../support/repository/test-repo.ts';

const line = (name: string): string => `const ${name} = compute(${name.length}000);\n`;
const OLD = `${line('one')}${line('second')}${line('another')}`;
const OWN = `${line('ofTheAgent')}${line('alsoOfTheAgent')}`;

/** Sessions that a commit's checkpoint names. */
const sessionsOf = (repo: TestRepo): readonly string[] => repo.verdict()?.sessions ?? [];

/** A session gives the file another name, and a commit takes that. */
function commitMove(repo: TestRepo, session: AgentSession, how: 'is silent' | 'reports what it did'): void {
  const move = () => renameSync(join(repo.dir, 'a.ts'), join(repo.dir, 'b.ts'));
  session.prompt('move it');
  if (how === 'is silent') session.shell(move);
  else {
    move();
    report(repo, session, { 'a.ts': rows('-', OLD), 'b.ts': rows('+', OLD) });
  }
  session.stop();
  repo.git('add', '--all');
  repo.commit('Move');
  expect(sessionsOf(repo)).toEqual([session.id]);
}

describe('work in a stash, of a file that others change meanwhile', () => {
  variation('another session moves the file: it is nothing of the first, whose work waits', (repo) => {
    repo.ready().write('a.ts', OLD).commit('Begin', 'a.ts');
    const [one, two] = [repo.session(), repo.session()];
    addWork(repo, { 'a.ts': `${OLD}${OWN}` }, one);
    repo.git('stash', 'push', '--quiet');
    commitMove(repo, two, 'is silent');
    repo.git('stash', 'pop', '--quiet');
    repo.commit('Rest', 'b.ts');
    expectLinked(repo, one, 'b.ts');
  });

  for (const how of ['is silent', 'reports what it did'] as const)
    variation(
      `of two sessions in it one moves the file by a command that ${how}: the work of both waits`,
      (repo) => {
        repo.ready().write('a.ts', OLD).commit('Begin', 'a.ts');
        const [one, two] = [repo.session(), repo.session()];
        addWork(repo, { 'a.ts': `${OLD}${OWN}` }, one);
        addWork(repo, { 'a.ts': `${line('ofTheOther')}${OLD}${OWN}` }, two);
        repo.git('stash', 'push', '--quiet');
        commitMove(repo, one, how);
        repo.git('stash', 'pop', '--quiet');
        repo.commit('Rest', 'b.ts');
        expect(sessionsOf(repo).toSorted()).toEqual([one.id, two.id].toSorted());
        expect(repo.entire('blame', 'b.ts').stdout).not.toMatch(/human .*ofThe/);
      },
    );

  variation('a line of it that many files have is in a commit: the rest waits', (repo) => {
    const body = (name: string): string => `function ${name}(first, second) {\n  return null;\n}\n`;
    repo.ready().write('a.ts', OLD).commit('Begin', 'a.ts');
    const session = addWork(repo, { 'a.ts': `${OLD}${body('ofTheAgent')}` });
    repo.git('stash', 'push', '--quiet');
    addWork(repo, { 'a.ts': `${body('ofTheNextTurn')}${OLD}` }, session);
    repo.commit('Next', 'a.ts');
    expectLinked(repo, session, 'a.ts');
    repo.tryGit('stash', 'pop', '--quiet');
    repo.write('a.ts', `${body('ofTheNextTurn')}${OLD}${body('ofTheAgent')}`).commit('Rest', 'a.ts');
    expectLinked(repo, session, 'a.ts');
    expect(repo.state(session.id).files_touched).toBeUndefined();
  });

  for (const common of ['', '  return null;\n']) {
    const shared = common === '' ? 'no line' : 'a line that many files have';
    variation(`a person changes a line beside it, ${shared} in both: it is nothing of it`, (repo) => {
      repo.ready().write('a.ts', OLD).commit('Begin', 'a.ts');
      const session = addWork(repo, { 'a.ts': `${OLD}${OWN}${common}` });
      repo.git('stash', 'push', '--quiet');
      addWork(repo, { 'a.ts': `${common}${line('ofTheNextTurn')}${OLD}` }, session);
      repo.commit('Next', 'a.ts');
      expectLinked(repo, session, 'a.ts');
      repo.write('a.ts', `${common}${line('byHand')}${OLD}`);
      expect(repo.commit('By hand', 'a.ts')).toBeUndefined();
      repo.tryGit('stash', 'pop', '--quiet');
      repo.write('a.ts', `${common}${line('byHand')}${OLD}${OWN}`).commit('Rest', 'a.ts');
      expectLinked(repo, session, 'a.ts');
    });
  }

  variation('one telling line of it is in a commit: the stash was applied and kept', (repo) => {
    repo.ready().write('a.ts', OLD).commit('Begin', 'a.ts');
    const session = addWork(repo, { 'a.ts': `${OLD}${OWN}` });
    repo.git('stash', 'push', '--quiet');
    repo.write('a.ts', `${line('byHand')}${OLD}${line('ofTheAgent')}`).commit('Some of it', 'a.ts');
    expectLinked(repo, session, 'a.ts');
    repo.write('a.ts', `${line('byHand')}${OLD}${line('ofTheAgent')}${line('alsoByHand')}`);
    expect(repo.commit('By hand', 'a.ts')).toBeUndefined();
  });

  for (const who of ['a person', 'the session', 'another one'] as const)
    variation(
      `it was applied and kept, and ${who} moved the file: nothing of it waits for the old name`,
      (repo) => {
        repo.ready().write('a.ts', OLD).commit('Begin', 'a.ts');
        const [one, two] = [repo.session(), repo.session()];
        addWork(repo, { 'a.ts': `${OLD}${OWN}` }, one);
        repo.git('stash', 'push', '--quiet');
        repo.git('stash', 'apply', '--quiet');
        const move = () => renameSync(join(repo.dir, 'a.ts'), join(repo.dir, 'b.ts'));
        const mover = who === 'another one' ? two : one;
        if (who === 'a person') move();
        else {
          mover.prompt('move it');
          mover.shell(move);
          mover.stop();
        }
        repo.git('add', '--all');
        repo.commit('Move');
        expect(sessionsOf(repo)).toContain(one.id);
        expect(repo.state(one.id).files_touched).toBeUndefined();
        repo.git('stash', 'drop', '--quiet');
        repo.write('a.ts', OLD);
        expect(repo.commit('By hand', 'a.ts')).toBeUndefined();
      },
    );
});
