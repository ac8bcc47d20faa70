import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { AgentName } from '../../agents/names.ts';
import type { SessionId } from '../../base/ids.ts';
import type { SessionRecord } from '../walk/session-record.ts';
import { TotalsCache } from './totals.ts';

let home: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'entire-totals-'));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

function put(cliOrigin: AgentName, id: string, row: object): SessionRecord {
  const path = join(home, `${id}.jsonl`);
  writeFileSync(path, `${JSON.stringify(row)}\n`);
  const sessionId = id as SessionId;
  const known = { sessionId, agentSessionId: sessionId, cliOrigin, path, transcript: path, kind: 'agent' };
  const unknown = { runId: undefined, folder: undefined, startedAt: undefined, summary: {} };
  return { ...known, ...unknown, updatedAt: '2026-11-23T10:00:00Z' } as SessionRecord;
}

test('a session that is read each time, for the sum beside it, has nothing written anew', () => {
  const message = { role: 'user', content: 'Hi' };
  const records = [
    put('claude-code', 'one', { type: 'user', message }),
    put('factoryai-droid', 'two', { type: 'message', id: 'm', message }),
  ];
  const count = (): number => {
    const cache = new TotalsCache({ HOME: home });
    for (const record of records) expect(cache.totalsOf(record).days).toMatchObject([{ turns: 1 }]);
    cache.save(true);
    return statSync(join(home, '.entire', 'stats-cache.json')).ino;
  };
  const written = count();
  expect(count()).toBe(written);
});
