import { describe, expect } from 'vitest';
import { SubAgent } from '../support/agent/sub-agent.ts';
import { onBothBuilds, variation } from '../support/repository/scenario.ts';
import { marks, onlyBranch } from '../support/repository/task-checkpoints.ts';
import type { TestRepo } from '../support/repository/test-repo.ts';

const messages = (repo: TestRepo, branch: string) => repo.git('log', '--format=%B%x00', branch);
const files = (repo: TestRepo, branch: string) =>
  repo.git('ls-tree', '-r', '--name-only', branch).split('\n');
const done = (content: string) => ({ content, status: 'completed', activeForm: content });

describe('tasks and incremental checkpoints', () => {
  onBothBuilds('a task leaves its mark while it runs; without changes no commit is made anywhere', (repo) => {
    repo.ready().write('left.txt', 'there before\n');
    const session = repo.session();
    session.prompt('ask a sub-agent');
    const task = new SubAgent(session);
    expect(task.start().stdout).toBe('');
    expect(marks(repo)).toEqual(['pre-task-toolu_01subagent.json']);
    expect(JSON.parse(repo.read('.entire/tmp/pre-task-toolu_01subagent.json'))).toMatchObject({
      tool_use_id: 'toolu_01subagent',
      untracked_files: ['left.txt'],
    });
    const before = repo.git('for-each-ref');
    const { stdout, stderr } = task.finish();
    expect(stdout).toBe('');
    expect(stderr).toContain('[entire] No file changes detected, skipping task checkpoint');
    expect(marks(repo)).toEqual([]);
    expect(repo.git('for-each-ref')).toBe(before);
    expect(repo.state(session.id).files_touched).toBeUndefined();
  });

  variation('a todo list outside of a task, or without changes, creates nothing', (repo) => {
    repo.ready().git('switch', '--quiet', '-c', 'feature');
    const session = repo.session();
    session.prompt('plan');
    const before = repo.git('for-each-ref');
    const main = new SubAgent(session);
    session.edit('a.txt', 'by the main agent\n');
    expect(main.todo([done('a')], {}).stderr).toBe('');
    expect(repo.git('for-each-ref')).toBe(before);

    const task = new SubAgent(session);
    task.start();
    const { stdout, stderr } = task.todo([done('nothing')], {});
    expect(stdout).toBe('');
    expect(stderr).toContain('[entire] No file changes detected, skipping incremental checkpoint');
    expect(repo.git('for-each-ref')).toBe(before);
  });

  variation('on a feature branch the shadow branch has both, in the format of v0.4.4', (repo) => {
    repo.ready().git('switch', '--quiet', '-c', 'feature');
    const session = repo.session('s59');
    session.prompt('ask a sub-agent');
    const task = new SubAgent(session, { type: 'dev', description: 'Write\na and b' });
    task.start();
    task.edit('a.txt', 'one\n');
    const todo = task.todo([done('Write a.txt'), { content: 'Write b.txt', status: 'pending' }]);
    expect(todo.stdout).toBe('');
    expect(todo.stderr).toContain(
      '[entire] Created incremental checkpoint #1 for TodoWrite (task: toolu_01suba)',
    );
    task.edit('b.txt', 'two\n');
    task.result('uuid-of-the-result');
    const end = task.finish();
    expect(end.stdout).toBe('');
    const branch = onlyBranch(repo);
    expect(end.stderr).toContain(`Committed task checkpoint to step branch '${branch}'`);

    const trailers =
      'Entire-Metadata-Task: .entire/metadata/s59/tasks/toolu_01subagent\nEntire-Session: s59\nEntire-Strategy: manual-commit\n';
    expect(messages(repo, branch)).toBe(
      `Completed 'dev' agent: Write a and b (toolu_01suba)\n\n${trailers}\0\nWrite a.txt (toolu_01suba)\n\n${trailers}\0`,
    );
    const dir = '.entire/metadata/s59';
    expect(files(repo, branch).filter((path) => path.startsWith(dir))).toEqual([
      `${dir}/full.jsonl`,
      `${dir}/tasks/toolu_01subagent/agent-a7d87b8247861f00b.jsonl`,
      `${dir}/tasks/toolu_01subagent/checkpoint.json`,
      `${dir}/tasks/toolu_01subagent/checkpoints/001-toolu_01subagent.json`,
    ]);
    expect(repo.run('git', ['show', `${branch}:${dir}/tasks/toolu_01subagent/checkpoint.json`]).stdout).toBe(
      '{\n  "session_id": "s59",\n  "tool_use_id": "toolu_01subagent",\n  "checkpoint_uuid": "uuid-of-the-result",\n  "agent_id": "a7d87b8247861f00b"\n}',
    );
    const increment = JSON.parse(
      repo.git('show', `${branch}:${dir}/tasks/toolu_01subagent/checkpoints/001-toolu_01subagent.json`),
    );
    expect(increment).toMatchObject({ type: 'TodoWrite', tool_use_id: 'toolu_01subagent' });
    expect(increment.data.todos[0].content).toBe('Write a.txt');
    expect(repo.git('show', `${branch}:b.txt`)).toBe('two');
    expect(repo.state('s59')).toMatchObject({ files_touched: ['a.txt', 'b.txt'], checkpoint_count: 0 });
    expect(marks(repo)).toEqual([]);
  });

  variation('on main a task with changes is one point, incremental checkpoints are skipped', (repo) => {
    repo.ready();
    const session = repo.session();
    session.prompt('ask a sub-agent');
    const task = new SubAgent(session);
    task.start();
    task.edit('a.txt', 'one\n');
    expect(task.todo([done('a')]).stderr).toBe("Entire: skipping incremental checkpoint on branch 'main'\n");
    expect(repo.shadowBranches()).toEqual([]);
    const { stderr } = task.finish();
    const branch = onlyBranch(repo);
    expect(stderr).toContain(`Created step branch '${branch}' and committed task checkpoint`);
    expect(repo.git('rev-list', '--count', branch)).toBe('1');
  });

  variation('origin/HEAD says which branch is the default one', (repo) => {
    repo.ready().git('switch', '--quiet', '-c', 'trunk');
    repo.git('symbolic-ref', 'refs/remotes/origin/HEAD', 'refs/remotes/origin/trunk');
    const session = repo.session();
    session.prompt('ask a sub-agent');
    const task = new SubAgent(session);
    task.start();
    task.edit('a.txt', 'one\n');
    expect(task.todo([done('a')]).stderr).toContain("on branch 'trunk'");
    repo.git('switch', '--quiet', 'main');
    expect(task.todo([done('a')]).stderr).toContain('checkpoint #1');
    repo.git('symbolic-ref', '--delete', 'refs/remotes/origin/HEAD');
    repo.git('update-ref', 'refs/remotes/origin/master', 'HEAD');
    expect(task.todo([done('a')]).stderr).toContain('checkpoint #2'); // origin has master, so main is not the default
    repo.git('switch', '--quiet', '--detach');
    expect(task.todo([done('a')]).stderr).toContain('checkpoint #3');
  });

  variation('incremental checkpoints are counted, also across a commit', (repo) => {
    repo.ready().git('switch', '--quiet', '-c', 'feature');
    const session = repo.session();
    session.prompt('ask a sub-agent');
    const task = new SubAgent(session);
    task.start();
    task.edit('a.txt', 'one\n');
    task.todo([done('one')]);
    task.edit('b.txt', 'two\n');
    task.todo([]);
    const names = () => files(repo, onlyBranch(repo)).filter((path) => path.includes('/checkpoints/'));
    expect(names().map((path) => path.split('/').at(-1))).toEqual([
      '001-toolu_01subagent.json',
      '002-toolu_01subagent.json',
    ]);
    expect(messages(repo, onlyBranch(repo))).toMatch(/^Checkpoint #2: toolu_01suba\n/);

    const id = repo.commit('Add a', 'a.txt') as string;
    expect(repo.storedPaths(id)).toContain('tasks/toolu_01subagent/checkpoints/002-toolu_01subagent.json');
    expect(names()).toEqual([]); // carried forward: b.txt alone
    task.todo([done('three')]);
    expect(names().map((path) => path.split('/').at(-1))).toEqual(['003-toolu_01subagent.json']);
    task.finish();
    const second = repo.commit('Add b', 'b.txt') as string;
    expect(repo.storedPaths(second).filter((path) => path.startsWith('tasks/'))).toEqual([
      'tasks/toolu_01subagent/agent-a7d87b8247861f00b.jsonl',
      'tasks/toolu_01subagent/checkpoint.json',
      'tasks/toolu_01subagent/checkpoints/003-toolu_01subagent.json',
    ]);
  });
});
