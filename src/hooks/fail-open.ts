import { describeError } from '../base/errors.ts';
import { log } from '../base/log.ts';

/**
 * Runs one hook body. Never throws, never writes to stdout, never changes the exit code; the reason of a
 * failure goes to the log, where `entire status` and `entire doctor` find it. `ENTIRE=0` switches every hook off.
 */
export function failOpen(hook: string, body: () => void): void {
  if (process.env.ENTIRE === '0') return;
  try {
    body();
  } catch (error) {
    log('warn', 'hook skipped', { hook, error: describeError(error) });
  }
}
