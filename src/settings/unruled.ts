import { join } from 'node:path';
import { disk, lstatIfExists } from '../base/file/disk.ts';
import { writeFileAtomic } from '../base/file/write-file-atomic.ts';
import { currentRedaction } from './redaction.ts';

/**
 * Checkpoints that were stored while the rules of redaction in some settings file could not be read: `<git-common-dir>/entire/unruled`
 * stands from then on until `entire scrub` has applied the rules. Nothing leaves meanwhile. Whatever stands there counts.
 */
const markFile = (commonDir: string): string => join(commonDir, 'entire', 'unruled');

/** Called before a checkpoint is written. @throws the system error */
export function noteMissingRules(commonDir: string): void {
  if (!currentRedaction().isIncomplete || isUnruled(commonDir)) return;
  writeFileAtomic(markFile(commonDir), '');
}

/** Why nothing leaves, in words. */
export const UNRULED =
  'some were stored while a settings file could not be read, without its rules of redaction; `entire scrub --rewrite` applies them';

export const isUnruled = (commonDir: string): boolean => lstatIfExists(markFile(commonDir)) !== undefined;

/** Once the rules were applied to all that is stored. */
export const noteRulesApplied = (commonDir: string): void =>
  disk.rmSync(markFile(commonDir), { recursive: true, force: true });
