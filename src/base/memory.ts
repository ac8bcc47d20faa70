/** What is done to so many files leaves enough behind that looking for it pays. */
const MANY = 10_000;

/**
 * Gives back memory that is used no more, when something was done to many files. The engine of the native build, left to itself, lets
 * its heap grow to several times of what is alive, and has no flag against it. Node looks after itself.
 */
export function releaseMemory(files: number): void {
  if (files >= MANY) collect();
}

/** {@link releaseMemory} within a loop, now and then. @param at how many times it went round */
export function spareMemory(at: number, every = MANY): void {
  if (at % every === every - 1) collect();
}

const collect = (): void => (globalThis as { Bun?: { gc(isNow: boolean): void } }).Bun?.gc(true);
