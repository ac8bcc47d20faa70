import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { findHookSwitch, judgeHookTrust } from './settings.ts';

let base: string;
const at = (name: string) => join(base, name);
const write = (name: string, text: string) => {
  mkdirSync(dirname(at(name)), { recursive: true });
  writeFileSync(at(name), text);
};
const judge = (root = 'repo', more: NodeJS.ProcessEnv = {}) =>
  judgeHookTrust(at(root), { COPILOT_HOME: at('home'), ...more }).is;
const trust = (...folders: unknown[]) =>
  write('home/config.json', JSON.stringify({ trustedFolders: folders }));

beforeEach(() => {
  base = mkdtempSync(join(tmpdir(), 'copilot-trust-'));
  mkdirSync(at('repo'));
});
afterEach(() => rmSync(base, { recursive: true, force: true }));

describe('trust', () => {
  test('nobody is trusted without being named', () => {
    expect(judgeHookTrust(at('repo'), { COPILOT_HOME: at('home') })).toEqual({
      is: 'project',
      file: at('home/config.json'),
      project: at('repo'),
    });
    trust(at('other'), at('rep'), at('repo/below'));
    expect(judge()).toBe('project');
  });

  test('a folder is trusted with all below it', () => {
    trust(at('repo'));
    expect(judge()).toBe('trusted');
    trust(at('other'), base);
    expect(judge()).toBe('trusted');
    trust('/');
    expect(judge()).toBe('trusted');
  });

  test('the file as the client writes it, with its comments', () => {
    const config = JSON.stringify({ trustedFolders: [at('repo')], firstLaunchAt: 'x' }, null, 2);
    write('home/config.json', `// User settings belong in settings.json.\n// Managed.\n${config}\n`);
    expect(judge()).toBe('trusted');
  });

  test('what is no list of folders trusts nobody', () => {
    for (const text of [
      '',
      '{',
      'null',
      '[]',
      '{"trustedFolders":"/"}',
      '{"trustedFolders":[null,7,"",".","../"]}',
    ]) {
      write('home/config.json', text);
      expect(judge()).toBe('project');
    }
    rmSync(at('home'), { recursive: true });
    mkdirSync(at('home/config.json'), { recursive: true });
    expect(judge()).toBe('project');
  });

  test('a linked worktree is trusted with its repository', () => {
    trust(at('repo'));
    write('linked/.git', `gitdir: ${at('repo/.git/worktrees/linked')}\n`);
    write('module/.git', `gitdir: ${at('repo/.git/modules/module')}\n`);
    expect(judge('linked')).toBe('trusted');
    expect(judge('module')).toBe('project');
  });

  test('exactly one value of the variable trusts everything', () => {
    expect(judge('repo', { COPILOT_ALLOW_ALL: 'true' })).toBe('trusted');
    expect(judge('repo', { COPILOT_ALLOW_ALL: '1' })).toBe('project');
  });
});

describe('switch', () => {
  test.each([
    '.github/copilot/settings.local.json',
    '.github/copilot/settings.json',
    '.claude/settings.local.json',
    '.claude/settings.json',
  ])('%s', (name) => {
    expect(findHookSwitch(at('repo'))).toBeUndefined();
    for (const text of ['{"disableAllHooks":false}', '{"disableAllHooks":"true"}', '{', 'null']) {
      write(`repo/${name}`, text);
      expect(findHookSwitch(at('repo'))).toBeUndefined();
    }
    write(`repo/${name}`, '{"disableAllHooks":true}');
    expect(findHookSwitch(at('repo'))).toBe(at(`repo/${name}`));
  });
});
