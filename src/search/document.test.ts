import { expect, test } from 'vitest';
import type { Message } from '../agents/shared/session/message.ts';
import { documentsOf } from './document.ts';

const call = (name: string, input: object, result = 'done'): Message[] => [
  { role: 'assistant', timestamp: 2, content: [{ type: 'tool_use', id: 'one', name, input }] },
  { role: 'user', timestamp: 3, content: [{ type: 'tool_result', tool_use_id: 'one', content: result }] },
];

test('what was said and done, by turns; thoughts, and what tools read from files, are left out', () => {
  const found = documentsOf(
    [
      { role: 'user', content: 'first', timestamp: 1 },
      {
        role: 'assistant',
        content: [
          { type: 'thinking', text: 'hm' },
          { type: 'text', text: 'answer' },
        ],
      },
      ...call('Bash', { command: 'npm test', description: 'Run' }, 'FAIL'),
      { role: 'user', content: 'summary', compacted: true },
      { role: 'user', content: 'second' },
      { role: 'user', content: 'into it', steered: true },
      ...call('Read', { file_path: '/repo/src/a.ts' }, 'contents'),
      ...call('Grep', { pattern: 'needle', path: 'src', long: 'x'.repeat(5000) }, 'found'),
    ],
    ['/repo', '/repo/deep'],
  );
  expect(found.map(({ kind, turn, text, more }) => [turn, kind, text, more])).toEqual([
    [1, 'prompt', 'first', ''],
    [1, 'answer', 'answer', ''],
    [1, 'command', 'npm test', 'FAIL'],
    [2, 'prompt', 'second', ''],
    [2, 'prompt', 'into it', ''],
    [2, 'file', 'src/a.ts', ''],
    [2, 'command', 'Grep needle src', 'found'],
  ]);
});

test('of what is long the beginning is kept, and of an output the end, too', () => {
  const [long] = documentsOf([{ role: 'user', content: `${'word '.repeat(20_000)}😀` }], []);
  expect(long?.text.length).toBe(64 * 1024);
  const output = `begin\n${'line\n'.repeat(5000)}error at the end`;
  const [command] = documentsOf(call('Bash', { command: 'make' }, output), []);
  expect(command?.more.startsWith('begin\n')).toBe(true);
  expect(command?.more.endsWith('error at the end')).toBe(true);
  expect(command?.more.length).toBeLessThan(4200);
  const [file] = documentsOf(call('Write', { file_path: 'a.ts', content: 'x'.repeat(9000) }), []);
  expect(file).toMatchObject({ kind: 'file', text: 'a.ts' });
  expect(file?.more.length).toBe(4096);
});
