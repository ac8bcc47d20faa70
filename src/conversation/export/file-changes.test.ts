import { expect, test } from 'vitest';
import { diffLines } from './diff-lines.ts';
import { fileChanges } from './file-changes.ts';

const shownOf = (tool: string, input: unknown) =>
  fileChanges(tool, input).map(({ path, movedTo, lines }) => [
    movedTo === undefined ? path : `${path} to ${movedTo}`,
    ...lines.map(({ sign, text }) => sign + text),
  ]);

test.each<[string, string, unknown, string[][]]>([
  [
    'Claude Code, a replacement',
    'Edit',
    { file_path: 'a', old_string: 'x\ny', new_string: 'x\nz' },
    [['a', ' x', '-y', '+z']],
  ],
  [
    'Claude Code, several',
    'MultiEdit',
    {
      file_path: 'a',
      edits: [
        { old_string: 'x', new_string: 'y' },
        { old_string: '', new_string: 'z' },
      ],
    },
    [['a', '-x', '+y', '@', '+z']],
  ],
  ['Claude Code, a notebook', 'NotebookEdit', { notebook_path: 'n', new_source: 'x' }, [['n', '+x']]],
  ['droid', 'Edit', { file_path: 'a', old_str: 'x', new_str: 'y' }, [['a', '-x', '+y']]],
  ['OpenCode', 'edit', { filePath: 'a', oldString: 'x', newString: '' }, [['a', '-x']]],
  ['Pi', 'edit', { path: 'a', edits: [{ oldText: 'x', newText: 'y' }] }, [['a', '-x', '+y']]],
  ['a whole file', 'write_file', { file_path: 'a', content: 'x\r\ny\n' }, [['a', '+x', '+y']]],
  ['Copilot CLI', 'create', { path: 'a', file_text: 'x' }, [['a', '+x']]],
  [
    'an envelope',
    'apply_patch',
    '*** Begin Patch\n*** Add File: a\n+x\n*** Update File: b\n*** Move to: c\n@@ f\n-y\n+z\n*** Delete File: d\n*** End Patch',
    [['a', '+x'], ['b to c', '@f', '-y', '+z'], ['d']],
  ],
  [
    'an envelope in a shell',
    'exec_command',
    { command: "apply_patch <<'E'\n*** Begin Patch\n*** Add File: a\n+x\n*** End Patch\nE" },
    [['a', '+x']],
  ],
  [
    'Codex, an item',
    'file_change',
    {
      changes: {
        a: { type: 'update', unified_diff: '@@ -1 +1 @@\n-x\n+y\n' },
        b: { type: 'delete', content: 'z\n' },
      },
    },
    [
      ['a', '@-1 +1', '-x', '+y'],
      ['b', '-z'],
    ],
  ],
  [
    'Codex, what `codex exec` prints of an item',
    'file_change',
    {
      changes: [
        { path: 'a', kind: 'add' },
        { path: 'b', kind: 'delete' },
        { path: 'c', kind: { type: 'update', move_path: 'd' } },
      ],
    },
    [['a'], ['b'], ['c to d']],
  ],
  [
    'an envelope with lines that look like a header',
    'apply_patch',
    { input: '*** Begin Patch\n*** Update File: a\n *** Delete File: b\n-x\n+y\n*** End Patch' },
    [['a', ' *** Delete File: b', '-x', '+y']],
  ],
  ['an empty file', 'Write', { file_path: 'a', content: '' }, [['a']]],
  [
    'hunks',
    'Edit',
    { file_path: 'a', structuredPatch: [{ oldStart: 3, newStart: 4, lines: ['-x', '+y'] }] },
    [['a', '@-3 +4', '-x', '+y']],
  ],
  ['another tool with a content', 'think', { content: 'x' }, []],
  ['what is none', 'Edit', { edits: 7, changes: null, structuredPatch: 'x' }, []],
])('%s', (_, tool, input, expected) => {
  expect(shownOf(tool, input)).toEqual(expected);
});

test('far from a change lines are left out', () => {
  const lines = Array.from({ length: 40 }, (_, at) => `${at}`);
  const after = lines.map((line) => (line === '10' || line === '30' ? 'new' : line));
  const shown = diffLines(lines.join('\n'), after.join('\n')).map(({ sign, text }) => sign + text);
  expect(shown).toEqual([
    ' 7',
    ' 8',
    ' 9',
    '-10',
    '+new',
    ' 11',
    ' 12',
    ' 13',
    '@',
    ' 27',
    ' 28',
    ' 29',
    '-30',
    '+new',
    ' 31',
    ' 32',
    ' 33',
  ]);
});

test('texts that have nothing in common are compared in no time', () => {
  const [before, after] = ['a', 'b'].map((letter) =>
    Array.from({ length: 50_000 }, (_, at) => letter + at).join('\n'),
  );
  expect(diffLines(before ?? '', after ?? '')).toHaveLength(100_000);
});
