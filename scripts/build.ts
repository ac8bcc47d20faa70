/**
 * Makes both builds from the same entry: `dist/entire.mjs` with esbuild for Node, and `dist/entire` with Bun's
 * compiler, the executable people run; and the manual page. `--node` or `--native` makes only one; `--entry FILE --out FILE` compiles
 * another entry with the same flags (tests and the benchmark need that).
 */
import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { build } from 'esbuild';
import { NOTICES, renderNotices } from './notices.ts';

const root = resolve(dirname(fileURLToPath(import.meta.url)), '..');
const dist = join(root, 'dist');

const { values } = parseArgs({
  options: {
    node: { type: 'boolean' },
    native: { type: 'boolean' },
    entry: { type: 'string' },
    out: { type: 'string' },
  },
});

const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };
const define = {
  __VERSION__: JSON.stringify(manifest.version),
  __COMMIT__: JSON.stringify(currentCommit()),
};

mkdirSync(dist, { recursive: true });
if (values.entry && values.out) {
  compileNative(resolve(values.entry), resolve(values.out));
} else {
  if (!values.native) {
    await bundleForNode();
    await import('./man.ts');
  }
  if (!values.node) compileNative(join(root, 'src/entire.ts'), join(dist, 'entire'));
}

async function bundleForNode(): Promise<void> {
  for (const folder of ['chunks', 'wasm']) rmSync(join(dist, folder), { recursive: true, force: true });
  const { metafile } = await build({
    metafile: true,
    absWorkingDir: root,
    entryPoints: {
      entire: 'src/entire.ts',
      index: 'src/index.ts',
      context: 'src/library/context.ts',
      conversations: 'src/library/conversations.ts',
      snapshots: 'src/library/snapshots.ts',
    },
    outdir: 'dist',
    outExtension: { '.js': '.mjs' },
    chunkNames: 'chunks/[name]-[hash]',
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    mainFields: ['module', 'main'], // jsonc-parser's UMD form hides its requires from bundlers
    target: 'node20.19',
    external: ['bun:sqlite', 'libsql', '*.node'],
    loader: { '.wasm': 'file' }, // Bun does the same by itself, and keeps the files in the executable
    assetNames: 'wasm/[name]-[hash]',
    define,
    legalComments: 'none',
    logLevel: 'warning',
    // Bundled CommonJS packages call require() for built-ins.
    banner: {
      js: "import { createRequire as __cr } from 'node:module'; const require = __cr(import.meta.url);",
    },
  });
  writeFileSync(join(dist, NOTICES), renderNotices(root, Object.keys(metafile.inputs)));
  console.log('dist/entire.mjs');
}

/** Compiles to a temporary name and renames, so that a running executable is never written to. */
function compileNative(entry: string, out: string): void {
  const bun = findBun();
  if (!bun) {
    console.log('no Bun binary for this platform: the Node build serves');
    return;
  }
  const temp = `${out}.${process.pid}.tmp`;
  const flags = [
    '--compile',
    '--bytecode',
    '--minify',
    '--splitting',
    '--format=esm',
    '--no-compile-autoload-dotenv',
    '--no-compile-autoload-bunfig',
    '--external=libsql', // Node's: here it is Bun's own SQLite
  ];
  const defines = Object.entries(define).flatMap(([name, value]) => ['--define', `${name}=${value}`]);
  execFileSync(bun, ['build', entry, ...flags, ...defines, '--outfile', temp], { cwd: root, stdio: 'pipe' });
  const made = existsSync(temp) ? temp : `${temp}.exe`;
  chmodSync(made, 0o755);
  renameSync(made, process.platform === 'win32' ? `${out}.exe` : out);
  console.log(out.startsWith(root) ? out.slice(root.length + 1) : out);
}

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

function currentCommit(): string {
  try {
    return execFileSync('git', ['rev-parse', '--short', 'HEAD'], { cwd: root, stdio: 'pipe' })
      .toString()
      .trim();
  } catch {
    return 'unknown'; // a source archive, or no commit yet
  }
}
