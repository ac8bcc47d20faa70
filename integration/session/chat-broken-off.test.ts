import { describe, expect } from 'vitest';
import { ANSWERS, keptOf, standIn, wordsOf } from '../support/agent/stand-in.ts';
import { type TestRepo, variation } from '../support/repository/test-repo.ts';

/** Dies of the first prompt; of its own session it has written down what is given, as Claude Code does. */
const DIES = `
const { mkdirSync, writeFileSync } = require('node:fs');
const folder = process.env.HOME + '/.claude/projects/' + process.cwd().replaceAll(/[^a-zA-Z0-9]/g, '-');
if (process.argv.includes('--resume')) {
  ${ANSWERS}
} else {
  mkdirSync(folder, { recursive: true });
  const message = { role: 'user', content: WRITTEN };
  writeFileSync(folder + '/own.jsonl', JSON.stringify({ type: 'user', uuid: 'u', sessionId: 'own', message }) + '\\n');
  const line = { type: 'system', subtype: 'init', session_id: 'own' };
  process.stdout.write(JSON.stringify(line) + '\\n', () => process.kill(process.pid, 'SIGKILL'));
}`;

function goOnAfterDeath(repo: TestRepo, written: string): string {
  repo.init();
  standIn(repo, DIES.replace('WRITTEN', JSON.stringify(written)));
  const { code, stderr } = repo.tryEntire('session', 'chat', 'a long walk');
  expect([code, stderr]).toEqual([1, expect.stringContaining('was killed')]);
  const [kept] = keptOf(repo);
  repo.entire('session', 'chat', '--resume', kept?.session_id ?? '', 'go on');
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
});
