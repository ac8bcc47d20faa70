import {
  appendFileSync,
  closeSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { replaceClock } from '../../base/clock.ts';
import { replaceDisk } from '../../base/file/disk.ts';
import { readVerdictOf, readVerdicts, recordVerdict } from './verdicts.ts';

let dir: string;
let restore: () => void;
const file = () => join(dir, 'entire', 'verdicts.jsonl');
const older = () => join(dir, 'entire', 'verdicts.1.jsonl');
const commits = (limit = 100) => readVerdicts(dir, limit).map(({ commit }) => commit);
const line = (commit: string) => `${JSON.stringify({ at: 't', commit, reason: 'merge', sessions: [] })}\n`;

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'entire-verdicts-'));
  restore = replaceClock(() => new Date('2026-02-10T12:00:00Z'));
});
afterEach(() => {
  restore();
  rmSync(dir, { recursive: true, force: true });
});

test('newest first, as many as asked for', () => {
  expect(readVerdicts(dir, 5)).toEqual([]);
  recordVerdict(dir, { commit: 'c1', reason: 'no-session', sessions: [] });
  recordVerdict(dir, { commit: 'c2', reason: 'linked', checkpoint: 'a3b2c4d5e6f7', sessions: ['s1'] });
  recordVerdict(dir, { commit: 'c3', reason: 'condense-failed', sessions: [], detail: 'no\nspace' });
  expect(readVerdicts(dir, 2)).toEqual([
    {
      at: '2026-02-10T12:00:00Z',
      commit: 'c3',
      reason: 'condense-failed',
      sessions: [],
      detail: 'no\nspace',
    },
    {
      at: '2026-02-10T12:00:00Z',
      commit: 'c2',
      reason: 'linked',
      checkpoint: 'a3b2c4d5e6f7',
      sessions: ['s1'],
    },
  ]);
  expect(commits()).toEqual(['c3', 'c2', 'c1']);
  expect(readFileSync(file(), 'utf8').split('\n')).toHaveLength(4);
  expect(statSync(file()).mode & 0o777).toBe(0o600);
});

test('a commit that was completed later has its last verdict only', () => {
  for (const reason of ['condense-failed', 'linked'] as const)
    recordVerdict(dir, { commit: 'c1', reason, sessions: [] });
  recordVerdict(dir, { commit: 'c2', reason: 'merge', sessions: [] });
  expect(readVerdicts(dir, 2).map(({ commit, reason }) => [commit, reason])).toEqual([
    ['c2', 'merge'],
    ['c1', 'linked'],
  ]);
});

test('a torn or foreign line says nothing, and hides no other', () => {
  mkdirSync(join(dir, 'entire'));
  const foreign = [
    'null',
    '[]',
    '7',
    '{"commit":1,"reason":"merge","at":"t"}',
    '{"commit":"x"}',
    '{"commit":"to',
    '',
  ];
  writeFileSync(file(), `${line('c1')}${foreign.join('\n')}\n${line('c2')}`);
  expect(commits()).toEqual(['c2', 'c1']);
});

test('a verdict without a list of sessions has none', () => {
  mkdirSync(join(dir, 'entire'));
  writeFileSync(file(), '{"commit":"c","reason":"merge","at":"t","sessions":"s1"}\n');
  expect(readVerdicts(dir, 1)[0]?.sessions).toEqual([]);
});

test('past 64 KiB the file moves, and both are read', () => {
  const detail = 'x'.repeat(1000);
  for (let i = 1; i <= 150; i++)
    recordVerdict(dir, { commit: `c${i}`, reason: 'condense-failed', sessions: [], detail });
  const total = statSync(older()).size + (existsSync(file()) ? statSync(file()).size : 0);
  expect(total).toBeLessThan(2 * 64 * 1024 + 2000);
  expect(commits(3)).toEqual(['c150', 'c149', 'c148']);
  expect(commits().length).toBeGreaterThan(62);
});

test('another commit that moves the file at the same moment does no harm', () => {
  const undo = replaceDisk({
    closeSync: (fd) => {
      closeSync(fd);
      renameSync(file(), older());
    },
  });
  try {
    expect(() => recordVerdict(dir, { commit: 'c1', reason: 'merge', sessions: [] })).not.toThrow();
  } finally {
    undo();
  }
});

test('a file that another commit moves while it is read is not missed', () => {
  mkdirSync(join(dir, 'entire'));
  writeFileSync(older(), line('c1'));
  writeFileSync(file(), line('c2'));
  let isMoved = false;
  const undo = replaceDisk({
    closeSync: (fd) => {
      closeSync(fd);
      if (!isMoved) renameSync(file(), older());
      isMoved = true;
    },
  });
  try {
    expect(commits()).toEqual(['c2']);
  } finally {
    undo();
  }
});

test('a torn line at the end of the older file hides nothing in the newer', () => {
  mkdirSync(join(dir, 'entire'));
  writeFileSync(older(), `${line('c1')}{"at":"t","comm`);
  writeFileSync(file(), line('c2'));
  expect(commits()).toEqual(['c2', 'c1']);
});

test('sessions that are no text are dropped', () => {
  mkdirSync(join(dir, 'entire'));
  writeFileSync(file(), '{"commit":"c","reason":"merge","at":"t","sessions":["s1",7,null]}\n');
  expect(readVerdicts(dir, 1)[0]?.sessions).toEqual(['s1']);
});

test('the newest verdict of one commit, from either file, and when the oldest was left', () => {
  expect(readVerdictOf(dir, 'c1')).toEqual({ verdict: undefined, firstAt: undefined });
  recordVerdict(dir, { commit: 'c1', reason: 'condense-failed', sessions: [] });
  renameSync(file(), older());
  appendFileSync(older(), '{"torn c1\n');
  recordVerdict(dir, { commit: 'c1', reason: 'linked', sessions: ['c2'] });
  expect(readVerdictOf(dir, 'c1')).toMatchObject({
    verdict: { reason: 'linked' },
    firstAt: '2026-02-10T12:00:00Z',
  });
  expect(readVerdictOf(dir, 'c2').verdict).toBeUndefined();
});
