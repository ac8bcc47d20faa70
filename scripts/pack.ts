/**
 * Makes what is published, from the builds in `dist`: `entire/`, which runs anywhere Node does, and `entire-<os>-<cpu>/` with the executable
 * of each platform, which the first names as optional dependencies; and a tarball of each. None has an install script. What cannot be
 * bundled is an optional dependency, too: SQLite, for the library in Node. `--out DIR` writes somewhere else than `dist/release`. `--host`
 * takes the executable in `dist` for this platform alone, and makes no tarballs.
 */
import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  constants,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { compileNative, readDefines, root, shorten } from './native.ts';
import { NOTICES } from './notices.ts';
import { finishExecutable } from './release/executable.ts';
import { executableOf, PLATFORMS, type Platform } from './release/platforms.ts';
import { ensureRuntime } from './release/runtime.ts';

const SCOPE = '@entire-cli';
/** Kept from the package that is developed; scripts and dependencies stay behind, both builds are bundles. */
const KEPT = ['name', 'version', 'description', 'keywords', 'license', 'type', 'bin', 'exports', 'engines'];

type Manifest = Record<string, unknown> & {
  readonly version: string;
  readonly optionalDependencies: Readonly<Record<string, string>>;
};

const { values } = parseArgs({
  options: { out: { type: 'string', default: join(root, 'dist/release') }, host: { type: 'boolean' } },
});
const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as Manifest;

const out = resolve(values.out);
rmSync(out, { recursive: true, force: true });
const folders = [packMain(join(out, 'entire'))];
for (const platform of PLATFORMS) {
  const isHost = platform.name === `${process.platform}-${process.arch}`;
  if (values.host && !isHost) continue;
  folders.push(packPlatform(join(out, `entire-${platform.name}`), platform));
}
if (!values.host) for (const folder of folders) makeTarball(folder);

function packMain(dir: string): string {
  const built = ['entire', 'index', 'context', 'conversations', 'snapshots']
    .map((name) => `${name}.mjs`)
    .concat('chunks', 'man', 'wasm')
    .map((part) => `dist/${part}`);
  copyInto(dir, ['bin', ...built, 'LICENSE', `dist/${NOTICES}`]);
  emitTypes(join(dir, 'dist/types'));
  if (existsSync(join(root, 'README.md'))) copyInto(dir, ['README.md']);
  writeManifest(dir, {
    ...Object.fromEntries(Object.entries(manifest).filter(([key]) => KEPT.includes(key))),
    files: ['bin', 'dist'],
    man: readdirSync(join(dir, 'dist/man')).map((page) => `./dist/man/${page}`), // npm links no whole folder
    optionalDependencies: {
      ...Object.fromEntries(PLATFORMS.map(({ name }) => [`${SCOPE}/entire-${name}`, manifest.version])),
      ...manifest.optionalDependencies,
    },
  });
  return dir;
}

function packPlatform(dir: string, platform: Platform): string {
  const name = executableOf(platform);
  const file = join(dir, name);
  copyInto(dir, ['LICENSE']);
  cpSync(join(root, 'dist', NOTICES), join(dir, NOTICES));
  if (values.host) {
    const built = join(root, 'dist', name);
    if (!existsSync(built)) throw new Error(`${built} is missing: run \`npm run build\` first`);
    cpSync(built, file, { mode: constants.COPYFILE_FICLONE });
  } else {
    const made = compileNative({
      entry: join(root, 'src/entire.ts'),
      out: join(dir, 'entire'),
      define: readDefines(),
      target: { name: platform.target, runtime: ensureRuntime(platform) },
    });
    if (made !== file) throw new Error(`${file} was not made: Bun's compiler does not run here`);
  }
  chmodSync(file, 0o755);
  const found = finishExecutable(file, platform, manifest.version);
  writeManifest(dir, {
    name: `${SCOPE}/entire-${platform.name}`,
    version: manifest.version,
    description: `The executable of the package "entire" for ${platform.name}.`,
    license: manifest.license,
    files: [name, NOTICES],
    os: [platform.os],
    cpu: [platform.cpu],
    ...(platform.os === 'linux' && { libc: ['glibc'] }), // without it npm leaves it out, and the Node build serves
    preferUnplugged: true,
  });
  console.log(`  ${found}, ${inMiB(statSync(file).size)}`);
  return dir;
}

function makeTarball(folder: string): void {
  const args = ['pack', '--json', '--ignore-scripts', '--pack-destination', out];
  const said = execFileSync('npm', args, {
    cwd: folder,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const [packed] = JSON.parse(said) as { filename: string; entryCount: number }[];
  const file = join(out, basename(packed?.filename ?? ''));
  console.log(`${shorten(file)}: ${packed?.entryCount} files, ${inMiB(statSync(file).size)}`);
}

function inMiB(bytes: number): string {
  return `${(bytes / 1024 ** 2).toFixed(1)} MiB`;
}

function emitTypes(outDir: string): void {
  const tsc = createRequire(import.meta.url).resolve('typescript/bin/tsc');
  execFileSync(process.execPath, [tsc, '-p', 'tsconfig.types.json', '--outDir', outDir], { cwd: root });
}

function copyInto(dir: string, parts: readonly string[]): void {
  for (const part of parts) {
    const from = join(root, part);
    if (!existsSync(from)) throw new Error(`${from} is missing: run \`npm run build\` first`);
    mkdirSync(dirname(join(dir, part)), { recursive: true });
    cpSync(from, join(dir, part), { recursive: true });
  }
}

function writeManifest(dir: string, fields: Record<string, unknown>): void {
  writeFileSync(join(dir, 'package.json'), `${JSON.stringify(fields, null, 2)}\n`);
  console.log(shorten(dir));
}
