import { mkdirSync, mkdtempSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type disk, replaceDisk } from '../base/file/disk.ts';
import { readActivation } from './enabled.ts';
import { readLayers, refuseUnreadable } from './layers.ts';
import { readPermission } from './permissions.ts';
import { readPushSettings } from './push.ts';
import { CAUTIOUS, MISSING_RULES } from './salvage.ts';

let dir: string;
const put = (name: string, value: unknown, root = 'repo') => {
  mkdirSync(join(dir, root, '.entire'), { recursive: true });
  writeFileSync(join(dir, root, '.entire', name), typeof value === 'string' ? value : JSON.stringify(value));
};
const root = (name = 'repo') => join(dir, name);
const main = () =>
  readActivation({ worktreeRoot: root(), gitDir: join(root(), '.git'), commonDir: join(root(), '.git') });
const linked = () =>
  readActivation({
    worktreeRoot: root('side'),
    gitDir: join(root(), '.git', 'worktrees', 'side'),
    commonDir: join(root(), '.git'),
  });
const enabled = (more: object = {}) => ({
  kind: 'enabled',
  root: root(),
  logLevel: undefined,
  absoluteGitHookPath: false,
  commitLinking: undefined,
  keepsContents: true,
  remindsOfFiles: true,
  writesGitAiNotes: false,
  believesGitAiNotes: false,
  redaction: [],
  strategy: undefined,
  refused: [],
  ...more,
});

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'entire-enabled-'));
  mkdirSync(root());
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

describe('in the main worktree', () => {
  test('without a file it is not set up', () => {
    expect(main()).toEqual({ kind: 'not-set-up' });
    writeFileSync(join(root(), '.entire'), 'a file where the folder should be');
    expect(main()).toEqual({ kind: 'not-set-up' });
  });

  test('a file that says nothing means yes', () => {
    put('settings.json', {});
    expect(main()).toEqual(enabled());
    put('settings.json', { enabled: null, log_level: '', absolute_git_hook_path: null });
    expect(main()).toEqual(enabled());
  });

  test('one that says no means no', () => {
    put('settings.json', { enabled: false, log_level: 'debug' });
    expect(main()).toEqual({ kind: 'disabled', root: root(), redaction: [], refused: [] });
  });

  test('options of any form are survived', () => {
    for (const options of [null, 7, 'x', { snapshots: null }, { snapshots: { enabled: 'no' } }]) {
      put('settings.json', { strategy_options: options });
      expect(main()).toEqual(enabled());
    }
    put('settings.json', { strategy_options: { snapshots: { enabled: false } } });
    expect(main()).toEqual(enabled({ keepsContents: false }));
  });

  test('the local file wins, key by key', () => {
    put('settings.json', { enabled: false, log_level: 'debug', absolute_git_hook_path: true });
    put('settings.local.json', { enabled: true, commit_linking: 'prompt' });
    expect(main()).toEqual(
      enabled({ logLevel: 'debug', absoluteGitHookPath: true, commitLinking: 'prompt' }),
    );
    put('settings.local.json', { enabled: true, log_level: 'warn', absolute_git_hook_path: false });
    expect(main()).toEqual(enabled({ logLevel: 'warn' }));
    put('settings.json', { enabled: true });
    put('settings.local.json', { enabled: false });
    expect(main()).toMatchObject({ kind: 'disabled' });
  });

  test('the local file alone is enough', () => {
    put('settings.local.json', {});
    expect(main()).toEqual(enabled());
  });

  describe('with settings of the person for all repositories', () => {
    const { XDG_CONFIG_HOME } = process.env;
    const putUser = (text: string, folder = 'config') => {
      mkdirSync(join(dir, folder, 'entire'), { recursive: true });
      writeFileSync(join(dir, folder, 'entire', 'settings.json'), text);
      process.env.XDG_CONFIG_HOME = join(dir, folder);
    };
    afterEach(() => {
      if (XDG_CONFIG_HOME === undefined) delete process.env.XDG_CONFIG_HOME;
      else process.env.XDG_CONFIG_HOME = XDG_CONFIG_HOME;
    });

    test('they hold where the repository says nothing else, and set up none', () => {
      putUser('{"log_level": "debug", "strategy": "auto-commit", "redaction": {"a": 1}}');
      expect(main()).toEqual({ kind: 'not-set-up' });
      put('settings.json', { strategy: 'manual-commit', redaction: { b: 2 } });
      expect(main()).toEqual(
        enabled({ logLevel: 'debug', strategy: 'manual-commit', redaction: [{ a: 1 }, { b: 2 }] }),
      );
    });

    test('what cannot be read of them switches nothing off', () => {
      putUser('{');
      put('settings.json', {});
      expect(main()).toMatchObject({
        kind: 'enabled',
        refused: [{ file: expect.stringContaining('config') }],
      });
    });

    test('what lies in the repository is none of them', () => {
      putUser('{"log_level": "debug"}', 'repo/config');
      put('settings.json', {});
      expect(main()).toEqual(enabled());
    });
  });

  test('a mark at the start is no typo', () => {
    put('settings.json', '\ufeff{"enabled":false}');
    expect(main()).toMatchObject({ kind: 'disabled' });
  });
});

describe('a file that cannot be read permits nothing, and stops no recording', () => {
  const refusedBy = (name: string) => ({
    file: join(root(), '.entire', name),
    reason: expect.stringMatching(/./) as string,
    lacksRules: expect.any(Boolean) as boolean,
  });
  const cautious = (lacksRules: boolean, ...redaction: object[]) => ({
    refused: [{ ...refusedBy('settings.json'), lacksRules }],
    redaction: [...redaction, CAUTIOUS, ...(lacksRules ? [MISSING_RULES] : [])],
  });

  test.each(['{"enabled":true,}', '// comment\n{}'])('%j, which has no rules of redaction', (text) => {
    put('settings.json', text);
    expect(main()).toEqual(enabled(cautious(false)));
  });

  test.each([
    ...['', '{', '[]', 'null', '"on"', '\0', '{"enabled":true,'],
    ...['{"redaction": 1,}', '{"redaction": {"custom_redactions": {"a": "b",}}}', '{"redaction": {"a": "b"'],
  ])('%j, which may have had rules of redaction', (text) => {
    put('settings.json', text);
    expect(main()).toEqual(enabled(cautious(true)));
  });

  test('its rules of redaction hold where their section stands whole', () => {
    const redaction = { custom_redactions: { a: '"redaction": \\{', b: '}' } };
    put('settings.json', `{"note": {"redaction": {}}, "redaction" :\n${JSON.stringify(redaction)},}`);
    expect(main()).toEqual(enabled(cautious(false, redaction)));
    put('settings.json', { enabled: 1, redaction });
    expect(main()).toMatchObject({ kind: 'disabled', redaction: [redaction, CAUTIOUS] });
  });

  test('nor one that is nested without end, too large, or no regular file', () => {
    const file = join(root(), '.entire', 'settings.json');
    put('settings.json', `{"a":${'['.repeat(20_000)}${']'.repeat(20_000)}}`);
    expect(main()).toMatchObject({ kind: 'enabled', refused: [{ file, reason: 'nested too deep' }] });
    truncateSync(file, 3 * 1024 ** 3);
    expect(main()).toMatchObject({ refused: [{ file, reason: 'it is larger than 1 MiB' }] });
    rmSync(file);
    symlinkSync('/dev/zero', file);
    expect(main()).toMatchObject({ refused: [{ reason: 'it is a link to outside of the repository' }] });
    rmSync(file);
    mkdirSync(file);
    expect(main()).toMatchObject({ refused: [{ reason: 'it is a folder' }] });
  });

  test('a refusal in the other file holds, whichever that is', () => {
    put('settings.json', '{');
    put('settings.local.json', { enabled: false });
    expect(main()).toMatchObject({ kind: 'disabled', refused: [refusedBy('settings.json')] });
    put('settings.json', { enabled: false });
    put('settings.local.json', '{');
    expect(main()).toMatchObject({ kind: 'disabled', refused: [refusedBy('settings.local.json')] });
  });

  test('nothing is permitted by either file', () => {
    put('settings.json', '{');
    put('settings.local.json', { strategy_options: { summarize: { enabled: true }, push_sessions: true } });
    const witness = { gitValues: () => [], isLocalShared: () => false, isOfRepository: () => false };
    const sources = { layers: readLayers(root()), witness };
    expect(readPermission('summarize', sources).given).toBe(false);
    expect(readPushSettings(sources).permission.given).toBe(false);
    expect(() => refuseUnreadable(sources.layers)).toThrow('.entire/settings.json is not read');
  });

  test('a typo does not switch on what the same file switches off', () => {
    put('settings.json', '{"enabled": false,}');
    expect(main()).toMatchObject({ kind: 'disabled', refused: [refusedBy('settings.json')] });
    put('settings.json', '{"log_level": "a{b", "enabled" : false');
    expect(main().kind).toBe('disabled');
    put('settings.json', '{"strategy_options": {"summarize": {"enabled": false}},}');
    expect(main().kind).toBe('enabled');
    put('settings.json', '{"note": "\\"enabled\\": false",}');
    expect(main().kind).toBe('enabled');
  });

  test('also one that we may not read', () => {
    put('settings.json', {});
    const restore = replaceDisk({
      openSync: (() => {
        throw Object.assign(new Error('EACCES: permission denied'), { code: 'EACCES' });
      }) as typeof disk.openSync,
    });
    try {
      expect(main()).toMatchObject({ refused: [{ reason: 'EACCES: permission denied' }] });
    } finally {
      restore();
    }
  });

  test.each(['false', 'no', 0])('one whose "enabled" is %j means no', (value) => {
    put('settings.json', { enabled: value });
    expect(main()).toMatchObject({ kind: 'disabled', refused: [refusedBy('settings.json')] });
  });
});

describe('in a linked worktree', () => {
  beforeEach(() => mkdirSync(root('side')));

  test('its own settings hold, whatever the main worktree says', () => {
    put('settings.json', { enabled: true });
    put('settings.json', { enabled: false }, 'side');
    expect(linked()).toEqual({ kind: 'disabled', root: root('side'), redaction: [], refused: [] });
    put('settings.json', '{', 'side');
    expect(linked()).toMatchObject({ kind: 'enabled', root: root('side'), refused: [{}] });
  });

  test('without any it follows the main worktree', () => {
    expect(linked()).toEqual({ kind: 'not-set-up' });
    put('settings.json', { log_level: 'debug' });
    expect(linked()).toEqual(enabled({ logLevel: 'debug' }));
  });

  test('one of a bare repository does not follow the folder around that', () => {
    put('settings.json', {});
    const common = join(root(), 'bare.git');
    const repo = { worktreeRoot: root('side'), gitDir: join(common, 'worktrees', 'side'), commonDir: common };
    expect(readActivation(repo)).toEqual({ kind: 'not-set-up' });
  });

  test('the main worktree follows nobody', () => {
    put('settings.json', {}, '.');
    expect(main()).toEqual({ kind: 'not-set-up' });
  });
});
