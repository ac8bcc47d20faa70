import { describeError, errnoOf } from '../../base/errors.ts';
import { readOwnText } from '../../base/file/small-file.ts';
import type { Problem } from './problem.ts';

/** The text of a file; `undefined` when there is none, otherwise where it is, and what keeps it from being read. */
export function readText(file: string): string | undefined | Pick<Problem, 'where' | 'detail'> {
  try {
    return readOwnText(file, 'record');
  } catch (error) {
    return errnoOf(error) === 'ENOENT' ? undefined : { where: file, detail: describeError(error) };
  }
}
