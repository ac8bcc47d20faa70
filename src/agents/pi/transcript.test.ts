import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { piTranscript as format } from './transcript.ts';

const recorded = readFileSync(
  join(import.meta.dirname, '../../../integration/fixtures/pi/transcripts/basic.jsonl'),
  'utf8',
);
const lines = (...rows: unknown[]) => rows.map((row) => `${JSON.stringify(row)}\n`).join('');
const header = { type: 'session', version: 3, id: 'old-id', cwd: '/repo' };
const message = (role: string, content: unknown, more: object = {}) => ({ role, content, ...more });
const text = (words: string) => [{ type: 'text', text: words }];
const call = (id: string, name: string, args: object) =>
  message('assistant', [{ type: 'toolCall', id, name, arguments: args }]);
const result = (toolCallId: string, more: object = {}) => message('toolResult', [], { toolCallId, ...more });
/** Entries that follow each other, from the one given on. */
const chain = (from: string | null, prefix: string, ...messages: object[]) =>
  messages.map((one, at) => ({
    type: 'message',
    id: `${prefix}${at}`,
    parentId: at === 0 ? from : `${prefix}${at - 1}`,
    message: one,
  }));
const session = (...messages: object[]) => lines(header, ...chain(null, 'e', ...messages));

describe('what a client wrote', () => {
  test('prompts, answers, tools', () => {
    expect(format.readPrompts(recorded)).toEqual(['PI-ONE go']);
    expect(format.readSummary(recorded)).toBe('Pi is done.');
    expect(format.holdsMessage(recorded, ' Pi is done.\n')).toBe(true);
    expect(format.holdsMessage(recorded, 'Pi')).toBe(false);
    expect(format.readEntries(recorded)).toEqual([
      { kind: 'user', text: 'PI-ONE go' },
      { kind: 'tool', name: 'write', detail: 'new.txt' },
      { kind: 'tool', name: 'edit', detail: '@old.txt' },
      { kind: 'tool', name: 'edit', detail: 'old.txt' },
      { kind: 'tool', name: 'bash', detail: expect.stringContaining('NESTED-JOB') },
      { kind: 'assistant', text: 'Pi is done.' },
    ]);
  });

  test('files and lines', () => {
    expect(format.readFilesTouched(recorded)).toEqual(['/repo/new.txt', '/repo/old.txt']);
    expect(format.ranShell(recorded)).toBe(true);
    expect(format.readEdits(recorded)).toEqual({
      edits: [
        { path: '/repo/new.txt', lines: ['leaf'], fragments: [], isWhole: true },
        { path: '/repo/old.txt', lines: ['TWO'], fragments: [], removed: ['two'] },
      ],
      agents: [],
      isComplete: false,
    });
  });

  test('each call of the model once, also when it is read in two parts', () => {
    const calls = format.readCalls(recorded);
    expect(calls).toHaveLength(5);
    expect(calls[0]).toEqual({
      id: expect.stringMatching(/^[0-9a-f]{8}$/),
      item: 4,
      usage: { inputTokens: 1000, cacheCreationTokens: 0, cacheReadTokens: 200, outputTokens: 20 },
      timeMs: expect.toSatisfy((time: number) => time > 0),
    });
    const rest = format.sliceItems(recorded, 5);
    expect(format.readCalls(rest).map(({ id }) => id)).toEqual(calls.slice(1).map(({ id }) => id));
    expect(format.countItems(recorded)).toBe(format.countItems(rest) + 5);
  });

  test('without the header the folder is not known', () => {
    const rest = format.sliceItems(recorded, 1);
    expect(format.readFilesTouched(rest)).toEqual(['new.txt', 'old.txt']);
  });

  test('going on from before a message, under another id', () => {
    const id = /"toolCallId":"([^"]+)","toolName":"write"/.exec(recorded)?.[1] as string;
    const at = format.findToolResult(recorded, id);
    const forked = format.fork(recorded, at, 'new-id') as string;
    expect(format.readLastIdentifier(forked)).toBe(at);
    const [first = '', ...others] = forked.split('\n');
    expect(JSON.parse(first)).toMatchObject({ type: 'session', id: 'new-id', cwd: '/repo' });
    expect(recorded).toContain(others.join('\n'));
    for (const last of ['', 'nowhere', 'new-id']) expect(format.fork(recorded, last, 'x')).toBeUndefined();
    expect(format.fork(format.sliceItems(recorded, 1), at, 'x')).toBeUndefined();
  });
});

describe('what was left behind by going back', () => {
  const first = chain(null, 'a', message('user', text('first')), message('assistant', text('one')));
  const left = chain('a1', 'b', message('user', 'wrong way'), call('1', 'write', { path: 'left.txt' }));
  const then = chain('a1', 'c', message('user', text('second')), message('assistant', text('two')));

  test('is no longer said, but was done', () => {
    const whole = lines(header, ...first, ...left, ...then);
    expect(format.readPrompts(whole)).toEqual(['first', 'second']);
    expect(format.readSummary(whole)).toBe('two');
    expect(format.readFilesTouched(whole)).toEqual(['/repo/left.txt']);
    expect(format.readPrompts(lines(header, ...first, ...left))).toEqual(['first', 'wrong way']);
  });

  test('also from the very beginning, and in a part that begins behind the place', () => {
    const again = chain(null, 'd', message('user', 'from the start'));
    expect(format.readPrompts(lines(header, ...first, ...again))).toEqual(['from the start']);
    expect(format.readPrompts(lines(...left, ...then))).toEqual(['second']);
  });

  test('is not told from what is broken: then all of it is kept', () => {
    const broken = `${lines(header, first[0])}{"type":"message","id":"a1"\n${lines(...left, ...then)}`;
    expect(format.readPrompts(broken)).toEqual(['first', 'wrong way', 'second']);
  });

  test('the oldest sessions are one line of messages without ids', () => {
    const old = [message('user', 'hello'), message('assistant', text('hi'))];
    const rows = old.map((one) => ({ type: 'message', message: one }));
    expect(format.readEntries(lines({ ...header, version: 1 }, ...rows))).toHaveLength(2);
  });
});

test('a skill that was called is not what was typed', () => {
  const skill = '<skill name="tidy" location="/x/SKILL.md">\nReferences …\n\nMuch text.\n</skill>';
  expect(format.cleanPrompt(`${skill}\n\nthe shed`)).toBe('/skill:tidy the shed');
  expect(format.cleanPrompt(skill)).toBe('/skill:tidy');
  for (const typed of ['<skill name="x"> without an end', 'about <skill name="x">\n</skill>'])
    expect(format.cleanPrompt(typed)).toBe(typed);
});

describe('edits', () => {
  const edits = (...messages: object[]) => format.readEdits(session(...messages)).edits;
  const pieces = { path: 'a.ts', edits: [{ oldText: 'x\nkeep\n', newText: 'first\nkeep\nlast' }] };
  const asked = {
    path: '/repo/a.ts',
    lines: ['first', 'last'],
    fragments: ['first', 'last'],
    removed: ['x'],
  };

  test('without the difference the call has to do, less what was there before', () => {
    expect(edits(call('1', 'edit', pieces), result('1'))).toEqual([asked]);
    const early = { path: 'a.ts', ...pieces.edits[0] };
    expect(edits(call('1', 'edit', early))).toEqual([asked]);
    const diff = '  1 keep\n- 2 x\n+ 2 12 monkeys\n+13 \n    ...\n-14 y';
    expect(edits(call('1', 'edit', pieces), result('1', { details: { diff } }))).toEqual([
      { path: '/repo/a.ts', lines: ['12 monkeys', ''], fragments: [], removed: ['x', 'y'] },
    ]);
  });

  test('a call that failed wrote nothing, one that was never answered may have', () => {
    expect(edits(call('1', 'edit', pieces), result('1', { isError: true }))).toEqual([]);
    expect(edits(call('1', 'edit', pieces))).toHaveLength(1);
  });

  test('tools of extensions may have written anything', () => {
    const complete = (name: string) => format.readEdits(session(call('1', name, {}))).isComplete;
    expect(['read', 'write', 'bash', 'deploy'].map(complete)).toEqual([true, true, false, false]);
  });
});

test('any bytes are survived', () => {
  const readers = Object.values(format).filter((reader) => reader.length <= 1) as Array<
    (text: string) => unknown
  >;
  const row = fc.dictionary(
    fc.constantFrom('id', 'parentId', 'type', 'message', 'timestamp'),
    fc.jsonValue(),
  );
  const part = fc.record({
    type: fc.constantFrom('text', 'toolCall', 'x'),
    text: fc.jsonValue(),
    arguments: fc.jsonValue(),
  });
  const said = fc
    .tuple(fc.constantFrom('user', 'assistant', 'toolResult'), fc.array(part), row)
    .map(([role, content, more]) => ({ ...more, type: 'message', message: message(role, content) }));
  const line = fc.oneof(
    fc.string(),
    fc.oneof(row, said).map((value) => JSON.stringify(value)),
  );
  fc.assert(
    fc.property(fc.array(line), (rows) => {
      for (const read of readers) read(rows.join('\n'));
    }),
    { numRuns: 100 },
  );
});
