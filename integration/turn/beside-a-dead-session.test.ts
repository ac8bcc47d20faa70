import { utimesSync } from 'node:fs';
import { describe, expect } from 'vitest';
import { silence } from '../support/command/stuck.ts';
import { expectLinked, expectNotLinked } from '../support/command/work.ts';
import { editState } from '../support/repository/leftovers.ts';
import { variation } from '../support/repository/scenario.ts';
import type { TestRepo } from '../support/repository/test-repo.ts';

/** A session in a turn, and beside it another one's turn, in which a formatter wrote a file. */
function besideOne(repo: TestRepo, hoursAgo: number): string[] {
  repo.ready();
  const other = repo.session();
  other.prompt('never comes to its end');
  const then = new Date(Date.now() - hoursAgo * 60 * 60 * 1000);
  editState(repo, other.id, { started_at: then.toISOString(), last_interaction_time: then.toISOString() });
  utimesSync(other.transcript, then, then);
  const session = repo.session();
  session.prompt('write a');
  session.edit('a.txt', 'a\n');
  repo.write('formatted.txt', 'by a formatter\n');
  session.stop();
  return repo.state(session.id).files_touched;
}

describe('what nobody reported, of a turn whose transcript accounts for all that the agent did', () => {
  variation('may be the work of another session that is in a turn', (repo) => {
    expect(besideOne(repo, 0)).toEqual(['a.txt']);
  });

  variation('is not that of a session whose client died long ago', (repo) => {
    expect(besideOne(repo, 3)).toEqual(['a.txt', 'formatted.txt']);
  });
});

describe('a commit without a terminal, beside a session whose client was killed in its turn', () => {
  const byProgram = (repo: TestRepo, ...args: string[]) =>
    repo.gitWith({ env: { ENTIRE_TEST_TTY: '0' } }, 'commit', '--quiet', ...args);
  const heard = (repo: TestRepo, id: string): string => repo.state(id).last_interaction_time;

  variation('is not linked to it where it holds none of its work', (repo) => {
    repo.ready();
    const session = repo.session();
    session.prompt('write a');
    session.edit('a.txt', 'a\n');
    const before = heard(repo, session.id);
    byProgram(repo, '--allow-empty', '-m', 'Empty');
    expectNotLinked(repo, 'no-overlap');
    repo.write('mine.txt', 'mine\n').git('add', 'mine.txt');
    byProgram(repo, '-m', 'Mine');
    expectNotLinked(repo, 'no-overlap');
    expect(heard(repo, session.id)).toBe(before);
  });

  variation('is where it does, and does not bring it back to life', (repo) => {
    repo.ready();
    const session = repo.session();
    session.prompt('write a');
    session.edit('a.txt', 'a\n');
    silence(repo, session, 59);
    const before = heard(repo, session.id);
    repo.git('add', 'a.txt');
    byProgram(repo, '-m', 'Of the agent');
    expectLinked(repo, session, 'a.txt');
    expect(heard(repo, session.id)).toBe(before);
    silence(repo, session, 61);
    expect(repo.entire('doctor').stdout).toContain('Reason:  active, last interaction 1h1m0s ago');
  });

  variation('in a shell of its agent is linked while that lives, whatever it holds', (repo) => {
    repo.ready();
    const session = repo.session();
    session.prompt('generate');
    repo.write('made.txt', 'made by a program\n');
    repo.agentCommit('Generated', 'made.txt');
    expectLinked(repo, session, 'made.txt');
  });
});
