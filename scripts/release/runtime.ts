import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../native.ts';
import type { Platform } from './platforms.ts';

/**
 * Bun's runtime for a platform, from its package on npm: the version, and the digest, are those of `package-lock.json`. Kept in
 * `.cache/bun`. npm itself would not install the package of another platform.
 *
 * @throws Error where the registry cannot be reached, or what comes from it is something else
 */
export function ensureRuntime({ runtime, os }: Platform): string {
  const { version, integrity } = readLock(runtime);
  const dir = join(root, '.cache/bun', version, runtime.replace('@oven/', ''));
  const file = join(dir, 'bin', os === 'win32' ? 'bun.exe' : 'bun');
  if (existsSync(file)) return file;
  mkdirSync(join(dir, '..'), { recursive: true });
  const temp = mkdtempSync(`${dir}-`);
  try {
    const tarball = download(`${runtime}@${version}`, temp);
    const digest = `sha512-${createHash('sha512').update(readFileSync(tarball)).digest('base64')}`;
    if (digest !== integrity)
      throw new Error(`${runtime}@${version} is not what package-lock.json has: ${digest}`);
    execFileSync('tar', ['-xzf', tarball, '-C', temp], { stdio: 'pipe' });
    rmSync(dir, { recursive: true, force: true });
    renameSync(join(temp, 'package'), dir);
  } finally {
    rmSync(temp, { recursive: true, force: true });
  }
  return file;
}

function readLock(name: string): { version: string; integrity: string } {
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as {
    packages: Readonly<Record<string, { version: string; integrity?: string }>>;
  };
  const { version, integrity } = packages[`node_modules/${name}`] ?? {};
  if (!version || !integrity) throw new Error(`package-lock.json has no digest of ${name}`);
  return { version, integrity };
}

function download(spec: string, dir: string): string {
  try {
    const args = ['pack', '--json', '--ignore-scripts', '--pack-destination', dir, spec];
    const said = execFileSync('npm', args, { cwd: dir, encoding: 'utf8', stdio: 'pipe' });
    const [packed] = JSON.parse(said) as { filename: string }[];
    return join(dir, packed?.filename ?? '');
  } catch (error) {
    const { stderr, message } = error as { stderr?: string; message: string };
    throw new Error(`${spec} does not come: is the registry reachable?\n${stderr?.trim() || message}`, {
      cause: error,
    });
  }
}
