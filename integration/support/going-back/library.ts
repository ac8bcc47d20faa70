import { join } from 'node:path';
import { root } from '../process/builds.ts';

/** The library as it is published. */
export const LIBRARY = join(root, 'dist', 'index.mjs');

export const loadLibrary = (): Promise<typeof import('../../../src/index.ts')> => import(LIBRARY);
