import { join } from 'node:path';
import { expect } from 'vitest';
import type { AgentSession } from '../support/agent/session.ts';
import { findAll } from '../support/command/search.ts';
import { variation } from '../support/repository/scenario.ts';
import type { TestRepo } from '../support/repository/test-repo.ts';

/** Two turns, the second of which looks at what the first wrote; a commit of the work of each. */
function commitOneByOne(repo: TestRepo, session: AgentSession): void {
  session.prompt('plan the aqueduct of a');
  session.edit('a.txt', 'a\n');
  session.stop();
  session.prompt('plan the aqueduct of b');
  session.tool('Read', { file_path: join(repo.dir, 'a.txt') });
  session.edit('b.txt', 'b\n');
  session.stop();
  repo.commit('Add a', 'a.txt');
  repo.commit('Add b', 'b.txt');
}

const found = (repo: TestRepo): string[] =>
  findAll(repo, 'aqueduct', '--kind', 'prompt')
    .map(({ text, commit }) => `${text}: ${commit?.subject}`)
    .sort();
const EXPECTED = ['plan the aqueduct of a: Add a', 'plan the aqueduct of b: Add b'];

variation(
  'a turn that several checkpoints have stands with the commit of what it wrote, not of what it read',
  (repo) => {
    repo.ready();
    commitOneByOne(repo, repo.session());
    expect(found(repo)).toEqual(EXPECTED);
  },
);

for (const [of, isOut] of [
  ['no line of the transcript', () => true],
  ['no prompt', ({ type }: { type?: unknown }) => type === 'user'],
] as const)
  variation(`it stands once, also where ${of} has a time`, (repo) => {
    repo.ready();
    const session = repo.session();
    const write = session.write.bind(session);
    session.write = (line) => write(isOut(line) ? { ...line, timestamp: undefined } : line);
    commitOneByOne(repo, session);
    expect(found(repo)).toEqual(EXPECTED);
  });
