import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readEdits } from './edits.ts';

const basic = readFileSync(
  join(import.meta.dirname, '../../../integration/fixtures/gemini/transcripts/basic.jsonl'),
  'utf8',
);

const call = (name: string, args: object, more: object = {}) => ({
  id: name,
  name,
  args,
  status: 'success',
  ...more,
});
const message = (...toolCalls: readonly object[]) =>
  `${JSON.stringify({ id: 'm', type: 'gemini', content: '', toolCalls })}\n`;

test('the client notes which lines an edit added', () => {
  expect(readEdits(basic)).toEqual({
    edits: [
      { path: '/repo/new.txt', lines: ['new file line 1', 'line 2'], fragments: [] },
      { path: '/repo/existing.txt', lines: ['earth'], fragments: [], removed: ['world'] },
    ],
    agents: [],
    isComplete: false, // a shell command ran
  });
});

test('a line that begins like the header of a diff is one of the file', () => {
  const fileDiff = 'Index: a\n===\n--- a\tOriginal\n+++ a\tWritten\n@@ -0,0 +1,2 @@\n+++ i\n+b\n';
  const text = message(
    call('write_file', { file_path: 'a' }, { resultDisplay: { fileDiff, filePath: '/r/a' } }),
  );
  expect(readEdits(text).edits).toEqual([{ path: '/r/a', lines: ['++ i', 'b'], fragments: [] }]);
});

test('without a difference what the call asked for has to do', () => {
  const text = message(
    call('save_file', { filename: 'a', content: 'one\ntwo\n' }),
    call('replace', { file_path: 'b', old_string: 'x\nkeep\ny', new_string: 'x1\nkeep\nnew\ny1' }),
  );
  expect(readEdits(text)).toEqual({
    edits: [
      { path: 'a', lines: ['one', 'two'], fragments: [], isWhole: true },
      { path: 'b', lines: ['x1', 'new', 'y1'], fragments: ['x1', 'y1'], removed: ['x', 'y'] },
    ],
    agents: [],
    isComplete: true,
  });
});

test('a call that failed, or was refused, wrote nothing', () => {
  const edits = ['error', 'cancelled'].flatMap(
    (status) => readEdits(message(call('write_file', { file_path: 'a', content: 'x' }, { status }))).edits,
  );
  expect(edits).toEqual([]);
});

test.each([
  ['a tool of another program', message(call('mcp_files_write', { path: 'a' })), false],
  ['a tool that is not known', message(call('discovered_tool', {})), false],
  ['tools that only look', message(call('read_file', {}), call('grep_search', {})), true],
  ['an answer that waits for its tools', message(), false],
  ['nothing', '', true],
])('%s: all on record? %s', (_, text, isComplete) => {
  expect(readEdits(text).isComplete).toBe(isComplete);
});
