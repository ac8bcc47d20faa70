import { describe, expect } from 'vitest';
import { SubAgent } from '../support/agent/sub-agent.ts';
import { variation } from '../support/repository/scenario.ts';
import { changedIn, marks, onlyBranch } from '../support/repository/task-checkpoints.ts';

describe('several sub-agents', () => {
  variation('two in parallel: each checkpoint has the files of its own task', (repo) => {
    repo.ready();
    const session = repo.session();
    session.prompt('ask two sub-agents');
    const a = new SubAgent(session, { toolUseId: 'toolu_a', agentId: 'a1' });
    const b = new SubAgent(session, { toolUseId: 'toolu_b', agentId: 'b1' });
    const idle = new SubAgent(session, { toolUseId: 'toolu_c', agentId: 'c1' });
    for (const task of [a, b, idle]) task.start();
    b.edit('b.txt', 'by b\n');
    a.edit('a.txt', 'by a\n');
    a.shell(() => repo.write('generated.txt', 'by the shell of a\n'));
    a.finish();
    expect(changedIn(repo, onlyBranch(repo), 'HEAD')).toEqual(['a.txt', 'generated.txt']);
    b.finish();
    expect(changedIn(repo, onlyBranch(repo))).toEqual(['b.txt']);
    const steps = repo.git('rev-parse', onlyBranch(repo));
    idle.finish(); // it changed nothing: what the others did is not its work
    expect(repo.git('rev-parse', onlyBranch(repo))).toBe(steps);
    expect(repo.state(session.id).files_touched).toEqual(['a.txt', 'b.txt', 'generated.txt']);

    session.stop();
    const id = repo.commit('Both', 'a.txt', 'b.txt', 'generated.txt') as string;
    expect(repo.storedPaths(id).filter((path) => path.endsWith('/checkpoint.json'))).toEqual([
      'tasks/toolu_a/checkpoint.json',
      'tasks/toolu_b/checkpoint.json',
    ]);
  });

  variation(
    'a todo list belongs to the sub-agent that its client says, not to the one that began last',
    (repo) => {
      repo.ready().git('switch', '--quiet', '-c', 'feature');
      const session = repo.session();
      session.prompt('ask two sub-agents');
      const a = new SubAgent(session, { toolUseId: 'toolu_a', agentId: 'a1' });
      const b = new SubAgent(session, { toolUseId: 'toolu_b', agentId: 'b1' });
      for (const task of [a, b]) {
        task.start();
        task.note();
      }
      a.edit('a.txt', 'by a\n');
      expect(a.todo([]).stderr).toContain('(task: toolu_a)');
      expect(b.todo([]).stderr).toContain('(task: toolu_b)');
    },
  );

  variation('hooks of two at the same moment lose nothing', async (repo) => {
    repo.ready();
    const session = repo.session();
    session.prompt('ask many sub-agents');
    const ids = ['one', 'two', 'six', 'ten'];
    const tasks = ids.map((id) => new SubAgent(session, { toolUseId: `toolu_${id}`, agentId: id }));
    for (const task of tasks) task.start();
    for (const [index, task] of tasks.entries()) task.edit(`${ids[index]}.txt`, 'x\n');
    await Promise.all(
      tasks.map(({ toolUseId, agentId }) =>
        repo.inBackground('entire', ['hooks', 'claude-code', 'post-task'], {
          input: JSON.stringify({
            session_id: session.id,
            transcript_path: session.transcript,
            cwd: repo.dir,
            tool_use_id: toolUseId,
            tool_response: { status: 'completed', agentId },
          }),
        }),
      ),
    );
    expect(marks(repo)).toEqual([]);
    expect(repo.git('rev-list', '--count', onlyBranch(repo))).toBe('4');
    expect(repo.state(session.id).files_touched).toEqual(['one.txt', 'six.txt', 'ten.txt', 'two.txt'].sort());
  });

  variation('one that was interrupted is over at the next prompt; its edits are kept', (repo) => {
    repo.ready().git('switch', '--quiet', '-c', 'feature');
    const session = repo.session();
    session.prompt('ask a sub-agent');
    const task = new SubAgent(session);
    task.start();
    task.edit('a.txt', 'one\n'); // then Esc: neither post-task nor stop
    expect(marks(repo)).toHaveLength(1);
    session.prompt('something else');
    expect(marks(repo)).toEqual([]);
    expect(task.todo([], {}).stderr).toBe('');
    session.stop();
    expect(repo.commit('Add a', 'a.txt')).toMatch(/^[0-9a-f]{12}$/);
  });

  variation("a todo list is not taken for that of another session's task", (repo) => {
    repo.ready().git('switch', '--quiet', '-c', 'feature');
    const [first, second] = [repo.session(), repo.session()];
    first.prompt('ask a sub-agent');
    new SubAgent(first).start();
    second.prompt('plan');
    second.edit('b.txt', 'two\n');
    expect(new SubAgent(second).todo([], {}).stderr).toBe('');
    expect(repo.shadowBranches()).toEqual([]);
  });

  variation('the checkpoint of a task outlives the commit of another session', (repo) => {
    repo.ready();
    const [first, second] = [repo.session(), repo.session()];
    first.prompt('ask a sub-agent');
    const task = new SubAgent(first);
    task.start();
    task.edit('a.txt', 'one\n');
    task.finish();
    second.prompt('b');
    second.edit('b.txt', 'two\n');
    second.stop();
    const branch = onlyBranch(repo);
    repo.commit('Add b', 'b.txt');
    expect(repo.shadowBranches()).toEqual([branch]);
    const id = repo.commit('Add a', 'a.txt') as string;
    expect(repo.storedPaths(id)).toContain('tasks/toolu_01subagent/checkpoint.json');
  });
});
