/**
 * Lays out what is published, from the builds in `dist`: `entire/`, which runs anywhere Node does, and
 * `entire-<os>-<cpu>/` with the executable of this platform, which the first names as an optional dependency.
 * Neither has an install script. What cannot be bundled is an optional dependency, too: SQLite, for the library in Node. `--out DIR` writes somewhere else than `dist/release`.
 */
import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  constants,
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { NOTICES } from './notices.ts';

/** Platforms that have an executable; `bin/entire` looks for the same names. */
const PLATFORMS = ['linux-x64', 'linux-arm64', 'darwin-x64', 'darwin-arm64', 'win32-x64'] as const;
const SCOPE = '@entire-cli';
/** Kept from the package that is developed; scripts and dependencies stay behind, both builds are bundles. */
const KEPT = [
  'name',
  'version',
  'description',
  'keywords',
  'license',
  'type',
  'bin',
  'exports',
  'man',
  'engines',
];

type Manifest = Record<string, unknown> & {
  readonly version: string;
  readonly optionalDependencies: Readonly<Record<string, string>>;
};

const root = resolve(dirname(fileURLToPath(import.meta.url)), '..');
const { values } = parseArgs({ options: { out: { type: 'string', default: join(root, 'dist/release') } } });
const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as Manifest;

const out = resolve(values.out);
rmSync(out, { recursive: true, force: true });
packMain(join(out, 'entire'));
const platform = PLATFORMS.find((name) => name === `${process.platform}-${process.arch}`);
if (platform) packPlatform(join(out, `entire-${platform}`), platform);
else console.log(`no executable for ${process.platform}-${process.arch}: the Node build serves`);

function packMain(dir: string): void {
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
    optionalDependencies: {
      ...Object.fromEntries(PLATFORMS.map((name) => [`${SCOPE}/entire-${name}`, manifest.version])),
      ...manifest.optionalDependencies,
    },
  });
}

function packPlatform(dir: string, platform: (typeof PLATFORMS)[number]): void {
  const [os, cpu] = platform.split('-');
  const name = os === 'win32' ? 'entire.exe' : 'entire';
  const source = join(root, 'dist', name);
  if (!existsSync(source)) throw new Error(`${source} is missing: run \`npm run build\` first`);
  copyInto(dir, ['LICENSE']);
  cpSync(join(root, 'dist', NOTICES), join(dir, NOTICES));
  cpSync(source, join(dir, name), { mode: constants.COPYFILE_FICLONE });
  chmodSync(join(dir, name), 0o755);
  writeManifest(dir, {
    name: `${SCOPE}/entire-${platform}`,
    version: manifest.version,
    description: `The executable of the package "entire" for ${platform}.`,
    license: manifest.license,
    files: [name, NOTICES],
    os: [os],
    cpu: [cpu],
    ...(os === 'linux' && { libc: ['glibc'] }),
    preferUnplugged: true,
  });
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
  console.log(dir.startsWith(root) ? dir.slice(root.length + 1) : dir);
}
