import { appendFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { SessionId } from '../../base/ids.ts';
import { readLive } from './live.ts';
import { growthSince, noteTotals } from './totals.ts';

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'totals-'));
  writeFileSync(transcript(), '{"type":"session_start","id":"s"}\n');
});
afterEach(() => rmSync(dir, { recursive: true }));

const transcript = () => join(dir, 's.jsonl');
const marks = () => join(dir, 'entire/transcripts/s/totals.json');
const live = (agentType = 'Factory AI Droid') =>
  readLive(dir, { sessionId: 's' as SessionId, agentType, transcriptPath: transcript() });

/** The client answers once: a line more, and a sum that has grown by ten tokens in, one out. */
let calls = 0;
function answer(): void {
  calls++;
  appendFileSync(transcript(), '{"type":"message","id":"m","message":{"role":"assistant","content":[]}}\n');
  const tokenUsage = {
    inputTokens: calls * 10,
    outputTokens: calls,
    cacheReadTokens: 0,
    cacheCreationTokens: 0,
  };
  writeFileSync(join(dir, 's.settings.json'), JSON.stringify({ tokenUsage }));
}
beforeEach(() => {
  calls = 0;
});
const grown = (item: number) => growthSince(live(), item)?.inputTokens;

test('what a part cost is what the sum has grown by since its beginning', () => {
  answer(); // items: 2
  noteTotals(live());
  answer(); // 3
  answer(); // 4
  noteTotals(live());
  answer(); // 5
  expect([0, 2, 3, 4, 5].map(grown)).toEqual([40, 30, 30, 10, 10]);
  expect(growthSince(live(), 4)).toEqual({
    inputTokens: 10,
    cacheCreationTokens: 0,
    cacheReadTokens: 0,
    outputTokens: 1,
  });
});

test('a part that began before anything was noted began with what was noted first', () => {
  answer();
  expect(grown(1)).toBe(10);
  noteTotals(live());
  answer();
  expect(grown(1)).toBe(10);
});

test('what was noted of lines that are gone counts no more; the same place is noted once', () => {
  answer();
  noteTotals(live());
  const before = readFileSync(marks(), 'utf8');
  noteTotals(live());
  expect(readFileSync(marks(), 'utf8')).toBe(before);
  answer();
  answer();
  noteTotals(live());
  writeFileSync(transcript(), readFileSync(transcript(), 'utf8').split('\n').slice(0, 3).join('\n'));
  noteTotals(live());
  expect(JSON.parse(readFileSync(marks(), 'utf8')).marks.map(([item]: number[]) => item)).toEqual([2, 3]);
});

test('clients that say it in their lines have no totals', () => {
  answer();
  noteTotals(live('Claude Code'));
  expect(() => readFileSync(marks())).toThrow('ENOENT');
  expect(growthSince(live('Claude Code'), 0)).toBeUndefined();
});

test('marks that cannot be read are none', () => {
  answer();
  noteTotals(live());
  for (const text of ['', '{', '[]', '{"version":2,"marks":[]}', '{"version":1,"marks":[[1]]}']) {
    writeFileSync(marks(), text);
    expect(grown(2)).toBe(10);
  }
});
