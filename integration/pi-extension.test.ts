/** Our extension for Pi, in a process that plays Pi: what it tells `entire`, and that it bothers nobody. */
import { execFileSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { test as base, expect } from 'vitest';
import { EXTENSION } from '../src/agents/pi/extension.ts';

/** Events as Pi would raise them, each of its own kind with what it tells; handlers are awaited unless `isAwaited` is false. */
interface Event extends Readonly<Record<string, unknown>> {
  readonly type: string;
  readonly isAwaited?: boolean;
}

/** Loads the extension, raises the events, and prints what escaped from it. */
const PLAYER = `
import entire from './index.mjs';
import { readFileSync } from 'node:fs';
const handlers = new Map();
const escaped = [];
process.on('uncaughtException', (error) => escaped.push(String(error)));
entire({ on: (event, handler) => handlers.set(event, handler) });
const sessionManager = { getSessionId: () => 's1', getSessionFile: () => '/sessions/s1.jsonl' };
const ctx = { cwd: process.cwd(), sessionManager };
for (const { isAwaited, ...event } of JSON.parse(readFileSync(0, 'utf8'))) {
  const handled = handlers.get(event.type)?.(event, ctx)?.then(
    (value) => value !== undefined && escaped.push('a value'),
    (error) => escaped.push(String(error)),
  );
  if (isAwaited !== false) await handled;
}
console.log(JSON.stringify({ events: [...handlers.keys()], escaped }));
`;

class Stage {
  readonly dir = realpathSync(mkdtempSync(join(tmpdir(), 'entire-pi-')));
  private readonly log = join(this.dir, 'log');

  constructor() {
    for (const dir of ['bin', 'repo']) mkdirSync(join(this.dir, dir));
    writeFileSync(join(this.dir, 'index.mjs'), EXTENSION);
    writeFileSync(join(this.dir, 'player.mjs'), PLAYER);
  }

  /** Puts a program on PATH that is called as `entire` is. */
  program(...lines: readonly string[]): void {
    writeFileSync(join(this.dir, 'bin/entire'), ['#!/bin/sh', ...lines, ''].join('\n'), { mode: 0o755 });
  }

  /** A program that writes down how it is called, and with what. */
  recorder(): void {
    this.program(`printf '%s %s\\n' "$*" "$(cat)" >> '${this.log}'`);
  }

  play(events: readonly Event[], env: NodeJS.ProcessEnv = {}): { events: string[]; escaped: string[] } {
    const out = execFileSync(process.execPath, [join(this.dir, 'player.mjs')], {
      cwd: join(this.dir, 'repo'),
      env: { PATH: [join(this.dir, 'bin'), '/usr/bin', '/bin'].join(delimiter), HOME: this.dir, ...env },
      input: JSON.stringify(events),
      timeout: 30_000,
    });
    return JSON.parse(out.toString()) as { events: string[]; escaped: string[] };
  }

  /** Verb and payload of every call. */
  calls(): Array<[string, Record<string, unknown>]> {
    if (!existsSync(this.log)) return [];
    const lines = readFileSync(this.log, 'utf8').trim().split('\n');
    return lines.map((line) => {
      const [, verb = '', payload = ''] = /^hooks pi (\S+) (.*)$/.exec(line) ?? [];
      return [verb, JSON.parse(payload) as Record<string, unknown>];
    });
  }
}

const test = base.extend<{ stage: Stage }>({
  // biome-ignore lint/correctness/noEmptyPattern: vitest reads the pattern to learn what a fixture depends on
  stage: async ({}, use) => {
    const stage = new Stage();
    await use(stage);
    rmSync(stage.dir, { recursive: true, force: true });
  },
});

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

test('a session goes on when Pi loads its extensions anew, and when it is compacted', ({ stage }) => {
  stage.recorder();
  stage.play([
    { type: 'session_shutdown', reason: 'reload' },
    { type: 'session_start', reason: 'reload' },
    { type: 'session_compact' },
  ]);
  expect(stage.calls().map(([verb]) => verb)).toEqual(['session_compact']);
});

const call = (
  type: string,
  toolCallId: string,
  toolName: string,
  input: object,
  more: object = {},
): Event => ({
  ...{ type, toolCallId, toolName, input },
  ...more,
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
    call('tool_result', 'c3', 'read', { path: 'a' }),
    call('tool_result', 'c4', 'write', {}),
  ]);
  expect(stage.calls().map(([verb, { tool_call_id }]) => [verb, tool_call_id])).toEqual([
    ['post-shell', 'c1'],
  ]);
});

test('ENTIRE=0, and a Pi that runs within another one, tell nothing', ({ stage }) => {
  stage.recorder();
  for (const env of [{ ENTIRE: '0' }, { ENTIRE_PI_NESTED: '1' }])
    expect(stage.play(SESSION, env)).toEqual({ events: [], escaped: [] });
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
  ];
  expect(stage.play(odd).escaped).toEqual([]);
});
