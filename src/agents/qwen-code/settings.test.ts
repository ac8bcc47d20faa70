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
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { qwenSettings as settings } from './settings.ts';

let root: string;
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'entire-qwen-')));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const file = () => join(root, '.qwen/settings.json');
const place = () => ({ root, recordFile: join(root, 'record.json') });
const commands = () => settings.list({ root }).map(({ event, verb }) => `${event} ${verb}`);

test('every hook, once; a second time there is nothing to do', () => {
  expect(settings.install(place())).toEqual({ installed: 13, removed: 0 });
  expect(commands()).toEqual([
    'PostToolUse post-task',
    'PostToolUse post-file-edit',
    'PostToolUse post-file-read',
    'PostToolUse post-shell',
    'PostToolUseFailure post-shell',
    'PreCompact pre-compact',
    'PreToolUse pre-task',
    'SessionEnd session-end',
    'SessionStart session-start',
    'Stop stop',
    'StopFailure stop',
    'SubagentStop subagent-stop',
    'UserPromptSubmit user-prompt-submit',
  ]);
  const text = readFileSync(file(), 'utf8');
  expect(settings.install(place())).toEqual({ installed: 0, removed: 0 });
  expect(readFileSync(file(), 'utf8')).toBe(text);
  expect(settings.uninstall(place())).toBe(13);
  expect(existsSync(join(root, '.qwen'))).toBe(false);
});

test('the client writes the file anew, with the version of its format: that goes with our hooks', () => {
  settings.install(place());
  const value = JSON.parse(readFileSync(file(), 'utf8')) as object;
  writeFileSync(file(), JSON.stringify({ ...value, $version: 4 }, undefined, 2));
  expect(settings.inspect({ root })).toMatchObject({ expected: 13, current: 13, obsolete: 0 });
  expect(settings.uninstall(place())).toBe(13);
  expect(existsSync(file())).toBe(false);
});

test('what the user has in it stays', () => {
  mkdirSync(join(root, '.qwen'));
  const own = {
    $version: 4,
    model: { name: 'x' },
    hooks: { Stop: [{ hooks: [{ type: 'command', command: 'mine' }] }] },
  };
  writeFileSync(file(), JSON.stringify(own));
  settings.install(place());
  const both = JSON.parse(readFileSync(file(), 'utf8')) as { hooks: { Stop: unknown[] } };
  expect(both).toMatchObject({ $version: 4, model: { name: 'x' } });
  writeFileSync(file(), JSON.stringify(both, undefined, 2));
  settings.uninstall(place());
  expect(JSON.parse(readFileSync(file(), 'utf8'))).toEqual(own);
});
