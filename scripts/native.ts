/** The native build: how Bun's compiler is found, and what it is told. */
import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, readdirSync, readFileSync, renameSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = resolve(dirname(fileURLToPath(import.meta.url)), '..');

/** What both builds know of themselves. */
export function readDefines(version = readVersion()): Readonly<Record<string, string>> {
  return { __VERSION__: JSON.stringify(version), __COMMIT__: JSON.stringify(currentCommit()) };
}

export interface Compilation {
  readonly entry: string;
  /** Without the `.exe` that an executable for Windows gets. */
  readonly out: string;
  readonly define: Readonly<Record<string, string>>;
  /** Another platform than this one: what Bun calls it, and the runtime for it. Bun would download one itself, unchecked. */
  readonly target?: { readonly name: string; readonly runtime: string };
}

/**
 * Compiles to a temporary name and renames, so that a running executable is never written to.
 *
 * @returns the executable; `undefined` where Bun does not run
 */
export function compileNative({ entry, out, define, target }: Compilation): string | undefined {
  const bun = findBun();
  if (!bun) return undefined;
  const temp = `${out}.${process.pid}.tmp`;
  const flags = [
    '--compile',
    '--bytecode',
    '--minify',
    '--splitting',
    '--format=esm',
    '--no-compile-autoload-dotenv',
    '--no-compile-autoload-bunfig',
    '--compile-jit-policy=100', // what ends within a second is over before machine code pays: a fifth of its processor time
    '--external=libsql', // Node's: here it is Bun's own SQLite
    ...(target ? [`--target=${target.name}`, `--compile-executable-path=${target.runtime}`] : []),
  ];
  const defines = Object.entries(define).flatMap(([name, value]) => ['--define', `${name}=${value}`]);
  execFileSync(bun, ['build', entry, ...flags, ...defines, '--outfile', temp], { cwd: root, stdio: 'pipe' });
  const isPlain = existsSync(temp);
  const made = isPlain ? temp : `${temp}.exe`;
  chmodSync(made, 0o755);
  const named = isPlain && process.platform !== 'win32' ? out : `${out}.exe`;
  renameSync(made, named);
  return named;
}

/** A path as it is told on the terminal. */
export const shorten = (path: string): string =>
  path.startsWith(`${root}/`) ? path.slice(root.length + 1) : path;

/**
 * Bun's own install script moves the real binary to `bun/bin`; where install scripts did not run it still lies
 * in the platform package. Whichever is a real binary (not the few bytes of a stub) is the one.
 */
function findBun(): string | undefined {
  const require = createRequire(import.meta.url);
  const packageDir = dirname(require.resolve('bun/package.json'));
  const scope = join(packageDir, '..', '@oven');
  const dirs = [
    join(packageDir, 'bin'),
    ...(existsSync(scope) ? readdirSync(scope).map((name) => join(scope, name, 'bin')) : []),
  ];
  const candidates = dirs.flatMap((dir) => [join(dir, 'bun'), join(dir, 'bun.exe')]);
  return candidates.find((file) => existsSync(file) && statSync(file).size > 1_000_000 && runs(file));
}

function runs(file: string): boolean {
  try {
    execFileSync(file, ['--version'], { stdio: 'pipe' });
    return true;
  } catch {
    return false; // a binary for another platform or CPU
  }
}

export const readVersion = (): string =>
  (JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string }).version;

function currentCommit(): string {
  try {
    return execFileSync('git', ['rev-parse', '--short', 'HEAD'], { cwd: root, stdio: 'pipe' })
      .toString()
      .trim();
  } catch {
    return 'unknown'; // a source archive, or no commit yet
  }
}
