import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { codexTranscript as format } from './transcript.ts';

const folder = join(import.meta.dirname, '../../../integration/fixtures/codex/transcripts');
const basic = readFileSync(join(folder, 'basic.jsonl'), 'utf8');

describe('any bytes', () => {
  const readers = [
    format.readPrompts,
    format.readEntries,
    format.readSummary,
    format.readFilesTouched,
    format.readEdits,
    format.ranShell,
    format.readCalls,
    format.readSubagents,
    format.readTime,
    format.readLastIdentifier,
    format.parseSubagentNote,
    (text: string) => format.findToolResult(text, 'c1'),
    (text: string) => format.holdsMessage(text, 'x'),
    (text: string) => format.fork(text, 'm1', 'x'),
  ];
  const kinds = [
    'message',
    'function_call',
    'function_call_output',
    'custom_tool_call',
    'local_shell_call',
    'item_completed',
    'token_count',
    'FileChange',
    'CollabAgentToolCall',
    'UserMessage',
    'patch_apply_end',
  ];
  const members = [
    'type',
    'id',
    'role',
    'content',
    'name',
    'input',
    'arguments',
    'output',
    'call_id',
    'changes',
    'info',
    'usage',
    'item',
    'receiver_thread_ids',
    'action',
    'status',
  ];

  test('are survived', () => {
    const value = fc.oneof(
      fc.jsonValue({ maxDepth: 2 }),
      fc.constantFrom(...kinds, 'c1', 'm1', 'apply_patch', '{"agent_id":"a"}'),
    );
    const payload = fc.dictionary(fc.constantFrom(...members), value);
    const item = payload.chain((inner) =>
      fc.constantFrom<object>(inner, { type: 'item_completed', item: inner }),
    );
    const row = fc
      .record(
        {
          type: fc.constantFrom('event_msg', 'response_item', 'session_meta', 'token_usage_record', 'x'),
          payload: item,
          timestamp: fc.jsonValue(),
        },
        { requiredKeys: [] },
      )
      .map((one) => JSON.stringify(one));
    const line = fc.oneof(
      row,
      row.map((one) => one.slice(0, one.length / 2)),
      fc.string({ unit: 'binary' }),
    );
    fc.assert(
      fc.property(fc.array(line), (lines) => {
        for (const read of readers) read(lines.join('\n'));
      }),
      { numRuns: 500 },
    );
  });

  test('a rollout that was cut off anywhere is read', () => {
    for (let end = 0; end < basic.length; end += 997) for (const read of readers) read(basic.slice(0, end));
    expect(format.readPrompts(`${basic.slice(0, -40)}`)).toEqual(['write-and-edit please']);
  });
});
