/** A program that was started in a process group of its own, with all that it has started. */
export interface OpenGroup {
  /** Whether it was sent a signal: then none of it is to live on. */
  isSignalled: boolean;
  isAlive(): boolean;
  signal(name: NodeJS.Signals): void;
}

const open = new Set<OpenGroup>();

/** By these a process is told to end; one that nobody listens to ends it, and what it runs at its exit is not run. */
const ENDING = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
/** So long what is left may take at our exit to write what it has to. */
const GRACE_MS = 1_000;
const LOOK_MS = 20;

/**
 * Ends a group when this process ends, however it does: by itself, by an exception that nobody caught, or by a signal. SIGKILL
 * cannot be caught: then nothing but its stdin is closed.
 *
 * @returns what ends the watch
 */
export function watchOver(group: OpenGroup): () => void {
  for (const one of open) if (one.isSignalled && !one.isAlive()) open.delete(one);
  if (open.size === 0) {
    process.on('exit', endAll);
    for (const name of ENDING) process.on(name, endByDefault);
  }
  open.add(group);
  return () => {
    if (!open.delete(group) || open.size > 0) return;
    process.off('exit', endAll);
    for (const name of ENDING) process.off(name, endByDefault);
  };
}

/** What the signal would do without us, where nobody but us listens to it. */
function endByDefault(name: NodeJS.Signals): void {
  if (process.listenerCount(name) > 1) return; // they decide what it means
  endAll();
  process.off(name, endByDefault);
  process.kill(process.pid, name);
}

/** Asks, waits a moment, and insists. Nothing of ours runs meanwhile, so no id of a group is given to another one. */
function endAll(): void {
  for (const group of open) group.signal('SIGTERM');
  const until = Date.now() + GRACE_MS;
  const isAnyAlive = (): boolean => [...open].some((group) => group.isAlive());
  while (Date.now() < until && isAnyAlive()) Atomics.wait(CLOCK, 0, 0, LOOK_MS);
  for (const group of open) group.signal('SIGKILL');
  open.clear();
}

const CLOCK = new Int32Array(new SharedArrayBuffer(4));
