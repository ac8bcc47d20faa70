import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = resolve(dirname(fileURLToPath(import.meta.url)), '..', '..');

/** The two builds every scenario runs against; `bin` is a folder with the build under the name `entire`. */
export const BUILDS = ['native', 'node'].map((name) => ({
  name,
  bin: join(root, 'dist', 'test', 'bin', name),
}));

export type Build = (typeof BUILDS)[number];
