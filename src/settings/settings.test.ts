import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { ensureGitignore } from './gitignore.ts';
import { loadSettings } from './settings.ts';
import { editSettingsFile } from './settings-file.ts';

let root: string;
const path = (name: string) => join(root, '.entire', name);
const put = (name: string, value: unknown) =>
  writeFileSync(path(name), typeof value === 'string' ? value : JSON.stringify(value));
const read = (name: string) => readFileSync(path(name), 'utf8');

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'entire-settings-'));
  mkdirSync(join(root, '.entire'));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

describe('loading', () => {
  test('no file means the defaults, a missing "enabled" means true', () => {
    const defaults = { strategy: 'manual-commit', enabled: true };
    expect(loadSettings(root)).toEqual({
      effective: defaults,
      project: undefined,
      local: undefined,
      unknownKeys: [],
    });
    put('settings.json', { log_level: 'debug' });
    expect(loadSettings(root).effective).toEqual({ ...defaults, logLevel: 'debug' });
  });

  test('local wins key by key; empty texts and nulls do not override', () => {
    put('settings.json', {
      strategy: 'auto-commit',
      enabled: true,
      log_level: 'debug',
      telemetry: true,
      strategy_options: { push_sessions: false, summarize: { enabled: true } },
    });
    put('settings.local.json', {
      strategy: '',
      log_level: '',
      enabled: false,
      telemetry: null,
      strategy_options: { push_sessions: true },
    });
    expect(loadSettings(root).effective).toEqual({
      strategy: 'auto-commit',
      enabled: false,
      logLevel: 'debug',
    });
  });

  test('keys of later releases are accepted, unknown ones are named', () => {
    put('settings.json', {
      redaction: { pii: {} },
      git_hooks: {},
      checkpoints: 1,
      agent: 'x',
      strategy_options: { z: 1 },
    });
    put('settings.local.json', { enable: true });
    expect(loadSettings(root).unknownKeys).toEqual([
      { file: '.entire/settings.json', key: 'agent' },
      { file: '.entire/settings.local.json', key: 'enable' },
    ]);
  });

  test.each([
    ['{"enabled": "yes"}', /^\.entire\/settings\.json: "enabled" /],
    [
      '{"strategy_options": {"push_sessions": 0}}',
      /^\.entire\/settings\.json: "strategy_options\.push_sessions" /,
    ],
    ['{\n  "enabled": true,\n}', /^\.entire\/settings\.json, line 3: not valid JSON/],
    ['{\n  // no\n}', /^\.entire\/settings\.json, line 2: not valid JSON \(InvalidCommentToken\)/],
    ['[]', /^\.entire\/settings\.json, line 1: not a JSON object/],
    ['', /^\.entire\/settings\.json, line 1: not valid JSON/],
    [
      `{"a":${'['.repeat(100_000)}${']'.repeat(100_000)}}`,
      /^\.entire\/settings\.json, line 1: nested too deep/,
    ],
  ])('%j is refused by file, and line or key', (text, message) => {
    put('settings.json', text);
    expect(() => loadSettings(root)).toThrow(
      expect.objectContaining({ code: 'CONFIG_UNREADABLE', message: expect.stringMatching(message) }),
    );
  });
});

describe('editing', () => {
  test('a new file holds the keys in the order given, 0644', () => {
    editSettingsFile(root, '.entire/settings.json', [
      { path: ['strategy'], value: 'manual-commit' },
      { path: ['enabled'], value: true },
      { path: ['strategy_options', 'push_sessions'], value: false },
    ]);
    expect(read('settings.json')).toMatchInlineSnapshot(`
      "{
        "strategy": "manual-commit",
        "enabled": true,
        "strategy_options": {
          "push_sessions": false
        }
      }
      "
    `);
    expect(statSync(path('settings.json')).mode & 0o777).toBe(0o644 & ~process.umask());
  });

  test('only the key named is changed, in the style of the file; no change, no write', () => {
    put('settings.json', '{\n    "mine": [1,2], "enabled":false,\n    "strategy_options": {"a": 1}\n}');
    const edits = [
      { path: ['enabled'], value: true },
      { path: ['strategy_options', 'push_sessions'], value: true },
    ] as const;
    expect(editSettingsFile(root, '.entire/settings.json', edits)).toBe(true);
    expect(read('settings.json')).toBe(
      '{\n    "mine": [1,2], "enabled":true,\n    "strategy_options": {"a": 1, "push_sessions": true}\n}',
    );
    expect(editSettingsFile(root, '.entire/settings.json', edits)).toBe(false);
  });

  test.each([
    ['{"a": 1, "strategy_options": {"snapshots": {"enabled": false}}}', '{"a": 1}'],
    ['{"strategy_options": {"snapshots": {"enabled": false}, "b": 2}}', '{"strategy_options": {"b": 2}}'],
    ['{\n  "strategy_options": {\n    "snapshots": {\n      "enabled": 1\n    }\n  }\n}\n', '{}\n'],
    [
      '{"strategy_options": {"snapshots": {"enabled": 1, "enabled": 2, "c": 3}}}',
      '{"strategy_options": {"snapshots": {"c": 3}}}',
    ],
    ['{"strategy_options": 7}', '{"strategy_options": 7}'],
    ['{"strategy_options": {"snapshots": {}}}', '{"strategy_options": {"snapshots": {}}}'],
  ])('a key is taken out of %j, with the objects that it leaves empty', (before, after) => {
    put('settings.json', before);
    const edits = [{ path: ['strategy_options', 'snapshots', 'enabled'], value: undefined }] as const;
    expect(editSettingsFile(root, '.entire/settings.json', edits)).toBe(before !== after);
    expect(read('settings.json')).toBe(after);
    expect(editSettingsFile(root, '.entire/settings.json', edits)).toBe(false);
  });

  test('taking away from a file that is not there makes none', () => {
    editSettingsFile(root, '.entire/settings.json', [{ path: ['enabled'], value: undefined }]);
    expect(existsSync(path('settings.json'))).toBe(false);
  });

  test('a null section is filled, a wrong one is refused', () => {
    put('settings.json', '{"strategy_options":null}');
    const edit = { path: ['strategy_options', 'push_sessions'], value: true } as const;
    editSettingsFile(root, '.entire/settings.json', [edit]);
    expect(read('settings.json')).toBe('{"strategy_options":{"push_sessions":true}}');
    put('settings.json', '{"strategy_options":7}');
    expect(() => editSettingsFile(root, '.entire/settings.json', [edit])).toThrow(
      /"strategy_options" is not an object/,
    );
    expect(read('settings.json')).toBe('{"strategy_options":7}');
  });
});

describe('.entire/.gitignore', () => {
  test('is made with four lines, and once', () => {
    rmSync(join(root, '.entire'), { recursive: true });
    expect(ensureGitignore(root)).toBe(true);
    expect(read('.gitignore')).toBe('tmp/\nsettings.local.json\nmetadata/\nlogs/\n');
    expect(ensureGitignore(root)).toBe(false);
  });

  test("keeps the user's lines; a comment that mentions a line does not count as one", () => {
    put('.gitignore', '# tmp/ is ours\r\nlogs/\r\nmine');
    ensureGitignore(root);
    expect(read('.gitignore')).toBe(
      '# tmp/ is ours\r\nlogs/\r\nmine\ntmp/\nsettings.local.json\nmetadata/\n',
    );
  });

  test('a symbolic link is refused', () => {
    rmSync(join(root, '.entire'), { recursive: true });
    mkdirSync(join(root, 'elsewhere'));
    symlinkSync('elsewhere', join(root, '.entire'));
    expect(() => ensureGitignore(root)).toThrow(/symbolic link/);
    expect(existsSync(join(root, 'elsewhere/.gitignore'))).toBe(false);
  });
});
