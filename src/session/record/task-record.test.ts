import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { parseSessionId, type SessionId } from '../../base/ids.ts';
import { type RunningTask, readTaskRecord, tasksOfOthers, writeTaskRecord } from './task-record.ts';

const [s1, s2] = ['s1', 's2'].map((id) => parseSessionId(id) as SessionId) as [SessionId, SessionId];
let common: string;
const file = (id: string) => join(common, 'entire', 'tasks', `${id}.json`);
const task = (toolUseId: string, agentId?: string): RunningTask => ({
  toolUseId,
  agentId,
  subagentType: 'general-purpose',
  description: 'Do it',
  startedAtMs: 1_770_724_800_000,
  transcriptBytes: 7,
  increments: 2,
  paths: new Map([['a.txt', '100644:3:5']]),
});

beforeEach(() => {
  common = mkdtempSync(join(tmpdir(), 'entire-record-'));
});
afterEach(() => rmSync(common, { recursive: true, force: true }));

test('comes back as it was written, and goes away when it is empty', () => {
  const record = { running: [task('toolu_1'), task('toolu_2', 'a1')], redacted: ['0'.repeat(40)] };
  writeTaskRecord(common, s1, record);
  expect(readTaskRecord(common, s1)).toEqual(record);
  expect(JSON.parse(readFileSync(file('s1'), 'utf8')).version).toBe(1);
  writeTaskRecord(common, s1, { running: [], redacted: [] });
  expect(existsSync(file('s1'))).toBe(false);
  expect(readTaskRecord(common, s1)).toEqual({ running: [], redacted: [] });
});

test.each([
  '',
  '{',
  '[]',
  '{"version":2,"running":[],"redacted":[]}',
  '{"version":1,"running":[{}],"redacted":[]}',
])('the text %j is as good as none', (text) => {
  mkdirSync(dirname(file('s1')), { recursive: true });
  writeFileSync(file('s1'), text);
  expect(readTaskRecord(common, s1)).toEqual({ running: [], redacted: [] });
});

test('tasks that other sessions have on record', () => {
  expect(tasksOfOthers(common, s1)).toEqual(new Set());
  writeTaskRecord(common, s1, { running: [task('toolu_1')], redacted: [] });
  writeTaskRecord(common, s2, { running: [task('toolu_2')], redacted: [] });
  expect(tasksOfOthers(common, s1)).toEqual(new Set(['toolu_2']));
});
