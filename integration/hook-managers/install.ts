import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

/** What the tests were written against. None is a devDependency: only these tests need them. */
const HUSKY = '9.1.7';
const LEFTHOOK = '2.2.2';
const PRE_COMMIT = '4.7.0';

const cache = resolve(import.meta.dirname, '../../.cache/hook-managers');
const modules = join(cache, 'node_modules');

/** The platform package of Lefthook is the native binary itself. */
const lefthook = `lefthook-${process.platform}-${process.arch}`;

/**
 * Ensures that the pinned Husky and Lefthook lie in `.cache/hook-managers`, and returns their commands.
 *
 * @throws Error naming the command that failed when one is missing and the registry cannot be reached
 */
export function ensureFromNpm(): { husky: readonly string[]; lefthook: readonly string[] } {
  const wanted = [
    ['husky', HUSKY],
    [lefthook, LEFTHOOK],
  ] as const;
  if (wanted.some(([name, version]) => installedVersion(name) !== version)) {
    const quiet = ['--ignore-scripts', '--no-audit', '--no-fund'];
    const specs = wanted.map(([name, version]) => `${name}@${version}`);
    install('npm', ['install', '--prefix', cache, '--no-save', ...quiet, ...specs]);
  }
  return {
    husky: [process.execPath, join(modules, 'husky', 'bin.js')],
    lefthook: [join(modules, lefthook, 'bin', 'lefthook')],
  };
}

/** The same for pre-commit from PyPI, in a virtual environment; `undefined` where there is no Python 3 that can make one. */
export function ensurePreCommit(): readonly string[] | undefined {
  const venv = join(cache, `pre-commit-${PRE_COMMIT}`);
  const program = join(venv, 'bin', 'pre-commit');
  if (existsSync(program)) return [program];
  try {
    execFileSync('python3', ['-c', 'import venv, ensurepip'], { stdio: 'pipe' });
  } catch {
    return undefined;
  }
  install('python3', ['-m', 'venv', venv]);
  const quiet = ['--quiet', '--disable-pip-version-check'];
  install(join(venv, 'bin', 'pip'), ['install', ...quiet, `pre-commit==${PRE_COMMIT}`]);
  return [program];
}

function install(command: string, args: readonly string[]): void {
  try {
    execFileSync(command, args, { stdio: 'pipe', timeout: 300_000 });
  } catch (error) {
    const { stderr, message } = error as { stderr?: Buffer; message: string };
    throw new Error(
      `Could not install a hook manager that these tests drive: is the registry reachable? Run it once by hand:\n` +
        `  ${command} ${args.join(' ')}\n${stderr?.toString().trim() || message}`,
      { cause: error },
    );
  }
}

function installedVersion(name: string): string | undefined {
  try {
    const text = readFileSync(join(modules, name, 'package.json'), 'utf8');
    return (JSON.parse(text) as { version?: string }).version;
  } catch {
    return undefined; // not installed yet
  }
}
