import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { installsEditHook } from './checks.ts';
import { timed } from './timing.ts';
import {
  binDirFor,
  copyRepo,
  environment,
  git,
  installLauncherAlone,
  installLikeNpm,
  type World,
} from './world.ts';

const checkout = resolve(dirname(fileURLToPath(import.meta.url)), '../..');

/** One executable with its own copy of the repository. */
export interface Contestant {
  readonly label: string;
  readonly command: string;
  readonly env: NodeJS.ProcessEnv;
  readonly repo: string;
  readonly hasEditHook: boolean;
}

/** Installs the build of the checkout as npm would. @throws when it was not built */
export function installBuild(world: World, native = true): string {
  if (!existsSync(join(checkout, 'dist/entire'))) throw new Error('there is no dist/entire: npm run build');
  return installLikeNpm(world, native ? 'prefix' : 'prefix-node', checkout, native);
}

/** Gives an executable a copy of the repository and lets it set itself up there. */
export function enter(world: World, label: string, command: string): Contestant {
  const repo = copyRepo(world, `repo-${label.replace(/\W+/g, '-')}`);
  const env = environment(world, binDirFor(world, command));
  timed(command, ['enable', '--agent', 'claude-code'], { cwd: repo, env });
  git(world, repo, 'add', '--all');
  git(world, repo, '-c', 'core.hooksPath=/dev/null', 'commit', '-q', '--allow-empty', '-m', 'Set up');
  return { label, command, env, repo, hasEditHook: installsEditHook(repo) };
}

/** Programs that do nothing: compiled with our flags, behind our launcher, and at all; and one that measures. */
export interface Programs {
  readonly empty: string;
  readonly launcher: string;
  readonly nothing: string;
  readonly peak: string;
}

export function setUpPrograms(world: World): Programs {
  const { link, nothing } = installLauncherAlone(world, checkout);
  return {
    launcher: link,
    nothing,
    empty: compile(new URL('./empty.ts', import.meta.url)),
    peak: compile(new URL('./peak.ts', import.meta.url)),
  };
}

/** Compiles another entry with the flags of the real build. */
export function compile(source: URL): string {
  const entry = fileURLToPath(source);
  const out = join(checkout, 'dist/test', basename(entry, '.ts'));
  mkdirSync(dirname(out), { recursive: true });
  const build = ['scripts/build.ts', '--entry', entry, '--out', out];
  execFileSync(process.execPath, ['--import', 'tsx', ...build], { cwd: checkout, stdio: 'pipe' });
  return out;
}
