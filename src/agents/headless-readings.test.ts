import { describe, expect, test } from 'vitest';
import { readTurn } from '../../integration/support/headless-signs.ts';
import type { HeadlessRequest, HeadlessSign } from './headless.ts';
import { HEADLESS } from './headless-agents.ts';
import type { AgentName } from './names.ts';

/** A turn as people can read it: one line for each sign, calls of tools numbered. */
function render(signs: readonly HeadlessSign[]): string {
  const numbers = new Map<string, number>();
  const numberOf = (id: string) => numbers.get(id) ?? numbers.set(id, numbers.size + 1).get(id);
  const lines = signs.map((sign): string => {
    if (sign.type === 'tool_use')
      return `call ${numberOf(sign.id)}: ${sign.name} ${JSON.stringify(sign.input)}`;
    if (sign.type === 'tool_result')
      return `result ${numberOf(sign.tool_use_id)}${sign.is_error ? ' (failed)' : ''}: ${JSON.stringify(sign.content)}`;
    if (sign.type === 'usage') return `usage: ${Object.values(sign.usage).join(' ')}`;
    if (sign.type === 'session') return `session: ${sign.sessionId.length} characters`;
    const { type, ...fields } = sign;
    return `${type}: ${Object.keys(fields).length === 1 ? JSON.stringify(Object.values(fields)[0]) : JSON.stringify(fields)}`;
  });
  // An agent may tell its usage after each step: the last one counts.
  const last = lines.findLastIndex((line) => line.startsWith('usage'));
  return lines.filter((line, at) => !line.startsWith('usage') || at === last).join('\n');
}

const reading = (agent: AgentName, name: string) => `\n${render(readTurn(agent, name))}\n`;

test('Gemini CLI', () => {
  expect(reading('gemini', 'turn')).toMatchInlineSnapshot(`
    "
    session: 36 characters
    call 1: write_file {"file_path":"/repo/a.txt","content":"a\\n"}
    result 1: ""
    call 2: replace {"file_path":"/repo/old.txt","old_string":"two","new_string":"TWO","instruction":"Change it"}
    result 2: ""
    call 3: read_file {"file_path":"/repo/nope.txt"}
    result 3 (failed): "File not found: /repo/nope.txt"
    call 4: run_shell_command {"command":"echo hi; exit 3","description":"Run it"}
    result 4: "hi"
    text: "All of A. Done."
    usage: 325 113 0 10240
    end: {}
    "
  `);
  expect(reading('gemini', 'resumed')).toMatchInlineSnapshot(`
    "
    session: 36 characters
    text: "All of B."
    usage: 91 5 0 5120
    end: {}
    "
  `);
});

test('Codex', () => {
  expect(reading('codex', 'turn')).toMatchInlineSnapshot(`
    "
    session: 36 characters
    notice: "\`--dangerously-bypass-hook-trust\` is enabled. Enabled hooks may run without review for this invocation."
    notice: "\`--dangerously-bypass-hook-trust\` is enabled. Enabled hooks may run without review for this invocation."
    call 1: file_change {"changes":[{"path":"/repo/a.txt","kind":"add"}]}
    result 1: ""
    call 2: file_change {"changes":[{"path":"/repo/old.txt","kind":"update"}]}
    result 2: ""
    call 3: command_execution {"command":"/bin/bash -lc 'echo hi; exit 3'"}
    result 3 (failed): "hi\\n"
    text: "All of A. Done."
    usage: 252 72 0 12288
    end: {}
    "
  `);
  // The sum of the session: what came before is taken off where it is known.
  expect(reading('codex', 'resumed')).toMatchInlineSnapshot(`
    "
    session: 36 characters
    notice: "\`--dangerously-bypass-hook-trust\` is enabled. Enabled hooks may run without review for this invocation."
    notice: "\`--dangerously-bypass-hook-trust\` is enabled. Enabled hooks may run without review for this invocation."
    text: "All of B."
    usage: 339 77 0 17920
    end: {}
    "
  `);
});

test('OpenCode', () => {
  expect(reading('opencode', 'turn')).toMatchInlineSnapshot(`
    "
    session: 30 characters
    call 1: write {"filePath":"/repo/a.txt","content":"a\\n"}
    result 1: "Wrote file successfully."
    call 2: read {"filePath":"/repo/old.txt"}
    result 2: "<path>/repo/old.txt</path>\\n<type>file</type>\\n<content>\\n1: one\\n2: two\\n\\n(End of file - total 2 lines)\\n</content>"
    call 3: edit {"filePath":"/repo/old.txt","oldString":"two","newString":"TWO"}
    result 3: "Edit applied successfully."
    call 4: read {"filePath":"/repo/nope.txt"}
    result 4 (failed): "File not found: /repo/nope.txt"
    call 5: bash {"command":"echo hi; exit 3","description":"Run it"}
    result 5: "hi\\n"
    text: "All of A. Done."
    usage: 241 118 0 18432
    end: {}
    "
  `);
  expect(reading('opencode', 'resumed')).toMatchInlineSnapshot(`
    "
    session: 30 characters
    text: "All of B."
    usage: 9 5 0 6656
    end: {}
    "
  `);
});

test('Qwen Code', () => {
  expect(reading('qwen-code', 'turn')).toMatchInlineSnapshot(`
    "
    session: 36 characters
    call 1: write_file {"file_path":"/repo/a.txt","content":"a\\n"}
    result 1: "Successfully created and wrote to new file: /repo/a.txt."
    call 2: read_file {"file_path":"/repo/old.txt"}
    result 2: "one\\ntwo\\n"
    call 3: edit {"file_path":"/repo/old.txt","old_string":"two","new_string":"TWO"}
    result 3: "The file: /repo/old.txt has been updated. Showing lines 1-3 of 3 from the edited file:\\n\\n---\\n\\none\\nTWO\\n"
    call 4: read_file {"file_path":"/repo/nope.txt"}
    result 4 (failed): "File not found: /repo/nope.txt"
    call 5: run_shell_command {"command":"echo hi; exit 3","description":"Run it","is_background":false}
    result 5 (failed): "Command: echo hi; exit 3\\nDirectory: (root)\\nOutput: hi\\nError: (none)\\nExit Code: 3\\nSignal: (none)\\nProcess Group PGID: 29372"
    text: "All of A. Done."
    usage: 177 131 0 18432
    session: 36 characters
    end: {}
    "
  `);
  expect(reading('qwen-code', 'resumed')).toMatchInlineSnapshot(`
    "
    session: 36 characters
    text: "All of B."
    usage: 9 5 0 6656
    session: 36 characters
    end: {}
    "
  `);
});

test('Pi', () => {
  expect(reading('pi', 'turn')).toMatchInlineSnapshot(`
    "
    session: 36 characters
    call 1: write {"path":"a.txt","content":"a\\n"}
    result 1: "Successfully wrote 2 bytes to a.txt"
    call 2: edit {"path":"old.txt","edits":[{"oldText":"two","newText":"TWO"}]}
    result 2: "Successfully replaced 1 block(s) in old.txt."
    call 3: read {"path":"/repo/nope.txt"}
    result 3 (failed): "ENOENT: no such file or directory, access '/repo/nope.txt'"
    call 4: bash {"command":"echo hi; exit 3"}
    result 4 (failed): "hi\\n\\n\\nCommand exited with code 3"
    text: "All of A. Done."
    usage: 186 77 0 12800
    end: {}
    "
  `);
  expect(reading('pi', 'steered')).toMatchInlineSnapshot(`
    "
    session: 36 characters
    call 1: bash {"command":"bash -c 'for i in 1 2 3; do sleep 1; done'"}
    result 1: "(no output)"
    steered: "TUESDAY instead"
    text: "All of B."
    usage: 75 25 0 2560
    end: {}
    "
  `);
  expect(reading('pi', 'cancelled')).toMatchInlineSnapshot(`
    "
    session: 36 characters
    call 1: bash {"command":"bash -c 'for i in 1 2 3; do sleep 1; done'"}
    result 1 (failed): "Command aborted"
    usage: 41 20 0 512
    end: {}
    "
  `);
});

test('Factory AI Droid', () => {
  expect(reading('factoryai-droid', 'turn')).toMatchInlineSnapshot(`
    "
    session: 36 characters
    call 1: Create {"file_path":"/repo/a.txt","content":"a\\n"}
    result 1: "{\\"success\\":true,\\"file_path\\":\\"/repo/a.txt\\"}"
    call 2: Read {"file_path":"/repo/old.txt"}
    result 2: "one\\ntwo"
    call 3: Edit {"file_path":"/repo/old.txt","old_str":"two","new_str":"TWO"}
    result 3: "{\\"success\\":true,\\"file_path\\":\\"/repo/old.txt\\",\\"diffLines\\":[{\\"type\\":\\"unchanged\\",\\"content\\":\\"one\\",\\"lineNumber\\":{\\"old\\":1,\\"new\\":1}},{\\"type\\":\\"removed\\",\\"content\\":\\"two\\",\\"lineNumber\\":{\\"old\\":2}},{\\"type\\":\\"added\\",\\"content\\":\\"TWO\\",\\"lineNumber\\":{\\"new\\":2}}],\\"linesAdded\\":1,\\"linesRemoved\\":1}"
    call 4: Read {"file_path":"/repo/nope.txt"}
    result 4 (failed): "Error: Failed to read file"
    call 5: Execute {"command":"echo hi; exit 3","summary":"Run it","riskLevel":"medium","riskLevelReason":"Local"}
    result 5 (failed): "Error: Command failed (exit code: 3)\\nhi\\n\\n\\n[Process exited with code 3]"
    text: "All of A. Done."
    usage: 360 136 3584 18944
    end: {}
    "
  `);
  expect(reading('factoryai-droid', 'steered')).toMatchInlineSnapshot(`
    "
    session: 36 characters
    call 1: Execute {"command":"bash -c 'for i in 1 2 3; do sleep 1; done'","summary":"Run it","riskLevel":"medium","riskLevelReason":"Local"}
    result 1: "Command completed successfully\\n\\n[Process exited with code 0]"
    steered: "TUESDAY instead"
    text: "All of B."
    usage: 205 49 1536 3072
    end: {}
    "
  `);
  expect(reading('factoryai-droid', 'cancelled')).toMatchInlineSnapshot(`
    "
    session: 36 characters
    call 1: Execute {"command":"bash -c 'for i in 1 2 3; do sleep 1; done'","summary":"Run it","riskLevel":"medium","riskLevelReason":"Local"}
    result 1 (failed): "Error: Tool execution cancelled by user"
    usage: 142 44 1024 512
    end: {}
    "
  `);
});

test('Copilot CLI', () => {
  expect(reading('copilot-cli', 'turn')).toMatchInlineSnapshot(`
    "
    call 1: create {"path":"/repo/a.txt","file_text":"a\\n"}
    result 1: "Created file /repo/a.txt with 2 characters"
    call 2: edit {"path":"/repo/old.txt","old_str":"two","new_str":"TWO"}
    result 2: "File /repo/old.txt updated with changes."
    call 3: view {"path":"/repo/nope.txt"}
    result 3 (failed): "Path does not exist"
    call 4: bash {"command":"echo hi; exit 3","description":"Run it"}
    result 4: "hi\\n<shellId: 0 completed with exit code 3>"
    text: "All of A. Done."
    session: 36 characters
    end: {}
    "
  `);
});

const request: HeadlessRequest = {
  prompt: 'hi',
  resume: undefined,
  system: 'Be "kind"\nand brief',
  words: ['--some', 'word'],
  cwd: '/repo',
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
    droid exec --input-format stream-jsonrpc --output-format stream-jsonrpc --append-system-prompt=Be "kind"
    and brief --some word
    droid exec --input-format stream-jsonrpc --output-format stream-jsonrpc --append-system-prompt=Be "kind"
    and brief --some word
    qwen --output-format stream-json --include-partial-messages --append-system-prompt=Be "kind"
    and brief --some word
    qwen --output-format stream-json --include-partial-messages --resume=the-id --append-system-prompt=Be "kind"
    and brief --some word
    pi --mode rpc --append-system-prompt Be "kind"
    and brief --some word
    pi --mode rpc --session the-id --append-system-prompt Be "kind"
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
