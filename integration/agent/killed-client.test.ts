/** The client of a session is killed in the middle of a turn: from then on nothing that others do is taken for its agent's work. */
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { Client } from '../support/agent/client.ts';
import { addPlugin, allowExternal } from '../support/agent/external.ts';
import { expectLinked, expectNotLinked } from '../support/command/work.ts';
import { variation } from '../support/repository/scenario.ts';
import type { TestRepo } from '../support/repository/test-repo.ts';

const AGENTS_SHELL = { ENTIRE_TEST_TTY: '0', CLAUDECODE: '1' };
const NO_SHELL = { ENTIRE_TEST_TTY: '0' };

function commitMine(repo: TestRepo, env: Record<string, string>): void {
  repo.write('mine.txt', 'mine\n').git('add', 'mine.txt');
  repo.gitWith({ env }, 'commit', '--quiet', '-m', 'Mine');
}

/** Claude Code in a turn in which it wrote `a.txt`. */
async function inTurn(repo: TestRepo) {
  repo.ready();
  const client = await Client.start(repo);
  const session = client.session();
  session.prompt('write a');
  session.edit('a.txt', 'a\n');
  return { client, session };
}

describe('a commit in a shell of the same agent', () => {
  variation(
    'is not linked to a session whose client was killed, where it holds none of its work',
    async (repo) => {
      const { client } = await inTurn(repo);
      await client.killed();
      commitMine(repo, AGENTS_SHELL);
      expectNotLinked(repo, 'no-overlap');
    },
  );

  variation('nor while the parent of the killed client has not heard of its end', async (repo) => {
    const { client } = await inTurn(repo);
    client.kill();
    commitMine(repo, AGENTS_SHELL);
    expectNotLinked(repo, 'no-overlap');
  });

  variation(
    'beside a new session of that agent, which is between turns, is linked to neither',
    async (repo) => {
      const { client } = await inTurn(repo);
      await client.killed();
      const next = await Client.start(repo);
      const session = next.session();
      session.start();
      session.prompt('look');
      session.stop();
      commitMine(repo, AGENTS_SHELL);
      expectNotLinked(repo, 'no-overlap');
      session.prompt('generate');
      repo.write('made.txt', 'made by a program\n').git('add', 'made.txt');
      next.run('git', ['commit', '--quiet', '-m', 'Generated'], '', AGENTS_SHELL);
      expectLinked(repo, session, 'made.txt');
    },
  );

  variation(
    'is linked to the killed one where it holds its work, and does not bring it back to life',
    async (repo) => {
      const { client, session } = await inTurn(repo);
      await client.killed();
      const before = repo.state(session.id).last_interaction_time;
      repo.agentCommit('Of the agent', 'a.txt');
      expectLinked(repo, session, 'a.txt');
      expect(repo.state(session.id).last_interaction_time).toBe(before);
    },
  );

  variation('is linked while the client lives, whatever it holds', async (repo) => {
    const { client, session } = await inTurn(repo);
    session.shell(() => repo.write('made.txt', 'made by a program\n'));
    repo.git('add', 'made.txt');
    client.run('git', ['commit', '--quiet', '-m', 'Generated'], '', AGENTS_SHELL);
    expectLinked(repo, session, 'made.txt');
  });

  variation('is linked again when the session goes on in another client', async (repo) => {
    const { client, session } = await inTurn(repo);
    await client.killed();
    const resumed = (await Client.start(repo)).session(session.id);
    resumed.prompt('go on');
    commitMine(repo, AGENTS_SHELL);
    expectLinked(repo, resumed, 'mine.txt');
  });
});

describe('a commit by a program beside an agent whose shells say nothing', () => {
  variation('Droid: is not linked to a session whose client was killed', async (repo) => {
    repo.ready();
    repo.entire('enable', '--agent', 'factoryai-droid');
    const client = await Client.start(repo);
    const captured = join(import.meta.dirname, '../fixtures/factoryai-droid/UserPromptSubmit.json');
    const id = randomUUID();
    const payload = JSON.parse(readFileSync(captured, 'utf8').replaceAll('/repo', repo.dir)) as object;
    const input = JSON.stringify({
      ...payload,
      session_id: id,
      transcript_path: join(repo.home, `${id}.jsonl`),
    });
    client.hookOf('factoryai-droid', 'user-prompt-submit', input);
    expect(repo.state(id).phase).toBe('active');
    commitMine(repo, NO_SHELL);
    expect(repo.verdict()).toMatchObject({ reason: 'linked', sessions: [id] });
    await client.killed();
    repo.write('mine.txt', 'again\n').git('add', 'mine.txt');
    repo.gitWith({ env: NO_SHELL }, 'commit', '--quiet', '-m', 'Again');
    expectNotLinked(repo, 'no-overlap');
  });

  variation('an external one: is not either', async (repo) => {
    addPlugin(allowExternal(repo.ready()), 'demo');
    const client = await Client.start(repo);
    client.hookOf(
      'demo',
      'prompt',
      JSON.stringify({ id: 'demo-1', log: join(repo.home, 'log'), prompt: 'do' }),
    );
    expect(repo.state('demo-1').phase).toBe('active');
    await client.killed();
    commitMine(repo, NO_SHELL);
    expectNotLinked(repo, 'no-overlap');
  });
});

describe('beside a session whose client was killed in its turn', () => {
  variation('what nobody reported is the work of the one whose turn it is', async (repo) => {
    const { client } = await inTurn(repo);
    await client.killed();
    const session = repo.session();
    session.prompt('write b');
    session.edit('b.txt', 'b\n');
    repo.write('formatted.txt', 'by a formatter\n');
    session.stop();
    expect(repo.state(session.id).files_touched).toEqual(['b.txt', 'formatted.txt']);
  });
});
