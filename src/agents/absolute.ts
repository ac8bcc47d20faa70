import { isAbsolute, join } from 'node:path';

/** A path that a transcript names, absolute where the folder is known; stays empty where none is named. */
export const absolute = (path: string, folder: string): string =>
  path === '' || folder === '' || isAbsolute(path) ? path : join(folder, path);
