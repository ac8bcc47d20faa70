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

/** {@link failOpen} for hooks that wait for something; `onFailure` may add a line for the person who watches. */
export async function failOpenAsync(
  hook: string,
  body: () => Promise<void>,
  onFailure: (reason: string) => void = () => {},
): Promise<void> {
  if (process.env.ENTIRE === '0') return;
  const startedAt = performance.now();
  try {
    await body();
    log('debug', 'hook completed', {
      hook,
      duration_ms: Math.round(performance.now() - startedAt),
      success: true,
    });
  } catch (error) {
    log('warn', 'hook failed', { hook, error: describeError(error), success: false });
    onFailure(describeError(error));
  }
}
