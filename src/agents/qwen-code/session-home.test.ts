import { expect, test } from 'vitest';
import { parseSessionId, type SessionId } from '../../base/ids.ts';
import { qwenSessionHome as home } from './session-home.ts';

const ID = parseSessionId('0b1c') as SessionId;

test('sessions lie below ~/.qwen, or where the environment says', () => {
  const at = (env: NodeJS.ProcessEnv) => home.transcript({ HOME: '/home/ada', ...env }, '/srv/my_repo', ID);
  expect(at({})).toBe('/home/ada/.qwen/projects/-srv-my-repo/chats/0b1c.jsonl');
  expect(at({ QWEN_HOME: '/data/qwen' })).toBe('/data/qwen/projects/-srv-my-repo/chats/0b1c.jsonl');
  expect(at({ QWEN_HOME: '/data/qwen', QWEN_RUNTIME_DIR: '~/run' })).toBe(
    '/home/ada/run/projects/-srv-my-repo/chats/0b1c.jsonl',
  );
  expect(at({ ENTIRE_TEST_QWEN_PROJECT_DIR: '/tmp/project' })).toBe('/tmp/project/0b1c.jsonl');
  expect(home.root({ HOME: '/home/ada' })).toBe('/home/ada/.qwen/projects');
  const named = [{}, { QWEN_HOME: '/x' }, { QWEN_RUNTIME_DIR: '/x' }].map(home.isOnly);
  expect(named).toEqual([false, true, true]);
});

test('a session is taken up again by its id', () => {
  expect(home.resumeCommand(ID)).toEqual(['qwen', '-r', '0b1c']);
  expect(home.isTranscriptOf('/x/chats/0b1c.jsonl', ID)).toBe(true);
  expect(home.isTranscriptOf('/x/chats/0b1cd.jsonl', ID)).toBe(false);
});

test('a folder has its own sessions and those of folders below it', () => {
  const kept = (name: string) =>
    home.isKeptFor({ HOME: '/h' }, `/h/.qwen/projects/${name}/0b1c.jsonl`, '/srv/repo');
  expect([kept('-srv-repo/chats'), kept('-srv-repo-packages-a/chats')]).toEqual([true, true]);
  for (const other of ['-srv/chats', '-srv-repository/chats', '-srv-repo', '-srv-repo/subagents', '..'])
    expect(kept(other)).toBe(false);
});
