import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { parseSessionId, type SessionId } from '../../base/ids.ts';
import { geminiSessionHome as home } from './session-home.ts';

const ID = parseSessionId('00a32fd7-867b-4b9b-8db9-2726221f39c0') as SessionId;
const STARTED = new Date('2026-11-21T10:33:57Z');
/** SHA-256 of `/repo`. */
const DIGEST = '816fc349d3faebf805d1bed70fce7e14754cad5251c77dda31c414ee961a0bdd';

let dir: string;
let env: NodeJS.ProcessEnv;
const write = (name: string, text: string) => {
  mkdirSync(join(dir, '.gemini', name, '..'), { recursive: true });
  writeFileSync(join(dir, '.gemini', name), text);
};

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'entire-gemini-'));
  env = { HOME: dir };
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

test('a transcript lies in the folder of its project, under a name with time and id', () => {
  const name = 'chats/session-2026-11-21T10-33-00a32fd7.jsonl';
  expect(home.transcript(env, '/repo', ID, STARTED)).toBe(join(dir, '.gemini/tmp', DIGEST, name));
  write('projects.json', JSON.stringify({ projects: { '/repo': 'repo-1', '/other': '../../x' } }));
  expect(home.transcript(env, '/repo', ID, STARTED)).toBe(join(dir, '.gemini/tmp/repo-1', name));
  expect(home.transcript(env, '/other', ID, STARTED)).toMatch(/\/tmp\/[0-9a-f]{64}\/chats\//);
  expect(home.root(env)).toBe(join(dir, '.gemini/tmp'));
});

test('variables name the home, or the one folder of all sessions', () => {
  const named = { HOME: '/nowhere', GEMINI_CLI_HOME: dir };
  expect([home.root(named), home.isOnly(named), home.isOnly(env)]).toEqual([
    join(dir, '.gemini/tmp'),
    true,
    false,
  ]);
  const test = { ...env, ENTIRE_TEST_GEMINI_PROJECT_DIR: join(dir, 'all') };
  expect(home.transcript(test, '/repo', ID, STARTED)).toBe(
    join(dir, 'all/session-2026-11-21T10-33-00a32fd7.jsonl'),
  );
  expect([home.isOnly(test), home.isKeptFor(test, join(dir, 'all/x.jsonl'), '/repo')]).toEqual([true, true]);
});

test('a transcript that is there is the one, not the remainder that resuming leaves beside it', () => {
  const chats = `tmp/${DIGEST}/chats`;
  write(`${chats}/session-2026-11-20T08-00-00a32fd7.jsonl`, 'a long one');
  write(`${chats}/session-2026-11-22T09-00-00a32fd7.jsonl`, 'short');
  write(`${chats}/session-2026-11-23T09-00-ffffffff.jsonl`, 'of another session');
  expect(home.transcript(env, '/repo', ID, STARTED)).toBe(
    join(dir, '.gemini', chats, 'session-2026-11-20T08-00-00a32fd7.jsonl'),
  );
});

test('its name tells a transcript', () => {
  const is = (name: string) => home.isTranscriptOf(`/x/${name}`, ID);
  expect(is('session-2026-11-21T10-33-00a32fd7.jsonl')).toBe(true);
  expect(is('session-2025-11-21T10-33-00a32fd7.json')).toBe(true);
  expect(is(`${ID}.jsonl`)).toBe(true);
  expect(is('session-2026-11-21T10-33-00a32fd8.jsonl')).toBe(false);
  expect(is('session-2026-11-21T10-33-00a32fd7.jsonl.tmp-1')).toBe(false);
});

test('a folder has its own sessions and those of folders below it', () => {
  write(
    'projects.json',
    JSON.stringify({ projects: { '/repo': 'repo', '/repo/a': 'a', '/repository': 'b' } }),
  );
  const kept = (name: string) =>
    home.isKeptFor(env, join(dir, '.gemini/tmp', name, 'session-x.jsonl'), '/repo');
  expect(['repo/chats', 'a/chats', `${DIGEST}/chats`].map(kept)).toEqual([true, true, true]);
  expect(['b/chats', 'repo', 'repo/logs', 'c/repo/chats'].map(kept)).toEqual([false, false, false, false]);
});

test.each(['', '[]', '{"projects":7}', '{"projects":{"/repo":7}}', '{'])('%j names no project', (text) => {
  write('projects.json', text);
  expect(home.transcript(env, '/repo', ID, STARTED)).toContain(DIGEST);
});

test('the client goes on with a session by its id', () => {
  expect(home.resumeCommand(ID)).toEqual(['gemini', '--resume', ID]);
});
