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
import { cursorSettings as settings } from './settings.ts';

let root: string;
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'entire-cursor-')));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const file = () => join(root, '.cursor/hooks.json');
const place = () => ({ root, recordFile: join(root, 'record.json') });

test('every hook, once, in the shape that is documented; afterwards nothing is left', () => {
  expect(settings.install(place())).toEqual({ installed: 9, removed: 0 });
  expect(JSON.parse(readFileSync(file(), 'utf8'))).toEqual({
    version: 1,
    hooks: Object.fromEntries(
      [
        ['sessionStart', 'session-start'],
        ['sessionEnd', 'session-end'],
        ['beforeSubmitPrompt', 'before-submit-prompt'],
        ['stop', 'stop'],
        ['preCompact', 'pre-compact'],
        ['subagentStart', 'subagent-start'],
        ['subagentStop', 'subagent-stop'],
        ['afterFileEdit', 'post-file-edit'],
        ['afterShellExecution', 'post-shell'],
      ].map(([event, verb]) => [event, [{ command: `entire hooks cursor ${verb} || true` }]]),
    ),
  });
  expect(settings.install(place())).toEqual({ installed: 0, removed: 0 });
  expect(settings.inspect({ root })).toMatchObject({
    expected: 9,
    current: 9,
    outdated: 0,
    surplus: 0,
    unmet: 0,
  });
  expect(settings.uninstall(place())).toBe(9);
  expect(existsSync(join(root, '.cursor'))).toBe(false);
});

test('hooks of the user stay as they are, byte for byte', () => {
  const own = '{\n  "version": 1,\n  "hooks": {\n    "stop": [{ "command": "./audit.sh" }]\n  }\n}\n';
  mkdirSync(join(root, '.cursor'));
  writeFileSync(file(), own);
  settings.install(place());
  expect(JSON.parse(readFileSync(file(), 'utf8')).hooks.stop).toEqual([
    { command: './audit.sh' },
    { command: 'entire hooks cursor stop || true' },
  ]);
  settings.uninstall(place());
  expect(readFileSync(file(), 'utf8')).toBe(own);
});
