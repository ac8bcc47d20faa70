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
import { findHookSwitch, droidSettings as settings } from './settings.ts';

let root: string;
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'entire-droid-')));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const file = () => join(root, '.factory/settings.json');
const place = () => ({ root, recordFile: join(root, 'record.json') });

test('every hook, once; afterwards nothing is left', () => {
  expect(settings.install(place())).toEqual({ installed: 10, removed: 0 });
  expect(settings.list({ root }).map(({ event, matcher, verb }) => `${event}[${matcher}] ${verb}`)).toEqual([
    'PostToolUse[Create|Edit|MultiEdit|ApplyPatch|Write|NotebookEdit] post-file-edit',
    'PostToolUse[Read] post-file-read',
    'PostToolUse[Execute|Script] post-shell',
    'PostToolUse[Task] post-tool-use',
    'PreCompact[] pre-compact',
    'PreToolUse[Task] pre-tool-use',
    'SessionEnd[] session-end',
    'SessionStart[] session-start',
    'Stop[] stop',
    'UserPromptSubmit[] user-prompt-submit',
  ]);
  expect(findHookSwitch(root, { HOME: root })).toBeUndefined();
  expect(settings.install(place())).toEqual({ installed: 0, removed: 0 });
  expect(settings.uninstall(place())).toBe(10);
  expect(existsSync(join(root, '.factory'))).toBe(false);
});

test('what other releases installed is ours, too: a second command at the start of a session goes', () => {
  const command = (verb: string) => ({ type: 'command', command: `entire hooks factoryai-droid ${verb}` });
  mkdirSync(join(root, '.factory'));
  const before = {
    model: 'mine',
    hooks: {
      SessionStart: [{ hooks: [command('session-start'), command('user-prompt-submit')] }],
      Stop: [{ hooks: [{ type: 'command', command: './audit.sh' }, command('stop')] }],
    },
  };
  writeFileSync(file(), JSON.stringify(before, undefined, 2));
  settings.install(place());
  const { model, hooks } = JSON.parse(readFileSync(file(), 'utf8'));
  expect(model).toBe('mine');
  expect(hooks.SessionStart).toEqual([
    {
      hooks: [{ ...command('session-start'), command: 'entire hooks factoryai-droid session-start || true' }],
    },
  ]);
  expect(hooks.Stop[0].hooks[0]).toEqual({ type: 'command', command: './audit.sh' });
  settings.uninstall(place());
  expect(JSON.parse(readFileSync(file(), 'utf8'))).toEqual({
    model: 'mine',
    hooks: { Stop: [{ hooks: [{ type: 'command', command: './audit.sh' }] }] },
  });
});
