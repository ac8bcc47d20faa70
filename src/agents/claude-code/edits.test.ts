import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { readEdits } from './edits.ts';

const rows = (...values: readonly object[]) => values.map((value) => JSON.stringify(value)).join('\n');
const call = (id: string, name: string, input: object) => ({
  type: 'assistant',
  cwd: '/repo',
  message: { content: [{ type: 'tool_use', id, name, input }] },
});
const answer = (id: string, toolUseResult: unknown = 'ok', more: object = {}) => ({
  type: 'user',
  message: { content: [{ type: 'tool_result', tool_use_id: id, ...more }] },
  toolUseResult,
});

describe('edits of a transcript', () => {
  test('a captured session: writes, edits, failures, a notebook, a shell that reports', () => {
    const file = 'integration/fixtures/claude-code/transcripts/tools.jsonl';
    const { edits, agents, isComplete } = readEdits(readFileSync(file, 'utf8'));
    const known = edits.map(({ path, lines }) => [path.replace(/^.*\//, ''), lines]);
    expect(known).toEqual([
      ['a.txt', ['one', 'two', 'three']],
      ['nb.ipynb', [expect.stringContaining('print(1)')]],
      ['a.txt', ['TWO']],
      ['a.txt', ['four']],
      ['nb.ipynb', undefined],
      ['README.md', []],
      ['bash.txt', ['from-bash']],
      ['rel.txt', ['relative path']],
    ]);
    expect(agents).toEqual([]);
    expect(isComplete).toBe(true); // `exit 3` can have written nothing
  });

  test('what a hook of the user wrote into a file after an edit, nobody knows', () => {
    const told = (content: unknown, type = 'hook_additional_context') =>
      readEdits(rows({ type: 'attachment', cwd: '/repo', attachment: { type, content } })).edits;
    const modified = 'PostToolUse hook modified /repo/a b.ts after your edit (likely a formatter). Your next';
    expect(told([modified, 'something else', 7])).toEqual([
      { path: '/repo/a b.ts', lines: undefined, fragments: [] },
    ]);
    expect([told(modified), told([modified], 'hook_success'), told(['modified'])]).toEqual([[], [], []]);
  });

  test('without the client’s notes the call itself has to do, less what was there before', () => {
    const { edits } = readEdits(
      rows(
        call('1', 'Edit', { file_path: 'a.ts', old_string: 'x\nkeep\n', new_string: 'first\nkeep\nlast' }),
        answer('1'),
        call('2', 'MultiEdit', { file_path: '/repo/b.ts', edits: [{ old_string: '', new_string: 'b' }, 7] }),
        answer('2'),
        call('3', 'mcp__acp__Write', { file_path: '/repo/c.ts', content: 'c\n\n' }),
      ),
    );
    expect(edits).toEqual([
      { path: '/repo/a.ts', lines: ['first', 'last'], fragments: ['first', 'last'], removed: ['x'] },
      { path: '/repo/b.ts', lines: ['b'], fragments: ['b'] },
      { path: '/repo/c.ts', lines: ['c', ''], fragments: [], isWhole: true },
    ]);
  });

  test('of a file that was there, a Write without a difference has what was not in it', () => {
    const write = (content: string, result: object) =>
      readEdits(
        rows(
          call('1', 'Write', { file_path: '/r/a', content }),
          answer('1', { structuredPatch: [], ...result }),
        ),
      ).edits;
    const edit = (lines: string[], more = {}) => [{ path: '/r/a', lines, fragments: [], ...more }];
    expect(write('one\ntwo\n', { originalFile: 'one\ntwo\n' })).toEqual(edit([]));
    expect(write('one\ntwo\n', { originalFile: 'one\n' })).toEqual(edit(['two']));
    expect(write('one\n', { originalFile: null, type: 'create' })).toEqual(edit(['one']));
    expect(write('one\n', { originalFile: null })).toEqual(edit(['one'], { isWhole: true }));
  });

  test('of a notebook the lines that changed, where it was laid out as the client does it', () => {
    const file = 'integration/fixtures/claude-code/PostToolUse-NotebookEdit.json';
    const { tool_input: input, tool_response: result } = JSON.parse(readFileSync(file, 'utf8'));
    const edits = (told: object) =>
      readEdits(rows(call('1', 'NotebookEdit', input), answer('1', told))).edits;
    const path = '/repo/nb.ipynb';
    expect(edits(result)).toEqual([{ path, lines: undefined, fragments: [] }]); // it was on one line
    const [before, after] = [result.updated_file, result.updated_file.replace('print(2)', 'print(3)')];
    expect(edits({ ...result, original_file: before, updated_file: after })).toEqual([
      { path, lines: ['   "source": "print(3)",'], fragments: [], removed: ['   "source": "print(2)",'] },
    ]);
    expect(edits({ ...result, original_file: '{' })).toEqual(edits({}));
  });

  test('what failed wrote nothing', () => {
    const write = call('1', 'Write', { file_path: '/repo/a.ts', content: 'a' });
    expect(readEdits(rows(write, answer('1', 'Error', { is_error: true }))).edits).toEqual([]);
  });

  test('when tools were at work, where that is known of all of them', () => {
    const at = (second: number, row: object) => ({ ...row, timestamp: `2026-11-21T11:00:0${second}.000Z` });
    const one = (input: object, result: unknown = {}) =>
      readEdits(rows(at(1, call('1', 'Bash', input)), at(3, answer('1', result)))).calls?.length;
    const ms = (second: number) => Date.UTC(2026, 10, 21, 11, 0, second);
    const read = readEdits(
      rows(
        at(1, call('1', 'Bash', { command: 'make && ls > log 2>&1' })),
        at(2, call('2', 'Edit', { file_path: '/r/a' })),
        at(3, answer('2')),
        at(4, answer('1', 'Error: Exit code 1', { is_error: true })),
      ),
    );
    expect(read.calls).toEqual([
      { fromMs: ms(2), toMs: ms(3) },
      { fromMs: ms(1), toMs: ms(4) },
    ]);
    expect(one({ command: 'ls' })).toBe(1);
    expect(one({ command: 'ls', run_in_background: true })).toBeUndefined();
    expect(one({ command: 'ls' }, { backgroundTaskId: 'b1' })).toBeUndefined();
    for (const command of ['serve & sleep 1', 'serve &', 'nohup serve', 'tmux new -d serve'])
      expect(one({ command })).toBeUndefined();
    const shell = call('1', 'Bash', { command: 'ls' });
    for (const unknown of [
      [shell, answer('1')],
      [at(1, shell)],
      [at(3, shell), at(1, answer('1'))],
      [at(1, answer('1'))],
    ])
      expect(readEdits(rows(...unknown)).calls).toBeUndefined();
    const foreign = [at(1, call('1', 'mcp__x__write', {})), at(2, answer('1'))];
    expect(readEdits(rows(...foreign)).calls).toBeUndefined();
  });

  describe('commands that report nothing', () => {
    const told = { stdout: '', stderr: '', interrupted: false };
    const shell = (command: string, more: object = {}) => call('1', 'Bash', { command, ...more });
    const by = (version: string, result: unknown = told, more: object = {}) => ({
      ...answer('1', result, more),
      version,
    });
    const holds = (...values: readonly object[]) => readEdits(rows(...values)).isComplete;

    test('changed nothing, by a version that reports what they changed', () => {
      for (const version of ['2.1.330', '2.1.1000', '2.2.0'])
        expect(holds(shell('make'), by(version))).toBe(true);
      for (const version of ['2.1.329', '2.0.400', '1.9.999', '3.0.0', 'x', ''])
        expect(holds(shell('make'), by(version)), version).toBe(false);
      expect(holds(shell('make'), answer('1', told))).toBe(false);
    });

    test('changed nothing where another one of the session reported a change, unless that was told in part', () => {
      const reports = (moreFiles: number) => [
        call('2', 'Bash', { command: 'fmt' }),
        answer('2', { bashEditDiff: { files: [], moreFiles } }),
      ];
      expect(holds(shell('make'), answer('1', told), ...reports(0))).toBe(true);
      expect(holds(shell('make'), answer('1', told), ...reports(3))).toBe(false);
    });

    test.each([
      ['failed', shell('make'), by('2.1.330', 'Error: Exit code 2', { is_error: true })],
      ['was interrupted', shell('make'), by('2.1.330', { ...told, interrupted: true })],
      ['was sent into the background', shell('make', { run_in_background: true }), by('2.1.330')],
      ['went there when its time was over', shell('make'), by('2.1.330', { ...told, backgroundTaskId: 'b' })],
      ['starts more', shell('serve & sleep 1'), by('2.1.330')],
      ['ran in a sub-agent, where the client keeps no results', shell('make'), by('2.1.330', null)],
    ])('may have changed anything where it %s', (_, asked, answered) => {
      expect(holds(asked, answered)).toBe(false);
    });

    test('may have changed anything where nobody answered', () => {
      expect(holds(shell('make'))).toBe(false);
      expect(holds()).toBe(true);
    });

    test.each([
      'grep -rn needle src',
      "cd src && ls -la | grep 'x y' | wc -l",
      'test -f a.ts || exit 3',
      'cat a.ts 2>/dev/null; git status --short',
      'git log --oneline\ngit diff HEAD~1 -- a.ts 2>&1 | head -5',
    ])('changed nothing, though it failed, where it only reads: %s', (command) => {
      expect(holds(shell(command), by('', 'Error: Exit code 1', { is_error: true }))).toBe(true);
    });

    test.each([
      'echo x > a.ts',
      'cat a.ts | tee b.ts',
      'echo `rm a.ts`',
      'echo $(rm a.ts)',
      'git diff --output=a.ts',
      'git checkout a.ts',
      'ls && npm test',
      'cat <(rm a.ts)',
      'grep x a.ts 2>err.log',
      'FOO=1 ./run',
    ])('may have changed anything, where it failed and need not only read: %s', (command) => {
      expect(holds(shell(command), by('2.1.330', 'Error: Exit code 1', { is_error: true }))).toBe(false);
    });

    test('in its own repository: where it was at work is told, unless it only read', () => {
      const watched = (...values: readonly object[]) => readEdits(rows(...values)).watched;
      expect(watched(shell('make'), by('2.1.330'))).toEqual([{ folder: '/repo', isRoot: false }]);
      const row = { ...shell('make'), cwd: '/repo/.claude/worktrees/wt/sub' };
      expect(watched(row, by('2.1.330'))).toEqual([{ folder: '/repo/.claude/worktrees/wt', isRoot: true }]);
      expect(watched(shell('ls'), by('2.1.330'))).toBeUndefined();
    });
  });

  test('sub-agents are named by the call they work for', () => {
    const calls = [call('1', 'Task', {}), answer('1'), call('2', 'Agent', {}), call('3', 'Read', {})];
    expect(readEdits(rows(...calls)).agents).toEqual(['1', '2']);
  });

  test('a tool that is not known, and one of another program, may write without a word', () => {
    for (const name of ['mcp__x__write', 'Monitor', 'Workflow', 'NewTool'])
      expect(readEdits(rows(call('1', name, {}), answer('1'))).isComplete).toBe(false);
    for (const name of ['Read', 'Grep', 'TodoWrite', 'WebFetch', 'Edit', 'Agent'])
      expect(readEdits(rows(call('1', name, {}), answer('1'))).isComplete).toBe(true);
  });

  test('any bytes are read', () => {
    const odd = [
      'null "tool_use',
      '{"message":7,"x":"tool_use"}',
      rows({ type: 'assistant', message: { content: [{ type: 'tool_use' }, null, 'x'] } }),
      rows({ type: 'user', message: { content: { type: 'tool_result' } }, toolUseResult: [1] }),
      rows(
        call('1', 'Edit', []),
        answer('1', { structuredPatch: [null, { lines: 'x' }, { lines: [1, '+'] }] }),
      ),
    ];
    expect(readEdits(odd.join('\n')).edits).toEqual([]);
  });
});
