import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { findHookSwitch, hashHook, judgeHookTrust } from './hook-trust.ts';

let base = '';
let root = '';
let env: NodeJS.ProcessEnv = {};
beforeEach(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), 'entire-codex-')));
  root = join(base, 'repo');
  env = { CODEX_HOME: join(base, 'home') };
});
afterEach(() => rmSync(base, { recursive: true, force: true }));

function write(file: string, text: string): string {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
  return file;
}

const stop = { type: 'command', command: 'entire hooks codex stop || true', timeout: 30 };
const edit = { type: 'command', command: 'entire hooks codex post-file-edit || true', timeout: 30 };
const foreign = { type: 'command', command: './lint.sh' };
const hooks = {
  PostToolUse: [
    { matcher: 'Bash', hooks: [foreign] },
    { matcher: 'apply_patch', hooks: [foreign, edit] },
  ],
  Stop: [{ hooks: [stop] }],
};
const writeHooks = (folder = root, value: object = { hooks }) =>
  write(join(folder, '.codex/hooks.json'), JSON.stringify(value));
const config = (...parts: readonly string[]) => write(join(base, 'home/config.toml'), parts.join('\n'));
const project = (folder = root, level = 'trusted') => `[projects."${folder}"]\ntrust_level = "${level}"`;
const state = (key: string, line: string, folder = root) =>
  `[hooks.state."${folder}/.codex/hooks.json:${key}"]\n${line}`;
const trusted = (event: string, matcher: unknown, hook: object) =>
  `trusted_hash = "${hashHook(event, matcher, hook as never)}"`;
const all = (folder = root) => [
  state('post_tool_use:1:1', trusted('PostToolUse', 'apply_patch', edit), folder),
  state('stop:0:0', trusted('Stop', undefined, stop), folder),
];
const judge = (folder = root) => judgeHookTrust(folder, env);

describe('trust', () => {
  test('nothing to judge where no hooks of ours are', () => {
    expect(judge()).toBeUndefined();
    writeHooks(root, { hooks: { Stop: [{ hooks: [foreign] }] } });
    expect(judge()).toBeUndefined();
  });

  test('a project that the user has not trusted', () => {
    writeHooks();
    const untrusted = { is: 'project', file: join(base, 'home/config.toml'), project: root };
    expect(judge()).toEqual(untrusted);
    config(project(root, 'untrusted'), ...all());
    expect(judge()).toEqual(untrusted);
    config(project(dirname(root)), ...all()); // trust is not handed down
    expect(judge()).toEqual(untrusted);
  });

  test('hooks that nobody reviewed, that changed since, that were switched off', () => {
    writeHooks();
    const file = config(project());
    const waiting = (why: string) => [
      { event: 'PostToolUse', command: edit.command, why },
      { event: 'Stop', command: stop.command, why },
    ];
    expect(judge()).toEqual({ is: 'hooks', file, waiting: waiting('new') });
    config(
      project(),
      ...['post_tool_use:1:1', 'stop:0:0'].map((key) => state(key, 'trusted_hash = "sha256:0"')),
    );
    expect(judge()).toEqual({ is: 'hooks', file, waiting: waiting('changed') });
    config(project(), ...all().map((one) => `${one}\nenabled = false`));
    expect(judge()).toEqual({ is: 'hooks', file, waiting: waiting('off') });
  });

  test('reviewed hooks, in any spelling of the settings', () => {
    writeHooks();
    config(project(), ...all());
    expect(judge()).toEqual({ is: 'trusted' });
    const inline = all().map((one) => one.replace(/^\[hooks\.state\.("[^"]*")\]\n(.*)$/, '$1 = { $2 }'));
    config('[hooks.state]', ...inline, '[projects]', `'${root}' = { trust_level = 'trusted' }`);
    expect(judge()).toEqual({ is: 'trusted' });
  });

  test('trust hangs on the place: a hook that was moved waits again', () => {
    writeHooks();
    config(project(), ...all());
    writeHooks(root, { hooks: { ...hooks, Stop: [{ hooks: [foreign] }, ...hooks.Stop] } });
    expect(judge()).toMatchObject({ is: 'hooks', waiting: [{ event: 'Stop', why: 'new' }] });
  });

  test('a file that Codex passes over', () => {
    const file = writeHooks(root, { version: 1, hooks });
    expect(judge()).toEqual({ is: 'unreadable', file });
    write(file, `// ours\n${JSON.stringify({ hooks })}`);
    expect(judge()).toEqual({ is: 'unreadable', file });
    write(file, '// not ours\n{}');
    expect(judge()).toBeUndefined();
  });

  test('settings that are no TOML say nothing', () => {
    writeHooks();
    config('[projects');
    expect(judge()).toMatchObject({ is: 'project' });
  });

  test('in a linked worktree the hooks are those of the main checkout, and so is trust', () => {
    const linked = join(base, 'linked');
    write(join(linked, '.git'), `gitdir: ${root}/.git/worktrees/linked\n`);
    const own = writeHooks(linked);
    config(project(root), ...all(root));
    expect(judge(linked)).toEqual({ is: 'elsewhere', file: join(root, '.codex/hooks.json') });
    writeHooks(root);
    expect(judge(linked)).toEqual({ is: 'trusted' });
    rmSync(own);
    expect(judge(linked)).toEqual({ is: 'trusted' });
    rmSync(dirname(own), { recursive: true });
    expect(judge(linked)).toEqual({ is: 'no-folder', file: dirname(own) });
    mkdirSync(dirname(own));
    config(project(root), project(linked, 'untrusted'), ...all(root));
    expect(judge(linked)).toMatchObject({ is: 'project' });
  });

  test('a folder of `git worktree` in a submodule or a bare repository is its own', () => {
    write(join(root, '.git'), 'gitdir: ../.git/modules/repo\n');
    writeHooks();
    expect(judge()).toMatchObject({ is: 'project', project: root });
  });
});

/** Digests that Codex 0.169.0 gave for these hooks, by `hooks/list` of its app server. */
test('the digest of a hook is the one that Codex has', () => {
  const command = (text: string, more: object = {}) => ({ type: 'command', command: text, ...more });
  expect(
    hashHook('PostToolUse', 'apply_patch', command('entire hooks codex post-file-edit', { timeout: 30 })),
  ).toBe('sha256:43dd6ae4589024d52f5793e1bf57e7f32e13c374088fe18d8c39894f06ac0274');
  expect(hashHook('PostToolUse', 'Bash', command('y', { timeout: 7, statusMessage: 'hé "quoted"' }))).toBe(
    'sha256:595e734c1edccb5124ac0300c96e73401f262936a3848ad88e30c9e48e224987',
  );
  expect(hashHook('SessionStart', null, command('entire hooks codex session-start', { timeout: 30 }))).toBe(
    'sha256:cd269ed24382ee0afbb573ef99652e1b1a2720c3e27f9d974a7db1876eb0193f',
  );
  expect(hashHook('SessionEnd', undefined, command('entire hooks codex session-end', { timeout: 30 }))).toBe(
    'sha256:7a5ce74d4f7e2be60234d12b24f16e657af38ea04ebe922d861260f9f1d2caeb',
  );
  expect(hashHook('UserPromptSubmit', 'foo', command('z'))).toBe(
    'sha256:fc6a50b8c875f93095d8b148b95ba328920eefb742b88d7996b4773962beed25',
  );
  expect(hashHook('Stop', '', command('z', { additionalContextLimit: 1 }))).toBeUndefined();
});

describe('the switch', () => {
  test('the nearest settings that say something count', () => {
    expect(findHookSwitch(root, env)).toBeUndefined();
    const file = config('[features]\nhooks = false');
    expect(findHookSwitch(root, env)).toBe(file);
    config('[features]\ncodex_hooks = false');
    expect(findHookSwitch(root, env)).toBe(file);
    const own = write(join(root, '.codex/config.toml'), '[features]\nhooks = true\n');
    expect(findHookSwitch(root, env)).toBeUndefined();
    write(own, '[features]\nhooks = false\n');
    config('[features]\nhooks = true');
    expect(findHookSwitch(root, env)).toBe(own);
    write(own, '[features]\nhooks = "no"\n');
    expect(findHookSwitch(root, env)).toBeUndefined();
  });
});
