import { describe, expect, test } from 'vitest';
import { type CheckpointId, parseCheckpointId } from '../base/ids.ts';
import { checkpointDir, parseRootSlots, parseSlot, renderRoot, renderSlot } from './metadata-json.ts';

const id = parseCheckpointId('a3b2c4d5e6f7') as CheckpointId;
/** A slot as v0.4.4 writes it. */
const SLOT = `{
  "cli_version": "0.4.4",
  "checkpoint_id": "a3b2c4d5e6f7",
  "session_id": "2f1c0e8a",
  "strategy": "manual-commit",
  "created_at": "2026-02-10T11:05:00.25Z",
  "branch": "feature/login",
  "checkpoints_count": 2,
  "files_touched": [
    "src/auth.ts"
  ],
  "agent": "Claude Code",
  "turn_id": "0a1b2c3d4e5f",
  "transcript_identifier_at_start": "u1",
  "checkpoint_transcript_start": 14,
  "transcript_lines_at_start": 14,
  "token_usage": {
    "input_tokens": 12,
    "cache_creation_tokens": 900,
    "cache_read_tokens": 4000,
    "output_tokens": 350,
    "api_call_count": 3
  },
  "summary": {
    "intent": "a \\u003c b",
    "friction": []
  },
  "initial_attribution": {
    "calculated_at": "2026-02-10T11:05:00.2Z",
    "agent_lines": 5,
    "human_added": 0,
    "human_modified": 2,
    "human_removed": 3,
    "total_committed": 7,
    "agent_percentage": 71.42857142857143
  },
  "transcript_path": ".claude/projects/-home-u-repo/2f1c0e8a.jsonl"
}
`;
const usage = {
  input_tokens: 0,
  cache_creation_tokens: 0,
  cache_read_tokens: 0,
  output_tokens: 0,
  api_call_count: 0,
};
const slot = (more: object) =>
  parseSlot(
    JSON.stringify({
      checkpoint_id: id,
      session_id: 's1',
      strategy: 'manual-commit',
      token_usage: null,
      ...more,
    }),
  );

describe('a slot', () => {
  test('of v0.4.4 comes out byte for byte', () => {
    expect(renderSlot(parseSlot(SLOT))).toBe(SLOT);
  });

  test('with nothing to tell leaves out what the format leaves out', () => {
    expect(JSON.parse(renderSlot(slot({ created_at: 't' })))).toEqual({
      checkpoint_id: id,
      session_id: 's1',
      strategy: 'manual-commit',
      created_at: 't',
      checkpoints_count: 0,
      files_touched: [],
    });
  });

  test('keys nobody knows are kept', () => {
    const value = JSON.parse(renderSlot(slot({ is_task: true, later: { a: [1] } })));
    expect(value).toMatchObject({ is_task: true, later: { a: [1] } });
  });

  test('that of a task says so, and lists no files', () => {
    const task = slot({ is_task: true, tool_use_id: 'toolu_1', turn_id: 't', files_touched: null });
    expect(task).toMatchObject({ isTask: true, toolUseId: 'toolu_1', filesTouched: [] });
    const json = renderSlot(task);
    expect(json).toContain('"files_touched": null,');
    expect(json).toContain('"turn_id": "t",\n  "is_task": true,\n  "tool_use_id": "toolu_1"');
    expect(renderSlot(slot({ files_touched: [] }))).not.toMatch(/is_task|tool_use_id|null/);
  });

  test('the older name of the offset is read where the newer one is zero', () => {
    expect(slot({ transcript_lines_at_start: 9 }).checkpointTranscriptStart).toBe(9);
    expect(
      slot({ checkpoint_transcript_start: 3, transcript_lines_at_start: 9 }).checkpointTranscriptStart,
    ).toBe(3);
  });

  test('usage that is none does not make the slot unreadable', () => {
    expect(slot({ token_usage: 'many' }).tokenUsage).toBeUndefined();
    expect(slot({ files_touched: null }).filesTouched).toEqual([]);
  });

  test('a slot without token usage can be read', () => {
    expect(parseSlot(`{"checkpoint_id":"${id}","session_id":"s1"}`).tokenUsage).toBeUndefined();
  });

  test.each([
    '',
    '{',
    '[]',
    'null',
    '{"session_id":"s1","token_usage":null}',
    '{"checkpoint_id":"A3B2C4D5E6F7","session_id":"s1","token_usage":null}',
    `{"checkpoint_id":"${id}","token_usage":null}`,
    `{"checkpoint_id":"${id}","session_id":"s1","token_usage":null,"files_touched":"a"}`,
  ])('%j is none', (json) => {
    expect(() => parseSlot(json)).toThrow();
  });
});

describe('the root', () => {
  const files = { hasPrompt: true, hasContext: true };

  test('sums over its slots, and says where their files lie', () => {
    const first = slot({
      files_touched: ['b', 'a'],
      checkpoints_count: 2,
      token_usage: { ...usage, input_tokens: 5 },
    });
    const nested = { ...usage, api_call_count: 1, subagent_tokens: { ...usage, input_tokens: 99 } };
    const last = slot({
      files_touched: ['c', 'a'],
      checkpoints_count: 1,
      token_usage: nested,
      branch: 'main',
      cli_version: '1',
    });
    const slots = [
      { metadata: first, files },
      { metadata: last, files: { hasPrompt: false, hasContext: false } },
    ];
    expect(renderRoot(slots, last)).toMatchInlineSnapshot(`
      "{
        "cli_version": "1",
        "checkpoint_id": "a3b2c4d5e6f7",
        "strategy": "manual-commit",
        "branch": "main",
        "checkpoints_count": 3,
        "files_touched": [
          "a",
          "b",
          "c"
        ],
        "sessions": [
          {
            "metadata": "/a3/b2c4d5e6f7/0/metadata.json",
            "transcript": "/a3/b2c4d5e6f7/0/full.jsonl",
            "context": "/a3/b2c4d5e6f7/0/context.md",
            "content_hash": "/a3/b2c4d5e6f7/0/content_hash.txt",
            "prompt": "/a3/b2c4d5e6f7/0/prompt.txt"
          },
          {
            "metadata": "/a3/b2c4d5e6f7/1/metadata.json",
            "transcript": "/a3/b2c4d5e6f7/1/full.jsonl",
            "context": "",
            "content_hash": "/a3/b2c4d5e6f7/1/content_hash.txt",
            "prompt": ""
          }
        ],
        "token_usage": {
          "input_tokens": 5,
          "cache_creation_tokens": 0,
          "cache_read_tokens": 0,
          "output_tokens": 0,
          "api_call_count": 1
        }
      }
      "
    `);
    expect(parseRootSlots(renderRoot(slots, last))).toEqual([files, { hasPrompt: false, hasContext: false }]);
  });

  test('no files are null, no usage is left out', () => {
    const root = JSON.parse(renderRoot([{ metadata: slot({}), files }], slot({})));
    expect(root.files_touched).toBeNull();
    expect(root).not.toHaveProperty('token_usage');
  });

  test.each([undefined, '', '{', 'null', '{"sessions":7}', '{"sessions":[null]}', SLOT])(
    '%j lists no slots',
    (json) => {
      expect(parseRootSlots(json)).toBeUndefined();
    },
  );

  test('missing paths mean missing files', () => {
    expect(parseRootSlots('{"sessions":[{"prompt":"/a/0/prompt.txt"},{}]}')).toEqual([
      { hasPrompt: true, hasContext: false },
      { hasPrompt: false, hasContext: false },
    ]);
  });
});

test('the folder of a checkpoint', () => {
  expect(checkpointDir(id)).toBe('a3/b2c4d5e6f7');
});
