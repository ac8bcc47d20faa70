import { FileStorage } from '../../conversation/storage/file.ts';
import type { Storage } from '../../conversation/storage/storage.ts';

/** Where the commands keep sessions: files that people can look at. */
export const openSessions = (): Storage => new FileStorage();
