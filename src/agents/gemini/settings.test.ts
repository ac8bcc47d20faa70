import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { geminiHooks } from './hook-input.ts';
import { GEMINI_HOOKS, geminiSettings as settings } from './settings.ts';

let root: string;
let file: string;
const place = () => ({ root, recordFile: join(root, '.git/entire/agent-settings/gemini.json') });
const read = () => readFileSync(file, 'utf8');
const write = (value: unknown) => {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, typeof value === 'string' ? value : JSON.stringify(value, null, 2));
};
const complete = { expected: 8, current: 8, outdated: 0, surplus: 0, obsolete: 0, unmet: 0 };

beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'entire-gemini-')));
  file = join(root, settings.file);
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

test('a file of our own: 8 hooks with names, and hooks switched on; uninstalling takes all of it away', () => {
  expect(settings.install(place())).toEqual({ installed: 8, removed: 0 });
  expect(settings.inspect(place())).toEqual(complete);
  const { hooksConfig, hooks } = JSON.parse(read());
  expect(hooksConfig).toEqual({ enabled: true });
  expect(hooks.BeforeAgent).toEqual([
    {
      hooks: [
        {
          name: 'entire-before-agent',
          type: 'command',
          command: 'entire hooks gemini before-agent || true',
        },
      ],
    },
  ]);
  expect(settings.uninstall(place())).toBe(8);
  expect(existsSync(join(root, '.gemini'))).toBe(false);
});

test('the 12 hooks of release 0.4.4 become ours, and those that run at every call of the model go', () => {
  const old: [string, string, string][] = [
    ['SessionStart', '', 'session-start'],
    ['SessionEnd', 'exit', 'session-end'],
    ['SessionEnd', 'logout', 'session-end'],
    ['BeforeAgent', '', 'before-agent'],
    ['AfterAgent', '', 'after-agent'],
    ['BeforeModel', '', 'before-model'],
    ['AfterModel', '', 'after-model'],
    ['BeforeToolSelection', '', 'before-tool-selection'],
    ['BeforeTool', '*', 'before-tool'],
    ['AfterTool', '*', 'after-tool'],
    ['PreCompress', '', 'pre-compress'],
    ['Notification', '', 'notification'],
  ];
  const hooks: Record<string, object[]> = {};
  for (const [event, matcher, verb] of old) {
    const hook = { name: `entire-${verb}`, type: 'command', command: `entire hooks gemini ${verb}` };
    hooks[event] = [...(hooks[event] ?? []), { ...(matcher && { matcher }), hooks: [hook] }];
  }
  write({ hooksConfig: { enabled: true }, hooks });
  settings.install(place());
  expect(settings.inspect(place())).toEqual(complete);
  expect(Object.keys(JSON.parse(read()).hooks).toSorted()).toEqual(
    [...new Set(GEMINI_HOOKS.slots.map(({ event }) => event))].toSorted(),
  );
  expect(settings.list(place()).map(({ verb }) => verb)).toHaveLength(8);
});

test('what is not ours stays, byte for byte', () => {
  const own = {
    theme: 'GitHub',
    hooksConfig: { disabled: ['x'], notifications: false },
    hooks: {
      AfterTool: [{ matcher: 'write_file', sequential: true, hooks: [{ type: 'command', command: 'lint' }] }],
    },
  };
  write(own);
  const before = read();
  settings.install(place());
  const after = JSON.parse(read());
  expect(after.hooksConfig).toEqual({ ...own.hooksConfig, enabled: true });
  expect(after.hooks.AfterTool[0]).toEqual(own.hooks.AfterTool[0]);
  expect(settings.install(place())).toEqual({ installed: 0, removed: 0 });
  settings.uninstall(place());
  expect(read()).toBe(before);
});

test('hooks that the user switched off are switched on by installing, and that is put back', () => {
  write({ hooksConfig: { enabled: false } });
  const before = read();
  settings.install(place());
  expect(JSON.parse(read()).hooksConfig.enabled).toBe(true);
  expect(settings.inspect(place())).toEqual(complete);
  settings.uninstall(place());
  expect(read()).toBe(before);
});

test('a list of hooks that is none makes the client refuse the file: it is said, and nothing written', () => {
  write({ hooks: { enabled: true } });
  const before = read();
  expect(() => settings.install(place())).toThrow(/"hooks.enabled" is not a list/);
  expect(read()).toBe(before);
});

test('matchers fit the names of the tools whole, and every verb means something', () => {
  const matcher = (verb: string) =>
    new RegExp(GEMINI_HOOKS.slots.find((one) => one.verb === verb)?.matcher ?? '');
  const edits = ['write_file', 'replace', 'edit_file', 'save_file', 'read_file', 'mcp_files_write_file'];
  expect(edits.filter((tool) => matcher('post-file-edit').test(tool))).toEqual(edits.slice(0, 4));
  expect(matcher('post-shell').test('run_shell_command')).toBe(true);
  const reads = ['read_file', 'read_many_files', 'mcp_files_read_file'];
  expect(reads.filter((tool) => matcher('post-file-read').test(tool))).toEqual(['read_file']);
  const payload = {
    session_id: 's',
    trigger: 'manual',
    tool_name: 'replace',
    tool_input: { file_path: 'a' },
  };
  for (const { verb } of GEMINI_HOOKS.slots.filter((one) => one.verb !== 'post-file-read'))
    expect(geminiHooks.parseHookInput(verb, payload)).toHaveProperty('type');
  expect(geminiHooks.parseFileRead({ ...payload, tool_name: 'read_file' })).toHaveProperty('type');
});
