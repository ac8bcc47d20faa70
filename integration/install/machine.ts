import { execFileSync } from 'node:child_process';
import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  symlinkSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { TestRepo } from '../support/repository/test-repo.ts';

/** What is on the search path: what one installs to work with, and what every Unix has. */
const PROGRAMS = ['node', 'npm', 'git', 'man'];
const OF_EVERY_UNIX = [
  ...['basename', 'cat', 'chmod', 'cmp', 'cp', 'cut', 'date', 'dirname', 'env', 'expr', 'grep', 'head', 'ls'],
  ...['mkdir', 'mktemp', 'mv', 'od', 'ps', 'readlink', 'rm', 'rmdir', 'sed', 'sh', 'sleep', 'sort', 'stat'],
  ...['tail', 'touch', 'tr', 'true', 'uname', 'wc', 'xargs', 'less', 'tbl', 'nroff', 'groff', 'preconv'],
];

/** A computer of somebody who has Node, npm and git, and no compiler; everything in a folder of its own. */
export class Machine {
  readonly dir = realpathSync(mkdtempSync(join(tmpdir(), 'entire-machine-')));
  /** Where npm installs globally. */
  readonly prefix = join(this.dir, 'prefix');
  private readonly programs = join(this.dir, 'programs');
  private readonly registry: string;

  constructor(registry: string) {
    this.registry = registry;
    for (const folder of [this.prefix, this.programs]) mkdirSync(folder);
    for (const name of [...PROGRAMS, ...OF_EVERY_UNIX]) {
      const file = which(name);
      // npm finds its own files from where it really is.
      if (file) symlinkSync(name === 'npm' ? realpathSync(file) : file, join(this.programs, name));
    }
  }

  get path(): string {
    return `${join(this.prefix, 'bin')}:${this.programs}`;
  }

  /** A repository on it. `entire` is what npm has installed, and nothing where it has not. */
  repo(): TestRepo {
    const bin = join(this.prefix, 'bin');
    const repo = new TestRepo({ name: 'installed', program: join(bin, 'entire'), bin });
    repo.variables = {
      PATH: this.path,
      npm_config_prefix: this.prefix,
      npm_config_registry: this.registry,
      npm_config_cache: join(this.dir, 'npm-cache'),
      npm_config_update_notifier: 'false',
      npm_config_audit: 'false',
      npm_config_fund: 'false',
    };
    return repo;
  }

  /** Runs npm as a user does. @throws Error with what it says where it fails */
  npm(repo: TestRepo, ...args: string[]): string {
    const { code, stdout, stderr } = repo.run('npm', args);
    if (code !== 0) throw new Error(`npm ${args.join(' ')}: ${stderr}${stdout}`);
    return `${stdout}${stderr}`;
  }

  /** Every file and link that npm installed, from the prefix on. */
  installed(): string[] {
    return filesBelow(this.prefix).map((file) => file.slice(this.prefix.length + 1));
  }
}

function which(name: string): string | undefined {
  const dirs = (process.env.PATH ?? '').split(':').filter(Boolean);
  return dirs.map((dir) => join(dir, name)).find(existsSync);
}

function filesBelow(dir: string): string[] {
  return readdirSync(dir)
    .sort()
    .flatMap((name) => {
      const file = join(dir, name);
      return lstatSync(file).isDirectory() ? filesBelow(file) : [file];
    });
}

/** Names of programs that a machine must not have for a test to say something. */
export const COMPILERS = [
  'cc',
  'gcc',
  'g++',
  'clang',
  'make',
  'cmake',
  'python',
  'python3',
  'node-gyp',
  'bun',
];

/** Whether a package is all in its folder: `tar -tzf`. */
export const filesInTarball = (tarball: string): string[] =>
  execFileSync('tar', ['-tzf', tarball], { encoding: 'utf8', maxBuffer: 1 << 26 })
    .split('\n')
    .filter(Boolean)
    .map((name) => name.replace(/^package\//, ''));
