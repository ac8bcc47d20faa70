import { mkdirSync, mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { SessionId } from '../base/ids.ts';
import { listSummaries, type SettledSessions } from './session-index.ts';
import { archiveState } from './state-store.ts';

const LONG_AGO = new Date('2026-01-01T00:00:00Z');
let root: string;
let dir: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'entire-index-'));
  dir = join(root, 'entire-sessions');
  mkdirSync(dir);
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

function put(count: number, from = 0): void {
  for (let number = from; number < from + count; number++) {
    const file = join(dir, `s${number}.json`);
    const state = { session_id: `s${number}`, base_commit: 'b', started_at: 't', phase: 'idle' };
    writeFileSync(file, JSON.stringify(state));
    utimesSync(file, LONG_AGO, LONG_AGO);
  }
}
const indexed = (): number =>
  Object.keys(JSON.parse(readFileSync(join(root, 'entire', 'sessions.json'), 'utf8')).sessions).length;

test('the index keeps every settled session, however often one hook looks', () => {
  put(20);
  listSummaries(dir);
  expect(indexed()).toBe(20);
  put(10, 20);
  const seen: SettledSessions = new Map();
  for (let look = 0; look < 3; look++) expect(listSummaries(dir, seen).sessions).toHaveLength(30);
  expect(indexed()).toBe(30);
});

test('a session that the hook has written since is looked at again', () => {
  put(20);
  const seen: SettledSessions = new Map();
  listSummaries(dir, seen);
  const state = { session_id: 's3', base_commit: 'c', started_at: 't', phase: 'idle' };
  writeFileSync(join(dir, 's3.json'), JSON.stringify(state));
  seen.delete('s3' as SessionId);
  const found = listSummaries(dir, seen).sessions.find(({ sessionId }) => sessionId === 's3');
  expect(found?.baseCommit).toBe('c');
});

test('an archived session that has edits since is among the others', () => {
  put(2);
  archiveState(dir, 's1' as SessionId, () => true);
  expect(listSummaries(dir).sessions.map(({ sessionId }) => sessionId)).toEqual(['s0']);
  writeFileSync(join(dir, 's1.files'), 'a.txt\n');
  const { sessions, strangers } = listSummaries(dir);
  expect(sessions).toMatchObject([
    { sessionId: 's0', isTracked: false },
    { sessionId: 's1', isTracked: true },
  ]);
  expect(strangers).toEqual([]);
});
