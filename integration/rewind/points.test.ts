import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { SubAgent } from '../support/agent/sub-agent.ts';
import { linkedCommits, listPoints, logsOnly, temporary } from '../support/command/rewind.ts';
import { addWork } from '../support/command/work.ts';
import { scenario, variation } from '../support/repository/scenario.ts';
import type { TestRepo } from '../support/repository/test-repo.ts';

describe('rewind --list', () => {
  scenario('steps, and commits with a checkpoint: the keys of the format, in its order', (repo) => {
    repo.ready();
    const session = addWork(repo, { 'a.txt': 'one\n' });
    const id = repo.commit('Add a', 'a.txt') as string;
    const head = repo.git('rev-parse', 'HEAD');
    session.prompt('Now make b, please');
    session.edit('b.txt', 'two\n');
    session.stop();
    const { stdout } = repo.entire('rewind', '--list');
    expect(stdout).toMatch(/^\[\n {2}\{\n {4}"id": [\s\S]*\n\]\n\n$/);
    const [step, commit, ...more] = JSON.parse(stdout);
    expect(more).toEqual([]);
    expect(Object.entries(step)).toEqual([
      ['id', repo.git('rev-parse', repo.shadowBranches()[0] as string)],
      ['message', 'Now make b, please'],
      ['metadata_dir', `.entire/metadata/${session.id}`],
      ['date', expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(Z|[+-]\d\d:\d\d)$/)],
      ['is_task_checkpoint', false],
      ['is_logs_only', false],
      ['session_id', session.id],
      ['session_prompt', 'Now make b, please'],
    ]);
    expect(Object.entries(commit)).toEqual([
      ['id', head],
      ['message', 'Add a'],
      ['metadata_dir', ''],
      ['date', '2026-01-02T03:04:05Z'],
      ['is_task_checkpoint', false],
      ['is_logs_only', true],
      ['condensation_id', id],
      ['session_id', session.id],
      ['session_prompt', 'write a.txt'],
    ]);
  });

  variation('a sub-agent that is done is a point with the id of its call', (repo) => {
    repo.ready();
    const session = repo.session();
    session.prompt('use a sub-agent');
    const task = new SubAgent(session);
    task.start();
    task.edit('t.txt', 'task\n');
    task.finish();
    const [point, ...more] = temporary(repo);
    expect(more).toEqual([]);
    expect(point).toMatchObject({
      is_task_checkpoint: true,
      tool_use_id: task.toolUseId,
      metadata_dir: `.entire/metadata/${session.id}/tasks/${task.toolUseId}`,
    });
  });

  variation('the points of all sessions of this worktree, and of no other', (repo) => {
    repo.ready();
    const [first, second] = [addWork(repo, { 'a.txt': 'a\n' }), addWork(repo, { 'b.txt': 'b\n' })];
    const main = repo.dir;
    const side = join(repo.scratch, 'side');
    repo.git('worktree', 'add', '--quiet', side);
    repo.dir = side;
    const third = addWork(repo, { 'c.txt': 'c\n' });
    expect(temporary(repo).map(({ session_id: id }) => id)).toEqual([third.id]);
    repo.dir = main;
    expect(new Set(temporary(repo).map(({ session_id: id }) => id))).toEqual(new Set([first.id, second.id]));
  });

  variation('what was carried forward is no point; a commit is one, once', (repo) => {
    repo.ready();
    const session = addWork(repo, { 'a.txt': 'a\n', 'b.txt': 'b\n' });
    const id = repo.commit('Add a', 'a.txt');
    expect(repo.git('log', '-1', '--format=%s', repo.shadowBranches()[0] as string)).toContain(
      'carry forward',
    );
    const points = listPoints(repo);
    expect(points.map(({ condensation_id: checkpoint }) => checkpoint)).toEqual([id]);
    expect(points[0]).toMatchObject({ message: 'Add a', is_logs_only: true, session_id: session.id });
  });

  variation('several commits, newest first; the prompt is that of the latest session in it', (repo) => {
    repo.ready();
    commitWork(repo, 3);
    expect(logsOnly(repo).map(({ message }) => message)).toEqual(['Commit 3', 'Commit 2', 'Commit 1']);
    const sessions = [addWork(repo, { 'x.txt': 'x\n' }), addWork(repo, { 'y.txt': 'y\n' })];
    const id = repo.commit('Both', 'x.txt', 'y.txt') as string;
    const latest = repo.storedJson(id, '1/metadata.json').session_id;
    expect(sessions.map((session) => session.id)).toContain(latest);
    expect(logsOnly(repo)[0]).toMatchObject({
      message: 'Both',
      session_id: latest,
      session_prompt: latest === sessions[0]?.id ? 'write x.txt' : 'write y.txt',
    });
  });

  variation('twenty points at most; commits without a checkpoint do not count', (repo) => {
    repo.ready();
    commitWork(repo, 2);
    for (let number = 1; number <= 30; number++)
      repo.git('commit', '--quiet', '--no-verify', '--allow-empty', '-m', `Plain ${number}`);
    const nowhere = 'A trailer that leads nowhere\n\nEntire-Checkpoint: abcdefabcdef';
    repo.git('commit', '--quiet', '--no-verify', '--allow-empty', '-m', nowhere);
    expect(logsOnly(repo).map(({ message }) => message)).toEqual(['Commit 2', 'Commit 1']);
    const [newest] = logsOnly(repo);
    linkedCommits(repo, 22, newest?.condensation_id as string);
    expect(listPoints(repo)).toHaveLength(20);
  });

  variation('where Entire is disabled the list says so; elsewhere an empty list is one', (repo) => {
    repo.ready();
    expect(repo.entire('rewind', '--list').stdout).toBe('[]\n\n');
    repo.entire('disable');
    const { stdout, stderr } = repo.entire('rewind', '--list');
    expect({ stdout, stderr }).toEqual({
      stdout: 'Entire is disabled. Run `entire enable` to re-enable.\n',
      stderr: '',
    });
    const { code, stderr: refusal } = repo.run('entire', ['rewind', '--list'], { cwd: repo.scratch });
    expect({ code, refusal }).toEqual({ code: 1, refusal: expect.stringContaining('Not a git repository') });
  });

  variation('before the first commit, and with a session whose state is gone', (repo) => {
    repo.init();
    repo.entire('enable', '--agent', 'claude-code');
    expect(listPoints(repo)).toEqual([]);
    repo.git('add', '.');
    repo.git('commit', '--quiet', '-m', 'init');
    const session = addWork(repo, { 'a.txt': 'a\n' });
    repo.run('rm', [join(repo.commonDir, 'entire-sessions', `${session.id}.json`)]);
    expect(temporary(repo)).toHaveLength(1);
  });
});

function commitWork(repo: TestRepo, count: number): void {
  for (let number = 1; number <= count; number++) {
    addWork(repo, { [`file-${number}.txt`]: `${Math.random()}\n` });
    repo.commit(`Commit ${number}`, `file-${number}.txt`);
  }
}
