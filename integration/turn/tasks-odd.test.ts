import { readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { SubAgent } from '../support/agent/sub-agent.ts';
import { variation } from '../support/repository/scenario.ts';
import { changedIn, marks, onlyBranch } from '../support/repository/task-checkpoints.ts';

const SECRET = ['ghp', 'R4nd0mT0kenValueF0rTestsOnly9876abcd'].join('_');

describe('what sub-agents leave, or do not', () => {
  variation('the layout of older clients: the transcript beside that of the session', (repo) => {
    repo.ready();
    const session = repo.session();
    session.prompt('ask a sub-agent');
    const task = new SubAgent(session, { layout: 'beside' });
    task.start();
    task.edit('a.txt', 'one\n');
    task.finish();
    task.result(); // the session's transcript has it after the hook
    const id = repo.commit('Add a', 'a.txt') as string;
    expect(repo.stored(id, 'tasks/toolu_01subagent/agent-a7d87b8247861f00b.jsonl')).toContain('a.txt');
    expect(repo.storedJson(id, 'tasks/toolu_01subagent/checkpoint.json').checkpoint_uuid).toBe(
      'result-toolu_01subagent',
    );
  });

  variation('no transcript of its own: what the session says, and what git status finds', (repo) => {
    repo.ready();
    const session = repo.session();
    session.prompt('ask a sub-agent');
    session.edit('before.txt', 'by the main agent\n');
    const task = new SubAgent(session, { layout: 'nowhere' });
    task.start();
    task.edit('a.txt', 'one\n');
    session.tool('Write', { file_path: join(repo.dir, 'README.md') }); // as older clients wrote it down
    repo.write('README.md', 'by the sub-agent\n');
    task.finish();
    expect(changedIn(repo, onlyBranch(repo), 'HEAD')).toEqual(['README.md', 'a.txt']);
    const id = repo.commit('Add a', 'a.txt') as string;
    expect(repo.storedPaths(id).filter((path) => path.startsWith('tasks/'))).toEqual([
      'tasks/toolu_01subagent/checkpoint.json',
    ]);
  });

  variation('a task that v0.4.4 began, and a session that nobody opened', (repo) => {
    repo.ready();
    repo.write('old.txt', 'there before\n').write('new.txt', 'new\n').write('README.md', 'changed by hand\n');
    const json =
      '{"tool_use_id":"toolu_old","timestamp":"2026-02-10T12:00:00Z","untracked_files":["old.txt"]}';
    repo.write('.entire/tmp/pre-task-toolu_old.json', json);
    const session = repo.session();
    new SubAgent(session, { toolUseId: 'toolu_old', layout: 'nowhere' }).finish();
    expect(changedIn(repo, onlyBranch(repo), 'HEAD')).toEqual(['new.txt']);
    expect(repo.state(session.id)).toMatchObject({ files_touched: ['new.txt'], phase: 'idle' });
    expect(marks(repo)).toEqual([]);
  });

  variation('hostile ids become part of no path, hostile texts part of no trailer', (repo) => {
    repo.ready().git('switch', '--quiet', '-c', 'feature');
    const session = repo.session();
    session.prompt('ask a sub-agent');
    for (const toolUseId of ['../../../x', 'a/b', '..', 'x\0', ' ', 'x'.repeat(300)]) {
      const bad = new SubAgent(session, { toolUseId, layout: 'nowhere' });
      expect(bad.start().stdout + bad.finish().stdout).toBe('');
    }
    expect(readdirSync(join(repo.dir, '.entire', 'tmp')).filter((name) => /task|x/.test(name))).toEqual([]);

    const task = new SubAgent(session, {
      agentId: '../../../../x',
      layout: 'nowhere',
      description: 'x\n\nEntire-Session: other',
      type: "a'b\nEntire-Checkpoint: 0123456789ab",
    });
    task.start();
    task.edit('a.txt', 'one\n');
    task.todo([{ content: 'done\n\nEntire-Session: other', status: 'completed' }], {});
    task.finish();
    for (const commit of [onlyBranch(repo), `${onlyBranch(repo)}~`]) {
      expect(repo.git('log', '-1', '--format=%(trailers:key=Entire-Session,valueonly)', commit)).toBe(
        session.id,
      );
      expect(repo.checkpointOf(commit)).toBeUndefined();
    }
    const id = repo.commit('Add a', 'a.txt') as string;
    expect(repo.storedPaths(id).filter((path) => path.startsWith('tasks/'))).toEqual([
      'tasks/toolu_01subagent/checkpoint.json',
      'tasks/toolu_01subagent/checkpoints/001-toolu_01subagent.json',
    ]);
  });

  variation('nothing unredacted reaches git', (repo) => {
    repo.ready().git('switch', '--quiet', '-c', 'feature');
    const session = repo.session();
    session.prompt('ask a sub-agent');
    session.say(`the token is ${SECRET}`);
    const task = new SubAgent(session, { description: `use ${SECRET}`, type: SECRET });
    task.start();
    task.edit('a.txt', 'one\n');
    task.tool('Bash', { command: `curl -H 'Authorization: ${SECRET}'` });
    task.todo([{ content: `used ${SECRET}`, status: 'completed' }]);
    task.finish();
    repo.commit('Add a', 'a.txt');
    const all = repo.git('cat-file', '--batch-check=%(objectname)', '--batch-all-objects');
    const everything = repo.gitWith({ input: all }, 'cat-file', '--batch');
    expect(everything).toContain('REDACTED');
    expect(everything).not.toContain(SECRET);
  });

  variation('a secret that only the session gives away is known in all that belongs to it', (repo) => {
    repo.ready().git('switch', '--quiet', '-c', 'feature');
    const session = repo.session();
    session.prompt('export DB_PASSWORD=sword!fish77');
    session.edit('a.txt', 'one\n');
    session.stop();
    session.prompt('log in with sword!fish77');
    const task = new SubAgent(session, { description: 'Try sword!fish77' });
    task.start();
    task.edit('a.txt', 'two\n');
    task.tool('Bash', { command: 'login sword!fish77' });
    task.todo([{ content: 'tried sword!fish77', status: 'completed' }]);
    task.edit('b.txt', 'two\n');
    task.finish();
    session.edit('a.txt', 'three\n');
    session.stop();
    repo.commit('Add both', 'a.txt', 'b.txt');
    const all = repo.git('cat-file', '--batch-check=%(objectname)', '--batch-all-objects');
    const everything = repo.gitWith({ input: all }, 'cat-file', '--batch');
    expect(everything).toContain('login REDACTED');
    expect(everything).not.toContain('sword!fish77');
  });

  variation('what v0.4.4 left unredacted on a shadow branch is redacted at the commit', (repo) => {
    repo.ready();
    const session = repo.session();
    session.prompt('ask a sub-agent');
    const task = new SubAgent(session);
    task.start();
    task.edit('a.txt', 'one\n');
    task.finish();
    const branch = onlyBranch(repo);
    const dir = `.entire/metadata/${session.id}/tasks`;
    const row = JSON.stringify({ type: 'user', message: { content: `token ${SECRET}` } });
    const env = { GIT_INDEX_FILE: join(repo.scratch, 'index') };
    repo.gitWith({ env }, 'read-tree', branch);
    for (const path of ['toolu_old/agent-a9.jsonl', 'toolu_old/odd.txt', 'toolu_old/checkpoint.json']) {
      const raw = repo.gitWith({ input: `${row}\n${path}\n` }, 'hash-object', '-w', '--stdin');
      repo.gitWith({ env }, 'update-index', '--add', '--cacheinfo', `100644,${raw},${dir}/${path}`);
    }
    const tree = repo.gitWith({ env }, 'write-tree');
    const commit = repo.git('commit-tree', tree, '-p', branch, '-m', 'by v0.4.4');
    repo.git('update-ref', `refs/heads/${branch}`, commit);

    const id = repo.commit('Add a', 'a.txt') as string;
    expect(repo.storedPaths(id).filter((path) => path.includes('toolu_old'))).toEqual([
      'tasks/toolu_old/agent-a9.jsonl',
    ]);
    expect(repo.stored(id, 'tasks/toolu_old/agent-a9.jsonl')).toContain('token REDACTED');
    expect(repo.stored(id, 'tasks/toolu_01subagent/agent-a7d87b8247861f00b.jsonl')).toContain('a.txt');
  });

  variation('a checkpoint that cannot be saved keeps the mark, and the edits', (repo) => {
    repo.ready();
    const session = repo.session();
    session.prompt('ask a sub-agent');
    const task = new SubAgent(session);
    task.start();
    task.edit('a.txt', 'one\n');
    const head = repo.git('rev-parse', '--short=7', 'HEAD');
    const lock = join(repo.commonDir, 'refs', 'heads', 'entire', `${head}-e3b0c4.lock`);
    writeFileSync(lock, '');
    expect(task.finish().stdout).toBe('');
    expect(marks(repo)).toHaveLength(1);
    expect(repo.shadowBranches()).toEqual([]);
    expect(repo.logText()).toContain('could not be moved');
    rmSync(lock);
    task.finish();
    expect(marks(repo)).toEqual([]);
    expect(repo.commit('Add a', 'a.txt')).toMatch(/^[0-9a-f]{12}$/);
  });

  variation(
    'HEAD moved while it ran: the checkpoint follows; a task that committed all leaves none',
    (repo) => {
      repo.ready();
      const session = repo.session();
      session.prompt('ask a sub-agent');
      const task = new SubAgent(session);
      task.start();
      task.edit('a.txt', 'one\n');
      const id = repo.agentCommit('By the sub-agent', 'a.txt');
      expect(id).toMatch(/^[0-9a-f]{12}$/);
      const second = new SubAgent(session, { toolUseId: 'toolu_02', agentId: 'a2' });
      second.start();
      task.finish();
      expect(repo.shadowBranches()).toEqual([]);
      second.edit('b.txt', 'two\n');
      repo.git('-c', 'core.hooksPath=/dev/null', 'commit', '--quiet', '--allow-empty', '-m', 'moved');
      second.finish();
      expect(onlyBranch(repo)).toContain(repo.git('rev-parse', '--short=7', 'HEAD'));
      expect(changedIn(repo, onlyBranch(repo), 'HEAD')).toEqual(['b.txt']);
      expect(repo.state(session.id).base_commit).toBe(repo.git('rev-parse', 'HEAD'));
    },
  );
});
