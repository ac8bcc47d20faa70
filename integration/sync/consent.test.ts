import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { addBare, addCheckpoint, METADATA, userPush } from '../support/repository/clones.ts';
import { variation } from '../support/repository/scenario.ts';
import { TestRepo } from '../support/repository/test-repo.ts';

/** A clone whose person never decided, and what pushes in it go to. */
interface Clone {
  readonly bob: TestRepo;
  readonly bare: string;
}

const PUSHES = { strategy_options: { push_sessions: true } };
const SEPARATE = { checkpoint_remote: { provider: 'github', repo: 'acme/logs' } };

/** What a colleague has committed: hooks of the agent, and settings that ask for more than they can have. */
function publish(alice: TestRepo, settings: object, more: Readonly<Record<string, string>> = {}): string {
  alice.ready();
  const bare = addBare(alice);
  alice.git('remote', 'add', 'origin', `file://${bare}`);
  alice.write('.entire/settings.json', JSON.stringify({ enabled: true, ...settings }));
  for (const [path, text] of Object.entries(more)) alice.write(path, text);
  alice.git('add', '--force', '.entire/settings.json', ...Object.keys(more));
  alice.git('commit', '--quiet', '--allow-empty', '-m', 'Ask for session logs');
  alice.gitWith({ env: { ENTIRE: '0' } }, 'push', '--quiet', '-u', 'origin', 'main');
  return bare;
}

/** Clones without running `enable`. Git's hooks are there all the same: a hook manager has them, or a template of git's. */
function clone(alice: TestRepo, bare: string, ...args: string[]): TestRepo {
  const bob = new TestRepo(alice.build);
  alice.onRemove(() => bob.remove());
  const template = join(alice.dir, '.git');
  bob.gitWith({ cwd: bob.scratch }, 'clone', '--quiet', ...args, `file://${bare}`, bob.dir);
  bob.run('cp', ['-R', join(template, 'hooks'), '.git/']);
  asBob(bob, bob.dir);
  return bob;
}

function asBob(bob: TestRepo, cwd: string): void {
  for (const [key, value] of [
    ['user.name', 'Bob'],
    ['user.email', 'bob@example.com'],
    ['gc.auto', '0'],
  ] as const)
    bob.gitWith({ cwd }, 'config', key, value);
}

function inClone(settings: object, more: Readonly<Record<string, string>> = {}) {
  return (alice: TestRepo): Clone => {
    const bare = publish(alice, settings, more);
    return { bob: clone(alice, bare), bare };
  };
}

/** The branch is at the remote already: somebody else has decided, for their own. */
function withBranchThere(settings: object) {
  return (alice: TestRepo): Clone => {
    const bare = publish(alice, settings);
    addCheckpoint(alice);
    alice.git('push', '--quiet', '--no-verify', 'origin', 'main', METADATA);
    return { bob: clone(alice, bare), bare };
  };
}

const BOTH = { strategy_options: { push_sessions: true, ...SEPARATE } };
const LOCAL = '.entire/settings.local.json';
const OF_GIT = '[user]\n\tname = Bob\n\temail = bob@example.com\n[entire]\n\tpushSessions = true\n';

const UNDECIDED: Readonly<Record<string, (alice: TestRepo) => Clone>> = {
  'the repository says true': inClone(PUSHES),
  'the repository names a place of its own': inClone(BOTH),
  'the repository says nothing, and the branch is on the remote': withBranchThere({}),
  'the repository says true, and the branch is on the remote': withBranchThere(PUSHES),
  'enable ran without a terminal, twice': (alice) => {
    const made = inClone(PUSHES)(alice);
    for (let times = 0; times < 2; times++) made.bob.entire('enable');
    made.bob.git('checkout', '--quiet', '--', '.');
    return made;
  },
  'enable ran for an agent, in a repository that names a place': (alice) => {
    const made = inClone(BOTH)(alice);
    made.bob.entire('enable', '--agent', 'claude-code');
    made.bob.git('checkout', '--quiet', '--', '.');
    return made;
  },
  'in a linked worktree': (alice) => {
    const { bob, bare } = inClone(PUSHES)(alice);
    bob.git('worktree', 'add', '--quiet', '-b', 'topic', '../tree');
    bob.dir = join(bob.scratch, 'tree');
    return { bob, bare };
  },
  'in a submodule': (alice) => {
    const { bob, bare } = inClone(PUSHES)(alice);
    const hooks = join(bob.dir, '.git/hooks');
    bob.gitWith({ cwd: bob.scratch }, 'init', '--quiet', '--initial-branch=main', 'super');
    const cwd = join(bob.scratch, 'super');
    bob.gitWith(
      { cwd },
      '-c',
      'protocol.file.allow=always',
      'submodule',
      'add',
      '--quiet',
      `file://${bare}`,
      'sub',
    );
    bob.run('cp', ['-R', hooks, join(cwd, '.git/modules/sub/')]);
    bob.dir = join(cwd, 'sub');
    asBob(bob, bob.dir);
    return { bob, bare };
  },
  'the local file is tracked, on another branch, and left behind': (alice) => {
    const bare = publish(alice, {});
    alice.git('checkout', '--quiet', '-b', 'other');
    alice.write(LOCAL, JSON.stringify(PUSHES));
    alice.git('add', '--force', LOCAL);
    alice.git('commit', '--quiet', '-m', 'Mine is yours');
    alice.gitWith({ env: { ENTIRE: '0' } }, 'push', '--quiet', 'origin', 'other');
    const bob = clone(alice, bare);
    bob.write(LOCAL, JSON.stringify(PUSHES)); // as an older release carried it into a worktree
    return { bob, bare };
  },
  'the local file is tracked here': inClone({}, { [LOCAL]: JSON.stringify(PUSHES) }),
  'the configuration of git includes a file of the repository': (alice) => {
    const made = inClone({}, { '.gitconfig': OF_GIT })(alice);
    made.bob.git('config', 'include.path', '../.gitconfig');
    return made;
  },
  'settings for all repositories that lie in this one, and no home': (alice) => {
    const made = inClone({}, { '.config/entire/settings.json': JSON.stringify(PUSHES) })(alice);
    made.bob.variables = { XDG_CONFIG_HOME: join(made.bob.dir, '.config') };
    return made;
  },
  'settings for all repositories that a link leads into the main worktree for, seen from a linked one': (
    alice,
  ) => {
    const { bob, bare } = inClone({}, { '.config/entire/settings.json': JSON.stringify(PUSHES) })(alice);
    const link = join(bob.scratch, 'config');
    symlinkSync(join(bob.dir, '.config'), link);
    bob.git('worktree', 'add', '--quiet', '-b', 'topic', '../tree');
    bob.dir = join(bob.scratch, 'tree');
    bob.variables = { XDG_CONFIG_HOME: link };
    return { bob, bare };
  },
  'the configuration of git for all repositories lies in this one': (alice) => {
    const made = inClone({}, { 'etc/gitconfig': OF_GIT })(alice);
    made.bob.variables = { GIT_CONFIG_GLOBAL: join(made.bob.dir, 'etc/gitconfig') };
    return made;
  },
  'the home folder lies in this repository': (alice) => {
    const made = inClone({}, { 'home/.gitconfig': OF_GIT, 'home/.config/git/config': OF_GIT })(alice);
    made.bob.variables = { HOME: join(made.bob.dir, 'home') };
    return made;
  },
  'the configuration of git for all repositories includes a file of this one': (alice) => {
    const made = inClone({}, { '.gitconfig': OF_GIT })(alice);
    made.bob.git('config', '--global', 'include.path', join(made.bob.dir, '.gitconfig'));
    return made;
  },
  'the environment says true, as that of a container or of an agent may': (alice) => {
    const made = inClone({})(alice);
    made.bob.variables = {
      GIT_CONFIG_COUNT: '1',
      GIT_CONFIG_KEY_0: 'entire.pushSessions',
      GIT_CONFIG_VALUE_0: 'true',
    };
    return made;
  },
  'the local file was left behind by a commit that no branch has': (alice) => {
    const bare = publish(alice, {});
    const bob = clone(alice, bare);
    alice.write(LOCAL, JSON.stringify(PUSHES));
    alice.git('add', '--force', LOCAL);
    alice.git('commit', '--quiet', '-m', 'Mine is yours');
    alice.gitWith({ env: { ENTIRE: '0' } }, 'push', '--quiet', 'origin', 'HEAD:refs/pull/5/head');
    bob.git('fetch', '--quiet', 'origin', 'refs/pull/5/head');
    bob.git('checkout', '--quiet', 'FETCH_HEAD');
    bob.git('reset', '--quiet', 'main');
    bob.git('checkout', '--quiet', 'main');
    return { bob, bare };
  },
};

/** Every ref of a bare repository but those of the user's own branches. */
const refsOf = (repo: TestRepo, bare: string): string =>
  repo.git(
    '-C',
    bare,
    'for-each-ref',
    '--format=%(refname) %(objectname)',
    'refs/heads/entire',
    'refs/notes',
  );

/** From now on, places at hosting services are bare repositories here. */
function hostLocally(bob: TestRepo, ...names: string[]): string[] {
  return names.map((name) => {
    const bare = addBare(bob, name.replace('/', '-'));
    bob.gitWith(
      {},
      'config',
      '--global',
      '--add',
      `url.file://${bare}.insteadOf`,
      `https://github.com/${name}.git`,
    );
    return bare;
  });
}

for (const [setUp, make] of Object.entries(UNDECIDED)) {
  variation(`a clone that never decided: ${setUp}: nothing leaves`, (alice) => {
    const { bob, bare } = make(alice);
    const [separate = ''] = hostLocally(bob, 'acme/logs');
    const before = [bare, separate].map((dir) => refsOf(bob, dir));
    addCheckpoint(bob);
    const branch = bob.git('branch', '--show-current') || 'HEAD:refs/heads/detached';
    const said = [userPush(bob, 'origin', branch), userPush(bob, 'origin', branch)];
    expect(said.map(({ code }) => code)).toEqual([0, 0]);
    expect(said.flatMap((push) => push.said).filter((line) => line.includes('Pushing'))).toEqual([]);
    expect([bare, separate].map((dir) => refsOf(bob, dir))).toEqual(before);
    expect(bob.entire('status').stdout).toMatch(/^Session logs: stay on this machine \(/m);
    expect(JSON.parse(bob.entire('status', '--json').stdout).session_logs).toMatchObject({ leave: false });
    expect(bob.tryEntire('push').code).toBe(1);

    // The same clone, once somebody here has said yes.
    const cwd = { cwd: bob.dir };
    const answered = bob.run('entire', ['enable', '--push-sessions', '--agent', 'claude-code'], cwd);
    expect(answered.code, answered.stderr).toBe(0);
    bob.git('commit', '--quiet', '--allow-empty', '-m', 'More');
    expect(userPush(bob, 'origin', branch).said.join('\n')).toContain('Pushing session logs to');
    const there = [bare, separate].filter((dir, at) => refsOf(bob, dir) !== before[at]);
    expect(there).toHaveLength(1);
    const [, told] = /^Session logs go along with your pushes to: (.+)$/m.exec(answered.stdout) ?? [];
    expect(told).toContain(there[0]);
    expect(bob.entire('status').stdout).toMatch(/^Session logs: go along with your pushes to /m);
  });
}
