import { describe, expect, test } from 'vitest';
import { HEADLESS } from '../../../../integration/support/agent/loaded.ts';
import type { AgentName } from '../../names.ts';
import type { HeadlessRequest } from './headless.ts';

const request: HeadlessRequest = {
  prompt: 'hi',
  resume: undefined,
  system: 'Be "kind"\nand brief',
  words: ['--some', 'word'],
  cwd: '/repo',
  file: '/tmp/of-this-turn',
};

test('how each of them is begun, and gone on with', () => {
  const commands = Object.entries(HEADLESS).flatMap(([, headless]) =>
    [undefined, 'the-id'].map((resume) => {
      const { program, args } = headless.start({ ...request, resume });
      return [program, ...args].join(' ').replace(/[0-9a-f-]{36}/, '(a new id)');
    }),
  );
  expect(`\n${commands.join('\n')}\n`).toMatchInlineSnapshot(`
    "
    claude --print --verbose --input-format stream-json --output-format stream-json --include-partial-messages --replay-user-messages --append-system-prompt Be "kind"
    and brief --some word
    claude --print --verbose --input-format stream-json --output-format stream-json --include-partial-messages --replay-user-messages --resume the-id --append-system-prompt Be "kind"
    and brief --some word
    codex exec --json --config developer_instructions="Be \\"kind\\"\\nand brief" --some word -
    codex exec --json --config developer_instructions="Be \\"kind\\"\\nand brief" --some word resume the-id -
    gemini --output-format stream-json --some word
    gemini --output-format stream-json --resume=the-id --some word
    opencode run --format json --some word
    opencode run --format json --session=the-id --some word
    copilot --output-format json --stream on --session-id=(a new id) --some word
    copilot --output-format json --stream on --resume=the-id --some word
    qwen --output-format stream-json --include-partial-messages --append-system-prompt=Be "kind"
    and brief --some word
    qwen --output-format stream-json --include-partial-messages --resume=the-id --append-system-prompt=Be "kind"
    and brief --some word
    pi --mode rpc --append-system-prompt /tmp/of-this-turn --some word
    pi --mode rpc --session the-id --append-system-prompt /tmp/of-this-turn --some word
    droid exec --input-format stream-jsonrpc --output-format stream-jsonrpc --append-system-prompt=Be "kind"
    and brief --some word
    droid exec --input-format stream-jsonrpc --output-format stream-jsonrpc --append-system-prompt=Be "kind"
    and brief --some word
    "
  `);
});

test('a system prompt that has no option is told with the first prompt alone', () => {
  for (const agent of ['gemini', 'opencode', 'copilot-cli'] as const) {
    expect(HEADLESS[agent]?.start(request).input).toBe(
      '<instructions>\nBe "kind"\nand brief\n</instructions>\n\nhi',
    );
    expect(HEADLESS[agent]?.start({ ...request, resume: 'the-id' }).input).toBe('hi');
  }
});

test('a system prompt that does not fit into a command is in a file, where there is an option for one', () => {
  const system = `-x\0${'y'.repeat(20_000)}`;
  const placed = (agent: AgentName, about: Partial<HeadlessRequest>) => {
    const { args = [], file } = HEADLESS[agent]?.start({ ...request, words: [], ...about }) ?? {};
    return { args: args.join(' ').includes(request.file), file };
  };
  for (const agent of ['claude-code', 'pi', 'factoryai-droid'] as const)
    for (const resume of [undefined, 'the-id'])
      expect(placed(agent, { system, resume }), agent).toEqual({ args: true, file: system });
  for (const agent of ['claude-code', 'factoryai-droid', 'codex', 'gemini'] as const)
    expect(placed(agent, {}), agent).toEqual({ args: false, file: undefined });
  // A short one, too: Pi takes the name of a file for the file.
  expect(placed('pi', { system: 'README' })).toEqual({ args: true, file: 'README' });
  expect(placed('pi', { system: undefined })).toEqual({ args: false, file: undefined });
});

test('a command of an extension of Pi may be all that comes of a prompt', () => {
  const reader = HEADLESS.pi?.reader(request);
  const read = (value: unknown) => reader?.read(JSON.stringify(value));
  const state = (data: object) => read({ type: 'response', id: 'taken', command: 'get_state', data });
  const [say] = read({ type: 'response', id: 'prompt', command: 'prompt', success: true }) ?? [];
  expect(say && 'text' in say && JSON.parse(say.text)).toEqual({ id: 'taken', type: 'get_state' });
  expect(state({ isStreaming: true })).toEqual([]); // as ever: the model is asked
  expect(state({ isStreaming: false, isCompacting: true })).toEqual([]);
  expect(state({ isStreaming: false, pendingMessageCount: 1 })).toEqual([]);
  expect(state({ isStreaming: false, isCompacting: false, pendingMessageCount: 0 })).toEqual([
    { type: 'end' },
  ]);
  read({ type: 'agent_start' });
  read({ type: 'agent_end' });
  expect(state({ isStreaming: false })).toEqual([]); // the end asks for itself
});

describe('Pi begins something of itself at what may be the end', () => {
  const line = (value: unknown) => JSON.stringify(value);
  const end = line({ type: 'agent_end', messages: [] });
  const rest = line({ type: 'response', id: 'rest', command: 'get_state', success: true, data: {} });
  const play = (...lines: readonly string[]) => {
    const reader = HEADLESS.pi?.reader(request);
    return lines.flatMap((text) => reader?.read(text) ?? []).filter(({ type }) => type === 'end');
  };

  test('it is asked, and nothing follows', () => {
    expect(play(line({ type: 'agent_start' }), end)).toEqual([]);
    expect(play(line({ type: 'agent_start' }), end, rest)).toEqual([{ type: 'end' }]);
  });

  test('it asks the model again', () => {
    const retry = line({ type: 'auto_retry_start', attempt: 1, errorMessage: '529 Overloaded' });
    expect(play(end, retry, rest)).toEqual([]);
    const failed = line({ type: 'message_end', message: { role: 'assistant', stopReason: 'error' } });
    expect(play(failed, end, retry, rest, line({ type: 'agent_start' }), rest)).toEqual([]);
    expect(play(failed, end, retry, rest, line({ type: 'agent_start' }), end, rest)).toEqual([
      { type: 'end' },
    ]);
  });

  test('it gives up asking', () => {
    const message = { role: 'assistant', stopReason: 'error', errorMessage: '529 Overloaded' };
    const failed = line({ type: 'message_end', message });
    const given = line({ type: 'auto_retry_end', success: false, attempt: 3 });
    expect(play(failed, end, given, rest)).toEqual([{ type: 'end', failure: { message: '529 Overloaded' } }]);
  });

  test('it compacts', () => {
    const begun = line({ type: 'compaction_start', reason: 'threshold' });
    const done = (willRetry: boolean) => line({ type: 'compaction_end', reason: 'threshold', willRetry });
    expect(play(end, begun, rest)).toEqual([]);
    expect(play(end, begun, rest, done(false), rest)).toEqual([{ type: 'end' }]);
    expect(play(end, begun, rest, done(true), rest)).toEqual([]);
  });
});

test('what a turn has cost is the sum of its steps, of models that have a price', () => {
  const costs = (agent: AgentName, ...steps: readonly unknown[]) => {
    const reader = HEADLESS[agent]?.reader(request);
    const signs = steps.flatMap((step) => reader?.read(JSON.stringify(step)) ?? []);
    return signs.flatMap((sign) => (sign.type === 'usage' ? [sign.usage.cost_usd] : []));
  };
  const piStep = (total: number) => ({
    type: 'message_end',
    message: { role: 'assistant', usage: { input: 1, output: 1, cost: { input: 0, output: total, total } } },
  });
  expect(costs('pi', piStep(0.25), piStep(0.5))).toEqual([0.25, 0.75]);
  const step = (cost: number) => ({ type: 'step_finish', part: { cost, tokens: { input: 1, output: 1 } } });
  expect(costs('opencode', step(0.25), step(0.5))).toEqual([0.25, 0.75]);
  expect(costs('opencode', step(0))).toEqual([undefined]);
});

test('what an extension or a client asks the person is refused: nobody is there', () => {
  const said = (agent: AgentName, value: unknown) =>
    HEADLESS[agent]
      ?.reader(request)
      .read(JSON.stringify(value))
      .map((sign) => ('text' in sign ? JSON.parse(sign.text) : sign));
  expect(said('pi', { type: 'extension_ui_request', id: 'q', method: 'confirm' })).toEqual([
    { type: 'extension_ui_response', id: 'q', cancelled: true },
  ]);
  expect(said('pi', { type: 'extension_ui_request', id: 'q', method: 'notify' })).toEqual([]);
  const permission = { type: 'request', id: '7', method: 'droid.request_permission', params: {} };
  expect(said('factoryai-droid', permission)).toMatchObject([
    { type: 'response', id: '7', result: { selectedOption: 'cancel' } },
  ]);
});

test('arguments of droid are told to its session, where they count', () => {
  const words = ['-m', 'custom:x', '--auto=medium', '-r', 'high', '--skip-permissions-unsafe'];
  const settings = { modelId: 'custom:x', reasoningEffort: 'high', autonomyLevel: 'medium' };
  const droid = HEADLESS['factoryai-droid'];
  const begun = JSON.parse(droid?.start({ ...request, words }).input ?? '') as object;
  expect(begun).toMatchObject({ params: { ...settings, skipPermissionsUnsafe: true, cwd: '/repo' } });
  const reader = droid?.reader({ ...request, words, resume: 'the-id' });
  const answer = (id: string) => JSON.stringify({ type: 'response', id, result: {} });
  const [, set] = reader?.read(answer('begin')) ?? [];
  expect(set && 'text' in set && JSON.parse(set.text)).toMatchObject({
    method: 'droid.update_session_settings',
    params: settings,
  });
  const [say] = reader?.read(answer('settings')) ?? [];
  expect(say && 'text' in say && JSON.parse(say.text)).toMatchObject({ params: { text: 'hi' } });
});
