import { expect, test } from 'vitest';
import { replaceClock } from '../base/clock.ts';
import { addUsage, applyEvent, parseState, parseTokenUsage, renderState, type TokenUsage } from './state.ts';

/** As v0.4.4 wrote it: every key it knows, HTML escapes, attribution we only pass through. */
const FULL = String.raw`{
  "session_id": "2f1c0e8a-1111-4222-8333-444455556666",
  "cli_version": "0.4.4",
  "base_commit": "9b1d000000000000000000000000000000000000",
  "attribution_base_commit": "8b1d000000000000000000000000000000000000",
  "worktree_path": "/home/u/repo \u0026 co",
  "worktree_id": "side",
  "started_at": "2026-02-10T12:00:00.123456789+01:00",
  "ended_at": "2026-02-10T13:00:00Z",
  "phase": "ended",
  "turn_id": "0a1b2c3d4e5f",
  "turn_checkpoint_ids": [
    "a3b2c4d5e6f7"
  ],
  "last_interaction_time": "2026-02-10T12:30:00.2+01:00",
  "checkpoint_count": 2,
  "checkpoint_transcript_start": 14,
  "untracked_files_at_start": [
    "notes.txt",
    "node_modules/a/b.js"
  ],
  "files_touched": [
    "src/ä.ts"
  ],
  "last_checkpoint_id": "a3b2c4d5e6f7",
  "agent_type": "Claude Code",
  "token_usage": {
    "input_tokens": 12,
    "cache_creation_tokens": 900,
    "cache_read_tokens": 4000,
    "output_tokens": 350,
    "api_call_count": 3,
    "subagent_tokens": {
      "input_tokens": 1,
      "cache_creation_tokens": 0,
      "cache_read_tokens": 0,
      "output_tokens": 2,
      "api_call_count": 1
    }
  },
  "transcript_identifier_at_start": "u1",
  "transcript_path": "/home/u/.claude/projects/-home-u-repo/2f1c.jsonl",
  "first_prompt": "if a \u003c b \u0026\u0026 c \u003e d: \"x\" \u2028 é",
  "prompt_attributions": [
    {
      "checkpoint_number": 1,
      "user_lines_added": 3,
      "user_lines_removed": 4,
      "agent_lines_added": 0,
      "agent_lines_removed": 0,
      "user_added_per_file": {
        "a.txt": 1,
        "b.txt": 2
      }
    }
  ],
  "pending_prompt_attribution": {
    "checkpoint_number": 2,
    "user_lines_added": 0,
    "user_lines_removed": 0,
    "agent_lines_added": 5,
    "agent_lines_removed": 6
  }
}
`;
const FRESH = `{
  "session_id": "2f1c",
  "cli_version": "0.4.4",
  "base_commit": "9b1d000000000000000000000000000000000000",
  "attribution_base_commit": "9b1d000000000000000000000000000000000000",
  "worktree_path": "/home/u/repo",
  "started_at": "2026-02-10T12:00:00.1+01:00",
  "phase": "active",
  "turn_id": "0a1b2c3d4e5f",
  "last_interaction_time": "2026-02-10T12:00:00.2+01:00",
  "checkpoint_count": 0,
  "untracked_files_at_start": [
    "notes.txt"
  ],
  "agent_type": "Claude Code",
  "transcript_path": "/home/u/.claude/projects/-home-u-repo/2f1c.jsonl",
  "first_prompt": "Add login",
  "pending_prompt_attribution": {
    "checkpoint_number": 1,
    "user_lines_added": 0,
    "user_lines_removed": 0,
    "agent_lines_added": 0,
    "agent_lines_removed": 0
  }
}
`;
const minimal = (more: object) =>
  parseState(JSON.stringify({ session_id: 's', started_at: 't', phase: 'idle', ...more }));

test.each([
  ['full', FULL],
  ['fresh', FRESH],
])('a %s state of v0.4.4 comes out byte for byte', (_, json) => {
  expect(renderState(parseState(json))).toBe(json);
});

test('keys nobody knows are kept, with their values as they were', () => {
  const state = minimal({ later: { b: [1, null], a: 'x' }, also: false });
  expect(state.other).toEqual({ later: { b: [1, null], a: 'x' }, also: false });
  expect(parseState(renderState(state))).toEqual(state);
});

test('where the deprecated offsets are all there is, they count, and vanish', () => {
  const start = (more: object) => minimal(more).checkpointTranscriptStart;
  const [condensed_transcript_lines, transcript_lines_at_start] = [7, 5];
  expect(start({ condensed_transcript_lines, transcript_lines_at_start })).toBe(7);
  expect(start({ condensed_transcript_lines: 0, transcript_lines_at_start })).toBe(5);
  expect(start({ checkpoint_transcript_start: 3, condensed_transcript_lines })).toBe(3);
  expect(start({})).toBe(0);
  const json = renderState(minimal({ condensed_transcript_lines, transcript_lines_at_start }));
  expect(json).not.toMatch(/condensed_transcript_lines|transcript_lines_at_start/);
  expect(parseState(json).checkpointTranscriptStart).toBe(7);
});

test.each([
  ['active', 'active'],
  ['active_committed', 'active'],
  ['idle', 'idle'],
  ['ended', 'ended'],
  ['resting', 'idle'],
  [7, 'idle'],
  ['', 'idle'],
  [null, 'idle'],
])('the stored phase %j is %s', (stored, phase) => {
  expect(minimal({ phase: stored }).phase).toBe(phase);
});

test('a state without a phase is idle', () => {
  expect(parseState('{"session_id":"s","base_commit":"b","started_at":"t","checkpoint_count":1}').phase).toBe(
    'idle',
  );
});

test('without an attribution base the base commit is it', () => {
  expect(minimal({ base_commit: 'b' }).attributionBaseCommit).toBe('b');
  expect(minimal({ base_commit: 'b', attribution_base_commit: 'a' }).attributionBaseCommit).toBe('a');
});

test('null and missing mean the same; a minimal state is readable', () => {
  const nulls = minimal({
    files_touched: null,
    turn_checkpoint_ids: null,
    token_usage: null,
    ended_at: null,
  });
  expect(nulls).toEqual(minimal({}));
  expect(minimal({})).toMatchObject({ sessionId: 's', phase: 'idle', filesTouched: [], checkpointCount: 0 });
});

test('ids and paths that must not be used are dropped', () => {
  const state = minimal({
    files_touched: ['ok.txt', '/etc/passwd', '../up', 'a\nb', ''],
    turn_checkpoint_ids: ['a3b2c4d5e6f7', '../../x', ''],
    last_checkpoint_id: 'NOT-AN-ID',
  });
  expect(state.filesTouched).toEqual(['ok.txt']);
  expect(state.turnCheckpointIds).toEqual(['a3b2c4d5e6f7']);
  expect(state.lastCheckpointId).toBeUndefined();
});

test.each([
  '',
  '\0\0\0\0',
  'null',
  '[]',
  '"text"',
  '{}',
  '{"session_id":""}',
  '{"session_id":7}',
  '{"session_id":"s","files_touched":"a"}',
  '{"session_id":"s","checkpoint_count":-1}',
  FRESH.slice(0, 200),
])('%j is no state', (json) => {
  expect(() => parseState(json)).toThrow();
});

const usage = (n: number, subagentTokens?: TokenUsage): TokenUsage => ({
  inputTokens: n,
  cacheCreationTokens: n * 2,
  cacheReadTokens: n * 3,
  outputTokens: n * 4,
  apiCallCount: 1,
  ...(subagentTokens ? { subagentTokens } : {}),
});

test('usage is added field by field, sub-agents included', () => {
  expect(addUsage(usage(1), usage(10))).toEqual({ ...usage(11), apiCallCount: 2 });
  expect(addUsage(usage(1, usage(5)), usage(1))?.subagentTokens).toEqual(usage(5));
  expect(addUsage(usage(1, usage(5)), usage(1, usage(6)))?.subagentTokens?.inputTokens).toBe(11);
  expect(addUsage(undefined, usage(1))).toEqual(usage(1));
  expect(addUsage(undefined, undefined)).toBeUndefined();
});

test('usage that is none is nothing', () => {
  for (const value of ['x', 7, null, undefined, { input_tokens: 'many' }, { output_tokens: -1 }])
    expect(parseTokenUsage(value)).toBeUndefined();
  expect(parseTokenUsage({ input_tokens: 3 })?.inputTokens).toBe(3);
});

test('events move the phase and the times; the rest of the state stays', () => {
  const restore = replaceClock(() => new Date('2026-03-01T00:00:00Z'));
  try {
    const ended = parseState(FULL);
    const again = applyEvent(ended, 'turn-start');
    expect(again).toMatchObject({ phase: 'active', endedAt: undefined });
    expect(Date.parse(again.lastInteractionTime as string)).toBe(Date.parse('2026-03-01T00:00:00Z'));
    expect({
      ...again,
      phase: 'ended',
      endedAt: ended.endedAt,
      lastInteractionTime: ended.lastInteractionTime,
    }).toEqual(ended);
    expect(applyEvent(ended, 'turn-end')).toEqual(ended);
  } finally {
    restore();
  }
});
