import { readOwnIfUsable } from '../../../base/file/small-file.ts';
import { writeFileAtomic } from '../../../base/file/write-file-atomic.ts';
import { sha256Of } from '../../../base/hash.ts';
import type { Requirement } from './table.ts';

/** What a settings file was before us, so that uninstalling can put back every byte. */
export interface Origin {
  readonly version: 1;
  readonly created_file: boolean;
  readonly created_dir: boolean;
  /** Folders above that one which were not there either, the innermost first. */
  readonly created_parents?: readonly string[];
  /** Text of the file before us; absent where it held hooks of ours already, or was none. */
  readonly original?: string;
  /** Requirements of ours that the file did not have. */
  readonly added?: readonly Requirement[];
  /** SHA-256 of what we wrote: only that text may be replaced by the original. */
  readonly written: string;
}

/** The record of a settings file; `undefined` where there is none that we understand. */
export function readOrigin(recordFile: string): Origin | undefined {
  const text = readOwnIfUsable(recordFile, 'record');
  if (text === undefined) return undefined;
  try {
    const value = JSON.parse(text) as Partial<Origin>;
    return value.version === 1 && typeof value.written === 'string' ? (value as Origin) : undefined;
  } catch {
    return undefined; // our own cache: without it hooks are taken out one by one
  }
}

/** @throws the system error */
export function writeOrigin(recordFile: string, origin: Omit<Origin, 'written'>, after: string): void {
  writeFileAtomic(recordFile, `${JSON.stringify({ ...origin, written: sha256Of(after) }, null, 2)}\n`);
}

/** Whether a text is what we wrote last. */
export const isAsWritten = (origin: Origin | undefined, text: string): boolean =>
  origin?.written === sha256Of(text);
