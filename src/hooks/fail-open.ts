import { dirname } from 'node:path';
import { describeError } from '../base/errors.ts';
import { isLogOpen, log, openLog } from '../base/log.ts';
import { readActivation } from '../settings/enabled.ts';
import { sessionFolder } from './session-home.ts';

/**
 * Runs one hook body. Never throws, never writes to stdout, never changes the exit code; the reason of a
 * failure goes to the log, where `entire status` and `entire doctor` find it.
 */
export function failOpen(hook: string, body: () => void): void {
  try {
    body();
  } catch (error) {
    ensureLog();
    log('warn', 'hook skipped', { hook, error: describeError(error) });
  }
}

/** {@link failOpen} for hooks that wait for something; `onFailure` may add a line for the person who watches. */
export async function failOpenAsync(
  hook: string,
  body: () => Promise<void>,
  onFailure: (reason: string) => void = () => {},
): Promise<void> {
  const startedAt = performance.now();
  try {
    await body();
    log('debug', 'hook completed', {
      hook,
      duration_ms: Math.round(performance.now() - startedAt),
      success: true,
    });
  } catch (error) {
    ensureLog();
    log('warn', 'hook failed', { hook, error: describeError(error), success: false });
    onFailure(describeError(error));
  }
}

/** A hook can fail before it knows its repository; its reason goes to the nearest folder above that is enabled. */
function ensureLog(): void {
  if (isLogOpen()) return;
  try {
    for (let dir = sessionFolder(undefined); ; dir = dirname(dir)) {
      const activation = readActivation({ worktreeRoot: dir, gitDir: dir, commonDir: dir });
      if (activation.kind === 'enabled') return openLog(activation.root, activation.logLevel);
      if (activation.kind !== 'not-set-up' || dirname(dir) === dir) return;
    }
  } catch {
    // The folder we run in is gone: there is no place to say anything.
  }
}
