import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { copilotSettings as settings } from './settings.ts';

let root: string;
const place = () => ({ root, recordFile: join(root, 'record.json') });
const file = () => join(root, '.github/hooks/entire.json');
const read = () => readFileSync(file(), 'utf8');
const write = (value: unknown) => {
  mkdirSync(join(root, '.github/hooks'), { recursive: true });
  writeFileSync(file(), typeof value === 'string' ? value : `${JSON.stringify(value, null, 2)}\n`);
};

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'copilot-settings-'));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const entry = (verb: string, more: object = {}) => ({
  type: 'command',
  bash: `entire hooks copilot-cli ${verb} || true`,
  comment: 'Entire CLI',
  ...more,
});

test('a new file holds our hooks and the version that the client wants', () => {
  expect(settings.install(place())).toEqual({ installed: 10, removed: 0 });
  expect(JSON.parse(read())).toEqual({
    version: 1,
    hooks: {
      agentStop: [entry('agent-stop')],
      postToolUse: [
        entry('post-file-edit', { matcher: 'create|edit|str_replace_editor|apply_patch' }),
        entry('post-file-read', { matcher: 'view' }),
        entry('post-shell', { matcher: 'bash|powershell' }),
      ],
      preCompact: [entry('pre-compact')],
      sessionEnd: [entry('session-end')],
      sessionStart: [entry('session-start')],
      subagentStart: [entry('subagent-start')],
      subagentStop: [entry('subagent-stop')],
      userPromptSubmitted: [entry('user-prompt-submitted')],
    },
  });
  const first = read();
  expect(settings.install(place())).toEqual({ installed: 0, removed: 0 });
  expect(read()).toBe(first);
  expect(settings.inspect(place())).toMatchObject({
    expected: 10,
    current: 10,
    outdated: 0,
    surplus: 0,
    unmet: 0,
  });
  expect(settings.uninstall(place())).toBe(10);
  expect(existsSync(file())).toBe(false);
});

test('the file of another release becomes ours, and goes as a whole', () => {
  const old = (verb: string) => [
    { type: 'command', bash: `entire hooks copilot-cli ${verb}`, comment: 'Entire CLI' },
  ];
  write({
    version: 1,
    hooks: {
      userPromptSubmitted: [{ ...old('user-prompt-submitted')[0], timeoutSec: 7 }],
      preToolUse: old('pre-tool-use'),
      postToolUse: old('post-tool-use'),
      errorOccurred: old('error-occurred'),
    },
  });
  settings.install(place());
  const hooks = JSON.parse(read()).hooks;
  expect(hooks.userPromptSubmitted).toEqual([{ ...entry('user-prompt-submitted'), timeoutSec: 7 }]);
  expect(Object.keys(hooks)).not.toContain('errorOccurred');
  expect(hooks.postToolUse).toHaveLength(3);
  settings.uninstall(place());
  expect(existsSync(file())).toBe(false);
});

test('hooks of the user in the same file stay', () => {
  const own = { version: 1, hooks: { agentStop: [{ type: 'command', bash: 'say done' }], preToolUse: [] } };
  write(own);
  const before = read();
  settings.install(place());
  expect(JSON.parse(read()).hooks.agentStop).toEqual([
    { type: 'command', bash: 'say done' },
    entry('agent-stop'),
  ]);
  settings.uninstall(place());
  expect(read()).toBe(before);
});

test('what we cannot read is left as it is', () => {
  for (const text of ['{', '{"hooks": []}', '{"version": 1, "hooks": {"agentStop": {}}}']) {
    write(text);
    expect(() => settings.install(place())).toThrow();
    expect(read()).toBe(text);
  }
});
