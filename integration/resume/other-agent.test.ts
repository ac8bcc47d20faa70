import { randomUUID } from 'node:crypto';
import { existsSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { keptOf, standIn, wordsOf } from '../support/agent/stand-in.ts';
import { turn } from '../support/command/resume.ts';
import { addWork } from '../support/command/work.ts';
import { scenario, variation } from '../support/repository/scenario.ts';
import type { TestRepo } from '../support/repository/test-repo.ts';

/** Codex, which says in capitals what it was told. */
const CODEX = `
const { readFileSync } = require('node:fs');
const text = readFileSync(0, 'utf8').toUpperCase();
const out = (value) => process.stdout.write(JSON.stringify(value) + '\\n');
out({ type: 'thread.started', thread_id: '0199a0b1-c2d3-7000-8000-000000000001' });
out({ type: 'turn.started' });
out({ type: 'item.completed', item: { id: 'i', type: 'agent_message', text } });
out({ type: 'turn.completed', usage: { input_tokens: 1, cached_input_tokens: 0, output_tokens: 1 } });`;

const NOT_LOGGED_IN = `process.stderr.write('not logged in'); process.exit(1);`;

/** A session of Claude Code with one turn. */
function withSession(repo: TestRepo) {
  repo.ready();
  const session = repo.session();
  turn(repo, session, 'a.txt', 'Add a greeting');
  return session;
}

const resume = (repo: TestRepo, ...args: string[]): string => repo.entire('resume', ...args).stderr;

describe('entire resume in another agent', () => {
  scenario('names the command that goes on with a session there, and says what is told', (repo) => {
    const { id } = withSession(repo);
    const told = `
To go on with it in Codex, run:
  entire session chat --agent codex --resume ${id}  # Add a greeting

Codex starts a new session and is given the prompts and answers so far, without tool calls.
`;
    for (const words of [
      ['--agent', 'codex'],
      [id.slice(0, 8), '--agent', 'codex'],
      ['main', '--agent=Codex'],
    ])
      expect(resume(repo, ...words).replace(/ {2}#.*/, '  # Add a greeting'), words.join(' ')).toContain(
        told,
      );
    expect(resume(repo, '--agent', 'claude')).toContain(`  claude -r ${id}`);
    expect(resume(repo, '--agent', 'codex', '--', '-m', 'x y')).toContain(
      `entire session chat --agent codex --resume ${id} -- -m 'x y'`,
    );
    const [only] = JSON.parse(repo.entire('resume', '--agent', 'codex', '--json').stdout).sessions;
    expect(only).toMatchObject({
      agent: 'Claude Code',
      command: ['entire', 'session', 'chat', '--agent', 'codex', '--resume', id],
    });
    standIn(repo, CODEX, 'codex');
    const { stdout } = repo.run('entire', ['session', 'chat', '--agent', 'codex', '--resume', id, 'Go on']);
    expect(stdout).toContain('USER: ADD A GREETING');
    // From then on it is a session of Codex, which is newer.
    const [ours] = keptOf(repo);
    for (const words of [[], ['--agent', 'codex']])
      expect(resume(repo, ...words)).toContain(`entire session chat --resume ${ours?.session_id}  # `);
    expect(resume(repo, '--agent', 'claude-code')).toContain(`  claude -r ${id}`);
  });

  variation('goes on with its own newest session, however many of others are newer', (repo) => {
    repo.ready();
    const { id } = addWork(repo, { 'a.txt': 'a\n' });
    const state = repo.state(id);
    const later = new Date(Date.now() + 60_000);
    for (let number = 0; number < 40; number++) {
      const other = randomUUID();
      const file = join(repo.commonDir, 'entire-sessions', `${other}.json`);
      const more = { session_id: other, agent_type: 'Codex', last_interaction_time: later.toISOString() };
      writeFileSync(file, JSON.stringify({ ...state, ...more, transcript_path: '' }));
      utimesSync(file, later, later);
    }
    expect(resume(repo, '--agent', 'claude')).toContain(`  claude -r ${id}`);
  });

  variation('--exec starts it at once', (repo) => {
    withSession(repo);
    standIn(repo, CODEX, 'codex');
    const { stdout } = repo.run('entire', ['resume', '--agent', 'codex', '--exec'], { input: 'Go on' });
    expect(stdout).toContain('USER: ADD A GREETING');
    expect(stdout).toContain('GO ON');
  });

  variation('an agent that cannot be told is refused, and nothing is written', (repo) => {
    withSession(repo);
    expect(repo.tryEntire('resume', '--agent', 'cursor')).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(
        /^Error: Cursor can only continue its own sessions\nHint: Agents that can take over another agent's session: claude-code, codex, /,
      ),
    });
    expect(repo.tryEntire('resume', '--agent', 'nobody').code).toBe(2);
  });
});

describe('a try that failed', () => {
  variation('with an agent that is not installed leaves nothing', (repo) => {
    const { id } = withSession(repo);
    repo.variables = { ...repo.variables, PATH: `${repo.build.bin}:/usr/bin:/bin` };
    const { code, stderr } = repo.tryEntire('session', 'chat', '--agent', 'codex', 'go on');
    expect([code, stderr]).toEqual([
      1,
      'Error: Codex is not installed: codex is not on PATH\nHint: Install it, or put it on PATH.\n',
    ]);
    for (const folder of ['sessions', 'eventlog'])
      expect(existsSync(join(repo.home, '.entire', folder)), folder).toBe(false);
    expect(resume(repo)).toContain(`claude -r ${id}`);
  });

  variation('before the agent has said anything is kept, and is not what resume goes on with', (repo) => {
    const { id } = withSession(repo);
    standIn(repo, NOT_LOGGED_IN, 'codex');
    for (const more of [[], ['--resume', id]])
      expect(repo.tryEntire('session', 'chat', '--agent', 'codex', ...more, 'go on').code).toBe(1);
    for (const kept of keptOf(repo)) expect(wordsOf(kept)).toContain('go on');
    expect(keptOf(repo)).toHaveLength(2);
    expect(resume(repo)).toContain(`claude -r ${id}`);
    const ours = keptOf(repo)[0]?.session_id ?? '';
    expect(resume(repo, ours)).toContain(`--resume ${ours}`);
    standIn(repo, CODEX, 'codex');
    repo.entire('session', 'chat', '--resume', ours, 'once more');
    expect(resume(repo)).toContain(`--resume ${ours}`);
  });
});
