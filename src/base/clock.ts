let read = (): Date => new Date();

/** The current time. */
export const now = (): Date => read();

/** Replaces the clock; returns a function that puts the real one back. For tests only. */
export function replaceClock(next: () => Date): () => void {
  read = next;
  return () => {
    read = () => new Date();
  };
}

/** RFC 3339 in UTC, milliseconds, trailing zeros of the fraction dropped: `2026-02-10T12:00:00.1Z`. */
export function renderUtc(time: Date): string {
  return `${trimFraction(time.toISOString().slice(0, -1))}Z`;
}

/** RFC 3339 with the local offset, `Z` for a zero offset: `2026-02-10T13:00:00.1+01:00`. */
export function renderLocal(time: Date): string {
  const offsetMinutes = -time.getTimezoneOffset();
  if (offsetMinutes === 0) return renderUtc(time);
  const shifted = new Date(time.getTime() + offsetMinutes * 60_000);
  const pad = (value: number) => String(value).padStart(2, '0');
  const [sign, absolute] = offsetMinutes < 0 ? ['-', -offsetMinutes] : ['+', offsetMinutes];
  const text = trimFraction(shifted.toISOString().slice(0, -1));
  return `${text}${sign}${pad(Math.floor(absolute / 60))}:${pad(absolute % 60)}`;
}

function trimFraction(text: string): string {
  return text.replace(/\.(\d*?)0+$/, (_, digits: string) => (digits === '' ? '' : `.${digits}`));
}
