import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { findSpoiltPages, signAdHoc } from '../../scripts/release/code-signature.ts';
import { identify } from '../../scripts/release/executable.ts';
import { executableOf, PLATFORMS } from '../../scripts/release/platforms.ts';
import { filesInTarball } from './machine.ts';
import { RELEASE, readManifest, tarballs } from './release.ts';

const MIB = 1024 ** 2;
const folderOf = (name: string): string => join(RELEASE, `entire-${name}`);
const KINDS = { linux: 'ELF', darwin: 'Mach-O', win32: 'PE' } as const;

describe.each(PLATFORMS)('the package for $name', (platform) => {
  const { name, os, cpu } = platform;
  const folder = folderOf(name);
  const file = join(folder, executableOf(platform));

  test('has an executable of that system and processor, with our program in it', () => {
    const bytes = readFileSync(file);
    expect(identify(bytes)).toBe(`${KINDS[os]} ${cpu}`);
    for (const text of ['Set up Entire in this repository', 'Entire-Checkpoint'])
      expect(bytes.includes(text), text).toBe(true);
    expect(statSync(file).mode & 0o111).toBe(0o111);
  });

  test('is for that platform alone, and has no install script', () => {
    const manifest = readManifest(folder);
    expect(manifest).toMatchObject({ os: [os], cpu: [cpu], ...(os === 'linux' && { libc: ['glibc'] }) });
    expect(manifest.scripts).toBeUndefined();
    expect(readManifest(join(RELEASE, 'entire')).optionalDependencies).toMatchObject({
      [manifest.name]: manifest.version,
    });
  });
});

test.each(PLATFORMS.filter(({ os }) => os === 'darwin'))(
  'the signature of the executable for $name is true of every page',
  (platform) => {
    const bytes = readFileSync(join(folderOf(platform.name), executableOf(platform)));
    expect(findSpoiltPages(bytes)).toBe(0);
    const spoilt = Buffer.from(bytes);
    spoilt.writeUInt8((spoilt.readUInt8(0x5000) ^ 1) & 0xff, 0x5000);
    expect(findSpoiltPages(spoilt)).toBe(1);
    // What Bun signs and what is signed here are the same bytes.
    const signed = signAdHoc(spoilt, platform.cpu === 'arm64' ? 'a.out' : 'entire');
    expect(findSpoiltPages(signed)).toBe(0);
    signed.writeUInt8((signed.readUInt8(0x5000) ^ 1) & 0xff, 0x5000);
    expect(findSpoiltPages(signed)).toBe(1);
    if (platform.cpu === 'arm64') expect(signAdHoc(bytes, 'a.out').equals(bytes)).toBe(true);
  },
);

test('the executable for Linux arm64 runs, where qemu stands in for the processor', ({ skip }) => {
  const file = join(folderOf('linux-arm64'), 'entire');
  const libraries = '/usr/aarch64-linux-gnu'; // of Debian's libc6-arm64-cross
  const own = process.arch === 'arm64' && process.platform === 'linux';
  if (!own && !existsSync(libraries)) skip('there is no C library for arm64 (libc6-arm64-cross)');
  const [program = '', ...args] = own ? [file] : ['qemu-aarch64-static', '-L', libraries, file];
  const { stdout, error } = spawnSync(program, [...args, 'version'], { encoding: 'utf8' });
  if (error && !own) skip('there is no qemu-aarch64-static on this machine');
  expect(stdout).toMatch(/^Entire CLI .*\nBun: .*\nOS\/Arch: linux\/arm64\n$/);
});

test('tarballs have what is needed, and are as large as what is in them asks for', () => {
  const all = tarballs();
  expect(all).toHaveLength(PLATFORMS.length + 1);
  for (const tarball of all) {
    const size = statSync(tarball).size / MIB;
    const files = filesInTarball(tarball);
    console.log(`${tarball.slice(RELEASE.length + 1)}: ${files.length} files, ${size.toFixed(1)} MiB`);
    expect(files).toContain('LICENSE');
    if (tarball.includes('-cli-')) {
      expect(files).toHaveLength(4);
      expect(size).toBeGreaterThan(30);
      expect(size).toBeLessThan(75);
      continue;
    }
    expect(size).toBeLessThan(5);
    const { man = [] } = readManifest(join(RELEASE, 'entire'));
    expect(man.length).toBeGreaterThan(25);
    expect(files).toEqual(
      expect.arrayContaining(['bin/entire', 'dist/entire.mjs', ...man.map((page) => page.slice(2))]),
    );
    const foreign = files.filter((name) => /\.ts$/.test(name) && !name.endsWith('.d.ts'));
    expect(foreign).toEqual([]);
  }
});
