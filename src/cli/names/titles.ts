import { oneLine } from '../ui/terminal.ts';

/** Of things that have titles those that are called so, or else whose titles begin so, or else have it somewhere; upper case aside. */
export function findTitled<T>(all: readonly T[], word: string, titleOf: (one: T) => string): T[] {
  const wanted = oneLine(word).toLowerCase();
  if (wanted === '') return [];
  const titled = all.map((one) => ({ one, title: oneLine(titleOf(one)).toLowerCase() }));
  const ways: ReadonlyArray<(title: string) => boolean> = [
    (title) => title === wanted,
    (title) => title.startsWith(wanted),
    (title) => title.includes(wanted),
  ];
  for (const isSo of ways) {
    const found = titled.filter(({ title }) => isSo(title));
    if (found.length > 0) return found.map(({ one }) => one);
  }
  return [];
}
