import { appendFileSync, mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect } from 'vitest';
import type { AgentSession } from '../support/agent/session.ts';
import { scenario, variation } from '../support/repository/scenario.ts';

/** A call in the transcript of a sub-agent. */
function subAgentCall(session: AgentSession, agentId: string, callId: string, outputTokens: number): void {
  const file = join(dirname(session.transcript), session.id, 'subagents', `agent-${agentId}.jsonl`);
  mkdirSync(dirname(file), { recursive: true });
  const usage = { input_tokens: 1000, output_tokens: outputTokens };
  const message = { id: callId, role: 'assistant', content: [], usage };
  const row = { type: 'assistant', isSidechain: true, agentId, timestamp: new Date().toISOString(), message };
  appendFileSync(file, `${JSON.stringify(row)}\n`);
}

/** The same, and what the session's transcript says when the sub-agent is done. */
function helper(session: AgentSession, agentId: string, callId: string, outputTokens: number): void {
  subAgentCall(session, agentId, callId, outputTokens);
  const content = [
    { type: 'tool_result', tool_use_id: 't', content: [{ type: 'text', text: `agentId: ${agentId}` }] },
  ];
  session.write({ type: 'user', message: { role: 'user', content } });
}

const OWN = {
  input_tokens: 200,
  cache_creation_tokens: 10,
  cache_read_tokens: 14,
  output_tokens: 40,
  api_call_count: 2,
};
const sub = (output: number, calls: number) => ({
  input_tokens: 1000 * calls,
  cache_creation_tokens: 0,
  cache_read_tokens: 0,
  output_tokens: output,
  api_call_count: calls,
});

describe('token usage', () => {
  scenario('tokens of sub-agents reach the slot; the root has the session’s own', (repo) => {
    repo.ready();
    const session = repo.session();
    session.prompt('write with help');
    session.edit('a.txt', 'one\n');
    helper(session, 'my-helper_1', 'msg_sub1', 500);
    helper(session, 'my-helper_1', 'msg_sub2', 70);
    helper(session, 'other', 'msg_sub2', 9_999); // the same call, told of again
    session.stop();
    expect(repo.state(session.id).token_usage).toEqual({ ...OWN, subagent_tokens: sub(570, 2) });
    const id = repo.commit('Add a', 'a.txt') as string;
    const slot = repo.storedJson(id, '0/metadata.json');
    expect(slot.token_usage).toEqual({ ...OWN, subagent_tokens: sub(570, 2) });
    expect(Object.keys(slot.token_usage)).toEqual([...Object.keys(OWN), 'subagent_tokens']);
    expect(repo.storedJson(id, 'metadata.json').token_usage).toEqual(OWN);

    session.prompt('more');
    session.edit('b.txt', 'two\n');
    session.stop();
    const next = repo.commit('Add b', 'b.txt') as string;
    expect(repo.storedJson(next, '0/metadata.json').token_usage).toEqual(OWN); // nothing is counted twice
  });

  variation('the end of a turn counts the tokens of its last checkpoint anew, in slot and root', (repo) => {
    repo.ready();
    const session = repo.session();
    session.prompt('create and commit');
    session.edit('a.txt', 'one\n');
    const id = repo.agentCommit('Add a', 'a.txt') as string;
    const before = repo.storedJson(id, '0/metadata.json');
    expect(before.token_usage).toMatchObject({ api_call_count: 1, output_tokens: 20 });
    helper(session, 'late', 'msg_sub1', 500);
    session.tool('Bash', { command: 'git log' });
    session.stop('All done.');
    const slot = repo.storedJson(id, '0/metadata.json');
    expect(slot).toEqual({
      ...before,
      token_usage: {
        ...{ input_tokens: 300, cache_creation_tokens: 15, cache_read_tokens: 21, output_tokens: 60 },
        ...{ api_call_count: 3, subagent_tokens: sub(500, 1) },
      },
    });
    const root = repo.storedJson(id, 'metadata.json');
    expect(root.token_usage).toEqual({ ...slot.token_usage, subagent_tokens: undefined });
    expect(root.sessions[0].prompt).toMatch(/\/0\/prompt\.txt$/);
    expect(root.sessions[0].context).toMatch(/\/0\/context\.md$/);
  });

  variation('what a commit could not say yet is listed at the root afterwards', (repo) => {
    repo.ready();
    const session = repo.session();
    // No prompt has reached the transcript, and none the hook.
    session.hook('user-prompt-submit', 'UserPromptSubmit', { prompt: '' });
    session.edit('a.txt', 'one\n');
    const id = repo.agentCommit('Add a', 'a.txt') as string;
    expect(repo.storedJson(id, 'metadata.json').sessions[0]).toMatchObject({ prompt: '', context: '' });
    session.write({ type: 'user', message: { role: 'user', content: 'create a.txt' } });
    session.stop();
    const { prompt, context } = repo.storedJson(id, 'metadata.json').sessions[0];
    expect([prompt, context]).toEqual(
      ['prompt.txt', 'context.md'].map((name) => `/${id.slice(0, 2)}/${id.slice(2)}/0/${name}`),
    );
    expect(repo.stored(id, '0/prompt.txt')).toBe('create a.txt');
  });

  variation('where nothing is new no commit is made; tokens alone are something new', (repo) => {
    repo.ready();
    const session = repo.session();
    const stop = () => session.hook('stop', 'Stop', { last_assistant_message: 'Done.' });
    const tip = () => repo.git('rev-parse', 'entire/checkpoints/v1');
    const work = (file: string) => {
      session.prompt(`create and commit ${file}`);
      session.edit(file, 'one\n');
      helper(session, 'late', `msg_${file}`, 500);
      session.say('Done.');
      return repo.agentCommit(`Add ${file}`, file) as string;
    };
    work('a.txt');
    const before = tip();
    stop();
    expect(tip()).toBe(before);

    const id = work('b.txt');
    subAgentCall(session, 'late', 'msg_more', 33);
    stop();
    expect(repo.message('entire/checkpoints/v1')).toBe(`Finalize transcript for Checkpoint: ${id}`);
    expect(repo.storedJson(id, '0/metadata.json').token_usage.subagent_tokens).toEqual(sub(533, 2));
  });
});
