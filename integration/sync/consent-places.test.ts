import { join } from 'node:path';
import { expect } from 'vitest';
import { addBare, addCheckpoint, setPush, userPush, withOrigin } from '../support/repository/clones.ts';
import { variation } from '../support/repository/scenario.ts';
import type { TestRepo } from '../support/repository/test-repo.ts';

/** What leads pushes to another place than the one that stood on the screen. Each is given that place, and how to push there. */
const LEADS: Readonly<Record<string, (repo: TestRepo, other: string) => readonly string[]>> = {
  'git push -u of another remote': (repo, other) => {
    repo.git('remote', 'add', 'fork', other);
    repo.gitWith({ env: { ENTIRE: '0' } }, 'push', '--quiet', '-u', 'fork', 'main');
    return [];
  },
  'git remote set-url': (repo, other) => {
    repo.git('remote', 'set-url', 'origin', other);
    return [];
  },
  'a second push URL': (repo, other) => {
    const first = repo.git('remote', 'get-url', 'origin');
    for (const url of [first, other]) repo.git('remote', 'set-url', '--add', '--push', 'origin', url);
    return [];
  },
  'pushInsteadOf for all repositories': (repo, other) => {
    const first = repo.git('remote', 'get-url', 'origin');
    repo.git('config', '--global', `url.${other}.pushInsteadOf`, first);
    return [];
  },
  'a copy of the clone with another remote': (repo, other) => {
    const copy = join(repo.scratch, 'copy');
    repo.run('cp', ['-R', repo.dir, copy]);
    repo.dir = copy;
    repo.git('remote', 'set-url', 'origin', other);
    return [];
  },
  'a copy of the clone with a remote by its path': (repo) => {
    repo.git('remote', 'set-url', 'origin', '../remote.git');
    repo.entire('enable', '--push-sessions', '--agent', 'claude-code');
    const [folder, copy] = [join(repo.scratch, 'elsewhere'), join(repo.scratch, 'elsewhere/copy')];
    repo.run('mkdir', [folder]);
    repo.run('cp', ['-R', repo.dir, copy]);
    repo.run('cp', ['-R', join(repo.scratch, 'other.git'), join(folder, 'remote.git')]);
    repo.dir = copy;
    return [];
  },
};

const branchOn = (repo: TestRepo, bare: string): string =>
  repo.git('-C', bare, 'for-each-ref', '--format=%(refname)', 'refs/heads/entire');

for (const [what, lead] of Object.entries(LEADS)) {
  variation(`a yes holds for the place that was shown: ${what}`, (repo) => {
    withOrigin(repo, 'undecided');
    const bare = addBare(repo, 'other');
    const answered = repo.entire('enable', '--push-sessions', '--agent', 'claude-code').stdout;
    expect(answered).toContain('Session logs go along with your pushes to: origin (file://');
    const args = lead(repo, `file://${bare}`);
    const there = what.includes('path') ? join(repo.scratch, 'elsewhere/remote.git') : bare;
    addCheckpoint(repo);
    const said = [userPush(repo, ...args), userPush(repo, ...args)];
    expect(said.map(({ code }) => code)).toEqual([0, 0]);
    expect(said.flatMap((push) => push.said)).toEqual([
      expect.stringMatching(
        /^\[entire\] Session logs stay on this machine: they would go to .*(other|elsewhere\/remote)\.git, which nobody here has agreed to. To review and agree: `entire enable --push-sessions`$/,
      ),
    ]);
    expect(branchOn(repo, there)).toBe('');
    expect(repo.entire('status').stdout).toMatch(
      /^Session logs: stay on this machine \(they would go to .*\.git, which nobody here has agreed to; /m,
    );
    expect(JSON.parse(repo.entire('status', '--json').stdout).session_logs).toMatchObject({
      ...{ leave: false, reason: 'not-shown' },
      asked_for: expect.stringContaining('.git'),
    });
    expect(repo.tryEntire('push').code).toBe(1);
    // Nor does enable without an answer say yes for it.
    repo.entire('enable');
    expect(repo.entire('status').stdout).toContain('Session logs: stay on this machine (they would go to');

    repo.entire('enable', '--push-sessions', '--agent', 'claude-code');
    repo.git('commit', '--quiet', '--allow-empty', '-m', 'More');
    expect(userPush(repo, ...args).said.join('\n')).toContain('Pushing session logs to');
    expect(branchOn(repo, there)).toContain('entire/checkpoints/v1');
  });
}

variation(
  'a yes without a place is for origin, which the first push names; from then on it is noted',
  (repo) => {
    const bare = withOrigin(repo, 'undecided');
    const other = addBare(repo, 'other');
    repo.git('config', 'entire.pushSessions', 'true');
    addCheckpoint(repo);
    expect(userPush(repo).said.join('\n')).toContain(`Pushing session logs to file://${bare}...`);
    expect(branchOn(repo, bare)).toContain('entire/checkpoints/v1');
    expect(repo.git('config', '--get-all', 'entire.shownPlace')).toBe(`file://${bare}`);
    repo.git('remote', 'set-url', 'origin', `file://${other}`);
    addCheckpoint(repo);
    expect(userPush(repo).said.join('\n')).toContain('which nobody here has agreed to');
    expect(branchOn(repo, other)).toBe('');
    repo.entire('enable', '--skip-push-sessions');
    expect(repo.tryGit('config', '--get-all', 'entire.shownPlace').stdout).toBe('');
  },
);

variation('a yes without a place is for no other: a second push URL, another remote', (repo) => {
  const bare = withOrigin(repo, 'undecided');
  const other = addBare(repo, 'other');
  repo.git('config', 'entire.pushSessions', 'true');
  repo.git('remote', 'add', 'fork', `file://${other}`);
  repo.git('config', 'branch.main.pushRemote', 'fork');
  addCheckpoint(repo);
  expect(userPush(repo, 'fork', 'main').said.join('\n')).toContain('which nobody here has agreed to');
  repo.git('config', '--unset', 'branch.main.pushRemote');
  for (const url of [bare, other])
    repo.git('remote', 'set-url', '--add', '--push', 'origin', `file://${url}`);
  expect(userPush(repo, 'origin', 'main').said.join('\n')).toContain('which nobody here has agreed to');
  expect([bare, other].map((dir) => branchOn(repo, dir))).toEqual(['', '']);
});

variation('no password of a remote is noted with a yes', (repo) => {
  repo.ready();
  repo.git('remote', 'add', 'origin', 'https://ada:hunter2@127.0.0.1:1/logs.git');
  const answered = repo.entire('enable', '--push-sessions', '--agent', 'claude-code').stdout;
  expect(answered).toContain('https://127.0.0.1:1/logs.git');
  expect(repo.git('config', '--get-all', 'entire.shownPlace')).toBe('https://127.0.0.1:1/logs.git');
  setPush(repo, undefined);
});

variation('a push that names every branch sends session logs whatever was decided, and says so', (repo) => {
  const bare = withOrigin(repo, false);
  addCheckpoint(repo);
  expect(userPush(repo, 'origin', 'main')).toEqual({ code: 0, said: [] });
  const line =
    '[entire] This push sends session logs: it takes along the branch entire/checkpoints/v1, which they are on. To leave them out, name the branches to push, as in `git push origin main`';
  for (const args of [
    ['--dry-run', '--all', 'origin'],
    ['origin', 'refs/heads/*', '^refs/heads/entire/*'],
  ])
    expect(userPush(repo, ...args)).toEqual({ code: 0, said: [] });
  expect(branchOn(repo, bare)).toBe('');
  for (const args of [
    ['--all', 'origin'],
    ['--mirror', 'origin'],
    ['origin', 'refs/heads/*:refs/heads/*'],
    ['origin', 'entire/checkpoints/v1'],
  ]) {
    addCheckpoint(repo);
    expect([args, userPush(repo, ...args)]).toEqual([args, { code: 0, said: [line] }]);
    expect(repo.git('-C', bare, 'rev-parse', 'entire/checkpoints/v1')).toBe(
      repo.git('rev-parse', 'entire/checkpoints/v1'),
    );
  }
  expect(userPush(repo, '--all', 'origin')).toEqual({ code: 0, said: [] });
  setPush(repo, undefined);
  addCheckpoint(repo);
  expect(userPush(repo, '--all', 'origin').said).toEqual([line]);
});

variation('temporary branches that a push takes along are named, whatever was decided', (repo) => {
  const bare = withOrigin(repo, false);
  addCheckpoint(repo);
  repo.gitWith({ env: { ENTIRE: '0' } }, 'push', '--quiet', 'origin', 'entire/checkpoints/v1');
  const session = repo.session();
  session.prompt('Not for a commit');
  session.edit('draft.txt', 'secret plan\n');
  session.stop();
  const isStep = (name: string) => /^entire\/[0-9a-f]{7}/.test(name);
  const [step] = repo.git('branch', '--format=%(refname:short)').split('\n').filter(isStep);
  const line = (to: string) =>
    `[entire] This push sends session logs: it takes along 1 step branch (${step}), with transcripts and files that were never committed. To leave them out, name the branches to push, as in \`git push ${to} main\``;
  expect(userPush(repo, 'origin', 'main')).toEqual({ code: 0, said: [] });
  expect(userPush(repo, 'origin', 'refs/heads/*', '^refs/heads/entire/*')).toEqual({ code: 0, said: [] });
  expect(userPush(repo, '--all', `file://${addBare(repo, 'other')}`).said).toHaveLength(1);
  expect(userPush(repo, '--all', 'origin')).toEqual({ code: 0, said: [line('origin')] });
  expect(repo.git('-C', bare, 'rev-parse', step as string)).toBe(repo.git('rev-parse', step as string));
  expect(userPush(repo, '--all', 'origin')).toEqual({ code: 0, said: [] });
  const mirror = addBare(repo, 'mirror');
  repo.git('remote', 'add', '--mirror=push', 'copy', `file://${mirror}`);
  expect(userPush(repo, 'copy').said.join('\n')).toContain(`\`git push file://${mirror} main\``);
  setPush(repo, true);
  const more = repo.session();
  more.prompt('Nor this');
  more.edit('draft2.txt', 'second plan\n');
  more.stop();
  expect(userPush(repo, '--all', 'origin').said).toContain(line('origin'));
});

variation('step branches on a remote are named, with what removes them there', (repo) => {
  withOrigin(repo);
  addCheckpoint(repo);
  const session = repo.session();
  session.prompt('Not for a commit');
  session.edit('draft.txt', 'secret plan\n');
  session.stop();
  repo.entire('push', '--yes');
  const looks = (): string[] =>
    [['push', '--log'], ['push', '--preview'], ['status'], ['status', '--detailed']].map(
      (args) => repo.entire(...args).stdout,
    );
  for (const said of looks()) expect(said).not.toContain('step branch');
  expect(looks()[0]).toMatch(/pushed\n\nWhat `git push --all` takes along is not listed here\.\n$/);

  userPush(repo, '--all', 'origin');
  const isStep = (name: string) => /^entire\/[0-9a-f]{7}/.test(name);
  const step = repo.git('branch', '--format=%(refname:short)').split('\n').find(isStep) as string;
  const remove = ['push', 'origin', '--delete', step];
  for (const said of looks())
    expect(said).toContain(
      `On origin, as far as git knows: 1 step branch, with transcripts and files that were never committed. \`git ${remove.join(' ')}\` removes it there.\n`,
    );
  const steps_elsewhere = [{ remote: 'origin', branches: [step] }];
  expect(JSON.parse(repo.entire('push', '--preview', '--json').stdout)).toMatchObject({ steps_elsewhere });
  expect(JSON.parse(repo.entire('status', '--json').stdout).session_logs).toMatchObject({ steps_elsewhere });
  // The commit takes the branch away here, and leaves it there.
  repo.commit('Add the draft', 'draft.txt');
  expect(repo.git('branch', '--list', step)).toBe('');
  for (const said of looks()) expect(said).toContain(`\`git ${remove.join(' ')}\``);

  repo.git(...remove);
  for (const said of looks()) expect(said).not.toContain('step branch');
});
