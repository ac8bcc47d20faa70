import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { AGENTS, type AgentName } from '../../agents/names.ts';
import { transcriptFormatOf } from '../../agents/registry.ts';
import { EntireError } from '../../base/errors.ts';
import type { SessionId } from '../../base/ids.ts';
import type { Repo } from '../../git/locate.ts';
import { sessionsDir } from '../../session/tracking-file.ts';
import type { SnapshotRecord } from '../../snapshot/record/snapshot-record.ts';
import { type ForkedConversation, forkConversation } from './conversation.ts';

const ID = '01a1fdb4-f11c-77c3-9696-5a653ee2f2f1' as SessionId;

let base: string;
beforeEach(() => {
  base = mkdtempSync(join(tmpdir(), 'entire-fork-'));
});
afterEach(() => rmSync(base, { recursive: true, force: true }));

/** Forks a session of the real client behind its last message, its transcript being at `place`. */
function fork(agent: AgentName, place: string): ForkedConversation & { readonly text: string } {
  const fixture = join(
    import.meta.dirname,
    '../../../integration/fixtures',
    agent,
    'transcripts/basic.jsonl',
  );
  const text = readFileSync(fixture, 'utf8');
  const repo = { commonDir: base } as Repo;
  const path = join(base, place);
  for (const dir of [sessionsDir(base), dirname(path)]) mkdirSync(dir, { recursive: true });
  writeFileSync(path, text);
  writeFileSync(
    join(sessionsDir(base), `${ID}.json`),
    JSON.stringify({ session_id: ID, agent_type: AGENTS[agent].type, started_at: '2026-11-21T10:44:16Z' }),
  );
  const last = transcriptFormatOf(AGENTS[agent].type).readLastIdentifier(text);
  const forked = forkConversation(repo, ID, { transcript: { path, last } } as SnapshotRecord);
  expect(readFileSync(path, 'utf8')).toBe(text);
  return { ...forked, text: readFileSync(forked.file, 'utf8') };
}

test('Codex: a rollout of this moment, which says the id in its name', () => {
  const { file, sessionId, text } = fork(
    'codex',
    `sessions/2026/11/21/rollout-2026-11-21T10-44-16-${ID}.jsonl`,
  );
  const day = file.slice(base.length + 1, -basename(file).length);
  expect(day).toMatch(/^sessions\/\d{4}\/\d\d\/\d\d\/$/);
  expect(basename(file)).toMatch(
    new RegExp(`^rollout-${day.slice(9, 19).replaceAll('/', '-')}T[-\\d]{8}-${sessionId}.jsonl$`),
  );
  expect(sessionId).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  expect(Number.parseInt(sessionId.replace('-', '').slice(0, 12), 16)).toBeGreaterThan(Date.now() - 60_000);
  expect(JSON.parse(text.split('\n')[0] ?? '')).toMatchObject({
    payload: { id: sessionId, session_id: sessionId },
  });
  expect(text).not.toContain(ID);
});

test('Pi: a file that begins with the time, and a header with its id', () => {
  const { file, sessionId, text } = fork('pi', `2026-11-21T10-44-16-000Z_${ID}.jsonl`);
  expect(basename(file)).toMatch(new RegExp(`^\\d{4}-\\d\\d-\\d\\dT[-\\d]+Z_${sessionId}.jsonl$`));
  expect(JSON.parse(text.split('\n')[0] ?? '')).toMatchObject({ type: 'session', id: sessionId });
});

test('Copilot CLI: a folder of its own', () => {
  const { file, sessionId, text } = fork('copilot-cli', `session-state/${ID}/events.jsonl`);
  expect(file).toBe(join(base, 'session-state', sessionId, 'events.jsonl'));
  expect(JSON.parse(text.split('\n')[0] ?? '')).toMatchObject({ data: { sessionId } });
});

test('Factory Droid: with the settings of the session, and none of its cost', () => {
  const place = `sessions/${ID}`;
  mkdirSync(join(base, 'sessions'));
  const settings = join(
    import.meta.dirname,
    '../../../integration/fixtures/factoryai-droid/transcripts/basic.settings.json',
  );
  writeFileSync(join(base, `${place}.settings.json`), readFileSync(settings));
  const { file, sessionId, text } = fork('factoryai-droid', `${place}.jsonl`);
  expect(file).toBe(join(base, 'sessions', `${sessionId}.jsonl`));
  expect(JSON.parse(text.split('\n')[0] ?? '')).toMatchObject({ type: 'session_start', id: sessionId });
  const copied = JSON.parse(readFileSync(file.replace('.jsonl', '.settings.json'), 'utf8')) as object;
  expect(copied).toMatchObject({ model: 'custom:Mock-Claude-0', autonomyLevel: 'high' });
  expect(Object.keys(copied).filter((key) => /usage|time/i.test(key))).toEqual(['providerLockTimestamp']);
});

test.for([
  ['gemini', /Gemini CLI soon deletes what it has resumed/],
  ['cursor', /Cursor has its conversations in a database/],
] as const)('%s: nothing is written, and the reason is said', ([agent, why]) => {
  expect(() => fork(agent, `chats/${ID}.jsonl`)).toThrow(EntireError);
  expect(() => fork(agent, `chats/${ID}.jsonl`)).toThrow(why);
  expect(readdirSync(join(base, 'chats'))).toEqual([`${ID}.jsonl`]);
});
