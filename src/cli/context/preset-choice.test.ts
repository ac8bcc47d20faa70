import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { disk, makeTemporaryFolder, replaceDisk } from '../../base/file/disk.ts';
import { ContextPresetManager } from '../../context/preset/presets.ts';
import { findPreset } from './preset-choice.ts';

let dir: string;
let root: string;
beforeEach(() => {
  dir = disk.realpathSync(makeTemporaryFolder('preset-choice-'));
  root = join(dir, 'repo');
});
afterEach(() => {
  disk.rmSync(dir, { recursive: true, force: true });
  ignored = [];
});

function write(name: string, text = ''): void {
  mkdirSync(dirname(join(root, name)), { recursive: true });
  writeFileSync(join(root, name), text);
}

/** Paths that git ignores. */
let ignored: readonly string[] = [];

const place = (warnings: string[]) => ({
  root,
  findIgnored: (paths: readonly string[]) => paths.filter((path) => ignored.includes(path)),
  warn: (warning: string) => void warnings.push(warning),
});

function choose(files: readonly string[], presets = 'repo/.entire/context.toml') {
  write(
    `../${presets}`,
    `[presets.p]\nfiles = ${JSON.stringify(files)}\nscreenshots = ${JSON.stringify(files)}\n`,
  );
  const warnings: string[] = [];
  const env = { HOME: dir };
  const manager = new ContextPresetManager({ root, env });
  const preset = findPreset(manager, 'p', place(warnings));
  return { files: preset?.files.map(({ path }) => path), screenshots: preset?.screenshots, warnings };
}

test('of a preset of the repository what leads out of it is left out, which is said', () => {
  write('a.ts');
  write('app/[id]/b.ts');
  write('../secret.txt');
  symlinkSync(join(dir, 'secret.txt'), join(root, 'link.md'));
  symlinkSync(dir, join(root, 'up'));
  const inside = [
    'a.ts',
    'gone.ts',
    '*.ts',
    './**/*.ts',
    'app/[id]/*.ts',
    join(root, 'a.ts'),
    '..a',
    'x/{..a,b}.ts',
  ];
  const outside = [
    '../secret.txt',
    join(dir, 'secret.txt'),
    '../*.txt',
    'link.md',
    'up/*.txt',
    '{..,a}/*.txt',
    '*/../../*',
  ];
  const { files, screenshots, warnings } = choose([...inside, ...outside]);
  expect(files).toEqual(inside);
  expect(screenshots).toEqual(inside);
  expect(warnings.slice(0, outside.length)).toEqual(
    outside.map((entry) => `${entry}: leads out of the repository, and is left out`),
  );
});

test('what git and we keep in a repository is no part of its presets', () => {
  write('.git/config', 'token');
  write('.entire/metadata/full.jsonl', 'conversation');
  write('a.ts');
  const { files, warnings } = choose(['.git/config', '.git/*', '.entire/**', 'sub/.GIT/config', 'a.ts']);
  expect(files).toEqual(['a.ts']);
  expect(warnings[0]).toBe('.git/config: is not a file of the project, and is left out');
});

test('nothing outside of the repository is searched for its presets', () => {
  write('a.ts');
  const searched: string[] = [];
  const readdirSync = ((folder: string, options: object) => {
    searched.push(String(folder));
    return before(folder, options as never);
  }) as typeof disk.readdirSync;
  const before = disk.readdirSync;
  const restore = replaceDisk({ readdirSync });
  try {
    expect(choose(['/**/*.conf', '../**', `${dir}/**`, '*.ts']).files).toEqual(['*.ts']);
  } finally {
    restore();
  }
  expect(searched.filter((folder) => !`${folder}/`.startsWith(`${root}/`))).toEqual([]);
});

test('what is not used as it stands is told with its key', () => {
  write('.entire/context.toml', '[presets.p]\nfiles = [{ path = "a", view_mode = "all" }]\n');
  const manager = new ContextPresetManager({ root, env: { HOME: dir } });
  const warnings: string[] = [];
  findPreset(manager, 'p', place(warnings));
  expect(warnings).toEqual([
    expect.stringMatching(/^presets\.p\.files\[0\]\.view_mode: is "all", which is none of /),
  ]);
});

test('a preset of the user may name any file', () => {
  write('../secret.txt');
  const { files, warnings } = choose(['../secret.txt', '.git/config'], '.config/entire/context.toml');
  expect({ files, warnings }).toEqual({ files: ['../secret.txt', '.git/config'], warnings: [] });
});

test('of a preset of the repository what git ignores is left out, and so is any environment', () => {
  for (const name of [
    'a.ts',
    'b.ts',
    'local.ts',
    '.env',
    '.env.local',
    'prod.env',
    '.envrc',
    '.env.example',
    'k/.ENV',
  ])
    write(name);
  symlinkSync('.env', join(root, 'notes.md'));
  symlinkSync('local.ts', join(root, 'c.ts'));
  ignored = ['local.ts'];
  const { files, screenshots, warnings } = choose([
    '*.ts',
    'local.ts',
    '.env',
    './.env.local',
    'notes.md',
    'k/.ENV',
    '{.env*,prod.env}',
  ]);
  expect(files).toEqual(['a.ts', 'b.ts', '.env.example']);
  expect(screenshots).toEqual(files);
  expect(warnings).toContain(
    '.env: is ignored by git or an environment, and is left out; name it to show it',
  );
  disk.rmSync(join(root, '.entire'), { recursive: true }); // one of the user's own takes what it names
  expect(choose(['*.ts'], '.config/entire/context.toml').files).toEqual(['*.ts']);
});
