import { describe, expect } from 'vitest';
import type { AgentSession } from '../support/agent/session.ts';
import { all, attributionOf, lines } from '../support/command/attribution.ts';
import { addWork } from '../support/command/work.ts';
import { variation } from '../support/repository/scenario.ts';
import type { TestRepo } from '../support/repository/test-repo.ts';

const MINE = lines('base', 3) + lines('mine', 5);
const BOTH = { agent_lines: 2, human_added: 5, total_committed: 7 };

/** The user has added five lines to `b.txt`, which no commit has. */
function addMine(repo: TestRepo): void {
  repo.ready();
  repo.write('b.txt', lines('base', 3));
  repo.commit('Base', 'b.txt');
  repo.write('b.txt', MINE);
}

/** One more turn in which the agent adds two lines to `b.txt`, and a commit of it. */
function addToMine(repo: TestRepo, session: AgentSession): string | undefined {
  session.prompt('now b');
  session.edit('b.txt', MINE + lines('agent', 2));
  session.stop();
  return repo.commit('B', 'b.txt');
}

describe('the user’s lines that a commit does not take', () => {
  variation('stay theirs when the agent goes on in the same file', (repo) => {
    addMine(repo);
    repo.write('a.txt', lines('base', 3));
    repo.commit('A file', 'a.txt');
    const session = addWork(repo, { 'a.txt': lines('base', 3) + lines('agent', 4) });
    expect(attributionOf(repo, repo.commit('A', 'a.txt'))).toMatchObject(all(4));
    expect(attributionOf(repo, addToMine(repo, session))).toMatchObject(BOTH);
  });

  variation('also when the commit was amended', (repo) => {
    addMine(repo);
    const session = addWork(repo, { 'a.txt': lines('agent', 4) });
    repo.commit('A', 'a.txt');
    repo.git('commit', '--quiet', '--amend', '-m', 'Reword');
    expect(attributionOf(repo, addToMine(repo, session))).toMatchObject(BOTH);
  });

  variation('and in a later commit of the same turn', (repo) => {
    addMine(repo);
    const session = repo.session();
    session.prompt('create a, then extend b, and commit each');
    session.edit('a.txt', lines('agent', 4));
    repo.variables = { CLAUDE_CODE_SESSION_ID: session.id };
    repo.agentCommit('A', 'a.txt');
    session.edit('b.txt', MINE + lines('agent', 2));
    expect(attributionOf(repo, repo.agentCommit('B', 'b.txt'))).toMatchObject(BOTH);
    session.edit('c.txt', lines('agent', 6));
    expect(attributionOf(repo, repo.agentCommit('C', 'c.txt'))).toMatchObject(all(6));
    session.stop();
  });
});

describe('a file of a session under another name', () => {
  variation('that the user gave it: what it had before the session is nobody’s work', (repo) => {
    repo.ready();
    repo.write('a.txt', lines('base', 100));
    repo.commit('Base', 'a.txt');
    const session = repo.session();
    session.prompt('extend');
    session.edit('a.txt', lines('base', 100) + lines('agent', 4));
    session.stop();
    repo.git('mv', 'a.txt', 'b.txt');
    expect(attributionOf(repo, repo.commit('Move', 'b.txt'))).toMatchObject(all(4));
  });

  variation('with lines of the user’s', (repo) => {
    repo.ready();
    repo.write('a.txt', lines('base', 100));
    repo.commit('Base', 'a.txt');
    const session = repo.session();
    session.prompt('extend');
    session.edit('a.txt', lines('base', 100) + lines('agent', 4));
    session.stop();
    repo.git('mv', 'a.txt', 'b.txt');
    repo.write('b.txt', lines('mine', 2) + lines('base', 100) + lines('agent', 4));
    expect(attributionOf(repo, repo.commit('Move', 'b.txt'))).toMatchObject({
      agent_lines: 4,
      human_added: 2,
      total_committed: 6,
    });
  });
});
