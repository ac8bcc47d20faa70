import { availableParallelism } from 'node:os';

/** Begins something when its turn comes. */
export type InLine = <T>(begin: () => Promise<T>) => Promise<T>;

/** A line, and who stands beside it. */
export interface Line {
  readonly inLine: InLine;
  /** Waits for something, and leaves our own processor to the line meanwhile. */
  readonly whileIdle: <T>(wanted: Promise<T>) => Promise<T>;
}

/** It has begun when this returns; where it cannot begin, the promise says so. */
export const atOnce: InLine = async (begin) => begin();

/** What takes so long that it fills the machine anyway is not waited for to its end. */
const PATIENCE_MS = 250;

/**
 * A line of what runs aside (`runAside`), in the order in which it is wanted: no more of it at once than the machine has processors beside
 * our own. All at the same time would hold up each other, and what we do meanwhile.
 */
export function openLine(width = Math.max(1, availableParallelism() - 1)): Line {
  const waiting = new Set<() => void>();
  let [running, room] = [0, width];
  const goOn = (): void => {
    if (running < room) [...waiting][0]?.();
  };
  return {
    inLine: (begin) =>
      new Promise((resolve, reject) => {
        const start = (): void => {
          clearTimeout(timer);
          waiting.delete(start);
          running++;
          atOnce(begin)
            .finally(() => {
              running--;
              goOn();
            })
            .then(resolve, reject);
        };
        const timer = setTimeout(start, PATIENCE_MS);
        waiting.add(start);
        goOn();
      }),
    async whileIdle(wanted) {
      room++;
      goOn();
      try {
        return await wanted;
      } finally {
        room--;
      }
    },
  };
}
