import { expect, test } from 'vitest';
import type { SessionId } from '../../base/ids.ts';
import { copilotSessionHome as home } from './session-home.ts';

const ID = 'c14ef695-955a-4e31-92a0-a1b7a1d1c46a' as SessionId;

test('sessions lie below the home of the client, whatever the project', () => {
  const env = { HOME: '/home/ada' };
  const file = `/home/ada/.copilot/session-state/${ID}/events.jsonl`;
  expect(home.transcript(env, '/repo', ID)).toBe(file);
  expect(home.transcript(env, '/another', ID)).toBe(file);
  expect(home.root(env)).toBe('/home/ada/.copilot/session-state');
});

test('its variable, and the one of tests, name another place', () => {
  const named = { HOME: '/home/ada', COPILOT_HOME: '/elsewhere' };
  expect(home.transcript(named, '/repo', ID)).toBe(`/elsewhere/session-state/${ID}/events.jsonl`);
  const tested = { ...named, ENTIRE_TEST_COPILOT_PROJECT_DIR: '/test' };
  expect(home.transcript(tested, '/repo', ID)).toBe(`/test/${ID}/events.jsonl`);
});

test('a transcript has the name of its session above it', () => {
  expect(home.isTranscriptOf(`/any/${ID}/events.jsonl`, ID)).toBe(true);
  expect(home.isTranscriptOf('/any/another/events.jsonl', ID)).toBe(false);
  expect(home.isTranscriptOf(`/any/${ID}/other.jsonl`, ID)).toBe(false);
});

test('a session is kept for every folder', () => {
  const env = { COPILOT_HOME: '/c' };
  expect(home.isKeptFor(env, `/c/session-state/${ID}/events.jsonl`, '/repo')).toBe(true);
  expect(home.isKeptFor(env, `/c/session-state/deeper/${ID}/events.jsonl`, '/repo')).toBe(false);
  expect(home.isKeptFor(env, `/c/other/${ID}/events.jsonl`, '/repo')).toBe(false);
});

test('the command that goes on with a session', () => {
  expect(home.resumeCommand(ID)).toEqual(['copilot', '--resume', ID]);
});
