import { resolve } from 'node:path';
import { errnoOf } from '../../base/errors.ts';
import { disk } from '../../base/file/disk.ts';
import { isGlob } from '../aggregate/resolve-paths.ts';
import { below, describeValue, type Warn } from '../config/warning.ts';

/** Warns of each path of a list, below `folder` or absolute, where no file is. Of patterns it is known when the files are read. */
export function warnOfGone(folder: string, key: string, paths: readonly string[], warn: Warn): void {
  for (const [at, path] of paths.entries()) {
    const why = reasonOfAbsence(resolve(folder, path));
    if (why === undefined || isGlob(path)) continue;
    below(warn, `${key}[${at}]`)({ key: '', message: `${describeValue(path)} ${why}.` });
  }
}

function reasonOfAbsence(file: string): string | undefined {
  try {
    disk.statSync(file);
    return undefined;
  } catch (error) {
    const code = errnoOf(error);
    return code === 'ENOENT' || code === 'ENOTDIR' ? 'is gone' : `cannot be read (${code})`;
  }
}
