import { isAgentShell } from '../../agents/names.ts';
import { disk } from '../../base/file/disk.ts';

/**
 * Whether a person sits at a terminal: not inside an agent's shell, and `/dev/tty` can be opened.
 * `ENTIRE_TEST_TTY` answers instead: `1` is yes, any other value no.
 */
export function hasTerminal(env: NodeJS.ProcessEnv): boolean {
  const told = env.ENTIRE_TEST_TTY;
  if (told) return told === '1';
  if (isAgentShell(env)) return false;
  try {
    disk.closeSync(disk.openSync('/dev/tty', 'r+'));
    return true;
  } catch {
    return false; // no controlling terminal
  }
}

/** Longest answer that is read; a terminal gives a line at a time. */
const MAX_ANSWER_BYTES = 1024;

/** Asks on the terminal itself: git gives its hooks no stdin. Empty when there is no answer, or no terminal. */
export function askOnTerminal(question: string): string {
  let fd: number;
  try {
    fd = disk.openSync('/dev/tty', 'r+');
  } catch {
    return ''; // no controlling terminal
  }
  try {
    disk.writeSync(fd, question);
    const buffer = Buffer.alloc(MAX_ANSWER_BYTES);
    return buffer.toString('utf8', 0, disk.readSync(fd, buffer, 0, buffer.length, null));
  } catch {
    return ''; // the terminal went away
  } finally {
    disk.closeSync(fd);
  }
}
