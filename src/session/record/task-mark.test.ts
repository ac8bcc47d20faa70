import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { replaceClock } from '../../base/clock.ts';
import { listTaskMarks, readUntrackedAtStart, removeTaskMark, writeTaskMark } from './task-mark.ts';

let root: string;
let restore: () => void;
const tmp = (name: string) => join(root, '.entire', 'tmp', name);
const touch = (name: string, seconds: number) => utimesSync(tmp(name), seconds, seconds);

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'entire-mark-'));
  restore = replaceClock(() => new Date('2026-02-10T12:00:00.987Z'));
});
afterEach(() => {
  restore();
  rmSync(root, { recursive: true, force: true });
});

test('a running sub-agent leaves a mark', () => {
  writeTaskMark(root, 'toolu_1', ['a.txt']);
  expect(readFileSync(tmp('pre-task-toolu_1.json'), 'utf8')).toMatchInlineSnapshot(`
    "{
      "tool_use_id": "toolu_1",
      "timestamp": "2026-02-10T12:00:00Z",
      "untracked_files": [
        "a.txt"
      ]
    }
    "
  `);
  expect(readUntrackedAtStart(root, 'toolu_1')).toEqual(['a.txt']);
  removeTaskMark(root, 'toolu_1');
  removeTaskMark(root, 'toolu_1');
  expect(existsSync(tmp('pre-task-toolu_1.json'))).toBe(false);
});

test('marks of other versions, damaged ones, and none', () => {
  expect(readUntrackedAtStart(root, 'toolu_1')).toBeUndefined();
  mkdirSync(tmp(''), { recursive: true });
  writeFileSync(tmp('pre-task-toolu_1.json'), '{"tool_use_id":"toolu_1","untracked_files":null}');
  expect(readUntrackedAtStart(root, 'toolu_1')).toEqual([]);
  for (const bad of ['', '{', '[]', '{"untracked_files":[7]}']) {
    writeFileSync(tmp('pre-task-toolu_1.json'), bad);
    expect(readUntrackedAtStart(root, 'toolu_1')).toBeUndefined();
  }
});

test('the newest mark comes first; other files are no marks', () => {
  expect(listTaskMarks(root)).toEqual([]);
  for (const [name, at] of [
    ['toolu_a', 100],
    ['toolu_b', 300],
    ['toolu_c', 200],
  ] as const) {
    writeTaskMark(root, name, []);
    touch(`pre-task-${name}.json`, at);
  }
  for (const name of ['pre-prompt-s1.json', 'pre-task-x.json.1-2.tmp', 'pre-task-a b.json', 'pre-task-.json'])
    writeFileSync(tmp(name), '{}');
  mkdirSync(tmp('pre-task-folder.json'));
  expect(listTaskMarks(root)).toEqual(['toolu_b', 'toolu_c', 'toolu_a']);
});
