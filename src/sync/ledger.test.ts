import {
  appendFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { readPushes, recordPush } from './ledger.ts';

let dir = '';
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'entire-ledger-'));
});
afterEach(() => rmSync(dir, { recursive: true }));

const file = () => join(dir, 'entire', 'pushes.jsonl');
const outgoing = { remote: 'origin', url: 'x', from: null, to: 'a'.repeat(40), checkpoints: 2, bytes: 10 };

test('a push is on record before it begins, and what became of it after', () => {
  expect(readPushes(dir)).toEqual([]);
  const conclude = recordPush(dir, outgoing);
  expect(readPushes(dir)).toMatchObject([{ ...outgoing, result: 'unknown' }]);
  recordPush(dir, { ...outgoing, remote: 'other' })('failed', 'no');
  conclude('pushed');
  expect(readPushes(dir).map(({ remote, result, reason }) => [remote, result, reason])).toEqual([
    ['origin', 'pushed', undefined],
    ['other', 'failed', 'no'],
  ]);
  expect(readFileSync(file(), 'utf8').split('\n').filter(Boolean)).toHaveLength(4);
});

test('torn and foreign lines do not hide the others', () => {
  recordPush(dir, outgoing)('pushed');
  appendFileSync(
    file(),
    'null\n[1]\n{"id":"x","state":"ended","result":"pushed"}\n{"id":1}\n{"id":"y","state":"start',
  );
  recordPush(dir, outgoing)('pushed');
  expect(readPushes(dir)).toHaveLength(2);
});

test('what cannot be written down fails, a link is not followed', () => {
  mkdirSync(join(dir, 'entire'));
  writeFileSync(join(dir, 'elsewhere'), '');
  symlinkSync(join(dir, 'elsewhere'), file());
  expect(() => recordPush(dir, outgoing)).toThrow(/nothing leaves unrecorded/);
  expect(readFileSync(join(dir, 'elsewhere'), 'utf8')).toBe('');
});
