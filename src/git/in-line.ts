import { availableParallelism } from 'node:os';

/** Begins something when its turn comes. */
export type InLine = <T>(begin: () => Promise<T>) => Promise<T>;

export const atOnce: InLine = (begin) => begin();

/** What takes so long that it fills the machine anyway is not waited for to its end. */
const PATIENCE_MS = 250;

/**
 * A line of what runs aside (`runAside`), in the order in which it is wanted: no more of it at once than the machine has processors beside
 * our own. All at the same time would hold up each other, and what we do meanwhile.
 */
export function openLine(width = Math.max(1, availableParallelism() - 1)): InLine {
  const waiting = new Set<() => void>();
  let running = 0;
  return (begin) =>
    new Promise((resolve, reject) => {
      const start = (): void => {
        clearTimeout(timer);
        waiting.delete(start);
        running++;
        begin()
          .finally(() => {
            running--;
            if (running < width) [...waiting][0]?.();
          })
          .then(resolve, reject);
      };
      const timer = setTimeout(start, PATIENCE_MS);
      if (running < width) start();
      else waiting.add(start);
    });
}
