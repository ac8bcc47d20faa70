import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { forkTranscript, renderDocument } from './document.ts';

const file = join(import.meta.dirname, '../../../integration/fixtures/opencode/transcripts/export.json');
const exported = readFileSync(file, 'utf8');
const document = JSON.parse(exported) as {
  info: { id: string };
  messages: Array<{
    info: { id: string; parentID?: string; sessionID: string };
    parts: Array<{ id: string }>;
  }>;
};
const lines = [{ info: document.info }, ...document.messages]
  .map((line) => `${JSON.stringify(line)}\n`)
  .join('');

test('lines become the document that the client imports', () => {
  expect(JSON.parse(renderDocument(lines) ?? '')).toEqual(document);
  expect(renderDocument(exported)).toBe(exported);
});

test('the last word about the session counts, and messages that were taken back are left out', () => {
  const more = `${JSON.stringify({ info: { ...document.info, title: 'Renamed' } })}\n${JSON.stringify({
    removed: document.messages.slice(1).map(({ info }) => info.id),
  })}\n`;
  expect(JSON.parse(renderDocument(lines + more) ?? '')).toEqual({
    info: { ...document.info, title: 'Renamed' },
    messages: document.messages.slice(0, 1),
  });
});

test('a part that does not say which session it is of becomes none', () => {
  expect(renderDocument(lines.slice(lines.indexOf('\n') + 1))).toBeUndefined();
  expect(renderDocument(`${JSON.stringify({ info: document.info })}\n`)).toBeUndefined();
  expect(renderDocument('nonsense')).toBeUndefined();
});

test('a fork ends with its last message, and shares no id with the session it comes from', () => {
  const last = document.messages[2]?.info.id ?? '';
  const fork = forkTranscript(lines, last, 'ses_fork') ?? '';
  const { info, messages } = JSON.parse(renderDocument(fork) ?? '') as typeof document;
  expect(info).toEqual({ ...document.info, id: 'ses_fork' });
  expect(messages).toHaveLength(3);
  expect(messages.every((message) => message.info.sessionID === 'ses_fork')).toBe(true);
  expect(messages[1]?.info.parentID).toBe(messages[0]?.info.id);
  const ids = (some: typeof document.messages) =>
    some.flatMap((message) => [message.info.id, ...message.parts.map(({ id }) => id)]);
  expect(ids(messages).filter((id) => ids(document.messages).includes(id))).toEqual([]);
  expect(new Set(ids(messages)).size).toBe(ids(messages).length);
  expect(messages.map((message) => message.info.id)).toEqual(
    messages.map((message) => message.info.id).sort(),
  );
  expect(forkTranscript(exported, last, 'ses_fork')).toBe(fork);
  expect(forkTranscript(lines, 'msg_other', 'ses_fork')).toBeUndefined();
  expect(forkTranscript(lines, '', 'ses_fork')).toBeUndefined();
});
