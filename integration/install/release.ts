import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../support/process/builds.ts';

/** What `npm run pack:release` made: folders of packages, and their tarballs. */
export const RELEASE = join(root, 'dist/release');

/** Of the platform that the tests run on. */
export const HOST = `${process.platform}-${process.arch}`;

export interface Manifest {
  name: string;
  version: string;
  readonly os?: readonly string[];
  readonly cpu?: readonly string[];
  readonly libc?: readonly string[];
  readonly man?: readonly string[];
  readonly scripts?: unknown;
  optionalDependencies?: Readonly<Record<string, string>>;
}

export const readManifest = (folder: string): Manifest =>
  JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest;

export const tarballs = (): string[] =>
  readdirSync(RELEASE)
    .filter((name) => name.endsWith('.tgz'))
    .map((name) => join(RELEASE, name));

/** Makes the release, unless `ENTIRE_TEST_SKIP_BUILD=1` asks for the one that is there. */
export function setup(): void {
  if (process.env.ENTIRE_TEST_SKIP_BUILD === '1' && existsSync(RELEASE)) return;
  execFileSync('npm', ['run', 'pack:release'], { cwd: root, stdio: 'inherit' });
}

/** A release behind the one that there is, for this platform alone; its tarballs, the executable's first. */
export function makeNextRelease(dir: string): { version: string; tarballs: string[] } {
  const version = readManifest(join(RELEASE, 'entire')).version.replace(
    /\d+$/,
    (last) => `${Number(last) + 1}`,
  );
  mkdirSync(dir, { recursive: true });
  const platform = copyRelease(`entire-${HOST}`, dir, (manifest) => ({ ...manifest, version }));
  const args = ['--entry', 'src/entire.ts', '--out', join(platform, 'entire'), '--version', version];
  execFileSync('npx', ['tsx', 'scripts/build.ts', ...args], { cwd: root, stdio: 'pipe' });
  const main = copyRelease('entire', dir, (manifest) => {
    const { libsql = '' } = manifest.optionalDependencies ?? {};
    const optionalDependencies = { [`@entire-cli/entire-${HOST}`]: version, libsql };
    return { ...manifest, version, optionalDependencies };
  });
  return { version, tarballs: [platform, main].map((folder) => pack(folder, dir)) };
}

function copyRelease(name: string, dir: string, change: (manifest: Manifest) => Manifest): string {
  const folder = join(dir, name);
  cpSync(join(RELEASE, name), folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), JSON.stringify(change(readManifest(folder))));
  return folder;
}

function pack(folder: string, dir: string): string {
  const args = ['pack', '--json', '--ignore-scripts', '--pack-destination', dir];
  const said = execFileSync('npm', args, {
    cwd: folder,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const [packed] = JSON.parse(said) as { filename: string }[];
  return join(dir, packed?.filename ?? '');
}
