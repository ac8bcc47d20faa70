import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { opencodeHooks } from './hook-input.ts';
import { PLUGIN, PLUGIN_MARKER } from './plugin.ts';
import { opencodeSettings as settings } from './settings.ts';

let root: string;
const place = () => ({ root, recordFile: join(root, '.git', 'record.json') });
const file = () => join(root, '.opencode', 'plugins', 'entire.ts');
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'entire-settings-'));
});
afterEach(() => rmSync(root, { recursive: true }));

test('installing writes the plugin, and a second time nothing', () => {
  expect(settings.install(place()).installed).toBeGreaterThan(0);
  expect(readFileSync(file(), 'utf8')).toBe(PLUGIN);
  expect(statSync(file()).mode & 0o777).toBe(0o644);
  expect(settings.install(place())).toEqual({ installed: 0, removed: 0 });
  expect(settings.inspect({ root })).toMatchObject({ current: settings.list({ root }).length, outdated: 0 });
  settings.uninstall(place());
  expect(existsSync(join(root, '.opencode'))).toBe(false);
});

test("another release's plugin is ours, and is replaced; somebody else's is left", () => {
  mkdirSync(join(root, '.opencode', 'plugins'), { recursive: true });
  writeFileSync(file(), `/*\n * ${PLUGIN_MARKER}\n */\nexport const Old = 1\n`);
  expect(settings.inspect({ root })).toMatchObject({ current: 0, outdated: settings.list({ root }).length });
  settings.install(place());
  expect(readFileSync(file(), 'utf8')).toBe(PLUGIN);
  const theirs = `export const Mine = "${PLUGIN_MARKER}"\n`;
  writeFileSync(file(), theirs);
  expect(() => settings.install(place())).toThrow('is not ours');
  expect(settings.uninstall(place())).toBe(0);
  expect(readFileSync(file(), 'utf8')).toBe(theirs);
});

test('every verb that the plugin calls is listed, and stands for an event', () => {
  const called = [...PLUGIN.matchAll(/(?:run|send|ask)\("([a-z-]+)"/g)].map(([, verb]) => verb);
  settings.install(place());
  const listed = settings.list({ root }).map(({ verb }) => verb);
  expect([...new Set(called)].sort()).toEqual([...new Set(listed)].sort());
  const payload = { session_id: 'ses_1', tool_use_id: 'call_1', tool_input: { filePath: 'a' } };
  for (const verb of listed) {
    const event =
      verb === 'post-file-read'
        ? opencodeHooks.parseFileRead({ ...payload, tool_name: 'read' })
        : opencodeHooks.parseHookInput(verb, payload);
    expect(event, verb).toHaveProperty('type');
  }
});
