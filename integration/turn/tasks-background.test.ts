import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { SubAgent } from '../support/agent/sub-agent.ts';
import { scenario, variation } from '../support/repository/scenario.ts';
import { marks } from '../support/repository/task-checkpoints.ts';
import type { TestRepo } from '../support/repository/test-repo.ts';

const subjects = (repo: TestRepo) =>
  repo.git('log', '--format=%s', repo.shadowBranches()[0] as string).split('\n');
const NOTICE = '<task-notification>\n<task-id>a1</task-id>\n<status>completed</status>\n</task-notification>';

/** A session, and the sub-agent that it has sent into the background. */
function launch(repo: TestRepo, options: { readonly description?: string } = {}) {
  const session = repo.session();
  session.prompt('in the background');
  const task = new SubAgent(session, options);
  task.start();
  task.launch();
  return { session, task };
}

describe('sub-agents in the background', () => {
  scenario('edits after the stop, its end, a notice and a second stop: all in one commit', (repo) => {
    repo.ready();
    const session = repo.session();
    session.prompt('do one thing here and another in the background');
    const task = new SubAgent(session, { agentId: 'a1', description: 'Background' });
    task.start();
    task.launch();
    expect(marks(repo)).toHaveLength(1); // it runs on
    session.edit('main.txt', 'by the main agent\n');
    session.stop('Started it.', { background_tasks: task.running() });
    expect(marks(repo)).toHaveLength(1);
    expect(repo.state(session.id).phase).toBe('idle'); // a commit now is the user's own

    task.edit('bg.txt', 'BG\n');
    task.shell(() => repo.write('generated.txt', 'by its shell\n'));
    const end = task.stop();
    expect(end.stdout).toBe('');
    expect(marks(repo)).toEqual([]);
    expect(repo.state(session.id).files_touched).toEqual(['bg.txt', 'generated.txt', 'main.txt']);
    expect(subjects(repo)[0]).toBe("Completed 'dev' agent: Background (toolu_01suba)");

    session.prompt(NOTICE);
    session.edit('after.txt', 'by the main agent\n');
    session.stop('Done.');
    const id = repo.commit('All of it', 'main.txt', 'bg.txt', 'generated.txt', 'after.txt') as string;
    expect(repo.storedJson(id, '0/metadata.json').files_touched).toEqual([
      'after.txt',
      'bg.txt',
      'generated.txt',
      'main.txt',
    ]);
    expect(repo.stored(id, 'tasks/toolu_01subagent/agent-a1.jsonl')).toContain('bg.txt');
    expect(repo.storedJson(id, 'tasks/toolu_01subagent/checkpoint.json')).toEqual({
      session_id: session.id,
      tool_use_id: 'toolu_01subagent',
      checkpoint_uuid: 'result-toolu_01subagent',
      agent_id: 'a1',
    });
    expect(repo.shadowBranches()).toEqual([]);
  });

  variation('a commit between its end and the second stop is linked', (repo) => {
    repo.ready();
    const { session, task } = launch(repo);
    session.stop('Started it.', { background_tasks: task.running() });
    task.edit('bg.txt', 'BG\n');
    const during = repo.commit('While it runs', 'bg.txt') as string;
    expect(repo.storedJson(during, '0/metadata.json').files_touched).toEqual(['bg.txt']);
    task.edit('more.txt', 'more\n');
    task.stop();
    const id = repo.commit('After it', 'more.txt') as string;
    expect(repo.storedPaths(id)).toContain('tasks/toolu_01subagent/checkpoint.json');
    session.prompt(NOTICE);
    session.stop('Done.');
    expect(repo.state(session.id).files_touched).toBeUndefined();
  });

  variation('a commit that it makes itself is linked, also of what only its shell wrote', (repo) => {
    repo.ready();
    const { session, task } = launch(repo);
    session.stop('Started it.', { background_tasks: task.running() });
    const env = { ENTIRE_TEST_TTY: '0', CLAUDECODE: '1', CLAUDE_CODE_SESSION_ID: session.id };
    task.shell(() => {
      repo.write('generated.txt', 'by its shell\n').git('add', 'generated.txt');
      repo.gitWith({ env }, 'commit', '--quiet', '-m', 'By the sub-agent');
    });
    const id = repo.checkpointOf('HEAD') as string;
    expect(repo.storedJson(id, '0/metadata.json')).toMatchObject({
      session_id: session.id,
      files_touched: ['generated.txt'],
    });
    task.stop();
    repo.write('mine.txt', 'by the user\n').git('add', 'mine.txt');
    repo.gitWith({ env }, 'commit', '--quiet', '-m', 'By hand, in the shell of the client');
    expect(repo.checkpointOf('HEAD')).toBeUndefined();
  });

  variation("what the user edits meanwhile is the user's", (repo) => {
    repo.ready();
    const { session, task } = launch(repo);
    session.stop('Started it.', { background_tasks: task.running() });
    task.edit('bg.txt', 'BG\n');
    repo.write('README.md', 'by the user\n');
    task.stop();
    expect(repo.state(session.id).files_touched).toEqual(['bg.txt']);
    expect(repo.commit('By hand', 'README.md')).toBeUndefined();
  });

  variation('its todo list is its own; that of the main agent is none of a task', (repo) => {
    repo.ready().git('switch', '--quiet', '-c', 'feature');
    const { task } = launch(repo);
    task.edit('bg.txt', 'BG\n');
    expect(task.todo([], { agent_id: undefined }).stderr).toBe('');
    expect(task.todo([]).stderr).toContain('checkpoint #1');
  });

  variation('one that is sent on stops again: its checkpoint has the rest', (repo) => {
    repo.ready();
    const { task } = launch(repo, { description: 'Background' });
    task.note();
    task.edit('one.txt', 'one\n');
    task.stop();
    task.edit('two.txt', 'two\n');
    task.stop('Done again.');
    expect(subjects(repo)).toEqual(Array(2).fill("Completed 'dev' agent: Background (toolu_01suba)"));
    const id = repo.commit('Both', 'one.txt', 'two.txt') as string;
    expect(repo.stored(id, 'tasks/toolu_01subagent/agent-a7d87b8247861f00b.jsonl')).toContain('Done again.');
  });

  variation('one that is killed leaves nothing behind: the next stop does not list it', (repo) => {
    repo.ready();
    const { session, task } = launch(repo);
    task.edit('bg.txt', 'BG\n');
    session.stop('Started it.', { background_tasks: task.running() });
    expect(marks(repo)).toHaveLength(1);
    session.prompt('go on');
    expect(marks(repo)).toHaveLength(1);
    session.stop('Killed it.', { background_tasks: [] });
    expect(marks(repo)).toEqual([]);
    expect(repo.commit('Bg', 'bg.txt')).toMatch(/^[0-9a-f]{12}$/);
    expect(readdirSync(join(repo.commonDir, 'entire', 'tasks'))).toEqual([]);
  });

  variation('one that runs when the client exits', (repo) => {
    repo.ready();
    const { session, task } = launch(repo);
    session.stop('Started it.', { background_tasks: task.running() });
    session.end();
    expect(marks(repo)).toEqual([]);
  });

  variation('the stop of a compaction, and of a sub-agent that is waited for, stand for nothing', (repo) => {
    repo.ready();
    const session = repo.session();
    session.prompt('ask a sub-agent');
    const task = new SubAgent(session);
    task.start();
    task.edit('a.txt', 'one\n');
    task.note();
    session.hook('subagent-stop', 'SubagentStop-compaction');
    task.stop();
    expect(marks(repo)).toHaveLength(1);
    expect(repo.shadowBranches()).toEqual([]);
    task.finish();
    expect(marks(repo)).toEqual([]);
    expect(subjects(repo)).toEqual(["Completed 'dev' agent: Do the work (toolu_01suba)"]);
  });

  variation('the captured transcripts of the real client', (repo) => {
    repo.ready();
    const session = repo.session('f47261e5-ad2a-48d2-9c6f-019fad946872');
    session.prompt('SUBAGENT-BG go');
    const ids = { toolUseId: 'toolu_01a33f1703bb5130b59cb44107', agentId: 'ae5b38b9d802254af' };
    const task = new SubAgent(session, ids);
    task.start();
    task.launch();
    session.useCaptured('subagent-background');
    task.useCaptured('subagent-background--agent-ae5b38b9d802254af');
    repo.write('bg.txt', 'BG\n');
    task.stop();
    const id = repo.commit('Bg', 'bg.txt') as string;
    expect(repo.storedJson(id, `tasks/${ids.toolUseId}/checkpoint.json`).checkpoint_uuid).toBe(
      'f4e1f21b-1dde-482a-be5d-e6c5b35fe7a9',
    );
    expect(repo.stored(id, `tasks/${ids.toolUseId}/agent-${ids.agentId}.jsonl`)).toContain(
      'SUBBG: create bg.txt',
    );
  });
});
