import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readMessages } from './conversation.ts';

const captured = (name: string) =>
  readFileSync(
    join(import.meta.dirname, `../../../integration/fixtures/claude-code/transcripts/${name}.jsonl`),
    'utf8',
  );
const lines = (...rows: readonly object[]) => rows.map((row) => `${JSON.stringify(row)}\n`).join('');
const row = (uuid: string, parentUuid: string | null, type: string, content: unknown, more: object = {}) => ({
  ...{ uuid, parentUuid, type, isSidechain: false, timestamp: '2026-11-23T08:00:00.500Z' },
  message: { role: type, content, ...(type === 'assistant' ? { id: `msg_${uuid}`, model: 'claude-x' } : {}) },
  ...more,
});
const use = (id: string) => ({ type: 'tool_use', id, name: 'Read', input: { file_path: `/repo/${id}` } });
const result = (id: string, content: unknown = id) => ({ type: 'tool_result', tool_use_id: id, content });
const time = { timestamp: 1795420800.5 };
const says = (content: unknown) => expect.objectContaining({ role: 'assistant', content });
const told = (text: string) => ({ role: 'user', content: text, ...time });

describe('a captured session', () => {
  test('with tools: each call once, with its whole input, and what came back', () => {
    const messages = readMessages(captured('tools'));
    expect(messages.slice(0, 3)).toEqual([
      { role: 'user', content: 'ALL-TOOLS go', timestamp: 1795259080.363 },
      {
        role: 'assistant',
        content: [
          { type: 'text', text: 'Writing files.' },
          {
            type: 'tool_use',
            id: 'toolu_019e3162a99e62c1125f220c5b',
            name: 'Write',
            input: { file_path: '/repo/a.txt', content: 'one\ntwo\nthree\n' },
          },
          expect.objectContaining({ id: 'toolu_01f44dde71c544db14a46dd6ab', name: 'Write' }),
        ],
        timestamp: 1795259080.607,
        model: 'claude-opus-5-5',
        usage: { input_tokens: 100, output_tokens: 20, cache_creation_tokens: 0, cache_read_tokens: 0 },
      },
      {
        role: 'user',
        content: [
          expect.objectContaining({ tool_use_id: 'toolu_019e3162a99e62c1125f220c5b' }),
          expect.objectContaining({ tool_use_id: 'toolu_01f44dde71c544db14a46dd6ab' }),
        ],
        timestamp: 1795259081.092,
      },
    ]);
    const failed = messages.flatMap(({ content }) => (typeof content === 'string' ? [] : content));
    expect(failed.filter(({ is_error }) => is_error).map(({ content }) => content)).toEqual([
      '<tool_use_error>Error: No such tool available: MultiEdit</tool_use_error>',
      expect.stringContaining('TodoWrite'),
      expect.stringContaining('TaskCreate'),
      'Exit code 3',
      expect.stringContaining('String to replace not found'),
    ]);
  });

  test('that was compacted and resumed: what went before is there, and the summary is marked', () => {
    const messages = readMessages(captured('resume-compact-clear'));
    expect(
      messages.map(({ role, content }) => (typeof content === 'string' ? content.slice(0, 14) : role)),
    ).toEqual([
      ...['LIFE-1 go', 'assistant', 'user', 'Wrote one.txt.'],
      ...['LIFE-2 go', 'assistant', 'user', 'Wrote two.txt.'],
      ...['LIFE-3 go', 'assistant', 'user', 'Wrote three.tx'],
      ...['This session i', 'LIFE-TEXT agai', 'Only text, no '],
    ]);
    expect(messages.map(({ compacted }) => compacted).lastIndexOf(true)).toBe(12);
  });

  test('that was steered, stopped, and refused by the model', () => {
    const messages = readMessages(captured('steered-cancelled-failed'));
    expect(messages[3]).toEqual({
      ...{ role: 'user', content: 'and greet me, too', timestamp: 1795421717.664, steered: true },
    });
    expect(messages.filter(({ stopped }) => stopped)).toEqual([
      { role: 'assistant', content: '', timestamp: 1795421721.492, stopped: 'cancelled' },
      {
        role: 'assistant',
        content: 'API Error: 400 out of order',
        timestamp: 1795421722.146,
        stopped: 'failed',
      },
    ]);
  });

  test('with sub-agents: what they did stays with them', () => {
    const names = (name: string) =>
      readMessages(captured(name)).flatMap(({ content }) =>
        typeof content === 'string' ? content : content.map((block) => block.name ?? block.type),
      );
    expect(names('subagent-main')).toEqual([
      ...['SUBAGENT-MAIN go', 'text', 'Agent', 'tool_result', 'Write', 'tool_result'],
      'The subagent and I are done.',
    ]);
    expect(names('subagent-main--agent-a7d87b8247861f00b')[0]).toContain('SUB');
    expect(names('subagent-background').slice(-2)).toEqual(['Started it.', 'Done.']);
  });
});

describe('the branch that a session is on', () => {
  const first = [
    row('a', null, 'user', 'first'),
    row('b', 'a', 'assistant', [{ type: 'text', text: 'one' }]),
  ];

  test('what somebody went back before is left out', () => {
    const text = lines(
      ...first,
      row('c', 'b', 'user', 'second'),
      row('d', 'c', 'assistant', [{ type: 'text', text: 'two' }]),
      row('e', 'b', 'user', 'another second'),
    );
    expect(readMessages(text)).toEqual([told('first'), says('one'), told('another second')]);
    expect(readMessages(lines(...first, row('x', null, 'user', 'anew')))).toEqual([told('anew')]);
  });

  test('results of calls at once are of it, whichever of them is followed', () => {
    const answer = { message: { id: 'm', content: [use('t1')] } };
    const more = { message: { id: 'm', content: [use('t2')] } };
    const calls = [row('a', null, 'user', 'go'), row('b', 'a', 'assistant', [], answer)];
    const text = lines(
      ...[...calls, row('c', 'b', 'assistant', [], more)],
      row('r2', 'c', 'user', [result('t2')]),
      row('r1', 'b', 'user', [result('t1')]),
      row('d', 'r1', 'assistant', [{ type: 'text', text: 'done' }]),
    );
    const [, calling, returned, done] = readMessages(text);
    expect(calling).toMatchObject({ content: [{ id: 't1' }, { id: 't2' }] });
    expect(returned).toMatchObject({ content: [{ tool_use_id: 't2' }, { tool_use_id: 't1' }] });
    expect(done).toEqual(says('done'));
  });

  test('rows of sub-agents in the same file are none of it; a file with nothing else is theirs', () => {
    const aside = row('s', null, 'user', 'a task', { isSidechain: true });
    expect(readMessages(lines(first[0] as object, aside, first[1] as object))).toEqual([
      told('first'),
      says('one'),
    ]);
    expect(readMessages(lines(aside))).toEqual([told('a task')]);
  });

  test('of lines that nobody can read the missing row may be one', () => {
    const text = `${lines(...first)}{"broken\n${lines(row('e', 'd', 'user', 'later'))}`;
    expect(readMessages(text)).toEqual([told('first'), says('one'), told('later')]);
  });
});

describe('blocks', () => {
  const image = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AAEC' } };

  test('thoughts, and pictures of the user and of tools', () => {
    const text = lines(
      row('a', null, 'user', [{ type: 'text', text: 'look' }, image]),
      row('b', 'a', 'assistant', [{ type: 'thinking', thinking: 'hm', signature: 's' }, use('t1')]),
      row('c', 'b', 'user', [result('t1', [{ type: 'text', text: 'a picture' }, image])]),
    );
    const picture = { type: 'image', media_type: 'image/png', bytes: 3, data: 'AAEC' };
    expect(readMessages(text).map(({ content }) => content)).toEqual([
      [{ type: 'text', text: 'look' }, picture],
      [{ type: 'thinking', text: 'hm' }, expect.objectContaining({ type: 'tool_use' })],
      [
        { type: 'tool_result', tool_use_id: 't1', content: 'a picture' },
        { ...picture, tool_use_id: 't1' },
      ],
    ]);
  });

  test('a row that is written twice is one', () => {
    const twice = row('b', 'a', 'assistant', [{ type: 'text', text: 'one' }]);
    expect(readMessages(lines(row('a', null, 'user', 'go'), twice, twice))).toHaveLength(2);
  });

  test('what other programs say in the queue is nobody’s prompt', () => {
    const queued = (origin: unknown, more: object = {}) => ({
      ...{ uuid: 'q', parentUuid: 'a', type: 'attachment', timestamp: '2026-11-23T08:00:00.500Z' },
      attachment: { type: 'queued_command', prompt: 'and this', ...(origin ? { origin } : {}), ...more },
    });
    const heard = (attachment: object) =>
      readMessages(lines(row('a', null, 'user', 'go'), attachment)).slice(1);
    expect(heard(queued({ kind: 'human' }))).toEqual([{ ...told('and this'), steered: true }]);
    expect(heard(queued({ kind: 'task-notification' }))).toEqual([]);
    expect(heard(queued(undefined, { isMeta: true }))).toEqual([]);
  });
});
