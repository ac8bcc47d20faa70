import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { onBothBuilds, variation } from '../support/repository/scenario.ts';

describe('session life cycle', () => {
  onBothBuilds('a prompt creates one state file, a second session a second one', (repo) => {
    repo.ready();
    const first = repo.session();
    first.prompt('create a.txt');
    expect(repo.stateFiles()).toEqual([`${first.id}.json`]);
    expect(repo.exists('.entire/entire-sessions')).toBe(false);

    first.edit('a.txt', 'one\n');
    first.stop();
    const second = repo.session();
    second.prompt('create b.txt');
    expect(repo.stateFiles().sort()).toEqual([`${first.id}.json`, `${second.id}.json`].sort());
    expect(repo.state(second.id).phase).toBe('active');
  });

  variation(
    'a stop with changes makes the session idle with one step, the next prompt active again',
    (repo) => {
      repo.ready();
      const session = repo.session();
      session.prompt('create a.txt');
      session.edit('a.txt', 'one\n');
      session.stop();
      expect(repo.state(session.id)).toMatchObject({
        phase: 'idle',
        checkpoint_count: 1,
        files_touched: ['a.txt'],
      });
      session.prompt('more');
      expect(repo.state(session.id)).toMatchObject({ phase: 'active', checkpoint_count: 1 });
    },
  );

  variation('a shadow branch whose state is gone is continued by a new session', (repo) => {
    repo.ready();
    const lost = repo.session();
    lost.prompt('create a.txt');
    lost.edit('a.txt', 'one\n');
    lost.stop();
    const [branch] = repo.shadowBranches();
    const tip = repo.git('rev-parse', branch as string);
    repo.run('rm', [join(repo.commonDir, 'entire-sessions', `${lost.id}.json`)]);

    const next = repo.session();
    next.prompt('create b.txt');
    next.edit('b.txt', 'two\n');
    next.stop();
    expect(repo.shadowBranches()).toEqual([branch]);
    expect(repo.git('rev-parse', `${branch}^`)).toBe(tip);
    const files = repo.git('ls-tree', '-r', '--name-only', branch as string).split('\n');
    expect(files).toEqual(expect.arrayContaining(['a.txt', 'b.txt']));
  });

  variation('condensation moves the base and remembers the id until the next prompt', (repo) => {
    repo.ready();
    const session = repo.session();
    session.prompt('create a.txt');
    session.edit('a.txt', 'one\n');
    session.stop();
    const id = repo.commit('Add a', 'a.txt');
    const head = repo.git('rev-parse', 'HEAD');
    expect(repo.state(session.id)).toMatchObject({
      last_checkpoint_id: id,
      base_commit: head,
      checkpoint_count: 0,
    });
    expect(repo.state(session.id).files_touched).toBeUndefined();

    session.prompt('more');
    expect(repo.state(session.id).last_checkpoint_id).toBeUndefined();
    expect(repo.state(session.id).base_commit).toBe(head);
  });

  variation('a new session never takes over an older checkpoint id', (repo) => {
    repo.ready();
    const first = repo.session();
    first.prompt('create a.txt');
    first.edit('a.txt', 'one\n');
    first.stop();
    const firstId = repo.commit('Add a', 'a.txt');

    const second = repo.session();
    second.prompt('create b.txt');
    second.edit('b.txt', 'two\n');
    second.stop();
    const secondId = repo.commit('Add b', 'b.txt');
    expect(secondId).toMatch(/^[0-9a-f]{12}$/);
    expect(secondId).not.toBe(firstId);
    expect(repo.storedJson(secondId as string, '0/metadata.json').session_id).toBe(second.id);
  });

  variation('without a session a commit has no trailer, and a verdict that says why', (repo) => {
    repo.ready();
    repo.write('a.txt', 'by hand\n');
    expect(repo.commit('Add a', 'a.txt')).toBeUndefined();
    expect(repo.verdict()).toMatchObject({
      commit: repo.git('rev-parse', 'HEAD'),
      reason: 'no-session',
      sessions: [],
    });
    expect(repo.message('HEAD')).toBe('Add a');
  });

  variation('before the first commit a stop creates nothing and explains itself', (repo) => {
    repo.init();
    repo.entire('enable', '--agent', 'claude-code');
    const session = repo.session();
    session.prompt('create a.txt');
    session.edit('a.txt', 'one\n');
    expect(session.stop().stderr).toContain('Entire: skipping checkpoint. Will activate after first commit.');
    expect(repo.shadowBranches()).toEqual([]);
    expect(repo.stateFiles()).toEqual([]);

    repo.git('add', '.');
    repo.git('commit', '--quiet', '-m', 'first');
    session.prompt('go on');
    session.edit('b.txt', 'two\n');
    session.stop();
    expect(repo.shadowBranches()).toHaveLength(1);
  });

  variation('an ended session starts again: idle at its start, active at its next prompt', (repo) => {
    repo.ready();
    const session = repo.session();
    session.prompt('hello');
    session.end();
    expect(repo.state(session.id)).toMatchObject({ phase: 'ended', ended_at: expect.any(String) });
    session.start();
    expect(repo.state(session.id).phase).toBe('idle');
    expect(repo.state(session.id).ended_at).toBeUndefined();
    session.prompt('again');
    expect(repo.state(session.id).phase).toBe('active');
  });

  variation('the banner is the only thing on stdout, and it counts other conversations', (repo) => {
    repo.ready();
    const first = repo.session();
    expect(JSON.parse(first.start().stdout)).toEqual({
      systemMessage: '\n\nPowered by Entire:\n  This conversation will be linked to your next commit.',
    });
    expect(first.prompt('create a.txt').stdout).toBe('');
    expect(first.edit('a.txt', 'one\n').stdout).toBe('');
    expect(first.stop().stdout).toBe('');

    const second = repo.session().start();
    expect(second.stdout).toContain('1 other active conversation(s)');
    expect(second.stdout.trim().split('\n')).toHaveLength(1);
  });
});

describe('shadow branches', () => {
  variation('named after HEAD and the worktree, from the first stop with changes on', (repo) => {
    repo.ready();
    const name = `entire/${repo.git('rev-parse', '--short=7', 'HEAD')}-e3b0c4`;
    const session = repo.session();
    session.prompt('create a.txt');
    session.edit('a.txt', 'one\n');
    expect(repo.shadowBranches()).toEqual([]);
    session.stop();
    expect(repo.shadowBranches()).toEqual([name]);

    session.prompt('change a.txt');
    session.edit('a.txt', 'two\n');
    session.stop();
    expect(repo.shadowBranches()).toEqual([name]);
    expect(repo.git('rev-list', '--count', name)).toBe('2');
    expect(repo.git('show', `${name}:a.txt`)).toBe('two');
    expect(repo.git('show', `${name}~1:a.txt`)).toBe('one');
    const body = repo.git('log', '-1', '--format=%B', name);
    expect(body.trimEnd()).toBe(
      `Change a.txt\n\nEntire-Metadata: .entire/metadata/${session.id}\nEntire-Session: ${session.id}\nEntire-Strategy: manual-commit`,
    );
  });

  variation('gone when everything is condensed; the next stop starts one on the new HEAD', (repo) => {
    repo.ready();
    const session = repo.session();
    session.prompt('create a.txt');
    session.edit('a.txt', 'one\n');
    session.stop();
    repo.commit('Add a', 'a.txt');
    expect(repo.branches().sort()).toEqual(['entire/checkpoints/v1', 'main']);

    session.prompt('create b.txt');
    session.edit('b.txt', 'two\n');
    session.stop();
    expect(repo.shadowBranches()).toEqual([`entire/${repo.git('rev-parse', '--short=7', 'HEAD')}-e3b0c4`]);
  });

  variation(
    'the first step holds what was different before the session, later ones what the turn changed',
    (repo) => {
      repo.ready();
      repo.write('mine.txt', 'my own\n').write('README.md', 'my edit\n');
      const session = repo.session();
      session.prompt('create a.txt');
      session.edit('a.txt', 'one\n');
      session.stop();
      const [branch] = repo.shadowBranches();
      expect(repo.git('show', `${branch}:mine.txt`)).toBe('my own');
      expect(repo.git('show', `${branch}:README.md`)).toBe('my edit');
      expect(repo.state(session.id).files_touched).toEqual(['a.txt']);
    },
  );

  variation('a turn takes shell edits and deletions, and leaves what the user had changed before', (repo) => {
    repo.ready();
    repo.write('old.txt', 'old\n').git('add', '.');
    repo.git('commit', '--quiet', '-m', 'old');
    repo.write('mine.txt', 'my own\n');
    const session = repo.session();
    session.prompt('use the shell');
    session.shell(() => repo.write('made.txt', 'by a command\n'));
    session.deleteFile('old.txt');
    session.stop();
    expect(repo.state(session.id).files_touched).toEqual(['made.txt', 'old.txt']);
    expect(repo.logText()).toContain('"source":"scan"');
  });

  variation('nothing unredacted gets into git objects, shadow branches too (I5)', (repo) => {
    repo.ready();
    const secret = ['ghp', 'R4nd0mT0kenValueF0rTestsOnly9876abcd'].join('_');
    const session = repo.session();
    session.prompt(`use ${secret} to log in`);
    session.edit('a.txt', 'one\n');
    session.stop(`I used ${secret}.`);
    const [branch] = repo.shadowBranches();
    const dir = `.entire/metadata/${session.id}`;
    expect(repo.git('ls-tree', '--name-only', branch as string, `${dir}/`).split('\n')).toContain(
      `${dir}/full.jsonl`,
    );
    expect(repo.git('log', '-p', '--format=%B', branch as string)).not.toContain(secret);
    repo.commit('Add a', 'a.txt');
    expect(repo.git('log', '-p', '--format=%B', 'entire/checkpoints/v1')).not.toContain(secret);
    expect(repo.git('log', '-p', '--format=%B', 'entire/checkpoints/v1')).toContain('REDACTED');
  });
});
