import { readWorktreeTail, SMALL_FILES } from './small-file.ts';

/** The log, and what it was before it grew too large, in the order in which they are read. */
const LOG_FILES = ['.entire/logs/entire.log', '.entire/logs/entire.log.1'] as const;

/**
 * What is kept of the log of a worktree, the older part first. The newer file is read first: one that moves in between is read twice
 * then, and not missed.
 *
 * @throws {FileRefused} where something else stands there
 */
export function readLogs(root: string): string {
  const [newer, older] = LOG_FILES.map((file) => readWorktreeTail(root, file, SMALL_FILES.log));
  return `${older}\n${newer}`;
}

/** Tells whether the log has a word; nothing is in one that cannot be read. */
export function openLogs(root: string): (word: string) => boolean {
  try {
    const text = readLogs(root);
    return (word) => text.includes(word);
  } catch {
    return () => false;
  }
}

/** The end of the log that hooks and commands leave in a worktree. @throws {FileRefused} where something else stands there */
export const readLogTail = (root: string, maxBytes: number): string =>
  readWorktreeTail(root, LOG_FILES[0], maxBytes);
