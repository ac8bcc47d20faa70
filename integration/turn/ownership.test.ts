import { mkdirSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { realGit, withProgram } from '../support/process/programs.ts';
import { scenario, variation } from '../support/repository/scenario.ts';

describe('whose work it is', () => {
  scenario(
    'an edit that is recorded while the stop looks at the worktree waits for the next look (I3)',
    async (repo) => {
      repo.ready();
      const session = repo.session();
      session.prompt('create a.txt');
      session.edit('a.txt', 'one\n');
      // A git that takes a second for its status, as in a huge repository.
      const slow = ['code=$?', 'case "$*" in *status*) sleep 1;; esac', 'exit $code'];
      const env = withProgram(repo, 'git', `"${realGit(repo)}" "$@"`, ...slow);
      const stop = repo.inBackground('entire', ['hooks', 'claude-code', 'stop'], {
        input: JSON.stringify({ session_id: session.id, transcript_path: session.transcript, cwd: repo.dir }),
        env,
      });
      await new Promise((resolve) => setTimeout(resolve, 700));
      session.edit('late.txt', 'by a sub-agent\n');
      await stop;
      repo.git('add', 'late.txt');
      expect(repo.commit('Add late')).toMatch(/^[0-9a-f]{12}$/);
    },
  );

  variation('a file that a commit took in mid-turn is the other session’s who edits it then', (repo) => {
    repo.ready();
    const [one, other] = [repo.session('session-1'), repo.session('session-2')];
    one.prompt('write the README');
    one.edit('README.md', '# one\n');
    repo.commit('Take it', 'README.md');
    other.prompt('write more of it');
    other.edit('README.md', '# one\n\nmore\n');
    one.stop();
    expect(repo.state(one.id).files_touched).toBeUndefined();
    repo.commit('Take more', 'README.md');
    expect(repo.verdict()).toMatchObject({ reason: 'linked', sessions: [other.id] });
  });

  variation("a background notice does not bring the session another one's files", (repo) => {
    repo.ready();
    const [first, second] = [repo.session('session-1'), repo.session('session-2')];
    first.prompt('create a.txt');
    first.edit('a.txt', 'one\n');
    first.stop();
    second.prompt('create x.txt');
    second.edit('x.txt', 'x\n');
    second.stop();
    first.hook('user-prompt-submit', 'UserPromptSubmit-task-notification');
    first.stop();
    expect(repo.state(first.id).files_touched).toEqual(['a.txt']);
  });

  variation('what a session did long ago is no reason to hide a change of today', (repo) => {
    repo.ready();
    repo.write('app.ts', 'one\n').git('add', 'app.ts');
    repo.git('commit', '--quiet', '-m', 'app');
    const old = repo.session('old-session');
    old.prompt('change app.ts');
    old.edit('app.ts', 'two\n');
    old.stop();
    old.end();
    repo.git('checkout', '--quiet', 'app.ts');
    const young = repo.session('young-session');
    young.prompt('change app.ts');
    young.shell(() => repo.write('app.ts', 'three\n'));
    young.stop();
    expect(repo.state(young.id).files_touched).toEqual(['app.ts']);
  });

  variation('an interrupted turn: what its shell changed belongs to the session', (repo) => {
    repo.ready();
    const session = repo.session();
    session.prompt('use the shell');
    session.shell(() => repo.write('made.txt', 'by a command\n'));
    session.prompt('go on'); // Esc: no stop
    session.edit('a.txt', 'one\n');
    session.stop();
    expect(repo.state(session.id).files_touched).toEqual(['a.txt', 'made.txt']);
  });

  variation(
    'an interrupted turn: what a tool of a server changed without a word belongs to the session',
    (repo) => {
      repo.ready();
      const session = repo.session();
      session.prompt('use the tool');
      session.tool('mcp__files__write', {}, { act: () => repo.write('made.txt', 'by a tool\n') });
      session.prompt('go on');
      session.edit('a.txt', 'one\n');
      session.stop();
      expect(repo.state(session.id).files_touched).toEqual(['a.txt', 'made.txt']);
    },
  );

  variation("after Esc, what the user changes by hand is the user's", (repo) => {
    repo.ready();
    const session = repo.session();
    session.prompt('create a.txt');
    session.edit('a.txt', 'one\n');
    repo.write('mine.txt', 'by hand, after Esc\n');
    session.prompt('go on');
    session.edit('b.txt', 'two\n');
    session.stop();
    expect(repo.state(session.id).files_touched).toEqual(['a.txt', 'b.txt']);
  });

  variation(
    'what a person changes while two sessions are in a turn is neither’s, whichever ends last',
    (repo) => {
      repo.ready().write('mine.txt', 'mine\n').commit('Mine', 'mine.txt');
      const [first, last] = [repo.session('session-1'), repo.session('session-2')];
      first.prompt('create a.txt');
      last.prompt('create b.txt');
      first.edit('a.txt', 'one\n');
      repo.write('mine.txt', 'mine\nby hand\n');
      first.stop();
      last.edit('b.txt', 'two\n');
      last.stop();
      expect(repo.state(first.id).files_touched).toEqual(['a.txt']);
      expect(repo.state(last.id).files_touched).toEqual(['b.txt']);
      expect(repo.commit('By hand', 'mine.txt')).toBeUndefined();
    },
  );

  variation("staging the user's own file in mid-turn does not make it the agent's", (repo) => {
    repo.ready();
    repo.write('notes.txt', 'mine\n');
    const session = repo.session();
    session.prompt('create a.txt');
    session.edit('a.txt', 'one\n');
    repo.git('add', 'notes.txt');
    session.stop();
    expect(repo.state(session.id).files_touched).toEqual(['a.txt']);
  });

  variation(
    'the session whose shell commits is linked beside those whose files are in the commit',
    (repo) => {
      repo.ready();
      const [idle, active] = [repo.session('session-1'), repo.session('session-2')];
      idle.prompt('create a.txt');
      idle.edit('a.txt', 'one\n');
      idle.stop();
      active.prompt('commit everything');
      repo.write('made.txt', 'by a command\n').git('add', 'a.txt', 'made.txt');
      const env = { ENTIRE_TEST_TTY: '0', CLAUDECODE: '1', CLAUDE_CODE_SESSION_ID: active.id };
      repo.gitWith({ env }, 'commit', '--quiet', '-m', 'Everything');
      const id = repo.checkpointOf('HEAD') as string;
      expect(repo.storedJson(id, '0/metadata.json')).toMatchObject({
        session_id: idle.id,
        files_touched: ['a.txt'],
      });
      expect(repo.storedJson(id, '1/metadata.json')).toMatchObject({
        session_id: active.id,
        files_touched: ['made.txt'],
      });
    },
  );

  variation('a secret that a limit would cut in two is redacted whole (I5)', (repo) => {
    repo.ready();
    const secret = ['ghp', 'CadhCvLJaPc0prR4nd0mT0kenValueF0rTest'].join('_');
    const session = repo.session();
    session.prompt(`${'filler '.repeat(8)}${secret}`);
    session.prompt(`${'x'.repeat(485)} ${secret}`);
    session.edit('a.txt', 'one\n');
    session.stop();
    repo.commit('Add a', 'a.txt');
    const everything = repo.git('log', '--all', '-p', '--format=%B');
    expect(everything).toContain('REDACTED');
    expect(everything).not.toContain(secret.slice(0, 10));
    expect(repo.state(session.id).first_prompt).not.toContain(secret.slice(0, 10));
  });

  variation('links in .entire are not followed', (repo) => {
    repo.ready();
    const victim = join(repo.scratch, 'victim');
    mkdirSync(victim);
    rmSync(join(repo.dir, '.entire', 'metadata'), { recursive: true, force: true });
    rmSync(join(repo.dir, '.entire', 'logs'), { recursive: true, force: true });
    symlinkSync(victim, join(repo.dir, '.entire', 'metadata'));
    symlinkSync(victim, join(repo.dir, '.entire', 'logs'));
    const session = repo.session();
    session.prompt('create a.txt');
    session.edit('a.txt', 'one\n');
    session.stop();
    expect(repo.run('ls', ['-A', victim]).stdout).toBe('');
    expect(repo.state(session.id)).toMatchObject({ files_touched: ['a.txt'], checkpoint_count: 1 });
  });
});
