import { describe, expect } from 'vitest';
import {
  addCheckpoint,
  addClone,
  addCommit,
  checkpointsOn,
  METADATA,
  userPush,
  withOrigin,
} from '../support/repository/clones.ts';
import { placesOf } from '../support/repository/marker.ts';
import { scenario, variation } from '../support/repository/scenario.ts';
import type { TestRepo } from '../support/repository/test-repo.ts';

const WORD = 'FORGETWORD';

/** A session whose one checkpoint was pushed, and another session's. */
function shareAndForget(repo: TestRepo): {
  told: string;
  bare: string;
  session: string;
  gone: string;
  kept: string;
} {
  const bare = withOrigin(repo);
  const kept = addCheckpoint(repo, 'kept.txt');
  const session = repo.session();
  session.prompt(`please ${WORD} now`);
  session.edit('a.txt', 'one\n');
  session.stop('Done.');
  const gone = repo.commit('Add a', 'a.txt') as string;
  expect(userPush(repo).code).toBe(0);
  const { stdout } = repo.entire('forget', session.id, '--yes');
  return { told: stdout, bare, session: session.id, gone, kept };
}

/** Nothing at the tip of the local branch has the word. */
const isLeftOut = (repo: TestRepo): boolean => repo.tryGit('grep', '-q', WORD, METADATA).code === 1;

describe('a remote that still has what was forgotten here', () => {
  scenario('`git push` leaves out again what was forgotten, and says that the remote has it', (repo) => {
    const { bare, session, gone, kept } = shareAndForget(repo);
    addCommit(repo);
    const { code, said } = userPush(repo);
    expect(code).toBe(0);
    expect(said.filter((line) => line.includes(session))).toEqual([
      expect.stringContaining('was left out again'),
    ]);
    expect(isLeftOut(repo)).toBe(true);
    expect(checkpointsOn(repo)).toEqual([kept]);
    expect(checkpointsOn(repo, METADATA, bare)).toEqual([kept]);
    expect(repo.tryEntire('explain', '--commit', 'HEAD~1').stderr).toContain(
      `checkpoint ${gone} was forgotten on `,
    );
    addCommit(repo);
    expect(userPush(repo)).toEqual({ code: 0, said: [] });
    expect(repo.entire('verify').code).toBe(0);
  });

  variation('`why` and `explain` say so whatever the remote-tracking branch has', (repo) => {
    const { told, session, gone } = shareAndForget(repo);
    expect(told).toContain('the next `git push` or `entire fetch` meets it there');
    const why = repo.entire('why').stdout;
    expect(why).toContain(`Session ${session} was forgotten on `);
    expect(why).not.toContain(WORD);
    for (const args of [['--commit', 'HEAD'], ['--checkpoint', gone], [gone.slice(0, 8)]]) {
      const { code, stdout, stderr } = repo.tryEntire('explain', ...args);
      expect({ args, code }).toEqual({ args, code: 1 });
      expect(stderr).toContain(`checkpoint ${gone} was forgotten on `);
      expect(stdout).not.toContain(WORD);
    }
    expect(repo.entire('explain').stdout).not.toContain(WORD);
    expect(repo.entire('status').stdout).toContain('not linked: what it was linked to was forgotten here');
  });

  variation('`entire fetch` and `entire push` leave it out, too', (repo) => {
    const { session, kept } = shareAndForget(repo);
    const { stderr } = repo.tryEntire('fetch');
    expect(stderr).toContain(session);
    expect(isLeftOut(repo)).toBe(true);
    expect(checkpointsOn(repo)).toEqual([kept]);
    expect(repo.entire('push').code).toBe(0);
    expect(isLeftOut(repo)).toBe(true);
  });

  variation('a branch that is not there any more is made anew without it', (repo) => {
    const { kept } = shareAndForget(repo);
    repo.git('update-ref', '-d', METADATA);
    expect(repo.tryEntire('fetch').stderr).toContain('was left out again');
    expect(isLeftOut(repo)).toBe(true);
    expect(checkpointsOn(repo)).toEqual([kept]);
  });

  variation('others keep what they have, and what they add comes in', (repo) => {
    const { bare, kept } = shareAndForget(repo);
    const other = addClone(repo, bare);
    other.entire('fetch');
    const added = addCheckpoint(other, 'bob.txt');
    expect(other.tryGit('push', '--quiet').code).toBe(0);
    repo.git('pull', '--quiet', '--no-edit', '--no-rebase');
    expect(userPush(repo).code).toBe(0);
    expect(isLeftOut(repo)).toBe(true);
    expect(checkpointsOn(repo)).toEqual([added, kept].sort());
  });
});

variation('a step branch that was pushed is named, with the command that removes it', (repo) => {
  withOrigin(repo, false);
  const [gone, kept] = [repo.session(), repo.session()];
  gone.prompt(`please ${WORD} now`);
  gone.edit('a.txt', 'one\n');
  gone.stop();
  repo.git('push', '--quiet', '--all', 'origin');
  const branches = repo.git('for-each-ref', '--format=%(refname:short)', 'refs/heads/entire/').split('\n');
  const branch = branches.find((name) => name !== 'entire/checkpoints/v1') ?? '';
  kept.prompt('something else');
  kept.edit('k.txt', 'kept\n');
  kept.stop();
  const command = `git push origin --delete ${branch}`;
  expect(repo.entire('forget', kept.id, '--dry-run').stdout).not.toContain('--delete');
  expect(repo.entire('forget', `${gone.id}:1`, '--dry-run').stdout).toContain(command);
  const plan = JSON.parse(repo.entire('forget', gone.id, '--dry-run', '--json').stdout);
  expect(plan.remote_branches).toEqual([{ remote: 'origin', branch }]);
  const said = `origin has a step branch with it, as far as this clone knows: \`${command}\` removes it there, and origin/${branch} here`;
  expect(repo.entire('forget', gone.id, '--yes').stdout).toContain(said);
  expect(placesOf(repo, WORD, ['refs/heads/main'])).not.toEqual([]);
  // As long as it is there, who asks again is told again.
  expect(repo.entire('forget', gone.id, '--yes').stdout).toContain(said);
  repo.git(...command.split(' ').slice(1));
  expect(repo.git('ls-remote', '--heads', 'origin')).not.toContain(branch);
  expect(placesOf(repo, WORD, ['refs/heads/main'])).toEqual([]);
  expect(repo.entire('forget', gone.id, '--yes').stdout).not.toContain('origin');
});
