import { expect, test } from 'vitest';
import type { SessionId } from '../../base/ids.ts';
import { codexSessionHome as home, rolloutNames } from './session-home.ts';

const ID = '01a1fdb4-f11c-77c3-9696-5a653ee2f2f1' as SessionId; // 2026-11-21T10:44:16.284Z
const OTHER = 'self-test-1' as SessionId;
const env = { HOME: '/home/ada' };
const local = (date: Date): string => {
  const two = (value: number) => String(value).padStart(2, '0');
  const day = [date.getFullYear(), two(date.getMonth() + 1), two(date.getDate())];
  const time = [date.getHours(), date.getMinutes(), date.getSeconds()].map(two);
  return `${day.join('/')}/rollout-${day.join('-')}T${time.join('-')}-`;
};

test('rollouts lie in a folder for each day, named after the moment that the id tells', () => {
  const began = new Date('2026-11-21T10:44:16Z');
  expect(home.root(env)).toBe('/home/ada/.codex/sessions');
  expect(home.transcript(env, '/srv/repo', ID)).toBe(`/home/ada/.codex/sessions/${local(began)}${ID}.jsonl`);
  expect(rolloutNames(ID)).toContainEqual({
    day: '2026/11/21',
    name: `rollout-2026-11-21T10-44-16-${ID}.jsonl`,
  });
});

test('an id that tells no time takes it from the start of the session', () => {
  const startedAt = new Date('2025-02-03T04:05:06Z');
  expect(home.transcript(env, '/srv/repo', OTHER, startedAt)).toBe(
    `/home/ada/.codex/sessions/${local(startedAt)}${OTHER}.jsonl`,
  );
  expect(home.transcript(env, '/srv/repo', OTHER)).toMatch(
    /\/sessions\/\d{4}\/\d\d\/\d\d\/rollout-.*-self-test-1\.jsonl$/,
  );
  expect(rolloutNames(OTHER)).toEqual([]);
  expect(rolloutNames('01a1fdb4-f11c-47c3-9696-5a653ee2f2f1')).toEqual([]); // version 4: random
});

test('CODEX_HOME, and the folder of tests', () => {
  expect(home.root({ ...env, CODEX_HOME: '/data/codex' })).toBe('/data/codex/sessions');
  expect(home.transcript({ ENTIRE_TEST_CODEX_PROJECT_DIR: '/t' }, '/srv/repo', ID)).toMatch(
    /^\/t\/rollout-.*\.jsonl$/,
  );
});

test('a rollout says whose it is, and nothing of the folder', () => {
  const file = `/home/ada/.codex/sessions/2026/11/21/rollout-2026-11-21T10-44-16-${ID}.jsonl`;
  expect(home.isTranscriptOf(file, ID)).toBe(true);
  expect(home.isTranscriptOf(file, '5a653ee2f2f1' as SessionId)).toBe(false);
  expect(home.isTranscriptOf(`/x/${ID}.jsonl`, ID)).toBe(false);
  expect(home.isKeptFor(env, file, '/srv/anything')).toBe(true);
  expect(home.isKeptFor(env, file.replace('/21/', '/'), '/srv/anything')).toBe(false);
  expect(home.isKeptFor(env, file.replace('ada', 'bob'), '/srv/anything')).toBe(false);
  expect(home.resumeCommand(ID)).toEqual(['codex', 'resume', ID]);
});
