import { describe, expect } from 'vitest';
import { SubAgent } from '../support/agent/sub-agent.ts';
import { goBack, stepOf, temporary, turns } from '../support/command/rewind.ts';
import { addWork, expectLinked } from '../support/command/work.ts';
import { scenario, variation } from '../support/repository/scenario.ts';
import type { TestRepo } from '../support/repository/test-repo.ts';

/** Others keep what they did. */
const goBackAlone = (repo: TestRepo, id: string) => goBack(repo, id, '--session-only');

describe('going back beside other sessions', () => {
  scenario('their later steps stay on the branch, with their files, messages and dates', (repo) => {
    repo.ready();
    const own = turns(repo, { 'a.txt': 'v1\n' });
    const other = addWork(repo, { 'x.txt': 'x1\n' });
    addWork(repo, { 'a.txt': 'v2\n', 'b.txt': 'b\n' }, own);
    addWork(repo, { 'x.txt': 'x2\n' }, other);
    const before = temporary(repo);
    const { stderr } = goBackAlone(repo, stepOf(before, 'Turn 1').id);
    expect(stderr).toContain('[entire] 2 later steps of other sessions stay on it, with new ids\n');
    expect([repo.read('a.txt'), repo.exists('b.txt'), repo.read('x.txt')]).toEqual(['v1\n', false, 'x2\n']);
    const after = temporary(repo);
    const facts = (points: typeof after) => points.map(({ id: _, session_prompt: __, ...point }) => point);
    expect(facts(after)).toEqual(facts(before.filter(({ message }) => message !== 'Write a.txt and b.txt')));
    const [shadow] = repo.shadowBranches();
    expect(repo.git('show', `${shadow}:a.txt`)).toBe('v1');
    expect(repo.git('show', `${shadow}:x.txt`)).toBe('x2');
    expect(repo.git('ls-tree', '--name-only', shadow as string)).not.toContain('b.txt');
    expect(repo.git('for-each-ref', 'refs/entire/rewind')).toBe('');
    expect(repo.state(other.id)).toMatchObject({ checkpoint_count: 2, files_touched: ['x.txt'] });
    repo.commit('Theirs', 'x.txt');
    expectLinked(repo, other, 'x.txt');
    repo.commit('Own', 'a.txt');
    expectLinked(repo, own, 'a.txt');
  });

  variation('what another session wrote since then is left, and said so', (repo) => {
    repo.ready();
    const own = turns(repo, { 'shared.txt': 'own 1\n', 'a.txt': 'v1\n' });
    addWork(repo, { 'shared.txt': 'own 2\n', 'a.txt': 'v2\n' }, own);
    const other = addWork(repo, { 'shared.txt': 'theirs\n' });
    const { stderr } = goBackAlone(repo, stepOf(temporary(repo), 'Turn 1').id);
    expect(stderr).toContain(`  Left: shared.txt (another session wrote it since then: ${other.id})\n`);
    expect([repo.read('shared.txt'), repo.read('a.txt')]).toEqual(['theirs\n', 'v1\n']);
    expect(repo.state(own.id).files_touched).toEqual(['a.txt', 'shared.txt']);
    expect(repo.git('show', `${repo.shadowBranches()[0]}:shared.txt`)).toBe('theirs');
  });

  variation('what another session has written and not saved is left as well', (repo) => {
    repo.ready();
    const own = turns(repo, { 'shared.txt': 'own 1\n' }, { 'shared.txt': 'own 2\n' });
    const other = repo.session();
    other.prompt('go on with shared');
    other.edit('shared.txt', 'theirs\n');
    const whole = own.read();
    const { id } = stepOf(temporary(repo), 'Turn 1');
    expect(goBack(repo, id, '--dry-run').stdout).toContain('Nothing would go back, the conversation neither');
    const { code, stderr } = repo.tryEntire('rewind', '--to', id);
    expect(code).toBe(1);
    expect(stderr).toContain('each file that differs from that point is left, so nothing was done\n');
    expect([repo.read('shared.txt'), own.read()]).toEqual(['theirs\n', whole]);
    expect(repo.tracked(other.id)).toEqual(['shared.txt']);
    expect(repo.state(own.id).checkpoint_count).toBe(2);
  });

  variation(
    "the first step of another session holds our files as they were: they are not the other one's",
    (repo) => {
      repo.ready();
      const own = turns(repo, { 'a.txt': 'v1\n' });
      own.prompt('turn 2');
      own.edit('a.txt', 'v2\n'); // not saved when the other session makes its first step
      const other = addWork(repo, { 'x.txt': 'x\n' });
      own.stop();
      goBackAlone(repo, stepOf(temporary(repo), 'Turn 1').id);
      expect(repo.read('a.txt')).toBe('v1\n');
      expect(repo.git('show', `${repo.shadowBranches()[0]}:a.txt`)).toBe('v1');
      expect(repo.state(other.id).files_touched).toEqual(['x.txt']);
      repo.commit('All', 'a.txt', 'x.txt');
      expect(repo.verdict().sessions.sort()).toEqual([own.id, other.id].sort());
    },
  );
});

describe('going back to a task', () => {
  variation('its files, and the transcript up to what the task returned, byte for byte', (repo) => {
    repo.ready();
    const session = repo.session();
    session.prompt('use two sub-agents');
    for (const name of ['one', 'two']) {
      const task = new SubAgent(session, {
        toolUseId: `toolu_${name}`,
        description: name,
        agentId: `agent${name}`,
      });
      task.start();
      task.edit(`${name}.txt`, `${name}\n`);
      const content = [
        { tool_use_id: task.toolUseId, type: 'tool_result', content: `agentId: agent${name}` },
      ];
      session.write({ type: 'user', message: { role: 'user', content }, toolUseResult: { own: 'field' } });
      task.finish();
    }
    session.stop();
    const whole = session.read();
    const [first] = temporary(repo).filter(({ tool_use_id: id }) => id === 'toolu_one');
    const { stdout, stderr } = goBack(repo, first?.id as string);
    expect(stderr).toContain(`Writing truncated transcript to: ${session.transcript}\n`);
    expect(stdout).toContain(`Rewound to task checkpoint. claude -r ${session.id}\n`);
    expect([repo.read('one.txt'), repo.exists('two.txt')]).toEqual(['one\n', false]);
    const cut = session.read();
    expect(whole.startsWith(cut)).toBe(true);
    const last = JSON.parse(cut.trimEnd().split('\n').at(-1) as string);
    expect(last.message.content[0].tool_use_id).toBe('toolu_one');
    expect(last.toolUseResult).toEqual({ own: 'field' });
    expect(cut).not.toContain('toolu_two');
    expect(repo.state(session.id)).toMatchObject({ checkpoint_count: 0, files_touched: ['one.txt'] });
  });

  variation('a checkpoint in the middle of a task cuts nothing off the transcript', (repo) => {
    repo.ready();
    repo.git('switch', '--quiet', '--create', 'feature');
    const session = repo.session();
    session.prompt('use a sub-agent');
    const task = new SubAgent(session);
    task.start();
    task.edit('one.txt', 'one\n');
    task.todo([{ content: 'first', status: 'completed' }]);
    task.edit('one.txt', 'two\n');
    task.finish();
    const whole = session.read();
    const point = temporary(repo).at(-1);
    expect(point?.is_task_checkpoint).toBe(true);
    goBack(repo, point?.id as string);
    expect(repo.read('one.txt')).toBe('one\n');
    expect(session.read()).toBe(whole);
  });
});
