import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readPushSettings } from './push.ts';

function read(project?: object, local?: object) {
  const root = mkdtempSync(join(tmpdir(), 'entire-push-'));
  try {
    mkdirSync(join(root, '.entire'));
    const put = (name: string, options?: object) =>
      options && writeFileSync(join(root, '.entire', name), JSON.stringify({ strategy_options: options }));
    put('settings.json', project);
    put('settings.local.json', local);
    return readPushSettings(root);
  } finally {
    rmSync(root, { recursive: true });
  }
}

const repo = { provider: 'github', repo: 'acme/logs' };

test('local over project, key by key; what has another type allows nothing', () => {
  expect(read()).toEqual({
    pushSessions: undefined,
    checkpointRemote: undefined,
    pushRemote: undefined,
    timeoutMs: undefined,
  });
  expect(read({ push_sessions: true, checkpoint_remote: repo }, { push_sessions: false })).toMatchObject({
    pushSessions: false,
    checkpointRemote: repo,
  });
  expect(read({ push_sessions: true }, { push_sessions: null }).pushSessions).toBe(true);
  expect(read({ push_sessions: true }, { push_sessions: 'false' }).pushSessions).toBe(false);
  expect(read({ push_sessions: 'yes' }).pushSessions).toBe(false);
  expect(read({ checkpoint_push_remote: 7 }).pushRemote).toBe('7');
  expect(read({ checkpoint_push_remote: 'up', push_timeout_seconds: 2.5 })).toMatchObject({
    pushRemote: 'up',
    timeoutMs: 2500,
  });
  expect(read({ push_timeout_seconds: -1 }).timeoutMs).toBeUndefined();
});

test.each([
  ['the object', repo, repo],
  ['one text', 'github:acme/logs', repo],
  ['no repository', { provider: 'github' }, 'invalid'],
  ['a path', { provider: 'github', repo: '../x' }, 'invalid'],
  ['an option', { provider: 'github', repo: '-x/y' }, 'invalid'],
  ['a URL', 'https://h/x', 'invalid'],
  ['a number', 7, 'invalid'],
])('checkpoint_remote: %s', (_, value, expected) => {
  expect(read({ checkpoint_remote: value }).checkpointRemote).toEqual(expected);
});
