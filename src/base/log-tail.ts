import { readWorktreeTail } from './small-file.ts';

/** The end of the log that hooks and commands leave in a worktree. @throws {FileRefused} where something else stands there */
export const readLogTail = (root: string, maxBytes: number): string =>
  readWorktreeTail(root, '.entire/logs/entire.log', maxBytes);
