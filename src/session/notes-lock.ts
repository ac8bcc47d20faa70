import { join } from 'node:path';
import type { SessionId } from '../base/ids.ts';
import { withSessionLock } from './lock.ts';

/** `<git-common-dir>/entire/notes.lock` */
const NOTES = 'notes' as SessionId;

/** Runs `body` while nobody else of us writes `refs/notes/entire`. @throws {EntireError} `LOCKED` */
export const withNotesLock = <T>(commonDir: string, body: () => T | Promise<T>): Promise<T> =>
  withSessionLock(join(commonDir, 'entire'), NOTES, body);
