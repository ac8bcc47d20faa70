import { constants } from 'node:os';
import type { SavedSession } from '../saved-session.ts';

/** A terminal that is closed and a machine that goes down say so by these. */
const LEAVING = ['SIGTERM', 'SIGHUP'] as const;

/** Longer than an agent may take that has to be killed, and a save behind it. */
const LEAVE_MS = 25_000;

/**
 * Runs a conversation that ends early when this process is told to: the agent is stopped, which has a process group of its own
 * and would work on, and what was said is kept. It leaves at once when it is told again, and after a while whatever is going on: the
 * agent is then killed, and what was said in the last second or so may be lost.
 */
export async function untilTold(saved: SavedSession, body: () => Promise<void>): Promise<void> {
  let isLeaving = false;
  const leave = (name: NodeJS.Signals): void => {
    if (isLeaving) process.exit();
    isLeaving = true;
    setTimeout(() => process.exit(), LEAVE_MS).unref();
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
