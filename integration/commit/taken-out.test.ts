import { describe, expect } from 'vitest';
import { addWork, expectLinked } from '../support/command/work.ts';
import { variation } from '../support/repository/scenario.ts';
import type { TestRepo } from '../support/repository/test-repo.ts';

const FIRST = 'export const first = computeFrom(1);\n';
const SECOND = 'export const second = computeFrom(2);\nexport const third = computeFrom(3);\n';

/** Two files of a session in one commit, of which an amend takes the second one out. */
function withTakenOut(repo: TestRepo): ReturnType<TestRepo['session']> {
  const session = addWork(repo, { 'one.ts': FIRST, 'two.ts': SECOND });
  repo.commit('Both', 'one.ts', 'two.ts');
  repo.git('reset', '--quiet', 'HEAD~1', '--', 'two.ts');
  repo.git('commit', '--quiet', '--amend', '--no-edit');
  return session;
}

describe('a file of a session that an amend takes out of its commit', () => {
  variation('waits, and is linked with the next one', (repo) => {
    const session = withTakenOut(repo.ready());
    const first = repo.checkpointOf('HEAD');
    expect(repo.entire('status').stdout).toContain('not committed yet: two.ts');
    repo.git('add', 'two.ts');
    repo.git('commit', '--quiet', '-m', 'The second one');
    expect(expectLinked(repo, session, 'two.ts')).not.toBe(first);
    expect(repo.entire('status').stdout).not.toContain('not committed yet');
  });

  variation(
    'waits, where it was there before, or was taken away; an amended message changes nothing',
    (repo) => {
      repo.ready().write('two.ts', FIRST).write('gone.ts', SECOND).commit('Begin', 'two.ts', 'gone.ts');
      const session = repo.session();
      session.prompt('change them');
      session.edit('one.ts', FIRST);
      session.edit('two.ts', `${FIRST}${SECOND}`);
      session.deleteFile('gone.ts');
      session.stop();
      repo.git('add', '--all');
      repo.git('commit', '--quiet', '-m', 'All');
      repo.git('reset', '--quiet', 'HEAD~1', '--', 'two.ts', 'gone.ts');
      repo.git('commit', '--quiet', '--amend', '-m', 'The first');
      repo.git('commit', '--quiet', '--amend', '-m', 'The first one');
      expect(repo.state(session.id).files_touched).toEqual(['gone.ts', 'two.ts']);
      repo.git('add', '--all');
      repo.git('commit', '--quiet', '-m', 'The rest');
      expectLinked(repo, session, 'gone.ts', 'two.ts');
    },
  );

  variation('is nobody’s where it was thrown away', (repo) => {
    const session = addWork(repo.ready(), { 'one.ts': FIRST, 'two.ts': SECOND });
    repo.commit('Both', 'one.ts', 'two.ts');
    repo.git('rm', '--quiet', 'two.ts');
    repo.git('commit', '--quiet', '--amend', '--no-edit');
    expect(repo.state(session.id)?.files_touched ?? []).toEqual([]);
    repo.write('two.ts', 'export const something = ofThePerson();\n').commit('Mine', 'two.ts');
    expect(repo.verdict()?.reason).not.toBe('linked');
  });
});
