import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { ANSWERS, keptOf, standIn, wordsOf } from '../support/agent/stand-in.ts';
import { variation } from '../support/repository/scenario.ts';
import type { TestRepo } from '../support/repository/test-repo.ts';

/** Dies of prompts until one says to go on; of its own session it has written down what is given, as Claude Code does. */
const DIES = `
const { existsSync, mkdirSync, writeFileSync } = require('node:fs');
const folder = process.env.HOME + '/.claude/projects/' + process.cwd().replaceAll(/[^a-zA-Z0-9]/g, '-');
if (existsSync(folder + '/lives')) {
  ${ANSWERS}
} else {
  mkdirSync(folder, { recursive: true });
  const message = { role: 'user', content: WRITTEN };
  writeFileSync(folder + '/own.jsonl', JSON.stringify({ type: 'user', uuid: 'u', sessionId: 'own', message }) + '\\n');
  const line = { type: 'system', subtype: 'init', session_id: 'own' };
  process.stdout.write(JSON.stringify(line) + '\\n', () => process.kill(process.pid, 'SIGKILL'));
}`;

/** Codex, which answers in capitals. */
const CODEX = `
const { readFileSync } = require('node:fs');
const text = readFileSync(0, 'utf8');
const out = (v) => process.stdout.write(JSON.stringify(v) + '\\n');
out({ type: 'thread.started', thread_id: '0199a0b1-c2d3-7000-8000-000000000001' });
out({ type: 'turn.started' });
out({ type: 'item.completed', item: { id: 'i', type: 'agent_message', text: 'CODEX SAYS' } });
out({ type: 'turn.completed', usage: { input_tokens: 1, cached_input_tokens: 0, output_tokens: 1 } });`;

const idOf = (repo: TestRepo): string => keptOf(repo)[0]?.session_id ?? '';
const lastHeard = (repo: TestRepo): string => String(wordsOf(keptOf(repo)[0] as never).at(-1));

/** From here on it answers. */
function goesOn(repo: TestRepo): void {
  const projects = join(repo.home, '.claude/projects');
  for (const folder of readdirSync(projects)) writeFileSync(join(projects, folder, 'lives'), '');
}

/** What the agent hears that is told to go on, after it died of what was said. */
function goOnAfterDeath(
  repo: TestRepo,
  written: string,
  said = 'a long walk',
  saidLater: readonly string[] = [],
): string {
  repo.init();
  standIn(repo, DIES.replace('WRITTEN', JSON.stringify(written)));
  const { code, stderr } = repo.tryEntire('session', 'chat', said);
  expect([code, stderr]).toEqual([1, expect.stringContaining('was killed')]);
  const id = idOf(repo);
  for (const more of saidLater) expect(repo.tryEntire('session', 'chat', '--resume', id, more).code).toBe(1);
  goesOn(repo);
  repo.entire('session', 'chat', '--resume', id, 'go on');
  return lastHeard(repo);
}

describe('entire session chat behind a turn in which the agent died', () => {
  variation('tells again what the agent had not written down', (repo) => {
    const heard = goOnAfterDeath(repo, 'something else');
    expect(heard).toContain('USER: A LONG WALK');
    expect(heard.endsWith('GO ON')).toBe(true);
  });

  variation('tells nothing twice', (repo) => {
    expect(goOnAfterDeath(repo, 'a long walk')).toBe('GO ON');
  });

  variation('tells nothing twice that a client could have said itself', (repo) => {
    const said = 'what does <system-reminder>x</system-reminder> do';
    expect(goOnAfterDeath(repo, said, said)).toBe('GO ON');
  });

  variation('tells all that was lost where it died twice', (repo) => {
    const heard = goOnAfterDeath(repo, 'something else', 'a long walk', ['home again']);
    expect(heard).toContain('USER: A LONG WALK');
    expect(heard).toContain('USER: HOME AGAIN');
    expect(heard.endsWith('GO ON')).toBe(true);
  });

  variation('tells again also what came before, where it was to be told with what was lost', (repo) => {
    repo.init();
    standIn(repo, CODEX, 'codex');
    standIn(repo, DIES.replace('WRITTEN', JSON.stringify('something else')));
    repo.entire('session', 'chat', '--agent', 'codex', 'the first thing');
    const id = idOf(repo);
    expect(
      repo.tryEntire('session', 'chat', '--resume', id, '--agent', 'claude-code', 'a long walk').code,
    ).toBe(1);
    goesOn(repo);
    repo.entire('session', 'chat', '--resume', id, '--agent', 'claude-code', 'go on');
    const heard = lastHeard(repo);
    expect(heard).toContain('A LONG WALK');
    expect(heard).toContain('THE FIRST THING');
  });

  variation('tells what was lost before another agent answered', (repo) => {
    repo.init();
    standIn(repo, CODEX, 'codex');
    standIn(repo, DIES.replace('WRITTEN', JSON.stringify('something else')));
    expect(repo.tryEntire('session', 'chat', 'a long walk').code).toBe(1);
    const id = idOf(repo);
    repo.entire('session', 'chat', '--resume', id, '--agent', 'codex', 'the second thing');
    goesOn(repo);
    repo.entire('session', 'chat', '--resume', id, '--agent', 'claude-code', 'go on');
    const heard = lastHeard(repo);
    expect(heard).toContain('THE SECOND THING');
    expect(heard).toContain('A LONG WALK');
  });

  variation('tells nothing twice of a command that the client writes down in its own way', (repo) => {
    const written =
      '<command-message>review is running…</command-message>\n<command-name>/review</command-name>\n<command-args>the walk</command-args>';
    expect(goOnAfterDeath(repo, written, '/review the walk')).toBe('GO ON');
  });

  variation('tells again what begins with a path', (repo) => {
    expect(goOnAfterDeath(repo, 'something else', '/etc/hosts is wrong')).toContain(
      'USER: /ETC/HOSTS IS WRONG',
    );
  });

  variation('says nothing that is not so', (repo) => {
    expect(goOnAfterDeath(repo, 'something else')).not.toContain('BEGUN ELSEWHERE');
  });
});
