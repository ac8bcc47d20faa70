import { constants } from 'node:os';
import type { SavedSession } from './saved-session.ts';

/** A terminal that is closed and a machine that goes down say so by these. */
const LEAVING = ['SIGTERM', 'SIGHUP'] as const;

/**
 * Runs a conversation that ends early when this process is told to: the agent is stopped, which has a process group of its own
 * and would work on, and what was said is kept.
 */
export async function untilTold(saved: SavedSession, body: () => Promise<void>): Promise<void> {
  const leave = (name: NodeJS.Signals): void => {
    process.exitCode = 128 + constants.signals[name];
    process.stdin.destroy(); // nobody types any more
    void saved.session.cancelAll();
  };
  for (const name of LEAVING) process.on(name, leave);
  try {
    await body();
  } finally {
    for (const name of LEAVING) process.off(name, leave);
  }
}
