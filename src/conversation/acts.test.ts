import { expect, test } from 'vitest';
import { type Act, actsOf, exitCodeOf } from './acts.ts';
import { fileChanges } from './export/file-changes.ts';

const acts = (name: string, given: unknown, more: { result?: string; failed?: boolean } = {}): Act[] =>
  actsOf({
    ...{ name, given, changes: fileChanges(name, given) },
    ...{ result: more.result, failed: more.failed ?? false },
  });

test.each<[string, unknown, Act]>([
  ['Bash', { command: 'npm test', description: 'Run it' }, { kind: 'run', command: 'npm test' }],
  ['shell', { command: ['bash', '-lc', 'npm test'] }, { kind: 'run', command: 'npm test' }],
  ['shell', { command: ['git', 'status'] }, { kind: 'run', command: 'git status' }],
  ['exec_command', { cmd: 'ls' }, { kind: 'run', command: 'ls' }],
  ['Execute', { command: 'ls', summary: 'Look' }, { kind: 'run', command: 'ls' }],
  ['Grep', { pattern: 'foo', path: 'src' }, { kind: 'search', what: 'foo', where: 'src' }],
  ['search_file_content', { pattern: 'foo' }, { kind: 'search', what: 'foo', where: '' }],
  ['WebSearch', { query: 'foo' }, { kind: 'search', what: 'foo', where: 'the web' }],
  ['google_web_search', { query: 'foo' }, { kind: 'search', what: 'foo', where: 'the web' }],
  ['Glob', { pattern: '**/*.ts' }, { kind: 'find', what: '**/*.ts' }],
  ['LS', { path: '/r' }, { kind: 'list', path: '/r' }],
  ['WebFetch', { url: 'https://a.b', prompt: 'x' }, { kind: 'fetch', what: 'https://a.b' }],
  ['Task', { description: 'Look around', prompt: 'long' }, { kind: 'agent', what: 'Look around' }],
  ['Read', { file_path: 'a' }, { kind: 'read', path: 'a' }],
  ['delete', { path: 'a' }, { kind: 'delete', path: 'a' }],
  ['Skill', { skill: 'review' }, { kind: 'other', name: 'Skill', what: 'review' }],
  ['ToolSearch', { query: 'x' }, { kind: 'other', name: 'ToolSearch', what: 'x' }],
  ['odd', undefined, { kind: 'other', name: 'odd', what: '' }],
])('%s %j', (name, given, act) => {
  expect(acts(name, given)).toEqual([act]);
});

test('lines of a file that was made are new; of one that may have been there before only their number is known', () => {
  const write = { file_path: 'a', content: 'x\ny\n' };
  const told = (act: object) => [{ kind: 'write', path: 'a', ...act }];
  expect(acts('Write', write, { result: 'File created successfully at: a' })).toEqual(
    told({ lines: { added: 2, removed: 0 } }),
  );
  expect(acts('Write', write, { result: 'The file a has been updated' })).toEqual(told({ size: 2 }));
  expect(acts('create', { path: 'a', file_text: 'x' })).toEqual(told({ lines: { added: 1, removed: 0 } }));
  expect(acts('Write', write, { result: 'No space left', failed: true })).toEqual(told({}));
});

test('an edit has the lines that it puts in the place of others; a cell of a notebook tells them not', () => {
  expect(acts('Edit', { file_path: 'a', old_string: 'x\ny', new_string: 'x\nz\nz' })).toEqual([
    { kind: 'edit', path: 'a', lines: { added: 2, removed: 1 } },
  ]);
  expect(acts('NotebookEdit', { notebook_path: 'n', new_source: 'x' })).toEqual([
    { kind: 'edit', path: 'n' },
  ]);
  const patch = `*** Begin Patch
*** Add File: a
+x
*** Update File: b
*** Move to: c
@@
-y
+z
*** Delete File: d
*** End Patch`;
  expect(acts('apply_patch', { input: patch })).toEqual([
    { kind: 'write', path: 'a', lines: { added: 1, removed: 0 } },
    { kind: 'move', path: 'b', movedTo: 'c', lines: { added: 1, removed: 1 } },
    { kind: 'delete', path: 'd' },
  ]);
});

test.each<[string, string | undefined, number | undefined]>([
  ['Claude Code', 'Exit code 3\nno such file', 3],
  ['Codex', 'Chunk ID: 0e\nWall time: 0.0 seconds\nProcess exited with code 1\nOutput:\n', 1],
  ['Codex before', 'Exit code: 2\nWall time: 0 seconds\nOutput:\n', 2],
  ['Copilot CLI', `${'x\n'.repeat(900)}<shellId: 0 completed with exit code 4>`, 4],
  ['droid', 'Error: Command failed (exit code: 3)\n\n[Process exited with code 3]', 3],
  ['Gemini CLI', 'Output: x\nExit Code: 1\nProcess Group PGID: 7', 1],
  ['Qwen Code', 'Command: x\nError: (none)\nExit Code: 0\nSignal: (none)', 0],
  ['none', 'the exit code 7 is in the middle', undefined],
  ['nothing', undefined, undefined],
])('the exit code that %s tells', (_, result, code) => {
  expect(exitCodeOf(result)).toBe(code);
});
