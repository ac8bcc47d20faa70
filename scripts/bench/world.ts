import { spawnSync } from 'node:child_process';
import {
  accessSync,
  constants,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  symlinkSync,
  utimesSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, delimiter, dirname, join } from 'node:path';
import { createRandom } from './random.ts';
import { timed } from './timing.ts';

/** A temporary folder with an empty home and one repository that every contestant gets a copy of. */
export interface World {
  readonly dir: string;
  readonly home: string;
  /** Tracked paths of the repository, `/`-separated. */
  readonly files: readonly string[];
}

export function createWorld(fileCount: number): World {
  const dir = realpathSync(mkdtempSync(join(tmpdir(), 'entire-bench-')));
  const home = join(dir, 'home');
  mkdirSync(home);
  const files = Array.from({ length: fileCount }, (_, at) => {
    const folder = Math.floor(at / 50);
    return `packages/p${Math.floor(folder / 20)}/src/d${folder % 20}/module-${at}.ts`;
  });
  const world = { dir, home, files };
  createTemplate(world);
  return world;
}

export const removeWorld = (world: World): void => rmSync(world.dir, { recursive: true, force: true });

/** The whole environment of what is measured: `entire` found on PATH, nothing of the user's settings. */
export function environment(world: World, binDir?: string): NodeJS.ProcessEnv {
  return {
    PATH: [binDir, process.env.PATH].filter(Boolean).join(delimiter),
    HOME: world.home,
    LANG: 'C.UTF-8',
    GIT_CONFIG_NOSYSTEM: '1',
    ENTIRE_TEST_TTY: '0', // nobody is there to answer a question
  };
}

/** Creates the repository without its files: one pack, as a clone has it. */
function createTemplate(world: World): void {
  const repo = join(world.dir, 'template');
  const env = environment(world);
  git(world, world.dir, 'init', '-q', '-b', 'main', repo);
  for (const [key, value] of [
    ['user.name', 'Bench'],
    ['user.email', 'bench@example.com'],
    ['gc.auto', '0'],
  ] as const)
    git(world, repo, 'config', key, value);
  timed('git', ['fast-import', '--quiet'], { cwd: repo, env, input: renderImport(world.files) });
}

function renderImport(files: readonly string[]): string {
  const random = createRandom(files.length);
  const parts = [
    'commit refs/heads/main\ncommitter Bench <bench@example.com> 1700000000 +0000\ndata 5\nBegin\n',
  ];
  for (const file of files) {
    const text = `${random.text(200 + random.int(400))}\n`;
    parts.push(`M 100644 inline ${file}\ndata ${text.length}\n${text}\n`);
  }
  return parts.join('');
}

/** A copy of the repository whose index is in step with its files, so that `git status` reads no content. */
export function copyRepo(world: World, name: string): string {
  const repo = join(world.dir, name);
  cpSync(join(world.dir, 'template'), repo, { recursive: true });
  git(world, repo, 'reset', '-q', '--hard');
  const longAgo = Date.now() / 1000 - 86_400;
  for (const file of world.files) utimesSync(join(repo, file), longAgo, longAgo);
  git(world, repo, 'status');
  return repo;
}

export function git(world: World, repo: string, ...args: string[]): string {
  return timed('git', args, { cwd: repo, env: environment(world) }).stdout.trim();
}

/**
 * Lays the package out as `npm install --global` does and returns the link people run. Copies, so that a build
 * in the checkout does not change what is being measured.
 */
export function installLikeNpm(world: World, name: string, checkout: string, native: boolean): string {
  const prefix = join(world.dir, name);
  const target = join(prefix, 'lib/node_modules/entire');
  for (const part of ['package.json', 'bin', 'dist/entire', 'dist/entire.mjs', 'dist/chunks']) {
    if (part === 'dist/entire' && !native) continue;
    const from = join(checkout, part);
    if (existsSync(from))
      cpSync(from, join(target, part), { recursive: true, mode: constants.COPYFILE_FICLONE });
  }
  return linkLikeNpm(prefix);
}

/** The launcher in front of a program that does nothing, to measure it on its own. */
export function installLauncherAlone(world: World, checkout: string): { link: string; nothing: string } {
  const nothing = findOnPath('true');
  if (!nothing) throw new Error('no `true` on PATH');
  const prefix = join(world.dir, 'launcher');
  const target = join(prefix, 'lib/node_modules/entire');
  cpSync(join(checkout, 'bin'), join(target, 'bin'), { recursive: true });
  mkdirSync(join(target, 'dist'));
  symlinkSync(nothing, join(target, 'dist/entire'));
  return { link: linkLikeNpm(prefix), nothing };
}

function linkLikeNpm(prefix: string): string {
  mkdirSync(join(prefix, 'bin'));
  symlinkSync('../lib/node_modules/entire/bin/entire', join(prefix, 'bin/entire'));
  return join(prefix, 'bin/entire');
}

/** A folder for PATH in which `binary` is called `entire`, for the git hooks that look for it there. */
export function binDirFor(world: World, binary: string): string {
  if (basename(binary) === 'entire') return dirname(binary);
  const dir = join(world.dir, 'other-bin');
  mkdirSync(dir);
  symlinkSync(binary, join(dir, 'entire'));
  return dir;
}

function findOnPath(name: string): string | undefined {
  return process.env.PATH?.split(delimiter)
    .map((dir) => join(dir, name))
    .find((file) => {
      try {
        accessSync(file, constants.X_OK);
        return true;
      } catch {
        return false; // not here
      }
    });
}

/** Version of a tool for the machine line. */
export const toolVersion = (command: string, ...args: string[]): string =>
  spawnSync(command, args, { encoding: 'utf8' }).stdout?.trim() ?? 'unknown';
