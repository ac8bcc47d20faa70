/** Our extension for Pi, in a process that plays Pi: what it tells `entire`, and that it bothers nobody. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { call, type Event, test } from '../support/agent/pi-stage.ts';

const answer = (text: string) => ({ role: 'assistant', content: [{ type: 'text', text }] });
const SESSION: readonly Event[] = [
  { type: 'session_start', reason: 'startup' },
  { type: 'before_agent_start', prompt: 'Hello' },
  {
    type: 'agent_end',
    isAwaited: false,
    messages: [answer('First.'), { role: 'toolResult' }, answer('Last.')],
  },
  { type: 'session_shutdown', reason: 'quit' },
];

test('a session, one hook after the other, even where Pi does not wait', ({ stage }) => {
  stage.program(
    '[ "$3" = agent_end ] && sleep 0.3',
    `printf '%s %s\\n' "$*" "$(cat)" >> '${join(stage.dir, 'log')}'`,
  );
  expect(stage.play(SESSION).escaped).toEqual([]);
  const all = { session_id: 's1', session_file: '/sessions/s1.jsonl', cwd: join(stage.dir, 'repo') };
  expect(stage.calls()).toEqual([
    ['session_start', { type: 'session_start', ...all, source: 'startup' }],
    ['before_agent_start', { type: 'before_agent_start', ...all, prompt: 'Hello' }],
    ['agent_end', { type: 'agent_end', ...all, last_assistant_message: 'Last.' }],
    ['session_shutdown', { type: 'session_shutdown', ...all, reason: 'quit' }],
  ]);
});

test('a session goes on when Pi loads its extensions anew', ({ stage }) => {
  stage.recorder();
  stage.play([
    { type: 'session_shutdown', reason: 'reload' },
    { type: 'session_start', reason: 'reload' },
  ]);
  expect(stage.calls()).toEqual([]);
});

test('edits, with what the file was, found as Pi finds it', ({ stage }) => {
  stage.recorder();
  const file = (name: string) => join(stage.dir, 'repo', name);
  writeFileSync(file('old.txt'), '\uFEFFone\r\ntwo\n');
  writeFileSync(file('image'), Buffer.from([0xff, 0xfe, 0x00]));
  writeFileSync(file('long'), 'x'.repeat(1024 * 1024 + 1));
  const edits = ['old.txt', '@old.txt', '~/home.txt', 'image', 'long', file('new.txt'), 'repo\u00A0x'];
  const events = edits.flatMap((path, at) => [
    call('tool_call', `c${at}`, 'write', { path }),
    call('tool_result', `c${at}`, 'write', { path }, { isError: false }),
  ]);
  expect(stage.play(events).escaped).toEqual([]);
  const told = stage.calls().map(([verb, { path, before, tool_name }]) => [verb, tool_name, path, before]);
  const text = '\uFEFFone\r\ntwo\n';
  expect(told).toEqual(
    [
      [file('old.txt'), text],
      [file('old.txt'), text],
      [join(stage.dir, 'home.txt'), null],
      [file('image'), undefined],
      [file('long'), undefined],
      [file('new.txt'), null],
      [file('repo x'), null],
    ].map((row) => ['post-file-edit', 'write', ...row]),
  );
});

test('of two edits of one file at once the second does not know what it found', ({ stage }) => {
  stage.recorder();
  writeFileSync(join(stage.dir, 'repo/a'), 'a');
  const input = { path: 'a', edits: [] };
  stage.play([
    call('tool_call', 'c1', 'edit', input),
    call('tool_call', 'c2', 'edit', input),
    call('tool_result', 'c1', 'edit', input),
    call('tool_result', 'c2', 'edit', input),
  ]);
  expect(stage.calls().map(([, { before }]) => before)).toEqual(['a', undefined]);
});

test('commands of the shell are told, failed edits and other tools are not', ({ stage }) => {
  stage.recorder();
  stage.play([
    call('tool_result', 'c1', 'bash', { command: 'false' }, { isError: true }),
    call('tool_result', 'c2', 'edit', { path: 'a' }, { isError: true }),
    call('tool_result', 'c3', 'grep', { path: 'a' }),
    call('tool_result', 'c4', 'write', {}),
  ]);
  expect(stage.calls().map(([verb, { tool_call_id }]) => [verb, tool_call_id])).toEqual([
    ['post-shell', 'c1'],
  ]);
});

test('ENTIRE=0, and a Pi that runs within another one, tell nothing', ({ stage }) => {
  stage.recorder();
  for (const env of [{ ENTIRE: '0' }, { ENTIRE_PI_NESTED: '1' }])
    expect(stage.play(SESSION, env)).toEqual({ events: [], escaped: [], sent: [] });
  expect(stage.calls()).toEqual([]);
});

test('nobody notices an entire that is missing, that fails, or that does not read', ({ stage }) => {
  expect(stage.play(SESSION).escaped).toEqual([]);
  stage.program('echo noise; echo noise >&2; exit 3');
  const long: Event = { type: 'before_agent_start', prompt: 'x'.repeat(1 << 20) };
  expect(stage.play([...SESSION, long]).escaped).toEqual([]);
});

test('events of another shape are survived', ({ stage }) => {
  stage.recorder();
  const odd: Event[] = [
    { type: 'agent_end' },
    { type: 'agent_end', messages: [null] },
    { type: 'agent_end', messages: [{ role: 'assistant', content: 'text' }] },
    { type: 'tool_call' },
    { type: 'tool_result', toolName: 'write' },
    { type: 'session_start' },
    { type: 'tool_result', toolName: 'read' },
    { type: 'context' },
    { type: 'context', messages: [null] },
  ];
  expect(stage.play(odd).escaped).toEqual([]);
});
