import { describe, expect, test } from 'vitest';
import { readMessages } from './conversation.ts';

const rows = (...values: readonly object[]) =>
  values
    .map((value, at) => ({ timestamp: `2026-11-23T08:00:${String(at).padStart(2, '0')}.000Z`, ...value }))
    .map((value) => `${JSON.stringify(value)}\n`)
    .join('');
const event = (type: string, more: object = {}) => ({ type: 'event_msg', payload: { type, ...more } });
const item = (type: string, more: object = {}) => ({ type: 'response_item', payload: { type, ...more } });
const typed = (message: string) => event('user_message', { message });
const said = (text: string) =>
  item('message', { role: 'assistant', content: [{ type: 'output_text', text }] });
const call = (call_id: string, cmd = 'ls') =>
  item('function_call', { call_id, name: 'exec_command', arguments: JSON.stringify({ cmd }) });
const output = (call_id: string, text: unknown) => item('function_call_output', { call_id, output: text });
const texts = (text: string) =>
  readMessages(text).map(({ content }) =>
    typeof content === 'string' ? content : content.map(({ type }) => type),
  );

describe('what a turn came to', () => {
  test('turns that were rolled back are gone, with what was said into them', () => {
    const text = rows(
      ...[event('task_started'), typed('one'), said('First.'), event('task_complete')],
      ...[event('task_started'), typed('two'), typed('and faster'), said('Second.'), event('task_complete')],
      ...[event('thread_rolled_back', { num_turns: 1 }), typed('three')],
    );
    expect(texts(text)).toEqual(['one', 'First.', 'three']);
    expect(texts(rows(typed('one'), event('thread_rolled_back', { num_turns: 9 })))).toEqual([]);
    expect(texts(rows(typed('one'), event('thread_rolled_back', { num_turns: 'x' })))).toEqual(['one']);
  });

  test('what is said into a running turn steers it; without word of turns nothing does', () => {
    const turn = [event('task_started'), typed('one'), typed('two'), event('task_complete'), typed('three')];
    expect(readMessages(rows(...turn)).map(({ steered }) => steered)).toEqual([undefined, true, undefined]);
    expect(readMessages(rows(typed('one'), typed('two'))).some(({ steered }) => steered)).toBe(false);
  });

  test('one that was interrupted, and one that failed', () => {
    const text = rows(
      ...[typed('one'), call('c1'), event('turn_aborted', { reason: 'interrupted' })],
      ...[typed('two'), event('error', { message: 'no quota' })],
    );
    expect(readMessages(text).map(({ role, stopped }) => [role, stopped])).toEqual([
      ...[
        ['user', undefined],
        ['assistant', 'cancelled'],
      ],
      ...[
        ['user', undefined],
        ['assistant', 'failed'],
      ],
    ]);
  });

  test('a summary that took the place of what went before', () => {
    const messages = readMessages(
      rows(typed('one'), { type: 'compacted', payload: { message: 'Done so far.' } }),
    );
    expect(messages[1]).toMatchObject({ role: 'user', content: 'Done so far.', compacted: true });
  });
});

describe('calls of tools', () => {
  const resultOf = (text: unknown, ...notes: readonly object[]) => {
    const block = readMessages(rows(typed('go'), call('c1'), ...notes, output('c1', text))).at(-1)?.content;
    return Array.isArray(block) ? block : [];
  };

  test('their members, free text, and what came back', () => {
    const patch = item('custom_tool_call', { call_id: 'c2', name: 'apply_patch', input: '*** Begin Patch' });
    const shell = item('local_shell_call', { call_id: 'c3', action: { command: ['ls'] } });
    const search = item('web_search_call', { id: 'ws', action: { type: 'search', query: 'x' } });
    const [, message] = readMessages(rows(typed('go'), call('c1'), patch, shell, search));
    expect(message?.content).toEqual([
      { type: 'tool_use', id: 'c1', name: 'exec_command', input: { cmd: 'ls' } },
      { type: 'tool_use', id: 'c2', name: 'apply_patch', input: { input: '*** Begin Patch' } },
      { type: 'tool_use', id: 'c3', name: 'shell', input: { command: ['ls'] } },
      { type: 'tool_use', id: 'ws', name: 'web_search', input: { type: 'search', query: 'x' } },
    ]);
  });

  test.each([
    ['Exit code: 1\nWall time: 0 seconds\nOutput:\n', true],
    ['Exit code: 0\nWall time: 0 seconds\nOutput:\nExit code: 1', false],
    ['Chunk ID: 0e1870\nWall time: 0.0000 seconds\nProcess exited with code 2\nOutput:\n', true],
    ['{"output":"","metadata":{"exit_code":127,"duration_seconds":0.1}}', true],
    ['{"output":"","metadata":{"exit_code":0}}', false],
    ['a file that says Exit code: 1', false],
    [{ content: 'no', success: false }, true],
  ])('failed or not, by what came back: %j', (text, failed) => {
    expect(resultOf(text)[0]?.is_error).toBe(failed ? true : undefined);
  });

  test('failed or not, by what the client notes', () => {
    const note = (status: string) =>
      event('item_completed', { item: { type: 'CommandExecution', id: 'c1', status } });
    expect(resultOf('?', note('failed'))[0]).toMatchObject({ is_error: true });
    expect(resultOf('?', note('declined'))[0]).toMatchObject({ is_error: true });
    expect(resultOf('Exit code: 1', note('completed'))[0]?.is_error).toBeUndefined();
    expect(resultOf('?', event('exec_command_end', { call_id: 'c1', exit_code: 1 }))[0]).toMatchObject({
      is_error: true,
    });
  });

  test('pictures that come back, and those of the user', () => {
    const png = 'data:image/png;base64,AAEC';
    const picture = { type: 'image', media_type: 'image/png', bytes: 3, data: 'AAEC' };
    expect(
      resultOf([
        { type: 'input_text', text: 'seen' },
        { type: 'input_image', image_url: png },
      ]),
    ).toEqual([
      { type: 'tool_result', tool_use_id: 'c1', content: 'seen' },
      { ...picture, tool_use_id: 'c1' },
    ]);
    const look = event('user_message', { message: 'look', images: [png], local_images: ['/tmp/a.png'] });
    expect(readMessages(rows(look))[0]?.content).toEqual([
      ...[{ type: 'text', text: 'look' }, picture],
      { type: 'image', media_type: 'image/*', source: '/tmp/a.png' },
    ]);
  });
});

describe('answers', () => {
  test('thoughts, the model, and tokens with the call that they are of', () => {
    const spent = (response_id: string, input_tokens: number) => ({
      ...{ type: 'token_usage_record', ordinal: 1 },
      payload: { response_id, usage: { input_tokens, cached_input_tokens: 5, output_tokens: 2 } },
    });
    const thought = item('reasoning', { summary: [{ type: 'summary_text', text: 'hm' }] });
    const text = rows(
      ...[{ type: 'turn_context', payload: { model: 'gpt-x' } }, typed('go')],
      ...[thought, call('c1'), spent('r1', 15), output('c1', 'ok')],
      ...[said('A.'), spent('r2', 25), said('B.')],
    );
    const answers = readMessages(text).filter(({ role }) => role === 'assistant');
    expect(answers.map(({ model, usage }) => [model, usage?.input_tokens])).toEqual([
      ...[
        ['gpt-x', 10],
        ['gpt-x', 20],
      ],
      ['gpt-x', undefined],
    ]);
    expect(answers[0]?.content).toMatchObject([{ type: 'thinking', text: 'hm' }, { type: 'tool_use' }]);
  });
});
