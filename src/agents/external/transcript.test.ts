import fc from 'fast-check';
import { expect, test } from 'vitest';
import { externalTranscript as format } from './transcript.ts';

const lines = (...values: unknown[]): string => values.map((value) => `${JSON.stringify(value)}\n`).join('');

const MESSAGES = [
  { role: 'user', content: 'hello', id: 'm1' },
  {
    role: 'assistant',
    content: [
      { type: 'text', text: 'Hi.' },
      { type: 'tool_use', name: 'write', input: { path: 'a.txt' } },
    ],
  },
  { type: 'human', message: { content: [{ type: 'tool_result', content: 'done' }] } },
  { role: 'model', parts: [{ text: 'Written.' }], timestamp: '2026-01-02T03:04:05Z', uuid: 'm4' },
  { role: 'assistant', tool_calls: [{ function: { name: 'run', arguments: '{"command":"ls"}' } }] },
];

const ENTRIES = [
  { kind: 'user', text: 'hello' },
  { kind: 'assistant', text: 'Hi.' },
  { kind: 'tool', name: 'write', detail: 'a.txt' },
  { kind: 'assistant', text: 'Written.' },
  { kind: 'tool', name: 'run', detail: 'ls' },
];

test('messages with a role and a text or blocks, on lines or in a document', () => {
  const document = JSON.stringify({ id: 's1', messages: MESSAGES }, null, 2);
  for (const text of [lines(...MESSAGES), document]) {
    expect(format.readEntries(text)).toEqual(ENTRIES);
    expect(format.readPrompts(text)).toEqual(['hello']);
    expect(format.readSummary(text)).toBe('Written.');
    expect(format.countItems(text)).toBe(5);
    expect(format.readLastIdentifier(text)).toBe('m4');
    expect(format.readTime(text)).toBe(Date.parse('2026-01-02T03:04:05Z'));
    expect(format.holdsMessage(text, ' Hi. ')).toBe(true);
    expect(format.readEntries(format.sliceItems(text, 3))).toEqual(ENTRIES.slice(3));
    expect(format.sliceItems(text, 5)).toBe('');
  }
  expect([format.isDocument?.(document), format.isDocument?.(lines(...MESSAGES))]).toEqual([true, false]);
  expect(JSON.parse(format.sliceItems(document, 4))).toMatchObject({ id: 's1', messages: [MESSAGES[4]] });
  expect(JSON.parse(format.sliceItems(document, 1, 2))).toMatchObject({ messages: [MESSAGES[1]] });
});

test('what a transcript without words says of files is nothing, and never that nothing was done', () => {
  expect(format.readEdits('x')).toEqual({ edits: [], agents: [], isComplete: false });
  expect([format.ranShell('x'), format.ranShell(' ')]).toEqual([true, false]);
});

test('any text is survived', () => {
  const anyText = fc.oneof(
    fc.string(),
    fc.json(),
    fc.array(fc.json()).map((all) => all.join('\n')),
  );
  fc.assert(
    fc.property(anyText, fc.nat(5), (text, item) => {
      format.readEntries(text);
      format.readPrompts(text);
      format.readTime(text);
      format.readLastIdentifier(text);
      format.countItems(format.sliceItems(text, item));
    }),
  );
});
