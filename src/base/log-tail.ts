import { readWorktreeTail, SMALL_FILES } from './small-file.ts';

/** The log, and what it was before it grew too large, in the order in which they are read. */
export const LOG_FILES = ['.entire/logs/entire.log', '.entire/logs/entire.log.1'] as const;

/** What is kept of the log of a worktree, the older part first; empty where it cannot be read. */
export function readLogs(root: string): string {
  try {
    return LOG_FILES.toReversed()
      .map((file) => readWorktreeTail(root, file, SMALL_FILES.log))
      .join('\n');
  } catch {
    return '';
  }
}

/** The end of the log that hooks and commands leave in a worktree. @throws {FileRefused} where something else stands there */
export const readLogTail = (root: string, maxBytes: number): string =>
  readWorktreeTail(root, LOG_FILES[0], maxBytes);
