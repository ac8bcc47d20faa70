import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = resolve(dirname(fileURLToPath(import.meta.url)), '..', '..', '..');

/** The two builds; `bin` is a folder with the build under the name `entire`. */
export const BUILDS = [
  { name: 'native', program: join(root, 'dist', 'entire') },
  { name: 'node', program: join(root, 'dist', 'entire.mjs') },
].map((build) => ({ ...build, bin: join(root, 'dist', 'test', 'bin', build.name) }));

export type Build = (typeof BUILDS)[number];
