import { describe, expect } from 'vitest';
import { attributionOf } from '../support/command/attribution.ts';
import { scenario, variation } from '../support/repository/scenario.ts';
import type { TestRepo } from '../support/repository/test-repo.ts';

const GO = 'package main\n';
const agentLines = (from: number, count: number): string =>
  Array.from({ length: count }, (_, index) => `var agent${from + index} = ${from + index}\n`).join('');
const comments = (count: number): string =>
  Array.from({ length: count }, (_, index) => `// mine ${index}\n`).join('');

/** A repository with `main.go`, committed. */
function withGo(repo: TestRepo, text = GO): void {
  repo.ready().write('main.go', text);
  repo.commit('Add main', 'main.go');
}

describe('attribution', () => {
  scenario('lines of the user between two turns of the agent', (repo) => {
    withGo(repo);
    const session = repo.session();
    session.prompt('add four');
    expect(repo.state(session.id).pending_prompt_attribution).toEqual({
      checkpoint_number: 1,
      user_lines_added: 0,
      user_lines_removed: 0,
      agent_lines_added: 0,
      agent_lines_removed: 0,
    });
    session.edit('main.go', GO + agentLines(0, 4));
    session.stop();
    repo.write('main.go', GO + comments(5) + agentLines(0, 4));
    session.prompt('add four more');
    expect(repo.state(session.id).pending_prompt_attribution).toEqual({
      checkpoint_number: 2,
      user_lines_added: 5,
      user_lines_removed: 0,
      agent_lines_added: 4,
      agent_lines_removed: 0,
      user_added_per_file: { 'main.go': 5 },
    });
    session.edit('main.go', GO + comments(5) + agentLines(0, 8));
    session.stop();
    const state = repo.state(session.id);
    expect(state.pending_prompt_attribution).toBeUndefined();
    expect(
      state.prompt_attributions.map((one: { user_lines_added: number }) => one.user_lines_added),
    ).toEqual([0, 5]);
    const id = repo.commit('Extend', 'main.go');
    const found = attributionOf(repo, id);
    expect(found).toEqual({
      calculated_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
      agent_lines: 8,
      human_added: 5,
      human_modified: 0,
      human_removed: 0,
      total_committed: 13,
      agent_percentage: 61.53846153846154,
    });
    expect(Object.keys(repo.storedJson(id as string, '0/metadata.json')).slice(-3)).toEqual([
      'token_usage',
      'initial_attribution',
      'transcript_path',
    ]);
    expect(repo.stored(id as string, '0/metadata.json')).toContain(
      `  "initial_attribution": {\n    "calculated_at": "${found.calculated_at}",\n    "agent_lines": 8,\n    "human_added": 5,\n` +
        '    "human_modified": 0,\n    "human_removed": 0,\n    "total_committed": 13,\n    "agent_percentage": 61.53846153846154\n  },\n',
    );
    expect(repo.state(session.id).prompt_attributions).toBeUndefined();
  });

  variation('an agent that only deletes, and a user who deletes more', (repo) => {
    const lines = Array.from({ length: 12 }, (_, index) => `line ${index}\n`);
    withGo(repo, lines.join(''));
    const session = repo.session();
    session.prompt('delete four');
    session.edit('main.go', lines.slice(4).join(''));
    session.stop();
    repo.write('main.go', lines.slice(7).join(''));
    const id = repo.commit('Shrink', 'main.go');
    expect(attributionOf(repo, id)).toMatchObject({
      agent_lines: 0,
      human_added: 0,
      human_modified: 0,
      human_removed: 3,
      total_committed: 0,
      agent_percentage: 0,
    });
    expect(repo.stored(id as string, '0/metadata.json')).toContain('"agent_percentage": 0\n');
  });

  variation('nothing of an earlier commit is counted again', (repo) => {
    withGo(repo);
    const session = repo.session();
    session.prompt('add four');
    session.edit('main.go', GO + agentLines(0, 4));
    session.stop();
    repo.write('main.go', GO + agentLines(0, 4) + comments(2));
    const first = repo.commit('One', 'main.go');
    expect(attributionOf(repo, first)).toMatchObject({
      agent_lines: 4,
      human_added: 2,
      total_committed: 6,
      agent_percentage: 66.66666666666666,
    });

    const text = repo.read('main.go');
    session.prompt('add three');
    session.edit('main.go', text + agentLines(4, 3));
    session.stop();
    repo.write('main.go', `${text}${agentLines(4, 3)}// last\n`);
    const second = repo.commit('Two', 'main.go');
    expect(second).not.toBe(first);
    expect(attributionOf(repo, second)).toMatchObject({
      agent_lines: 3,
      human_added: 1,
      human_removed: 0,
      total_committed: 4,
      agent_percentage: 75,
    });
  });

  variation('a commit in the first turn has no steps to count against', (repo) => {
    withGo(repo);
    const session = repo.session();
    session.prompt('add and commit');
    session.edit('main.go', GO + agentLines(0, 4));
    const id = repo.agentCommit('Extend', 'main.go') as string;
    session.stop();
    const slot = repo.storedJson(id, '0/metadata.json');
    expect(slot.checkpoints_count).toBe(0);
    expect(slot).not.toHaveProperty('initial_attribution');
  });
});
