import { expect, test } from 'vitest';
import type { Message } from '../agents/shared/session/message.ts';
import { filesOfCall } from './called-files.ts';
import { measureMessages } from './message-facts.ts';

const PATCH =
  '*** Begin Patch\n*** Add File: new\n+x\n*** Update File: from\n*** Move to: to\n*** Delete File: gone\n*** End Patch';
const PATCHED = ['new', 'from', 'to', 'gone'];
const none = { read: [], modified: [] };

test.each<[string, string, unknown, readonly string[]]>([
  ['Claude Code', 'Write', { file_path: 'a', content: 'x' }, ['a']],
  ['Claude Code, a notebook', 'NotebookEdit', { notebook_path: 'a' }, ['a']],
  ['OpenCode', 'edit', { filePath: 'a' }, ['a']],
  ['OpenCode, a patch', 'apply_patch', { patchText: PATCH }, PATCHED],
  ['Codex, a patch', 'apply_patch', { input: PATCH }, PATCHED],
  ['Codex, a patch in a shell', 'shell', { command: ['apply_patch', PATCH] }, PATCHED],
  ['Codex, a patch in a script', 'exec_command', { cmd: `apply_patch <<'E'\n${PATCH}\nE` }, PATCHED],
  ['Codex, an item', 'file_change', { changes: [{ path: 'a', kind: 'add' }] }, ['a']],
  [
    'Codex, a move',
    'file_change',
    { changes: [{ path: 'a', kind: { type: 'update', move_path: 'b' } }] },
    ['a', 'b'],
  ],
  [
    'Codex, an item of its log',
    'file_change',
    { changes: { a: { type: 'update', move_path: 'b' } } },
    ['a', 'b'],
  ],
  ['Copilot CLI, a patch', 'apply_patch', PATCH, PATCHED],
  ['Copilot CLI, an editor', 'str_replace_editor', { command: 'create', path: 'a' }, ['a']],
  ['Cursor', 'StrReplace', { path: 'a' }, ['a']],
  ['Cursor, a file that goes', 'Delete', { path: 'a' }, ['a']],
  ['droid', 'ApplyPatch', { input: PATCH }, PATCHED],
  ['a server', 'mcp__filesystem__write_file', { path: 'a' }, ['a']],
])('a call that writes: %s', (_, tool, input, modified) => {
  expect(filesOfCall(tool, input)).toEqual({ read: [], modified });
});

test.each<[string, string, unknown]>([
  ['Read', 'Read', { file_path: 'a' }],
  ['an editor that only looks', 'str_replace_editor', { command: 'view', path: 'a' }],
])('a call that reads: %s', (_, tool, input) => {
  expect(filesOfCall(tool, input)).toEqual({ read: ['a'], modified: [] });
});

test.each<[string, unknown]>([
  ['Bash', { command: 'cat a' }],
  ['Bash', { command: `cat <<E\n${PATCH}\nE` }],
  ['TodoWrite', { todos: [] }],
  ['mcp__notes__create', { path: 'a' }],
  ['release', { changes: { a: 'add' } }],
  ['Edit', null],
])('a call that works on no file by name: %s %j', (tool, input) => {
  expect(filesOfCall(tool, input)).toEqual(none);
});

test('what a call wrote that failed is told nowhere; one without an answer may have done its work', () => {
  const use = (id: string, path: string) => ({
    type: 'tool_use',
    id,
    name: 'Write',
    input: { file_path: path },
  });
  const messages: Message[] = [
    { role: 'assistant', content: [use('1', 'failed'), use('2', 'open')] },
    { role: 'user', content: [{ type: 'tool_result', tool_use_id: '1', content: 'no', is_error: true }] },
    { role: 'assistant', content: [use('1', 'done')] }, // some clients count anew in each turn
    { role: 'user', content: [{ type: 'tool_result', tool_use_id: '1', content: 'yes' }] },
  ];
  expect(measureMessages(messages).files).toEqual(['open', 'done']);
});
