import { afterEach, expect, test } from 'vitest';
import { link, wantsLinks, withoutLinks } from './hyperlink.ts';
import { renderTable } from './table.ts';

afterEach(() => {
  delete process.env.FORCE_HYPERLINK;
});

test.each<[env: NodeJS.ProcessEnv, inTerminal: boolean]>([
  [{ TERM: 'xterm-256color' }, false],
  [{ TERM: 'xterm-kitty' }, true],
  [{ TERM: 'xterm-kitty', NO_COLOR: '1' }, false],
  [{ TERM: 'xterm-kitty', CI: 'true' }, false],
  [{ TERM: 'dumb', VTE_VERSION: '6003' }, false],
  [{ TERM: 'xterm', VTE_VERSION: '6003' }, true],
  [{ TERM: 'xterm', VTE_VERSION: '5000' }, false],
  [{ TERM: 'xterm', VTE_VERSION: '4603' }, false],
  [{ TERM: 'screen', VTE_VERSION: '6003' }, false],
  [{ TERM: 'xterm', VTE_VERSION: '6003', TMUX: '/tmp/tmux,1,0' }, false],
  [{ TERM: 'tmux-256color', TMUX: '/t', TERM_PROGRAM: 'tmux', TERM_PROGRAM_VERSION: '3.3a' }, false],
  [{ TERM: 'tmux-256color', TMUX: '/t', TERM_PROGRAM: 'tmux', TERM_PROGRAM_VERSION: '3.4' }, true],
  [{ TERM_PROGRAM: 'iTerm.app', TERM_PROGRAM_VERSION: '3.0.9' }, false],
  [{ TERM_PROGRAM: 'iTerm.app', TERM_PROGRAM_VERSION: '3.5.1' }, true],
  [{ TERM_PROGRAM: 'vscode', TERM_PROGRAM_VERSION: '1.90.2' }, true],
  [{ TERM_PROGRAM: 'WezTerm', TERM_PROGRAM_VERSION: '20240203-110809-5046fc22' }, true],
  [{ TERM_PROGRAM: 'WezTerm', TERM_PROGRAM_VERSION: '20200113-1' }, false],
  [{ TERM_PROGRAM: 'Apple_Terminal', TERM_PROGRAM_VERSION: '455' }, false],
  [{ TERM_PROGRAM: 'constructor' }, false],
  [{ TERM_PROGRAM: 'vscode' }, false],
  [{ WT_SESSION: 'x' }, true],
  [{ KONSOLE_VERSION: '220401' }, true],
  [{ KONSOLE_VERSION: '180401' }, false],
])('%j', (env, inTerminal) => {
  expect(wantsLinks(env, true)).toBe(inTerminal);
  expect(wantsLinks(env, false)).toBe(false);
  expect(wantsLinks({ ...env, FORCE_HYPERLINK: '0' }, true)).toBe(false);
  expect(wantsLinks({ ...env, FORCE_HYPERLINK: '1' }, false)).toBe(true);
});

test('no byte of an address gets out of the sequence', () => {
  const hostile = 'https://a/\u001b\\\u0007\u009c\n\0é 日';
  expect(link('text', hostile)).toBe(
    '\u001b]8;;https://a/%1B\\%07%C2%9C%0A%00%C3%A9%20%E6%97%A5\u001b\\text\u001b]8;;\u001b\\',
  );
  expect(withoutLinks(`a ${link('text', hostile)} b`)).toBe('a text b');
  expect(withoutLinks('\u001b]8;id=1;http://x\u0007t\u001b]8;;\u0007')).toBe('t');
});

test('a link takes no columns of a table', () => {
  const rows = [
    ['src', 'x'],
    ['日本', 'y'],
  ];
  const plain = renderTable([{ title: 'A' }, { title: 'B' }], rows, 40);
  const linked = renderTable(
    [{ title: 'A', paint: (cell) => link(cell, 'file:///x') }, { title: 'B' }],
    rows,
    40,
  );
  const within = renderTable(
    [{ title: 'A' }, { title: 'B' }],
    rows.map(([a = '', b = '']) => [link(a, 'file:///x'), b]),
    40,
  );
  expect(withoutLinks(linked)).toBe(plain);
  expect(withoutLinks(within)).toBe(plain);
});
