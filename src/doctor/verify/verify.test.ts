import { describe, expect, test } from 'vitest';
import { judgeChunks } from './checkpoint.ts';
import { judgeLedger, judgeRecord } from './records.ts';
import { judgeState, judgeTracking } from './sessions.ts';
import { parseStep } from './steps.ts';
import { findBadLine } from './texts.ts';

describe('parts of a transcript', () => {
  test.each([
    [['full.jsonl'], []],
    [['full.jsonl.001', 'full.jsonl'], []],
    [[], []],
    [['full.log', 'content_hash.txt'], []],
    [['content_hash.txt'], ['file-missing full.jsonl']],
    [['full.jsonl.001'], ['chunk-missing full.jsonl']],
    [
      ['full.jsonl', 'full.jsonl.003'],
      ['chunk-missing full.jsonl.001', 'chunk-missing full.jsonl.002'],
    ],
    [['full.jsonl', 'full.jsonl.1', 'full.jsonl.bak', 'prompt.txt'], []],
  ])('%j', (names, expected) => {
    expect(judgeChunks(names).map(({ code, where }) => `${code} ${where}`)).toEqual(expected);
  });
});

test('lines of a transcript: the first that is no JSON; one document is as good', () => {
  expect(findBadLine('')).toBeUndefined();
  expect(findBadLine('{}\n\n[1]\n')).toBeUndefined();
  expect(findBadLine('{}\n{"a":\n{}')).toBe(2);
  expect(findBadLine('{\n"messages": []\n}')).toBeUndefined();
  expect(findBadLine(`{}\n${'['.repeat(100_000)}`)).toBe(2);
});

test('states: by the name of their files', () => {
  const judge = (name: string, text: string) => judgeState(`/x/${name}`, text).problem?.code;
  expect(judge('s.json', '{"session_id":"s"}')).toBeUndefined();
  expect(judge('s.json', '{"session_id":"t"}')).toBe('state-of-another');
  expect(judge('s.json', '{"session_id":"s","checkpoint_count":-1}')).toBe('state-unreadable');
  expect(judge('.s.json', '{"session_id":".s"}')).toBe('state-name-invalid');
});

test('tracking files: whole lines of paths, empty ones allowed', () => {
  const judge = (text: string | Buffer) => judgeTracking('f', Buffer.from(text)).map(({ code }) => code);
  expect(judge('')).toEqual([]);
  expect(judge('a\n\nb c\nü\n')).toEqual([]);
  expect(judge('a')).toEqual(['tracking-torn']);
  expect(judge('/etc\n')).toEqual(['tracking-line-invalid']);
  expect(judge(Buffer.from([0xff, 0x0a]))).toEqual(['tracking-line-invalid']);
});

test('records: JSON objects of the version that we write', () => {
  const judge = (text: string) =>
    judgeRecord('f', text, { version: 2, code: 'cache-unreadable' }).map(({ code }) => code);
  expect(judge('{"version":2}')).toEqual([]);
  expect(judge('{"version":3}')).toEqual(['version-unknown']);
  expect(judge('{"version":"2"}')).toEqual(['cache-unreadable']);
  expect(judge('[]')).toEqual(['cache-unreadable']);
  expect(judge('')).toEqual(['cache-unreadable']);
});

test('ledgers: the first line that is wrong, and how many more', () => {
  const isSound = ({ ok }: Record<string, unknown>) => ok === true;
  expect(judgeLedger('f', '', isSound)).toEqual([]);
  expect(judgeLedger('f', '\n{"ok":true}\n', isSound)).toEqual([]);
  expect(judgeLedger('f', '{"ok":true}\nx\n{}\n7', isSound)).toEqual([
    { code: 'ledger-line-invalid', where: 'f', detail: 'line 2, and 2 more' },
  ]);
});

test('steps: what a commit says in its header and its trailers', () => {
  const commit = `tree ${'a'.repeat(40)}\nparent ${'b'.repeat(40)}\nauthor A <a> 1 +0000\n\nSubject\n\n`;
  expect(
    parseStep(`${commit}Entire-Metadata: m\nEntire-Session: s\nEntire-Strategy: manual-commit\n`),
  ).toEqual({
    tree: 'a'.repeat(40),
    parents: ['b'.repeat(40)],
    sessions: ['s'],
    folder: 'm',
  });
  expect(parseStep(`${commit}Entire-Metadata:\nEntire-Session: s\n`).folder).toBe('');
  expect(parseStep(`${commit}Entire-Metadata-Task: m/tasks/t\nEntire-Session: s\n`).folder).toBe('m/tasks/t');
  expect(parseStep('no commit')).toEqual({ tree: '', parents: [], sessions: [], folder: undefined });
});
