import { AGENT_MARKERS } from '../agents/names.ts';
import { disk } from '../base/disk.ts';

/**
 * Whether a person sits at a terminal: not inside an agent's shell, and `/dev/tty` can be opened.
 * `ENTIRE_TEST_TTY` answers instead: `1` is yes, any other value no.
 */
export function hasTerminal(env: NodeJS.ProcessEnv): boolean {
  const told = env.ENTIRE_TEST_TTY;
  if (told) return told === '1';
  if (AGENT_MARKERS.some((name) => env[name])) return false;
  try {
    disk.closeSync(disk.openSync('/dev/tty', 'r+'));
    return true;
  } catch {
    return false; // no controlling terminal
  }
}
