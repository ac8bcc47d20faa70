import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { ANSWERS, keptOf, standIn, wordsOf } from '../support/agent/stand-in.ts';
import { type TestRepo, variation } from '../support/repository/test-repo.ts';

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
  const id = keptOf(repo)[0]?.session_id ?? '';
  for (const more of saidLater) expect(repo.tryEntire('session', 'chat', '--resume', id, more).code).toBe(1);
  const projects = join(repo.home, '.claude/projects');
  for (const folder of readdirSync(projects)) writeFileSync(join(projects, folder, 'lives'), '');
  repo.entire('session', 'chat', '--resume', id, 'go on');
  return String(wordsOf(keptOf(repo)[0] as never).at(-1));
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
});
