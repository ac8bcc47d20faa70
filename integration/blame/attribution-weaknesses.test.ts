import { describe, expect } from 'vitest';
import { all, attributionOf, lines } from '../support/command/attribution.ts';
import { variation } from '../support/repository/scenario.ts';

describe('what a commit holds', () => {
  variation('files that the commit leaves out are nobody’s removals, and keep the user’s share', (repo) => {
    repo.ready();
    const session = repo.session();
    session.prompt('two files');
    session.edit('a.txt', lines('agent', 10));
    session.edit('b.txt', lines('agent', 7));
    session.stop();
    repo.write('b.txt', lines('agent', 7) + lines('mine', 3));
    session.prompt('more');
    session.edit('a.txt', lines('agent', 12));
    session.edit('b.txt', lines('agent', 8) + lines('mine', 3));
    session.stop();
    expect(attributionOf(repo, repo.commit('A', 'a.txt'))).toMatchObject(all(12));
    expect(repo.state(session.id).prompt_attributions).toEqual([
      {
        checkpoint_number: 1,
        user_lines_added: 3,
        user_lines_removed: 0,
        agent_lines_added: 0,
        agent_lines_removed: 0,
        user_added_per_file: { 'b.txt': 3 },
      },
    ]);
    expect(attributionOf(repo, repo.commit('B', 'b.txt'))).toMatchObject({
      agent_lines: 8,
      human_added: 3,
      total_committed: 11,
    });
  });

  variation('lines of a file that the commit leaves out are not removed', (repo) => {
    repo.ready();
    repo.write('a.txt', lines('base', 3));
    repo.commit('Base', 'a.txt');
    const session = repo.session();
    session.prompt('extend');
    session.edit('a.txt', lines('base', 3) + lines('agent', 10));
    session.stop();
    repo.write('a.txt', lines('base', 3) + lines('agent', 6));
    repo.git('add', 'a.txt');
    repo.write('a.txt', lines('base', 3) + lines('agent', 10));
    expect(attributionOf(repo, repo.commit('Six'))).toMatchObject(all(6));
    expect(attributionOf(repo, repo.commit('Four', 'a.txt'))).toMatchObject(all(4));
  });

  variation('two sessions in one commit are not each other’s people', (repo) => {
    repo.ready();
    const [first, second] = [repo.session('aaaaaaaa-1'), repo.session('bbbbbbbb-2')];
    first.prompt('a');
    second.prompt('b');
    first.edit('a.txt', lines('first', 4));
    second.edit('b.txt', lines('second', 6));
    first.stop();
    second.stop();
    repo.write('mine.txt', lines('mine', 2));
    const id = repo.commit('Both', 'a.txt', 'b.txt', 'mine.txt');
    expect(attributionOf(repo, id, 0)).toMatchObject({ agent_lines: 4, human_added: 2, total_committed: 6 });
    expect(attributionOf(repo, id, 1)).toMatchObject({ agent_lines: 6, human_added: 2, total_committed: 8 });
  });

  variation('earlier commits, and the user’s edits elsewhere, are not in the numbers', (repo) => {
    repo.ready();
    repo.write('notes.txt', lines('note', 30));
    repo.commit('Notes', 'notes.txt');
    repo.write('notes.txt', lines('note', 5)); // never committed: 25 lines less
    const session = repo.session();
    session.prompt('a');
    session.edit('a.txt', lines('agent', 4));
    session.stop();
    repo.write('mine.txt', lines('mine', 50));
    repo.commit('Mine', 'mine.txt');
    for (const more of [5, 6, 7]) {
      session.prompt('go on');
      session.edit('a.txt', lines('agent', more));
      session.stop();
    }
    expect(attributionOf(repo, repo.commit('A', 'a.txt'))).toMatchObject(all(7));
  });

  variation('an amend adds to the numbers that are there', (repo) => {
    repo.ready();
    const session = repo.session();
    session.prompt('a');
    session.edit('a.txt', lines('agent', 4));
    session.stop();
    const id = repo.commit('A', 'a.txt');
    session.prompt('b');
    session.edit('b.txt', lines('agent', 6));
    session.stop();
    repo.write('b.txt', lines('agent', 6) + lines('mine', 2));
    repo.git('add', 'b.txt');
    repo.git('commit', '--quiet', '--amend', '--no-edit');
    expect(repo.checkpointOf('HEAD')).toBe(id);
    expect(attributionOf(repo, id)).toMatchObject({
      agent_lines: 10,
      human_added: 2,
      total_committed: 12,
      agent_percentage: (10 / 12) * 100,
    });
  });

  variation('what an agent wrote and committed in a later turn is its own', (repo) => {
    repo.ready();
    const session = repo.session();
    session.prompt('a');
    session.edit('a.txt', lines('agent', 4));
    session.stop();
    repo.write('a.txt', lines('agent', 4) + lines('mine', 3));
    session.prompt('go on and commit');
    session.edit('a.txt', lines('agent', 9) + lines('mine', 3));
    session.shell(() => repo.write('b.txt', lines('shell', 2)));
    repo.variables = { CLAUDE_CODE_SESSION_ID: session.id };
    expect(attributionOf(repo, repo.agentCommit('A', '.'))).toMatchObject({
      human_added: 3,
      human_removed: 0,
      agent_lines: 11,
      total_committed: 14,
    });
  });
});

describe('what a prompt counts', () => {
  variation('a pull between two prompts is nobody’s edit', (repo) => {
    repo.ready();
    repo.write('a.txt', lines('base', 40));
    repo.commit('Base', 'a.txt');
    const base = repo.git('rev-parse', 'HEAD');
    repo.write('a.txt', lines('pulled', 25) + lines('base', 40));
    repo.write('other.txt', lines('pulled', 60));
    repo.commit('Pulled', 'a.txt', 'other.txt');
    const pulled = repo.git('rev-parse', 'HEAD');
    repo.git('reset', '--quiet', '--hard', base);

    const session = repo.session();
    session.prompt('append');
    session.edit('a.txt', lines('base', 40) + lines('agent', 5));
    session.stop();
    repo.git('-c', 'rebase.autoStash=true', 'rebase', '--quiet', '--autostash', pulled);
    expect(repo.read('a.txt')).toBe(lines('pulled', 25) + lines('base', 40) + lines('agent', 5));
    repo.write('a.txt', lines('pulled', 25) + lines('base', 40) + lines('agent', 5) + lines('mine', 2));
    session.prompt('go on');
    expect(repo.state(session.id).pending_prompt_attribution).toMatchObject({
      user_lines_added: 2,
      user_lines_removed: 0,
      user_added_per_file: { 'a.txt': 2 },
    });
    session.edit('a.txt', lines('pulled', 25) + lines('base', 40) + lines('agent', 9) + lines('mine', 2));
    session.stop();
    expect(attributionOf(repo, repo.commit('A', 'a.txt'))).toMatchObject({
      agent_lines: 9,
      human_added: 2,
      human_removed: 0,
      total_committed: 11,
    });
  });

  variation('an edit is counted once, however many prompts see it', (repo) => {
    repo.ready();
    const session = repo.session();
    session.prompt('a');
    session.edit('a.txt', lines('agent', 4));
    session.stop();
    repo.write('README.md', `${repo.read('README.md')}${lines('mine', 5)}`);
    const seen: unknown[] = [];
    for (const more of [5, 6, 7]) {
      session.prompt('go on');
      seen.push(repo.state(session.id).pending_prompt_attribution.user_added_per_file);
      session.edit('a.txt', lines('agent', more));
      session.stop();
    }
    expect(seen).toEqual([{ 'README.md': 5 }, undefined, undefined]);
    session.prompt('only talk');
    repo.write('a.txt', lines('agent', 7) + lines('mine', 2));
    session.prompt('and again'); // the turn between had no step that took the numbers
    expect(repo.state(session.id).pending_prompt_attribution.user_added_per_file).toEqual({ 'a.txt': 2 });
    const id = repo.commit('All', '.');
    expect(attributionOf(repo, id)).toMatchObject({ agent_lines: 7, human_added: 7, total_committed: 14 });
  });

  variation('recorded edits of sessions are never the user’s', (repo) => {
    repo.ready();
    const [first, other] = [repo.session('aaaaaaaa-1'), repo.session('bbbbbbbb-2')];
    first.prompt('a');
    first.edit('a.txt', lines('first', 4));
    first.stop();
    other.prompt('b');
    other.edit('b.txt', lines('other', 6)); // on record, in no step yet
    first.edit('late.txt', lines('background', 3)); // after the stop: a task in the background
    repo.write('mine.txt', lines('mine', 2));
    first.prompt('go on');
    expect(repo.state(first.id).pending_prompt_attribution.user_added_per_file).toEqual({ 'mine.txt': 2 });
  });

  variation('what a sub-agent in the background may have written is not the user’s', async (repo) => {
    const { SubAgent } = await import('../support/agent/sub-agent.ts');
    repo.ready();
    const session = repo.session();
    session.prompt('in the background');
    session.edit('a.txt', lines('agent', 4));
    const helper = new SubAgent(session);
    helper.start();
    helper.launch();
    session.stop('Started.', { background_tasks: helper.running() });
    helper.shell(() => repo.write('a.txt', lines('agent', 4) + lines('helper', 5)));
    session.prompt('meanwhile');
    expect(repo.state(session.id).pending_prompt_attribution).toMatchObject({ user_lines_added: 0 });
  });
});
