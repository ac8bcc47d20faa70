import { expect, test } from 'vitest';
import { parseSessionId, type SessionId } from '../../base/ids.ts';
import { piSessionHome as home } from './session-home.ts';

const ID = parseSessionId('0b1c') as SessionId;

test('sessions lie below ~/.pi/agent, or where the environment says', () => {
  const at = (env: NodeJS.ProcessEnv) => home.transcript({ HOME: '/home/ada', ...env }, '/srv/my_repo', ID);
  expect(at({})).toBe('/home/ada/.pi/agent/sessions/--srv-my_repo--/0b1c.jsonl');
  expect(at({ PI_CODING_AGENT_DIR: '~/pi' })).toBe('/home/ada/pi/sessions/--srv-my_repo--/0b1c.jsonl');
  expect(at({ PI_CODING_AGENT_SESSION_DIR: '/data' })).toBe('/data/0b1c.jsonl');
  expect(at({ ENTIRE_TEST_PI_PROJECT_DIR: '/tmp/project' })).toBe('/tmp/project/0b1c.jsonl');
  expect(home.root({ HOME: '/home/ada' })).toBe('/home/ada/.pi/agent/sessions');
  const named = [{}, { PI_CODING_AGENT_DIR: '/x' }, { PI_CODING_AGENT_SESSION_DIR: '/x' }].map(home.isOnly);
  expect(named).toEqual([false, true, true]);
});

test('the time at which a session began is part of its name, where it is known', () => {
  const startedAt = new Date('2026-11-22T18:10:27.683Z');
  const file = home.transcript({ HOME: '/h' }, '/r', ID, startedAt);
  expect(file).toBe('/h/.pi/agent/sessions/--r--/2026-11-22T18-10-27-683Z_0b1c.jsonl');
  expect(home.isTranscriptOf(file, ID)).toBe(true);
  expect(home.isTranscriptOf('/x/0b1c.jsonl', ID)).toBe(true);
  for (const other of ['/x/0b1cd.jsonl', '/x/a0b1c.jsonl', '/x/0b1c.json'])
    expect(home.isTranscriptOf(other, ID)).toBe(false);
  expect(home.resumeCommand(ID)).toEqual(['pi', '--session', '0b1c']);
});

test('a folder has its own sessions and those of folders below it', () => {
  const kept = (name: string) =>
    home.isKeptFor({ HOME: '/h' }, `/h/.pi/agent/sessions/${name}/x_0b1c.jsonl`, '/srv/repo');
  expect([kept('--srv-repo--'), kept('--srv-repo-packages-a--')]).toEqual([true, true]);
  for (const other of ['--srv--', '--srv-repository--', '--srv-repo', '--srv-repo--/x', '..'])
    expect(kept(other)).toBe(false);
});
