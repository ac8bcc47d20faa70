import { expect, test } from 'vitest';
import { parseSessionId, type SessionId } from '../../base/ids.ts';
import { opencodeSessionHome as home } from './session-home.ts';

const ID = parseSessionId('ses_1') as SessionId;

test('what was handed over lies in the worktree; the database where the environment says', () => {
  const env = { HOME: '/home/ada' };
  expect(home.transcript(env, '/srv/repo', ID)).toBe('/srv/repo/.entire/tmp/ses_1.jsonl');
  expect(home.root(env)).toBe('/home/ada/.local/share/opencode');
  expect(home.root({ ...env, XDG_DATA_HOME: '/data' })).toBe('/data/opencode');
  expect(home.isOnly({ ...env, XDG_DATA_HOME: '/data' })).toBe(false);
  const test = { ...env, ENTIRE_TEST_OPENCODE_PROJECT_DIR: '/tmp/project' };
  expect([home.transcript(test, '/srv/repo', ID), home.root(test)]).toEqual([
    '/tmp/project/ses_1.jsonl',
    '/tmp/project',
  ]);
  expect(home.isOnly(test)).toBe(true);
});

test('a worktree has its own sessions and those of repositories below it', () => {
  const kept = (file: string) => home.isKeptFor({ HOME: '/h' }, file, '/srv/repo');
  expect([kept('/srv/repo/.entire/tmp/ses_1.jsonl'), kept('/srv/repo/sub/.entire/tmp/ses_1.jsonl')]).toEqual([
    true,
    true,
  ]);
  expect(['/srv/.entire/tmp/x', '/srv/repository/.entire/tmp/x', '/srv/repo/tmp/x'].map(kept)).toEqual([
    false,
    false,
    false,
  ]);
});

test('a session goes on by its id', () => {
  expect(home.resumeCommand(ID)).toEqual(['opencode', '-s', 'ses_1']);
  expect([home.isTranscriptOf('/x/ses_1.jsonl', ID), home.isTranscriptOf('/x/ses_10.jsonl', ID)]).toEqual([
    true,
    false,
  ]);
});
