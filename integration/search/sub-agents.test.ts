import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { describe, expect } from 'vitest';
import type { AgentName } from '../../src/agents/names.ts';
import { agentOf, formatOf } from '../../src/agents/registry.ts';
import type { SessionId } from '../../src/base/ids.ts';
import type { AgentSession } from '../support/agent/session.ts';
import { SubAgent } from '../support/agent/sub-agent.ts';
import { findAll, indexBytes } from '../support/command/search.ts';
import { scenario, variation } from '../support/repository/scenario.ts';
import type { TestRepo } from '../support/repository/test-repo.ts';

const ID = 'bee76f83-58dd-4892-8e75-8c5fe1567bcd';

/** A sub-agent that has written a file and said something, and whose call returned as the client says it. */
function work(session: AgentSession, words: string, agentId = 'a7d87b8247861f00b'): SubAgent {
  const agent = new SubAgent(session, { agentId, toolUseId: `toolu_${agentId}` });
  agent.start();
  tell(agent, 'user', `do it: ${words}`);
  call(agent, 'Bash', { command: `grep ${words} notes` });
  agent.edit('sub.txt', 'x\n');
  call(agent, 'Write', { file_path: `${session.repo.dir}/${words}.md`, content: 'x\n' });
  tell(agent, 'assistant', [{ type: 'text', text: `Nothing but ${words} here.` }]);
  returned(session, agent);
  agent.finish();
  return agent;
}

let rows = 0;

/** A row as the client writes it, with its time and an id of its own. */
function tell(agent: SubAgent, role: 'user' | 'assistant', content: unknown): void {
  const message = { id: `msg_${++rows}`, role, content };
  agent.row({ type: role, message, timestamp: new Date().toISOString() });
}

const call = (agent: SubAgent, name: string, input: object): void =>
  tell(agent, 'assistant', [{ type: 'tool_use', id: `toolu_${++rows}`, name, input }]);

function returned(session: AgentSession, { toolUseId, agentId }: SubAgent): void {
  const text = `done\nagentId: ${agentId} (use SendMessage to go on)`;
  const content = [{ tool_use_id: toolUseId, type: 'tool_result', content: [{ type: 'text', text }] }];
  session.write({ type: 'user', message: { role: 'user', content } });
}

const found = (repo: TestRepo, ...words: string[]) =>
  findAll(repo, ...words)
    .map(({ kind, session_id, turn }) => `${kind} ${session_id} ${turn}`)
    .sort();

describe('what a sub-agent said and did is found', () => {
  scenario('below the turn that began it, also once a commit has it, and once', (repo) => {
    repo.ready();
    const session = repo.session(ID);
    session.prompt('First something else');
    session.edit('else.txt', 'x\n');
    session.stop('Done with it.');
    session.prompt('Look for the needle');
    const agent = work(session, 'marmalade');
    const all = [
      `answer ${ID} bee76f83:2`, // what it answered
      `command ${ID} bee76f83:2`,
      `file ${ID} bee76f83:2`,
    ];
    expect(found(repo, 'marmalade')).toHaveLength(3);
    // What it says later is read while its session waits for it, and along with that.
    call(agent, 'Bash', { command: 'cat toast' });
    expect(found(repo, 'toast')).toHaveLength(1);
    call(agent, 'Bash', { command: 'cat porridge' });
    session.say('It goes on.');
    session.stop('There it is.');
    expect(found(repo, 'porridge')).toEqual([`command ${ID} bee76f83:2`]);
    expect(found(repo, 'marmalade')).toEqual(all);
    expect(findAll(repo, 'marmalade', '--kind', 'answer')).toMatchObject([
      { text: 'Nothing but marmalade here.', commit: null },
    ]);
    repo.commit('Add it', '.');
    expect(found(repo, 'marmalade')).toEqual(all);
    expect(findAll(repo, 'marmalade', '--kind', 'answer')).toMatchObject([{ commit: { subject: 'Add it' } }]);
  });

  variation('redacted as what its session says, and gone when that is forgotten', (repo) => {
    repo.ready();
    const session = repo.session(ID);
    const token = `ghp_${'0aB1cD2eF3gH4iJ5'.repeat(3).slice(0, 36)}`;
    session.prompt('Look for the needle');
    const agent = work(session, 'marmalade');
    agent.tool('Bash', { command: `curl -H "Authorization: token ${token}" porridge` });
    session.say(`It is ${token.slice(4)}, then.`);
    session.stop('There it is.');
    expect(findAll(repo, 'porridge')[0]?.text).toContain('REDACTED');
    expect(findAll(repo, 'marmalade', '--all').length).toBeGreaterThan(0);
    expect(indexBytes(repo)).not.toContain(token);
    repo.entire('forget', ID, '--yes');
    expect(findAll(repo, 'marmalade')).toEqual([]);
    expect(indexBytes(repo)).not.toContain('marmalade');
  });
});

const FIXTURES = resolve(import.meta.dirname, '../fixtures');

/** Captured sessions with a sub-agent: the transcripts of both, the ids, and a word that only the sub-agent has. */
const CAPTURED: readonly (readonly [AgentName, string, string, string, string, string])[] = [
  [
    ...(['claude-code', 'subagent-main', 'subagent-main--agent-a7d87b8247861f00b'] as const),
    ...(['73d71a86-9477-4c20-a59a-b276b8c52785', 'a7d87b8247861f00b', 'sub.txt'] as const),
  ],
  [
    ...(['codex', 'subagent-main', 'subagent-child'] as const),
    ...([
      '01a1fdce-ff0b-7822-9029-58faed340bb0',
      '01a1fdcf-0140-71e1-995c-7e1d32754be4',
      'child.txt',
    ] as const),
  ],
];

describe('of a session that no hook has seen', () => {
  for (const [agent, main, sub, id, agentId, word] of CAPTURED)
    variation(`as ${agent} keeps it`, (repo) => {
      repo.init();
      const own = agentOf(agent).home.transcript({ HOME: repo.home }, repo.dir, id as SessionId, new Date());
      const [path = ''] = formatOf(agent).subagentTranscripts(own, id, agentId);
      for (const [name, file] of [
        [main, own],
        [sub, path],
      ] as const) {
        const text = readFileSync(join(FIXTURES, agent, 'transcripts', `${name}.jsonl`), 'utf8');
        mkdirSync(dirname(file), { recursive: true });
        writeFileSync(file, text.replaceAll('"/repo"', JSON.stringify(repo.dir)));
      }
      const hits = findAll(repo, word, '--kind', agent === 'codex' ? 'command' : 'file');
      expect(hits.length).toBeGreaterThan(0);
      expect(new Set(hits.map(({ session_id }) => session_id))).toEqual(new Set([id]));
    });
});
