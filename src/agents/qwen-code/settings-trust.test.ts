import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { findDistrust, findHookSwitch } from './settings.ts';

let base: string;
beforeEach(() => {
  base = mkdtempSync(join(tmpdir(), 'entire-qwen-'));
});
afterEach(() => rmSync(base, { recursive: true, force: true }));

const path = (name: string) => join(base, name);
const write = (name: string, value: unknown) => {
  mkdirSync(dirname(path(name)), { recursive: true });
  writeFileSync(path(name), typeof value === 'string' ? value : JSON.stringify(value));
};
const env = () => ({ HOME: base, QWEN_CODE_SYSTEM_SETTINGS_PATH: path('system/settings.json') });
const find = () => findHookSwitch(path('repo'), env());

test('nothing switches hooks off, unreadable files included', () => {
  expect(find()).toBeUndefined();
  write('repo/.qwen/settings.json', '{"disableAllHooks": tr');
  write('.qwen/settings.json', '[]');
  expect(find()).toBeUndefined();
});

test('the project counts before the user, the administrator before both', () => {
  write('.qwen/settings.json', { disableAllHooks: true });
  expect(find()).toBe(path('.qwen/settings.json'));
  write('repo/.qwen/settings.json', { disableAllHooks: false });
  expect(find()).toBeUndefined();
  write('system/settings.json', { disableAllHooks: true });
  expect(find()).toBe(path('system/settings.json'));
});

test('where the user is asked for trust, a folder has to have it', () => {
  const distrust = () => findDistrust(path('repo'), env());
  expect(distrust()).toBeUndefined();
  write('.qwen/settings.json', { security: { folderTrust: { enabled: true } } });
  expect(distrust()).toBe(path('.qwen/trustedFolders.json'));
  const rule = (folder: string, level: string) => {
    write('.qwen/trustedFolders.json', { [folder]: level });
    return distrust() === undefined;
  };
  expect(rule(path('repo'), 'TRUST_FOLDER')).toBe(true);
  expect(rule(base, 'TRUST_FOLDER')).toBe(true);
  expect(rule(path('other'), 'TRUST_PARENT')).toBe(true);
  expect(rule(path('repo'), 'DO_NOT_TRUST')).toBe(false);
  expect(rule(path('repo/sub'), 'TRUST_FOLDER')).toBe(false);
});
