import { expect, test } from 'vitest';
import { readTurn } from '../../../../integration/support/agent/headless-signs.ts';
import type { AgentName } from '../../names.ts';
import type { HeadlessSign } from './headless.ts';

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
