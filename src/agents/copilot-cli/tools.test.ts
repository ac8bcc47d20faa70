import { describe, expect, test } from 'vitest';
import { copilotTranscript as format } from './transcript.ts';

const lines = (...values: unknown[]) => values.map((value) => `${JSON.stringify(value)}\n`).join('');
const event = (type: string, data: object, more: object = {}) => ({
  type,
  data,
  id: `id-of-${type}`,
  ...more,
});

describe('files', () => {
  const start = (toolCallId: string, toolName: string, given: unknown) =>
    event('tool.execution_start', { toolCallId, toolName, arguments: given });
  const end = (toolCallId: string, data: object) =>
    event('tool.execution_complete', { toolCallId, success: true, ...data });

  test('of older clients, which tell them in what they measure', () => {
    const told = (more: object) => ({ toolTelemetry: { properties: { command: 'edit' }, ...more } });
    expect(
      format.readFilesTouched(
        lines(
          end('1', told({ restrictedProperties: { filePaths: '["/r/a","/r/b"]' } })),
          end('2', { toolTelemetry: { properties: { command: 'create', filePaths: '["/r/c"]' } } }),
          end('3', { toolTelemetry: { properties: { command: 'view', filePaths: '["/r/seen"]' } } }),
          end('4', { success: false, ...told({ restrictedProperties: { filePaths: '["/r/failed"]' } }) }),
          end('5', told({ restrictedProperties: { filePaths: 'no JSON' } })),
        ),
      ),
    ).toEqual(['/r/a', '/r/b', '/r/c']);
  });

  test('of calls that nobody answered, and none of those that failed', () => {
    const patch = '*** Begin Patch\n*** Update File: a\n*** Move to: b\n@@\n-x\n+y\n*** End Patch';
    const transcript = lines(
      start('1', 'create', { path: '/r/new', file_text: 'x\n' }),
      start('2', 'apply_patch', patch),
      start('3', 'edit', { path: '/r/failed', old_str: 'x', new_str: 'y' }),
      end('3', { success: false, error: { message: 'No match found' } }),
      start('4', 'view', { path: '/r/seen' }),
      start(
        '5',
        'edit',
        JSON.stringify({ path: '/r/text', old_str: 'one\ntwo', new_str: 'one\nthree\nfour' }),
      ),
    );
    expect(format.readFilesTouched(transcript)).toEqual(['/r/new', 'a', 'b', '/r/text']);
    expect(format.readEdits(transcript).edits).toEqual([
      { path: '/r/new', lines: ['x'], fragments: [], isWhole: true },
      { path: 'a', lines: [], fragments: [], removed: ['x'] },
      { path: 'b', lines: ['y'], fragments: [], movedFrom: 'a' },
      { path: '/r/text', lines: ['three', 'four'], fragments: ['four'], removed: ['two'] },
    ]);
  });

  test('an answer whose call stands in an earlier part', () => {
    const difference = '\n--- a/r/a\n+++ b/r/a\n@@ -1,3 +1,4 @@\n one\n-two\n+++ b/r/b\n+three\n \n';
    const answered = end('1', {
      fileEdits: [{ path: '/r/a', kind: 'edit' }, { path: '/r/b', kind: 'edit' }, { path: 7 }, null],
      result: { content: '', detailedContent: difference },
    });
    expect(format.readEdits(lines(answered)).edits).toEqual([
      { path: '/r/a', lines: ['++ b/r/b', 'three'], fragments: [], removed: ['two'] },
      { path: '/r/b', lines: undefined, fragments: [] },
    ]);
  });

  test('tools of other programs write what they do not tell', () => {
    const call = event('tool.execution_start', { toolCallId: '1', toolName: 'x-do', mcpServerName: 'x' });
    expect(format.readEdits(lines(call)).isComplete).toBe(false);
    expect(format.readEdits(lines(start('1', 'grep', {}))).isComplete).toBe(true);
  });
});
