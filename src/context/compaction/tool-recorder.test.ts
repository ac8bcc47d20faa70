import { expect, test } from 'vitest';
import { FileTracker } from './file-tracker.ts';
import { type RecordedToolCall, recordToolCall } from './tool-recorder.ts';

function record(...calls: RecordedToolCall[]) {
  const tracker = new FileTracker();
  for (const call of calls) recordToolCall(tracker, call);
  const { readFiles, modifiedFiles } = tracker.toMetadata();
  return { readFiles, modifiedFiles };
}

const call = (tool: string, ...paths: string[]): RecordedToolCall => ({ tool, paths, succeeded: true });

test.each(['read_file', 'Read', 'read', 'view'])('a call of %s that succeeded is a read', (tool) => {
  expect(record(call(tool, 'a'))).toEqual({ readFiles: ['a'], modifiedFiles: [] });
});

test.each([
  'write_file',
  'edit_file',
  'replace_in_file',
  'apply_patch',
  ...['Write', 'Edit', 'MultiEdit', 'NotebookEdit', 'create', 'Create', 'replace', 'write', 'edit'],
])('a call of %s that succeeded is a modification', (tool) => {
  expect(record(call(tool, 'a'))).toEqual({ readFiles: [], modifiedFiles: ['a'] });
});

test.each(['read_file', 'write_file', 'edit_file', 'replace_in_file', 'apply_patch'])(
  'a call of %s that failed is not recorded',
  (tool) => {
    const nothing = { readFiles: [], modifiedFiles: [] };
    expect(record({ ...call(tool, 'a'), succeeded: false })).toEqual(nothing);
    expect(record({ ...call(tool, 'a'), succeeded: 'Error: no such file' as unknown as boolean })).toEqual(
      nothing,
    );
  },
);

test.each(['Bash', 'grep', 'Glob', 'ls', 'str_replace_editor', 'constructor', '__proto__', ''])(
  'a call of another tool is not recorded: %s',
  (tool) => expect(record(call(tool, 'a'))).toEqual({ readFiles: [], modifiedFiles: [] }),
);

test('a patch modifies every path that it is said to name', () => {
  expect(
    record(call('apply_patch', 'new.ts', 'from.ts', 'to.ts', 'gone.ts', 'new.ts')).modifiedFiles,
  ).toEqual(['new.ts', 'from.ts', 'to.ts', 'gone.ts']);
});

test('several executors may share one tracker', () => {
  expect(record(call('Read', 'a'), call('edit_file', 'a'), call('read_file', 'b'))).toEqual({
    readFiles: ['a', 'b'],
    modifiedFiles: ['a'],
  });
});

test('a call without paths, or with empty ones, records nothing', () => {
  expect(record(call('Write'), call('Write', ''))).toEqual({ readFiles: [], modifiedFiles: [] });
});
