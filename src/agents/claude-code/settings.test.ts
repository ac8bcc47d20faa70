import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { hookCommand } from '../shared/hook-table/command.ts';
import { CLAUDE_HOOKS, claudeSettings } from './settings.ts';

const DENY_RULE = 'Read(./.entire/metadata/**)';
const V044: readonly [string, string, string][] = [
  ['SessionStart', '', 'session-start'],
  ['SessionEnd', '', 'session-end'],
  ['Stop', '', 'stop'],
  ['UserPromptSubmit', '', 'user-prompt-submit'],
  ['PreToolUse', 'Task', 'pre-task'],
  ['PostToolUse', 'Task', 'post-task'],
  ['PostToolUse', 'TodoWrite', 'post-todo'],
];

let root: string;
let file: string;
const place = () => ({ root, recordFile: join(root, '.git/entire/agent-settings/claude-code.json') });
const read = () => readFileSync(file, 'utf8');
const write = (text: string) => {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
};
const commands = (): string[] =>
  Array.from(read().matchAll(/"command":\s*"(entire[^"]*)"/g), (match) => match[1] as string);
const complete = { expected: 15, current: 15, outdated: 0, surplus: 0, obsolete: 0, unmet: 0 };

beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'entire-claude-')));
  file = join(root, claudeSettings.file);
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

test('a file of our own: 15 hooks, 0600, final newline; uninstalling takes file and folder away', () => {
  expect(claudeSettings.install(place())).toEqual({ installed: 15, removed: 0 });
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(read().endsWith('}\n')).toBe(true);
  expect(claudeSettings.inspect(place())).toEqual(complete);
  const hooks = JSON.parse(read()).hooks;
  expect(Object.keys(hooks)).toEqual([...Object.keys(hooks)].sort());
  expect(hooks.PreToolUse).toEqual([
    { matcher: 'Task', hooks: [{ type: 'command', command: 'entire hooks claude-code pre-task || true' }] },
  ]);
  expect(JSON.parse(read()).permissions).toBeUndefined();

  expect(claudeSettings.uninstall(place())).toBe(15);
  expect(existsSync(join(root, '.claude'))).toBe(false);
  expect(existsSync(place().recordFile)).toBe(false);
});

test('installing twice writes nothing, with force it reports every hook and changes no byte', () => {
  claudeSettings.install(place());
  const before = { text: read(), inode: statSync(file).ino };
  expect(claudeSettings.install(place())).toEqual({ installed: 0, removed: 0 });
  expect(statSync(file).ino).toBe(before.inode); // not replaced by an equal one
  expect(claudeSettings.install(place(), { force: true }).installed).toBe(15);
  expect(read()).toBe(before.text);
});

test("the user's hooks, time-outs, order, mode and indentation stay; uninstalling restores every byte", () => {
  const text = `\uFEFF{
\t"model": "opus", "env": { "A": "<b> & c" },
\t"hooks": {
\t\t"Stop": [ { "matcher": "", "hooks": [ { "type": "command", "command": "say done", "timeout": 5 } ] } ],
\t\t"Notification": [{"hooks":[{"type":"command","command":"beep"}]}],
\t\t"PostToolUse": [
\t\t\t{
\t\t\t\t"matcher": "Write",
\t\t\t\t"hooks": [
\t\t\t\t\t{ "type": "command", "command": "my-entire hooks claude-code stop", "timeout": 7 }
\t\t\t\t]
\t\t\t}
\t\t]
\t},
\t"permissions": { "allow": ["Bash(ls)"], "deny": ["Read(.env)"], "ask": [] }
}`;
  write(text);
  chmodSync(file, 0o640);
  expect(claudeSettings.install(place()).installed).toBe(15);
  expect(statSync(file).mode & 0o777).toBe(0o640);
  const after = JSON.parse(read().slice(1));
  expect(after.hooks.Stop[0].hooks).toEqual([
    { type: 'command', command: 'say done', timeout: 5 },
    { type: 'command', command: 'entire hooks claude-code stop || true' },
  ]);
  expect(read()).toContain('"command": "my-entire hooks claude-code stop", "timeout": 7 },\n');
  expect(read()).toContain('\n\t\t"SessionEnd": [\n\t\t\t{\n\t\t\t\t"matcher": "",');
  expect(after.permissions).toEqual({ allow: ['Bash(ls)'], deny: ['Read(.env)'], ask: [] });
  expect(claudeSettings.uninstall(place())).toBe(15);
  expect(read()).toBe(text);
});

test('what the user added after us survives uninstalling', () => {
  write('{\n  "model": "opus"\n}\n');
  claudeSettings.install(place());
  write(read().replace('"model": "opus"', '"model": "sonnet"'));
  expect(claudeSettings.uninstall(place())).toBe(15);
  expect(read()).toBe('{\n  "model": "sonnet"\n}\n');
});

test('a file we created but the user filled stays, one that is empty goes', () => {
  claudeSettings.install(place());
  const ours = read();
  write(ours.replace('{\n', '{\n  "model": "opus",\n'));
  claudeSettings.uninstall(place());
  expect(read()).toBe('{\n  "model": "opus"\n}\n');
  rmSync(file);
  claudeSettings.install(place());
  write(`${read()}\n\n`);
  claudeSettings.uninstall(place());
  expect(existsSync(file)).toBe(false);
});

const v044 = (extra = {}) => {
  const hooks: Record<string, unknown[]> = {};
  for (const [event, matcher, verb] of V044) {
    const entry = { type: 'command', command: `entire hooks claude-code ${verb}`, ...extra };
    hooks[event] = [...(hooks[event] ?? []), { matcher, hooks: [entry] }];
  }
  return `${JSON.stringify({ hooks, permissions: { deny: [DENY_RULE] } }, null, 2)}\n`;
};

test('the form of v0.4.4 is brought up to date in its place, and its deny rule goes', () => {
  write(v044({ timeout: 9 }));
  expect(claudeSettings.inspect(place())).toEqual({
    expected: 15,
    current: 0,
    outdated: 7,
    surplus: 0,
    obsolete: 1,
    unmet: 0,
  });
  expect(claudeSettings.install(place())).toEqual({ installed: 15, removed: 0 });
  expect(claudeSettings.inspect(place())).toEqual(complete);
  const { hooks, permissions } = JSON.parse(read());
  expect(permissions).toBeUndefined();
  expect(hooks.Stop).toEqual([
    {
      matcher: '',
      hooks: [{ type: 'command', command: 'entire hooks claude-code stop || true', timeout: 9 }],
    },
  ]);
  claudeSettings.uninstall(place());
  expect(existsSync(file)).toBe(false); // all of it was ours
});

test('one of each remains: doubles, other forms and entries at other places go, foreign ones stay', () => {
  const entries = [
    'entire hooks claude-code stop',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: the agent's shell expands it
    'go run ${CLAUDE_PROJECT_DIR}/cmd/entire/main.go hooks claude-code stop',
    'entire hooks claude-code stop || true',
    "'/opt/my tools/entire' hooks claude-code stop",
    'entire rewind claude-hook --stop',
    'entire status',
    'echo entire hooks claude-code stop',
  ].map((command) => ({ type: 'command', command }));
  const task = { type: 'command', command: 'entire hooks claude-code pre-task' };
  write(
    JSON.stringify({
      hooks: { Stop: [{ hooks: entries }], PreToolUse: [{ matcher: 'Agent', hooks: [task] }] },
    }),
  );
  expect(claudeSettings.inspect(place())).toMatchObject({ current: 1, surplus: 5 });
  expect(claudeSettings.install(place())).toEqual({ installed: 14, removed: 5 });
  expect(commands().sort()).toEqual(
    [...CLAUDE_HOOKS.slots.map(({ verb }) => hookCommand(CLAUDE_HOOKS, verb)), 'entire status'].sort(),
  );
  expect(read()).toContain('echo entire hooks claude-code stop');
  expect(read()).not.toContain('"Agent"');
});

test('a command of ours that the user extended is left as it is', () => {
  const command = 'entire hooks claude-code stop && notify-send done';
  write(JSON.stringify({ hooks: { Stop: [{ hooks: [{ type: 'command', command }] }] } }));
  expect(claudeSettings.install(place()).installed).toBe(14);
  expect(read()).toContain(command);
  expect(claudeSettings.inspect(place())).toEqual(complete);
});

test.each([
  ['{ "hooks": {\n  "Stop": "x" } }', '.claude/settings.json, line 2: "hooks.Stop" is not a list.'],
  ['{ "hooks": [] }', '.claude/settings.json, line 1: "hooks" is not an object.'],
  [
    '{ "hooks": { "Stop": [{}] } }',
    '.claude/settings.json, line 1: "hooks.Stop" holds an entry without a list of hooks.',
  ],
  ['[]', '.claude/settings.json, line 1: the file is not a JSON object.'],
  ['{\n "a": 1\n "b": 2 }', '.claude/settings.json, line 3: not valid JSON (CommaExpected).'],
  [
    '{ "hooks": {}, "hooks": { "Stop": [], "Stop": 1 } }',
    '.claude/settings.json, line 1: "hooks.Stop" is not a list.',
  ],
])('%j is refused by name and line, and not touched', (text, message) => {
  write(text);
  for (const act of [claudeSettings.install, claudeSettings.uninstall, claudeSettings.inspect]) {
    expect(() => act(place())).toThrow(expect.objectContaining({ code: 'CONFIG_UNREADABLE', message }));
  }
  expect(read()).toBe(text);
  expect(existsSync(place().recordFile)).toBe(false);
});

test('hook types we do not manage may have any shape, an empty file counts as none', () => {
  write('{"hooks":{"Notification":7,"Future":{}}}');
  expect(claudeSettings.install(place()).installed).toBe(15);
  expect(read()).toContain('"Notification":7,"Future":{}');
  claudeSettings.uninstall(place());
  expect(read()).toBe('{"hooks":{"Notification":7,"Future":{}}}');
  write('');
  claudeSettings.install(place());
  claudeSettings.uninstall(place());
  expect(read()).toBe('');
});

test('a symlink is written through inside the repository, and refused where it leads out', () => {
  mkdirSync(join(root, 'shared'));
  mkdirSync(join(root, '.claude'));
  writeFileSync(join(root, 'shared/settings.json'), '{}');
  symlinkSync('../shared/settings.json', file);
  claudeSettings.install(place());
  expect(readFileSync(join(root, 'shared/settings.json'), 'utf8')).toContain('entire hooks');
  rmSync(file);
  symlinkSync('/etc/hostname', file);
  expect(() => claudeSettings.install(place())).toThrow(/leads out of the repository/);
  rmSync(file);
  symlinkSync('/nowhere/at/all.json', file);
  expect(() => claudeSettings.install(place())).toThrow(/leads out of the repository/);
});

test('settings that are nested without end, or are no file, are refused with the reason', () => {
  mkdirSync(join(root, '.claude'));
  writeFileSync(file, `{"a":${'['.repeat(100_000)}${']'.repeat(100_000)}}`);
  expect(() => claudeSettings.inspect(place())).toThrow('.claude/settings.json, line 1: nested too deep.');
  truncateSync(file, 3 * 1024 ** 3);
  expect(() => claudeSettings.inspect(place())).toThrow('larger than 1 MiB');
  rmSync(file);
  mkdirSync(file);
  expect(() => claudeSettings.install(place())).toThrow('it is a folder');
});

test('nothing to uninstall is no error', () => {
  expect(claudeSettings.uninstall(place())).toBe(0);
  expect(claudeSettings.inspect(place())).toMatchObject({ current: 0, expected: 15 });
});
