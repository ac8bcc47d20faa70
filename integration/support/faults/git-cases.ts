import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { AgentSession } from '../agent/session.ts';
import { setPush } from '../repository/clones.ts';
import type { TestRepo } from '../repository/test-repo.ts';
import { type Case, linked, otherSession, turn } from './case.ts';

const BY_AGENT = { ENTIRE_TEST_TTY: '0', CLAUDECODE: '1' };
const MESSAGE = '.git/COMMIT_EDITMSG';
const messageFile = (repo: { dir: string }) => join(repo.dir, MESSAGE);

/** Everything that git does before it runs post-commit, by a person or by the agent; our other hooks included. */
function commitUpToHook(repo: TestRepo, subject: string, byAgent = false): void {
  writeFileSync(messageFile(repo), `${subject}\n`);
  const env = byAgent ? BY_AGENT : {};
  repo.run('entire', ['hooks', 'git', 'prepare-commit-msg', messageFile(repo), 'message'], { env });
  commitWithFile(repo);
}

function commitWithFile(repo: TestRepo, ...args: string[]): void {
  const file = join(repo.scratch, 'message');
  writeFileSync(file, repo.read(MESSAGE));
  repo.git('-c', 'core.hooksPath=/dev/null', 'commit', '--quiet', '--cleanup=strip', '-F', file, ...args);
}

/** Commits with the message as the hooks left it, which must begin with the user's; then git calls post-commit. */
function commitPrepared(repo: TestRepo, begin: string): void {
  if (!repo.read(MESSAGE).startsWith(begin)) throw new Error(`the message is lost: ${repo.read(MESSAGE)}`);
  commitWithFile(repo);
  repo.run('entire', ['hooks', 'git', 'post-commit']);
}

function pending(repo: TestRepo, session: AgentSession, message: string): void {
  turn(session, { 'a.txt': 'one\n' });
  session.stop();
  repo.git('add', 'a.txt');
  writeFileSync(messageFile(repo), message);
}

export const GIT_CASES: readonly Case[] = [
  {
    name: 'prepare-commit-msg with -m',
    acknowledged: ['a.txt'],
    arrange: (repo, session) => pending(repo, session, 'Add a\n'),
    act: (host) => host.git('prepare-commit-msg', messageFile(host), 'message'),
    next: (repo) => commitPrepared(repo, 'Add a\n'),
  },
  {
    name: 'prepare-commit-msg with an editor',
    acknowledged: ['a.txt'],
    arrange: (repo, session) =>
      pending(repo, session, 'Add a\n\n# Please enter the message\n#\n# On branch main\n'),
    act: (host) => host.git('prepare-commit-msg', messageFile(host)),
    next: (repo) => commitPrepared(repo, 'Add a\n'),
  },
  {
    name: 'prepare-commit-msg of the agent in its turn',
    acknowledged: ['a.txt'],
    arrange: (repo, session) => {
      turn(session, { 'a.txt': 'one\n' });
      repo.git('add', 'a.txt');
      writeFileSync(messageFile(repo), 'Add a\n');
    },
    act: (host) => host.agentGit('prepare-commit-msg', messageFile(host), 'message'),
    next: (repo) => commitPrepared(repo, 'Add a\n'),
  },
  {
    name: 'prepare-commit-msg of an amend, which gets its id back',
    acknowledged: ['a.txt'],
    arrange: (repo, session) => {
      turn(session, { 'a.txt': 'one\n' });
      session.stop();
      repo.commit('Add a', 'a.txt');
      writeFileSync(messageFile(repo), 'Add a, better\n');
    },
    act: (host) => host.git('prepare-commit-msg', messageFile(host), 'commit', 'HEAD'),
  },
  {
    name: 'commit-msg of a message that says nothing',
    acknowledged: ['a.txt'],
    arrange: (repo, session) => pending(repo, session, `\n\nEntire-Checkpoint: 0123456789ab\n`),
    act: (host) => host.git('commit-msg', messageFile(host)),
  },
  {
    name: 'commit-msg of a usual message',
    acknowledged: ['a.txt'],
    arrange: (repo, session) => pending(repo, session, `${linked('Add a')}\n`),
    act: (host) => host.git('commit-msg', messageFile(host)),
    next: (repo) => commitPrepared(repo, 'Add a\n'),
  },
  {
    name: 'post-commit that takes all',
    acknowledged: ['a.txt'],
    arrange: (repo, session) => {
      pending(repo, session, '');
      commitUpToHook(repo, 'Add a');
    },
    act: (host) => host.git('post-commit'),
  },
  {
    name: 'post-commit that carries forward',
    acknowledged: ['a.txt', 'b.txt'],
    arrange: (repo, session) => {
      turn(session, { 'a.txt': 'one\n', 'b.txt': 'two\n' });
      session.stop();
      repo.git('add', 'a.txt');
      commitUpToHook(repo, 'Add a');
    },
    act: (host) => host.git('post-commit'),
  },
  {
    name: 'post-commit of the agent in its turn, with edits that no step has',
    acknowledged: ['a.txt', 'b.txt'],
    arrange: (repo, session) => {
      turn(session, { 'a.txt': 'one\n', 'b.txt': 'two\n' });
      repo.git('add', 'a.txt');
      commitUpToHook(repo, 'Add a', true);
    },
    act: (host) => host.agentGit('post-commit'),
  },
  {
    name: 'post-commit of work of two sessions on a shadow branch',
    acknowledged: ['a.txt', 'other.txt'],
    arrange: (repo, session) => {
      otherSession(repo);
      turn(session, { 'a.txt': 'one\n' });
      session.stop();
      repo.git('add', 'a.txt', 'other.txt');
      commitUpToHook(repo, 'Add both');
    },
    act: (host) => host.git('post-commit'),
  },
  {
    name: 'post-commit of one of two sessions on a shadow branch',
    acknowledged: ['a.txt', 'other.txt'],
    arrange: (repo, session) => {
      otherSession(repo);
      turn(session, { 'a.txt': 'one\n' });
      session.stop();
      repo.git('add', 'a.txt');
      commitUpToHook(repo, 'Add a');
    },
    act: (host) => host.git('post-commit'),
  },
  {
    name: 'post-commit of an amend',
    acknowledged: ['a.txt'],
    arrange: (repo, session) => {
      turn(session, { 'a.txt': 'one\n' });
      session.stop();
      repo.commit('Add a', 'a.txt');
      writeFileSync(messageFile(repo), 'Add a, better\n');
      repo.run('entire', ['hooks', 'git', 'prepare-commit-msg', messageFile(repo), 'commit', 'HEAD']);
      commitWithFile(repo, '--amend');
    },
    act: (host) => host.git('post-commit'),
  },
  {
    name: 'pre-push',
    acknowledged: ['a.txt'],
    arrange: (repo, session) => {
      turn(session, { 'a.txt': 'one\n' });
      session.stop();
      repo.commit('Add a', 'a.txt');
      setPush(repo, true);
      const bare = join(repo.home, 'remote.git');
      repo.git('init', '--quiet', '--bare', bare);
      repo.git('remote', 'add', 'origin', `file://${bare}`);
    },
    act: (host) => host.git('pre-push', 'origin'),
    // As git's own push does; and where session logs go is noted, as shown, in the clone's configuration.
    mayChange: ['.git/refs/remotes/origin/entire/checkpoints/v1', '.git/config'],
    next: (repo) => repo.entire('push'),
  },
];
