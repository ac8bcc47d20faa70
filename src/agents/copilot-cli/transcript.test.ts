import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { copilotTranscript as format } from './transcript.ts';

const folder = join(import.meta.dirname, '../../../integration/fixtures/copilot-cli/transcripts');
const recorded = (name: string) => readFileSync(join(folder, `${name}.jsonl`), 'utf8');
const lines = (...values: unknown[]) => values.map((value) => `${JSON.stringify(value)}\n`).join('');
const event = (type: string, data: object, more: object = {}) => ({
  type,
  data,
  id: `id-of-${type}`,
  ...more,
});
const said = (content: string, more: object = {}) => event('assistant.message', { content, ...more });
const typed = (content: string, more: object = {}) => event('user.message', { content, ...more });

describe('recorded transcripts', () => {
  test.each([
    ['basic', 'write-and-edit please', 'All done: new.txt, existing.txt, shell.txt.', 4],
    ['tools', 'write-and-edit', 'All done.', 5],
    ['apply-patch', 'patch-it', 'Patched.', 2],
    ['subagent', 'spawn-sub', 'Parent done.', 5],
    ['background', 'spawn-back', 'Nothing left.', 6],
    ['nested', 'spawn-nest', 'Root done.', 6],
  ])('%s', (name, prompt, summary, calls) => {
    const transcript = recorded(name);
    expect(format.readPrompts(transcript)).toEqual([prompt]);
    expect(format.readSummary(transcript)).toBe(summary);
    expect(format.holdsMessage(transcript, ` ${summary}\n`)).toBe(true);
    expect(format.holdsMessage(transcript, 'never said')).toBe(false);
    expect(format.readCalls(transcript).map(({ usage }) => usage.outputTokens)).toEqual(
      Array(calls).fill(20),
    );
    expect(format.readLastIdentifier(transcript)).toMatch(/^[0-9a-f-]{36}$/);
    expect(format.readTime(transcript)).toBe(
      Date.parse(JSON.parse(transcript.split('\n')[0] ?? '').timestamp),
    );
  });

  test('files that tools wrote, those of sub-agents included', () => {
    expect(format.readFilesTouched(recorded('basic'))).toEqual(['/repo/new.txt', '/repo/existing.txt']);
    expect(format.readFilesTouched(recorded('tools'))).toEqual(['/repo/new.txt', '/repo/existing.txt']);
    expect(format.readFilesTouched(recorded('subagent'))).toEqual(['/repo/child.txt']);
    expect(format.readFilesTouched(recorded('nested'))).toEqual(['/repo/deep.txt']);
    expect(format.readFilesTouched(recorded('apply-patch'))).toEqual([
      '/repo/patched.txt',
      '/repo/moved.txt',
      '/repo/existing.txt',
    ]);
  });

  test('lines that tools wrote', () => {
    expect(format.readEdits(recorded('tools'))).toEqual({
      edits: [
        { path: '/repo/new.txt', lines: ['new file line 1', 'line 2'], fragments: [], isWhole: true },
        { path: '/repo/existing.txt', lines: ['earth'], fragments: [], removed: ['world'] },
      ],
      agents: [],
      isComplete: false,
    });
    expect(format.readEdits(recorded('apply-patch'))).toEqual({
      edits: [
        { path: '/repo/patched.txt', lines: ['patched'], fragments: [] },
        { path: '/repo/existing.txt', lines: [], fragments: [], removed: ['hello'] },
        { path: '/repo/moved.txt', lines: ['hi'], fragments: [], movedFrom: '/repo/existing.txt' },
      ],
      agents: [],
      isComplete: true,
    });
    expect(format.ranShell(recorded('tools'))).toBe(true);
    expect(format.ranShell(recorded('apply-patch'))).toBe(false);
  });

  test('entries as a person reads them', () => {
    expect(format.readEntries(recorded('tools'))).toEqual([
      { kind: 'user', text: 'write-and-edit' },
      { kind: 'assistant', text: 'I will write.' },
      { kind: 'tool', name: 'create', detail: '/repo/new.txt' },
      { kind: 'tool', name: 'edit', detail: '/repo/existing.txt' },
      { kind: 'tool', name: 'view', detail: '/repo/new.txt' },
      { kind: 'tool', name: 'edit', detail: '/repo/existing.txt' },
      { kind: 'tool', name: 'bash', detail: 'write' },
      { kind: 'assistant', text: 'All done.' },
    ]);
    expect(format.readEntries(recorded('subagent'))).toEqual([
      { kind: 'user', text: 'spawn-sub' },
      { kind: 'tool', name: 'task', detail: 'sub job' },
      { kind: 'assistant', text: 'Parent done.' },
    ]);
    expect(format.readEntries(recorded('apply-patch'))[1]).toEqual({
      kind: 'tool',
      name: 'apply_patch',
      detail: 'patched.txt, existing.txt',
    });
  });

  test('where a sub-agent returned, by the id of the sub-agent', () => {
    const transcript = recorded('subagent');
    const rows = transcript
      .split('\n')
      .filter(Boolean)
      .map((row) => JSON.parse(row));
    const begun = rows.find(({ type }) => type === 'subagent.started');
    const returned = rows.find(
      ({ type, data }) => type === 'tool.execution_complete' && data.toolCallId === begun.data.toolCallId,
    );
    expect(format.findToolResult(transcript, begun.agentId)).toBe(returned.id);
    expect(format.findToolResult(transcript, begun.data.toolCallId)).toBe(returned.id);
    expect(format.findToolResult(transcript, 'nothing')).toBe('');
  });

  test('what tells of a sub-agent, line by line', () => {
    const transcript = recorded('nested');
    const begun = transcript.split('\n').filter((line) => line.includes('"subagent.started"'));
    const [nest = '', deep = ''] = begun.map((line) => JSON.parse(line).agentId as string);
    const part = format.partOfSubagent?.(transcript, deep) ?? '';
    expect(format.readFilesTouched(part)).toEqual(['/repo/deep.txt']);
    expect(
      part
        .split('\n')
        .filter(Boolean)
        .every((line) => transcript.includes(`${line}\n`)),
    ).toBe(true);
    expect(format.holdsMessage(part, 'Deep done.')).toBe(true);
    expect(format.holdsMessage(part, 'Nest done.')).toBe(false);
    expect(format.readFilesTouched(format.partOfSubagent?.(transcript, nest) ?? '')).toEqual([]);
    expect(format.partOfSubagent?.(transcript, 'nobody')).toBe('');
    expect(format.partOfSubagent?.(transcript, '')).toBe('');
  });

  test('a part says what stands in it, wherever it begins', () => {
    const transcript = recorded('basic');
    const count = format.countItems(transcript);
    for (let item = 0; item <= count; item++) {
      const part = format.sliceItems(transcript, item);
      expect(format.countItems(part)).toBe(count - item);
      const calls = format.readCalls(part).map(({ id, item: at }) => [id, at + item]);
      const whole = format.readCalls(transcript).map(({ id, item: at }) => [id, at]);
      expect(calls).toEqual(whole.filter(([, at]) => (at as number) >= item));
    }
  });
});

describe('prompts', () => {
  test('of people alone', () => {
    const transcript = lines(
      typed('first'),
      typed('from a skill', { source: 'skill-pdf' }),
      typed('from an agent', { source: 'agent-1' }),
      typed('go on', { isAutopilotContinuation: true }),
      { ...typed('to a sub-agent'), agentId: 'a1' },
      typed('<system_notification>\nAgent done.\n</system_notification>'),
      typed('  second\n'),
      typed(''),
      event('user.message', { content: 7 }),
    );
    expect(format.readPrompts(transcript)).toEqual(['first', 'second']);
    expect(format.cleanPrompt('<system_notification>x</system_notification>')).toBe('');
    expect(format.cleanPrompt(' as <b>typed</b> ')).toBe('as <b>typed</b>');
  });
});

describe('as another session', () => {
  test('up to an event', () => {
    const transcript = recorded('basic');
    const rows = transcript
      .split('\n')
      .filter(Boolean)
      .map((row) => JSON.parse(row));
    const at = rows.findIndex(({ type }) => type === 'assistant.turn_end');
    const forked = format.fork(transcript, rows[at].id, 'another') ?? '';
    const copied = forked
      .split('\n')
      .filter(Boolean)
      .map((row) => JSON.parse(row));
    expect(copied).toHaveLength(at + 1);
    expect(copied[0].data.sessionId).toBe('another');
    expect(copied.map(({ id }) => id)).toEqual(rows.slice(0, at + 1).map(({ id }) => id));
    expect(format.fork(transcript, 'nothing', 'another')).toBeUndefined();
    expect(format.fork(transcript, '', 'another')).toBeUndefined();
  });
});

describe('broken bytes', () => {
  test('lines that are no events say nothing, their neighbours do', () => {
    const broken = [
      '',
      'null',
      '7',
      '"x"',
      '[1]',
      '{"type":"user.message","data":',
      '\0\0',
      'ÿ',
      '{"type":7}',
    ];
    const transcript = `${broken.join('\n')}\n${lines(typed('hello'), said('hi'))}{"type":"as`;
    expect(format.readPrompts(transcript)).toEqual(['hello']);
    expect(format.readSummary(transcript)).toBe('hi');
    expect(format.readLastIdentifier(transcript)).toBe('id-of-assistant.message');
    expect(format.countItems(transcript)).toBe(broken.length + 3);
  });

  test('no reader throws, whatever the lines hold', () => {
    const types = ['user.message', 'assistant.message', 'tool.execution_start', 'tool.execution_complete'];
    const more = [
      'session.usage_record',
      'session.shutdown',
      'subagent.started',
      'session.start',
      'hook.start',
    ];
    const keys = [
      'content',
      'toolRequests',
      'toolCallId',
      'toolName',
      'arguments',
      'fileEdits',
      'toolTelemetry',
    ];
    const deep = ['result', 'usage', 'modelMetrics', 'success', 'source', 'path', 'detailedContent', 'name'];
    const words = fc.constantFrom(
      'x',
      'create',
      'edit',
      'apply_patch',
      '*** Begin Patch\n*** Add File: y',
      '/a',
    );
    const { value } = fc.letrec((tie) => ({
      value: fc.oneof(
        { maxDepth: 3 },
        words,
        fc.jsonValue({ maxDepth: 1 }),
        tie('object'),
        fc.array(tie('value'), { maxLength: 2 }),
      ),
      object: fc.dictionary(fc.constantFrom(...keys, ...deep), tie('value'), { maxKeys: 5 }),
    }));
    const row = fc.record({
      type: fc.constantFrom(...types, ...more),
      data: value,
      id: value,
      timestamp: value,
      agentId: value,
    });
    fc.assert(
      fc.property(fc.array(fc.oneof(row, fc.jsonValue({ maxDepth: 2 })), { maxLength: 6 }), (rows) => {
        const text = lines(...rows);
        for (const read of [format.readPrompts, format.readEntries, format.readSummary, format.readCalls])
          read(text);
        for (const read of [format.readFilesTouched, format.readEdits, format.ranShell, format.readTime])
          read(text);
        format.readLastIdentifier(text);
        format.findToolResult(text, 'x');
        format.fork(text, 'x', 'y');
        format.holdsMessage(text, 'x');
        return true;
      }),
      { numRuns: 1000 },
    );
  });
});
