import { describe, expect } from 'vitest';
import { SubAgent } from '../support/agent/sub-agent.ts';
import { autoReady, changesOf, count, expectAutoCommit } from '../support/command/auto.ts';
import { scenario, variation } from '../support/repository/scenario.ts';
import { marks } from '../support/repository/task-checkpoints.ts';
import type { TestRepo } from '../support/repository/test-repo.ts';

const done = (content: string) => ({ content, status: 'completed', activeForm: content });

/** HEAD is a commit of exactly `changes`, and its checkpoint that of a task. Returns its id. */
function expectTaskCommit(repo: TestRepo, session: { id: string }, ...changes: string[]): string {
  const id = repo.checkpointOf('HEAD') as string;
  expect(changesOf(repo)).toEqual(changes);
  const text = repo.stored(id, '0/metadata.json');
  expect(JSON.parse(text)).toMatchObject({
    session_id: session.id,
    strategy: 'auto-commit',
    checkpoints_count: 0,
    files_touched: null,
    is_task: true,
    tool_use_id: 'toolu_01subagent',
  });
  expect(text).toMatch(/"agent": .*\n {2}"turn_id": .*\n {2}"is_task": true,\n {2}"tool_use_id": /);
  expect(repo.storedPaths(id)).toEqual(
    expect.arrayContaining(['0/content_hash.txt', '0/full.jsonl', '0/metadata.json', 'metadata.json']),
  );
  expect(repo.verdict()).toMatchObject({ reason: 'linked', checkpoint: id, sessions: [session.id] });
  return id;
}

describe('tasks with auto-commit', () => {
  variation('a task with changes makes one point on main, and its todo lists make none', (repo) => {
    autoReady(repo);
    const before = count(repo);
    const session = repo.session('s60');
    session.prompt('ask a sub-agent');
    const task = new SubAgent(session, { type: 'dev', description: 'Write\na.txt' });
    task.start();
    task.edit('a.txt', 'one\n');
    expect(task.todo([done('Write a.txt')]).stderr).toContain(
      "Entire: skipping incremental checkpoint on branch 'main'",
    );
    expect(count(repo)).toBe(before);
    task.result('uuid-of-result');
    const { stdout, stderr } = task.finish();
    expect(stdout).toBe('');
    const id = expectTaskCommit(repo, session, 'A\ta.txt');
    const head = repo.git('rev-parse', '--short=7', 'HEAD');
    expect(stderr).toContain(
      `Staging 1 new files created during task:\n  Staged new file: a.txt\nCommitted task checkpoint to active branch (${head})\nCommitted task metadata to entire/checkpoints/v1 (${id})\n`,
    );
    const subject = "Completed 'dev' agent: Write a.txt (toolu_01suba)";
    expect(repo.message('HEAD')).toBe(`${subject}\n\nEntire-Checkpoint: ${id}`);
    const dir = `${id.slice(0, 2)}/${id.slice(2)}`;
    expect(repo.message('entire/checkpoints/v1')).toBe(
      `Checkpoint: ${id}\n\n${subject}\n\nEntire-Session: s60\nEntire-Strategy: auto-commit\nEntire-Agent: Claude Code\nEntire-Metadata-Task: ${dir}/tasks/toolu_01subagent`,
    );
    expect(repo.storedJson(id, 'tasks/toolu_01subagent/checkpoint.json')).toEqual({
      session_id: 's60',
      tool_use_id: 'toolu_01subagent',
      checkpoint_uuid: 'uuid-of-result',
      agent_id: task.agentId,
    });
    expect(repo.stored(id, `tasks/toolu_01subagent/agent-${task.agentId}.jsonl`)).toContain('a.txt');
    expect(marks(repo)).toEqual([]);
    expect(repo.git('status', '--porcelain')).toBe('');

    session.stop();
    expect(count(repo)).toBe(before + 1);
    expect(repo.shadowBranches()).toEqual([]);
    expect(repo.state('s60').files_touched).toBeUndefined();
    expect(repo.state('s60').checkpoint_count).toBe(0);
  });

  variation('on a feature branch each todo list makes a commit, numbered for its task', (repo) => {
    autoReady(repo).git('switch', '--quiet', '-c', 'feature');
    const session = repo.session();
    session.prompt('ask a sub-agent');
    const task = new SubAgent(session, { type: 'dev', description: 'Write both' });
    task.start();
    for (const [index, name] of ['a', 'b'].entries()) {
      task.edit(`${name}.txt`, `${name}\n`);
      const { stderr } = task.todo([done(`Write ${name}.txt`)]);
      const id = expectTaskCommit(repo, session, `A\t${name}.txt`);
      const number = index + 1;
      const head = repo.git('rev-parse', '--short=7', 'HEAD');
      expect(stderr).toContain(`Committed incremental checkpoint #${number} to active branch (${head})`);
      expect(stderr).toContain(`Committed incremental checkpoint metadata to entire/checkpoints/v1 (${id})`);
      expect(repo.git('log', '-1', '--format=%s')).toBe(`Write ${name}.txt (toolu_01suba)`);
      const file = `tasks/toolu_01subagent/checkpoints/00${number}-toolu_01subagent.json`;
      expect(repo.storedJson(id, file)).toMatchObject({
        type: 'TodoWrite',
        tool_use_id: 'toolu_01subagent',
      });
      expect(repo.message('entire/checkpoints/v1')).toMatch(
        new RegExp(`\\nEntire-Metadata-Task: .*/${file}$`),
      );
    }
    const before = count(repo);
    expect(task.todo([done('nothing')]).stderr).toContain('No file changes detected');
    task.edit('b.txt', 'b again\n');
    task.finish();
    expectTaskCommit(repo, session, 'M\tb.txt');
    session.edit('own.txt', 'by the main agent\n');
    session.stop();
    expectAutoCommit(repo, session, 'A\town.txt');
    expect(count(repo)).toBe(before + 2);
  });

  scenario('without a commit there is no metadata', (repo) => {
    autoReady(repo);
    const session = repo.session();
    session.prompt('ask a sub-agent');
    const task = new SubAgent(session);
    task.start();
    const refs = repo.git('for-each-ref');
    expect(task.finish().stderr).toContain('No file changes detected, skipping task checkpoint');
    expect(repo.git('for-each-ref')).toBe(refs);
    expect(marks(repo)).toEqual([]);

    const again = new SubAgent(session);
    again.start();
    again.edit('a.txt', 'one\n');
    repo.commit('By hand', 'a.txt');
    const committed = repo.git('for-each-ref');
    again.finish();
    expect(repo.git('for-each-ref')).toBe(committed);

    repo.git('switch', '--quiet', '--detach');
    const third = new SubAgent(session);
    third.start();
    third.edit('b.txt', 'two\n');
    const detached = repo.git('for-each-ref');
    expect(third.finish().stderr).toContain('not committed, since HEAD is detached');
    expect(repo.git('for-each-ref')).toBe(detached);
    repo.git('switch', '--quiet', 'main');
    session.stop();
    expectAutoCommit(repo, session, 'A\tb.txt');
    expect(marks(repo)).toEqual([]);
  });
});
