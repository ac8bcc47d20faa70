/** From one moment to a later one, in milliseconds since 1970. */
export interface TimeSpan {
  readonly fromMs: number;
  readonly toMs: number;
}

let read = (): Date => new Date();

/** The current time. */
export const now = (): Date => read();

/** The current time in seconds since 1970, with a fraction. */
export const nowInSeconds = (): number => now().getTime() / 1000;

/** Replaces the clock; returns a function that puts the real one back. For tests only. */
export function replaceClock(next: () => Date): () => void {
  read = next;
  return () => {
    read = () => new Date();
  };
}

/**
 * RFC 3339 in UTC, milliseconds, trailing zeros of the fraction dropped: `2026-02-10T12:00:00.1Z`. Every time we write
 * is one of these: readers of all versions take any offset, and asking for the local one costs a hook 5 ms.
 */
export function renderUtc(time: Date): string {
  return `${trimFraction(time.toISOString().slice(0, -1))}Z`;
}

/** A moment by the clock of who reads it, as every command tells it: `2026-02-10 12:00:00`; empty of what is none. */
export function renderLocal(time: string | number): string {
  const date = new Date(time);
  if (Number.isNaN(date.getTime())) return '';
  const two = (value: number): string => String(value).padStart(2, '0');
  const day = [date.getFullYear(), two(date.getMonth() + 1), two(date.getDate())].join('-');
  return `${day} ${[date.getHours(), date.getMinutes(), date.getSeconds()].map(two).join(':')}`;
}

/** Its day: `2026-02-10`. */
export const localDay = (time: string | number): string => renderLocal(time).slice(0, 10);

/** {@link renderLocal} without the seconds. */
export const localMinute = (time: string | number): string => renderLocal(time).slice(0, 16);

function trimFraction(text: string): string {
  return text.replace(/\.(\d*?)0+$/, (_, digits: string) => (digits === '' ? '' : `.${digits}`));
}
