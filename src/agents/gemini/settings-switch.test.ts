import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { findHookSwitch } from './settings.ts';

let dir: string;
let root: string;
let env: NodeJS.ProcessEnv;
const at = (name: string) => join(dir, name);
const write = (name: string, value: unknown) => {
  mkdirSync(dirname(at(name)), { recursive: true });
  writeFileSync(at(name), typeof value === 'string' ? value : JSON.stringify(value));
};
const find = (more: NodeJS.ProcessEnv = {}) => findHookSwitch(root, { ...env, ...more });

const USER = 'home/.gemini/settings.json';
const PROJECT = 'repo/.gemini/settings.json';
const SYSTEM = 'etc/settings.json';
const TRUST = 'home/.gemini/trustedFolders.json';

beforeEach(() => {
  dir = realpathSync(mkdtempSync(join(tmpdir(), 'entire-gemini-')));
  root = at('repo');
  mkdirSync(root);
  env = { HOME: at('home'), GEMINI_CLI_SYSTEM_SETTINGS_PATH: at(SYSTEM) };
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

test('where nothing is said hooks run', () => {
  expect(find()).toBeUndefined();
});

test('of the settings that say something the strongest counts: system, project, user', () => {
  write(USER, { hooksConfig: { enabled: false } });
  expect(find()).toBe(at(USER));
  write(PROJECT, '{ // with a comment\n "hooksConfig": { "enabled": true, "note": "// none" } }');
  expect(find()).toBeUndefined();
  write(SYSTEM, { hooksConfig: { enabled: false } });
  expect(find()).toBe(at(SYSTEM));
});

test('the lists of hooks that are switched off add up; only ours matter', () => {
  write(PROJECT, { hooksConfig: { enabled: true, disabled: ['lint', 'entirely-mine'] } });
  write(USER, { hooksConfig: { disabled: ['lint'] } });
  expect(find()).toBeUndefined();
  write(USER, { hooksConfig: { disabled: ['lint', 'entire-after-agent'] } });
  expect(find()).toBe(at(USER));
  write(USER, { hooksConfig: { disabled: ['entire hooks gemini after-agent'] } });
  expect(find()).toBe(at(USER));
});

test('in a folder that is not trusted no hook of its settings runs', () => {
  write(TRUST, { [root]: 'DO_NOT_TRUST' });
  expect(find()).toBe(at(TRUST));
  expect(find({ GEMINI_CLI_TRUST_WORKSPACE: 'true' })).toBeUndefined();
  write(USER, { security: { folderTrust: { enabled: false } } });
  expect(find()).toBeUndefined();
});

test('the nearest folder with a rule decides', () => {
  write(TRUST, { [dir]: 'DO_NOT_TRUST', [root]: 'TRUST_FOLDER' });
  expect(find()).toBeUndefined();
  write(TRUST, { [dir]: 'DO_NOT_TRUST' });
  expect(find()).toBe(at(TRUST));
  write(TRUST, { [`${root}-other`]: 'DO_NOT_TRUST', [at('repo/below')]: 'DO_NOT_TRUST' });
  expect(find()).toBeUndefined();
  write(TRUST, { [dir]: 'DO_NOT_TRUST', [at('repo/below')]: 'TRUST_PARENT' });
  expect(find()).toBeUndefined();
});

test.each(['', '[]', '{', '{"hooksConfig":7}', '{"hooksConfig":{"enabled":"no","disabled":7}}'])(
  '%j switches nothing off',
  (text) => {
    for (const file of [USER, PROJECT, SYSTEM, TRUST]) write(file, text);
    expect(find()).toBeUndefined();
  },
);
