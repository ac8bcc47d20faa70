import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { importTranscript } from './document.ts';

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'entire-import-'));
});
afterEach(() => rmSync(root, { recursive: true }));

const file = (id = 'ses_1') => join(root, '.entire', 'tmp', `${id}.jsonl`);
const rows = (id = 'ses_1') =>
  readFileSync(file(id), 'utf8')
    .trimEnd()
    .split('\n')
    .map(
      (line) =>
        JSON.parse(line) as { info?: { id: string; title?: string }; removed?: string[]; parts?: object[] },
    );
const ids = () => rows().map((row) => row.removed ?? row.info?.id);
const answer = (id: string, said: string, completed?: number) => ({
  info: { id, role: 'assistant', time: { created: 1, completed } },
  parts: [{ type: 'text', text: said }],
});
const question = (id: string) => ({ info: { id, role: 'user' }, parts: [] });
const hand = (handed: object, session_id = 'ses_1') =>
  importTranscript(root, { session_id, transcripts: [{ session_id, ...handed }] });
const whole = (messages: object[], more: object = {}) =>
  hand({ complete: true, info: { id: 'ses_1', title: 'T' }, messages, ids: messages.map(idOf), ...more });
const idOf = (message: object) => (message as ReturnType<typeof question>).info.id;

test('a session begins with what it is, and only grows', () => {
  expect(whole([question('u1')])).toBe(file());
  expect(statSync(file()).mode & 0o777).toBe(0o600);
  const before = readFileSync(file(), 'utf8');
  hand({ messages: [answer('a1', 'One.', 2)] });
  expect(readFileSync(file(), 'utf8')).toBe(`${before}${JSON.stringify(answer('a1', 'One.', 2))}\n`);
  expect(ids()).toEqual(['ses_1', 'u1', 'a1']);
});

test('nothing is written for what is there', () => {
  whole([question('u1'), answer('a1', 'One.', 2)]);
  const before = readFileSync(file(), 'utf8');
  expect(whole([question('u1'), answer('a1', 'One.', 2)])).toBe(file());
  expect(hand({ messages: [] })).toBe(file());
  expect(readFileSync(file(), 'utf8')).toBe(before);
});

test('of a whole session what is new is added, and what was finished stays as it was', () => {
  whole([question('u1'), answer('a1', 'Half')]);
  whole([{ ...question('u1'), parts: [{ type: 'text', text: 'changed' }] }, answer('a1', 'Whole', 2)]);
  whole([question('u1'), answer('a1', 'pruned', 2), answer('a2', 'Next.', 3)], {
    info: { id: 'ses_1', title: 'New' },
  });
  expect(rows().map((row) => row.parts ?? row.info?.title)).toEqual([
    'T',
    [],
    [{ type: 'text', text: 'Half' }],
    [{ type: 'text', text: 'Whole' }],
    'New',
    [{ type: 'text', text: 'Next.' }],
  ]);
});

test('messages that the client took back are marked, whoever tells', () => {
  whole([question('u1'), answer('a1', 'One.', 2), answer('a2', 'Two.', 3)]);
  hand({ messages: [], removed: ['a2'] });
  whole([question('u1')]);
  expect(ids()).toEqual(['ses_1', 'u1', 'a1', 'a2', ['a2'], ['a1']]);
  whole([question('u1')]);
  expect(ids()).toHaveLength(6);
});

test('a session in parts: nothing is taken for removed before the last', () => {
  const all = { complete: true };
  hand({ ...all, info: { id: 'ses_1' }, messages: [question('u1')] });
  hand({ ...all, messages: [answer('a1', 'One.', 2)], ids: ['u1', 'a1'] });
  expect(ids()).toEqual(['ses_1', 'u1', 'a1']);
});

test('a file that is gone begins again with what the session is', () => {
  hand({ messages: [answer('a1', 'One.', 2)] });
  expect(ids()).toEqual(['ses_1', 'a1']);
});

test('a line that was cut short by a kill does not spoil the next', () => {
  whole([question('u1')]);
  writeFileSync(file(), '{"info":{"id":"a0","ro', { flag: 'a' });
  hand({ messages: [answer('a1', 'One.', 2)] });
  expect(readFileSync(file(), 'utf8').split('\n')).toContain(JSON.stringify(answer('a1', 'One.', 2)));
});

test('a sub-agent has a file of its own', () => {
  const transcripts = [{ session_id: 'ses_child', complete: true, messages: [question('u9')], ids: ['u9'] }];
  expect(importTranscript(root, { session_id: 'ses_1', transcripts })).toBeUndefined();
  expect(rows('ses_child').map((row) => row.info?.id)).toEqual(['ses_child', 'u9']);
});

test('a payload that hands nothing over says where the session is, and makes nothing', () => {
  expect(importTranscript(root, { session_id: 'ses_1' })).toBeUndefined();
  expect(existsSync(join(root, '.entire'))).toBe(false);
  whole([question('u1')]);
  expect(importTranscript(root, { session_id: 'ses_1' })).toBe(file());
});

test('nothing is written through a link, nor read', () => {
  const elsewhere = join(root, 'elsewhere');
  writeFileSync(elsewhere, 'mine\n');
  mkdirSync(join(root, '.entire', 'tmp'), { recursive: true });
  symlinkSync(elsewhere, file());
  expect(whole([question('u1')])).toBeUndefined();
  expect(readFileSync(elsewhere, 'utf8')).toBe('mine\n');
  rmSync(join(root, '.entire'), { recursive: true });
  mkdirSync(join(root, 'other'));
  symlinkSync(join(root, 'other'), join(root, '.entire'));
  expect(whole([question('u1')])).toBeUndefined();
  expect(existsSync(join(root, 'other', 'tmp', 'ses_1.jsonl'))).toBe(false);
  expect(lstatSync(join(root, '.entire')).isSymbolicLink()).toBe(true);
});

test('what is no message, and ids that lead elsewhere, are passed over', () => {
  const odd = [null, 7, {}, { info: {} }, { info: { id: '' }, parts: [] }, { info: { id: 'x' }, parts: 7 }];
  hand({ messages: [...odd, question('u1')], removed: [7, null], ids: 'x' });
  expect(ids()).toEqual(['ses_1', 'u1']);
  for (const session_id of ['../x', '', 7])
    expect(hand({ session_id, messages: [question('u')] })).toBe(file());
  expect(existsSync(join(root, '.entire', 'x.jsonl'))).toBe(false);
  for (const payload of [null, 'x', [], { transcripts: 7 }, { transcripts: [7] }])
    expect(importTranscript(root, payload)).toBeUndefined();
});
