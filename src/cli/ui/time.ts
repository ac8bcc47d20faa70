import { localDay, localMinute, now } from '../../base/clock.ts';

let isAbsolute = false;

/** The flag of commands that tell times. */
export const ABSOLUTE = {
  type: 'boolean',
  describe: 'Show full dates and times',
} as const;

/** Notes what the command line asks for. */
export function wishAbsolute(asked: boolean | undefined): void {
  isAbsolute = asked === true;
}

const UNITS = [
  { name: 'd', ms: 86_400_000 },
  { name: 'h', ms: 3_600_000 },
  { name: 'm', ms: 60_000 },
] as const;

/** Longer ago the day says more. */
const MOST_MS = 30 * 86_400_000;
/** Clocks of machines, and of disks, differ by so much. */
const SKEW_MS = 5 * 60_000;

/**
 * A moment for people, everywhere but in lists by the clock: `just now`, `5m ago`, `3h ago`, `2d ago`; the day, where that is more than a month,
 * or where a clock was wrong: later than now. With `--absolute` the minute, by the clock of who reads it.
 */
export function ago(time: string): string {
  const ms = now().getTime() - Date.parse(time);
  if (Number.isNaN(ms)) return 'some time ago';
  if (isAbsolute) return localMinute(time);
  if (ms > MOST_MS || ms < -SKEW_MS) return localDay(time);
  const unit = UNITS.find((one) => ms >= one.ms);
  return unit ? `${Math.floor(ms / unit.ms)}${unit.name} ago` : 'just now';
}

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** A moment in a list by the clock: the time of day of today; the day of this year; else the date. With `--absolute` as {@link ago}. */
export function atTime(time: string): string {
  if (isAbsolute) return localMinute(time);
  const [day, today] = [localDay(time), localDay(now().getTime())];
  if (day === today) return localMinute(time).slice(11);
  if (day.slice(0, 4) !== today.slice(0, 4)) return day;
  return `${MONTHS[Number(day.slice(5, 7)) - 1]} ${day.slice(8)}`;
}
