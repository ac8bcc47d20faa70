import { appendFileSync, mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect } from 'vitest';
import { all, attributionOf, lines } from '../support/command/attribution.ts';
import { autoReady, expectAutoCommit, switchTo } from '../support/command/auto.ts';
import { variation } from '../support/repository/scenario.ts';

describe('what auto-commit takes', () => {
  variation('not what somebody else changes while the agent works', (repo) => {
    autoReady(repo);
    const session = repo.session();
    session.prompt('create a');
    session.edit('a.txt', 'one\n');
    repo.write('notes.txt', 'mine\n').write('README.md', 'mine\n');
    session.stop();
    expectAutoCommit(repo, session, 'A\ta.txt');
    expect(repo.git('status', '--porcelain')).toBe(' M README.md\n?? notes.txt');

    session.prompt('go on');
    session.shell(() => repo.write('b.txt', 'by a command\n'));
    session.stop();
    expectAutoCommit(repo, session, 'A\tb.txt');
    expect(repo.git('status', '--porcelain')).toBe(' M README.md\n?? notes.txt');
  });
});

describe('what auto-commit counts', () => {
  variation('who wrote the lines: what the user had changed before the prompt is theirs', (repo) => {
    autoReady(repo);
    repo.write('a.txt', lines('base', 3)).write('b.txt', lines('base', 3));
    repo.commit('Base', 'a.txt', 'b.txt');
    repo.write('a.txt', lines('mine', 2) + lines('base', 3));
    repo.write('b.txt', lines('mine', 5) + lines('base', 3));
    repo.write('.entire/settings.local.json', '{\n}\n');
    const session = repo.session();
    session.prompt('extend a');
    session.edit('a.txt', lines('mine', 2) + lines('base', 3) + lines('agent', 4));
    session.edit('.claude/settings.local.json', '{\n  "a": 1\n}\n');
    session.stop();
    const first = repo.checkpointOf('HEAD');
    expect(attributionOf(repo, first)).toMatchObject({ agent_lines: 4, human_added: 2, total_committed: 6 });

    session.prompt('now b');
    session.edit('b.txt', lines('mine', 5) + lines('base', 3) + lines('agent', 7));
    session.stop();
    const second = expectAutoCommit(repo, session, 'M\tb.txt');
    expect(attributionOf(repo, second)).toMatchObject({
      agent_lines: 7,
      human_added: 5,
      total_committed: 12,
    });
    const keys = Object.keys(repo.storedJson(second, '0/metadata.json')).slice(-3);
    expect(keys).toEqual(['token_usage', 'initial_attribution', 'transcript_path']);
    expect(repo.state(session.id)).not.toHaveProperty('pending_prompt_attribution');

    session.edit('c.txt', lines('agent', 3)); // goes on without a prompt
    session.stop();
    expect(attributionOf(repo, expectAutoCommit(repo, session, 'A\tc.txt'))).toMatchObject(all(3));
  });

  variation('removed, renamed and binary files', (repo) => {
    autoReady(repo);
    repo.write('gone.txt', lines('base', 9)).write('old.txt', lines('base', 6));
    repo.commit('Base', 'gone.txt', 'old.txt');
    const session = repo.session();
    session.prompt('clean up');
    session.deleteFile('gone.txt');
    session.deleteFile('old.txt');
    session.edit('new.txt', lines('base', 6));
    session.edit('tool.bin', `\0${lines('x', 20)}`);
    session.stop();
    expect(attributionOf(repo, repo.checkpointOf('HEAD'))).toMatchObject(all(6));
  });

  variation('a session that goes on under manual-commit', (repo) => {
    autoReady(repo);
    repo.write('b.txt', lines('base', 3));
    repo.commit('Base', 'b.txt');
    repo.write('b.txt', lines('mine', 5) + lines('base', 3));
    const session = repo.session();
    session.prompt('create a');
    session.edit('a.txt', lines('agent', 4));
    session.stop();
    expectAutoCommit(repo, session, 'A\ta.txt');
    switchTo(repo, 'manual-commit');
    session.prompt('now b');
    session.edit('b.txt', lines('mine', 5) + lines('base', 3) + lines('agent', 7));
    session.stop();
    expect(attributionOf(repo, repo.commit('B', 'b.txt'))).toMatchObject({
      agent_lines: 7,
      human_added: 5,
      total_committed: 12,
    });
  });

  variation('the tokens of sub-agents', (repo) => {
    autoReady(repo);
    const session = repo.session();
    session.prompt('write with help');
    session.edit('a.txt', 'one\n');
    const file = join(dirname(session.transcript), session.id, 'subagents', 'agent-helper.jsonl');
    mkdirSync(dirname(file), { recursive: true });
    const message = {
      id: 'msg_sub',
      role: 'assistant',
      content: [],
      usage: { input_tokens: 1000, output_tokens: 70 },
    };
    const timestamp = new Date().toISOString();
    appendFileSync(file, `${JSON.stringify({ type: 'assistant', isSidechain: true, timestamp, message })}\n`);
    const text = [{ type: 'text', text: 'agentId: helper' }];
    const content = [{ type: 'tool_result', tool_use_id: 't', content: text }];
    session.write({ type: 'user', message: { role: 'user', content } });
    session.stop();
    const slot = repo.storedJson(expectAutoCommit(repo, session, 'A\ta.txt'), '0/metadata.json');
    expect(slot.token_usage).toMatchObject({
      api_call_count: 2,
      subagent_tokens: { input_tokens: 1000, output_tokens: 70, api_call_count: 1 },
    });
  });
});
