import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { codexTranscript as format } from './transcript.ts';

const folder = join(import.meta.dirname, '../../../integration/fixtures/codex/transcripts');
const rollout = (name: string) => readFileSync(join(folder, `${name}.jsonl`), 'utf8');
const basic = rollout('basic');
const parent = rollout('subagent-main');
const child = rollout('subagent-child');

const AGENT = '01a1fdcf-0140-71e1-995c-7e1d32754be4';
const rows = (...values: readonly object[]) => values.map((value) => `${JSON.stringify(value)}\n`).join('');
const event = (payload: object) => ({ type: 'event_msg', payload });
const said = (payload: object) => ({ type: 'response_item', payload });
const tokens = (input: number, read: number, output: number) => ({
  input_tokens: input,
  cached_input_tokens: read,
  output_tokens: output,
});

describe('a captured rollout', () => {
  test('prompts, answers and calls, in order, without what the client tells the model', () => {
    expect(format.readPrompts(basic)).toEqual(['write-and-edit please']);
    expect(format.readSummary(basic)).toBe('All done: new.txt, existing.txt, shell.txt.');
    expect(format.readEntries(basic)).toEqual([
      { kind: 'user', text: 'write-and-edit please' },
      { kind: 'tool', name: 'apply_patch', detail: 'new.txt' },
      { kind: 'tool', name: 'apply_patch', detail: 'existing.txt' },
      { kind: 'tool', name: 'exec_command', detail: 'echo shell > shell.txt' },
      { kind: 'assistant', text: 'All done: new.txt, existing.txt, shell.txt.' },
    ]);
  });

  test('files, lines, and that a command may have written more', () => {
    expect(format.readFilesTouched(basic)).toEqual(['/repo/new.txt', '/repo/existing.txt']);
    expect(format.readEdits(basic)).toEqual({
      edits: [
        { path: '/repo/new.txt', lines: ['new file line 1', 'line 2'], fragments: [] },
        { path: '/repo/existing.txt', lines: ['earth'], fragments: [], removed: ['world'] },
      ],
      agents: [],
      isComplete: false,
    });
    expect(format.ranShell(basic)).toBe(true);
  });

  test('each call of the model once, under the id of its response', () => {
    const calls = format.readCalls(basic);
    expect(calls.map(({ id, item }) => [id, item])).toEqual([
      ['resp_7w8ufzbn5e', 10],
      ['resp_tu0gymr5ej', 15],
      ['resp_54d6ymnyo6', 20],
      ['resp_ozcywpd6gn', 26],
    ]);
    expect(calls[1]).toMatchObject({
      usage: { inputTokens: 1201, cacheReadTokens: 0, cacheCreationTokens: 0, outputTokens: 20 },
      timeMs: Date.parse('2026-11-21T10:44:17.076Z'),
    });
  });

  test('parts of it say what the whole says', () => {
    for (let at = 0; at <= format.countItems(basic); at++) {
      const [before, after] = [
        basic.slice(0, basic.length - format.sliceItems(basic, at).length),
        format.sliceItems(basic, at),
      ];
      const ids = (part: string) => format.readCalls(part).map(({ id }) => id);
      expect([...ids(before), ...ids(after)]).toEqual(ids(basic));
      expect([...format.readPrompts(before), ...format.readPrompts(after)]).toEqual(
        format.readPrompts(basic),
      );
      const files = new Set([before, after].flatMap((part) => format.readFilesTouched(part)));
      expect([...files].filter((path) => path.startsWith('/'))).toEqual(format.readFilesTouched(basic));
    }
  });

  test('items are lines; times, ids and last words', () => {
    expect(format.countItems(basic)).toBe(29);
    expect(format.readTime(basic)).toBe(Date.parse('2026-11-21T10:44:16.323Z'));
    expect(format.readLastIdentifier(basic)).toBe('msg_dhkjycsany');
    expect(format.findToolResult(basic, 'call_0ukkgs8eot')).toBe('fco_01a1fdb4-f67e-7a20-aff7-42b8eb1d5fd0');
    expect(format.findToolResult(basic, 'call_gone')).toBe('');
    expect(format.holdsMessage(basic, ' All done: new.txt, existing.txt, shell.txt.\n')).toBe(true);
    expect(format.holdsMessage(basic, 'write-and-edit please')).toBe(false);
  });
});

describe('sub-agents', () => {
  test('are named where they were started and waited for', () => {
    expect(format.readSubagents(parent)).toEqual([11, 12, 17].map((item) => ({ item, agentId: AGENT })));
    expect(format.readEdits(parent)).toMatchObject({ agents: [AGENT], isComplete: true });
    expect(format.findToolResult(parent, AGENT)).toBe('fco_01a1fdcf-01cd-7b91-91c9-f013022c6d1b');
    expect(format.readPrompts(parent)).toEqual(['spawn-sub']);
  });

  test('their rollout is found by the time that their id tells, and says whose it is', () => {
    const session =
      '/h/sessions/2026/11/21/rollout-2026-11-21T11-12-43-01a1fdce-ff0b-7822-9029-58faed340bb0.jsonl';
    const paths = format.subagentTranscripts(session, 'x', AGENT);
    expect(paths).toContain(`/h/sessions/2026/11/21/rollout-2026-11-21T11-12-44-${AGENT}.jsonl`);
    expect(new Set(paths).size).toBe(paths.length);
    expect(format.subagentTranscripts(session, 'x', 'a-1')).toEqual([]);
    const note = format.subagentNote('/h/child.jsonl');
    expect(note).toBe('/h/child.jsonl');
    expect(format.parseSubagentNote(child)).toEqual({ toolUseId: AGENT, description: '' });
    expect(format.parseSubagentNote(parent)).toBeUndefined();
  });

  test('what one wrote and said', () => {
    expect(format.readPrompts(child)).toEqual(['child-job please']);
    expect(format.holdsMessage(child, 'Child done.')).toBe(true);
    expect(format.readCalls(child)).toHaveLength(2);
  });
});

describe('what older clients wrote', () => {
  const call = (name: string, args: object, id = 'c1') =>
    said({ type: 'function_call', name, arguments: JSON.stringify(args), call_id: id });

  test('prompts are events, without what an IDE puts before them', () => {
    const wrapped =
      '# Context from my IDE setup:\n\n## Active file: a.ts\n\n## My request for Codex:\nfix it\n';
    expect(
      format.readPrompts(
        rows(
          said({ type: 'message', role: 'user', content: [{ text: '<user_instructions>x' }] }),
          event({ type: 'user_message', message: wrapped }),
          event({ type: 'user_message', message: ' ' }),
        ),
      ),
    ).toEqual(['fix it']);
  });

  test('tokens are counted up, the same count again and again', () => {
    const count = (total: object, last: object) =>
      event({ type: 'token_count', info: { total_token_usage: total, last_token_usage: last } });
    const first = count(tokens(100, 40, 10), tokens(100, 40, 10));
    const calls = format.readCalls(
      rows(
        first,
        first,
        event({ type: 'token_count', info: null }),
        count(tokens(250, 40, 15), tokens(150, 0, 5)),
      ),
    );
    expect(calls.map(({ usage }) => usage)).toEqual([
      { inputTokens: 60, cacheReadTokens: 40, cacheCreationTokens: 0, outputTokens: 10 },
      { inputTokens: 150, cacheReadTokens: 0, cacheCreationTokens: 0, outputTokens: 5 },
    ]);
  });

  test('patches are events, and calls without a note say it themselves unless they failed', () => {
    const envelope = (path: string) => `*** Begin Patch\n*** Add File: ${path}\n+x\n*** End Patch`;
    const text = rows(
      call('apply_patch', { input: envelope('a.txt') }, 'c1'),
      event({
        type: 'patch_apply_end',
        call_id: 'c1',
        success: true,
        changes: { '/repo/a.txt': { type: 'add', content: 'x\n' } },
      }),
      event({
        type: 'patch_apply_end',
        call_id: 'c2',
        success: false,
        changes: { '/repo/no.txt': { type: 'add' } },
      }),
      call('apply_patch', { input: envelope('failed.txt') }, 'c3'),
      said({ type: 'function_call_output', call_id: 'c3', output: 'apply_patch verification failed: …' }),
      call('apply_patch', { input: envelope('stopped.txt') }, 'c4'),
      call('apply_patch', { input: envelope('done.txt') }, 'c5'),
      said({
        type: 'function_call_output',
        call_id: 'c5',
        output: '{"output":"Success. Updated the following files:\\nA done.txt"}',
      }),
    );
    expect(format.readFilesTouched(text)).toEqual(['/repo/a.txt', 'stopped.txt', 'done.txt']);
    expect(format.readEdits(text).isComplete).toBe(true);
  });

  test('a move writes under the new name; a patch in a command is on record, a command is not', () => {
    const move = {
      type: 'update',
      unified_diff: '@@ -1,2 +1,2 @@\n a\n-b\n+c\n',
      move_path: '/repo/new.txt',
    };
    const text = rows(
      call('exec_command', { cmd: "apply_patch <<'EOF'" }, 'c1'),
      event({
        type: 'item_completed',
        item: {
          type: 'FileChange',
          id: 'c1',
          status: 'completed',
          changes: { '/repo/old.txt': move, '/repo/dead': { type: 'delete', content: 'd' } },
        },
      }),
    );
    expect(format.readEdits(text)).toEqual({
      edits: [
        { path: '/repo/old.txt', lines: [], fragments: [], removed: ['b'] },
        { path: '/repo/new.txt', lines: ['c'], fragments: [], movedFrom: '/repo/old.txt' },
        { path: '/repo/dead', lines: [], fragments: [], removed: ['d'] },
      ],
      agents: [],
      isComplete: true,
    });
    const shell = said({
      type: 'local_shell_call',
      call_id: 'c9',
      action: { command: ['bash', '-lc', 'ls'] },
    });
    expect(format.readEdits(rows(shell)).isComplete).toBe(false);
    expect(format.readEntries(rows(shell))).toEqual([{ kind: 'tool', name: 'shell', detail: 'bash -lc ls' }]);
    const foreign = said({ type: 'function_call', name: 'mcp__files__write', arguments: '{}', call_id: 'm' });
    expect(format.readEdits(rows(foreign)).isComplete).toBe(false);
  });
});

describe('a fork', () => {
  test('ends with the message and what was noted of it, under the new id', () => {
    const fork = format.fork(basic, 'msg_dhkjycsany', 'new-id') ?? '';
    expect(format.countItems(fork)).toBe(29);
    expect(fork).not.toContain('"id":"01a1fdb4-f11c-77c3-9696-5a653ee2f2f1"');
    expect(fork.match(/"(?:id|session_id|thread_id)":"new-id"/g)?.length).toBeGreaterThan(3);
    const half = format.fork(basic, 'ctco_01a1fdb4-f3a4-7541-ae26-e5cee8a63913', 'new-id') ?? '';
    expect(format.readLastIdentifier(half)).toBe('ctco_01a1fdb4-f3a4-7541-ae26-e5cee8a63913');
    expect(format.countItems(half)).toBe(14);
  });

  test('there is none of a message that is not there', () => {
    expect(format.fork(basic, 'msg_gone', 'x')).toBeUndefined();
    expect(format.fork(basic, '', 'x')).toBeUndefined();
  });
});
