/** What our extension for Pi does around a compaction; the real client is in `clients/pi/compaction.test.ts`. */
import { join } from 'node:path';
import { expect } from 'vitest';
import { call, type Event, test } from '../support/agent/pi-stage.ts';
import { HANG, progressOf } from '../support/process/hanging.ts';

const SUMMARY = { role: 'compactionSummary', summary: 'What was said.', timestamp: 7 };
const request = (...messages: object[]): Event => ({ type: 'context', messages });
const user = { role: 'user', content: 'Go on.' };
const reply = (text: string) => `[ "$3" = session_compact ] && printf '%s' '${text}'`;

test('what was read is told, and waited for by a compaction only', ({ stage }) => {
  stage.program(
    '[ "$3" = post-file-read ] && sleep 1',
    `printf '%s %s\\n' "$*" "$(cat)" >> '${join(stage.dir, 'log')}'`,
  );
  const read = (id: string, path: string, isError = false) =>
    call('tool_result', id, 'read', { path }, { isError });
  const { escaped } = stage.play([
    read('c1', '@a.txt'),
    read('c2', '@a.txt'),
    read('c3', 'failed.txt', true),
    call('tool_result', 'c4', 'bash', {}),
    { type: 'session_before_compact' },
  ]);
  expect(escaped).toEqual([]);
  const told = stage.calls().map(([verb, { path, tool_name }]) => [verb, tool_name, path]);
  const file = join(stage.dir, 'repo/a.txt');
  expect(told).toEqual([
    ['post-shell', 'bash', undefined],
    ['post-file-read', 'read', file],
    ['post-file-read', 'read', file],
    ['session_before_compact', undefined, undefined],
  ]);
});

test('what entire replies stands behind the summary in each request, and is asked for once', ({ stage }) => {
  stage.recorder(reply('{"additionalContext":"Read: a.txt"}'));
  const later = { ...SUMMARY, timestamp: 8 };
  const { escaped, sent } = stage.play([
    request(user),
    request(SUMMARY, user),
    request(SUMMARY, user, user),
    request(later, user),
  ]);
  expect(escaped).toEqual([]);
  const note = { role: 'custom', customType: 'entire', content: 'Read: a.txt', display: false, timestamp: 7 };
  expect(sent).toEqual([
    [user],
    [SUMMARY, note, user],
    [SUMMARY, note, user, user],
    [later, { ...note, timestamp: 8 }, user],
  ]);
  expect(stage.calls().map(([verb]) => verb)).toEqual(['session_compact', 'session_compact']);
});

test.for(['', 'nonsense', '{"additionalContext":7}', 'null', `"${'x'.repeat(100_000)}`])(
  'the reply %$ adds nothing to a request',
  (text, { stage }) => {
    stage.recorder(reply(text));
    const { escaped, sent } = stage.play([request(SUMMARY, user), request(SUMMARY, user)]);
    expect({ escaped, sent }).toEqual({
      escaped: [],
      sent: [
        [SUMMARY, user],
        [SUMMARY, user],
      ],
    });
    expect(stage.calls()).toHaveLength(1);
  },
);

test('an entire that hangs is waited for once, and not for long', ({ stage }) => {
  stage.program(HANG);
  const { escaped, sent } = stage.play([
    call('tool_result', 'c1', 'read', { path: 'a' }),
    request(SUMMARY, user),
    request(SUMMARY, user),
  ]);
  expect([escaped, sent.flat()]).toEqual([[], [SUMMARY, user, SUMMARY, user]]);
  expect(progressOf(stage.dir)).toBe('begun');
}, 60_000);
