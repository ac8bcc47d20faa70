import { now } from '../../base/clock.ts';

/** `just now`, `5m ago`, `3h ago`, `2d ago`. */
export function ago(time: string): string {
  const minutes = Math.floor((now().getTime() - Date.parse(time)) / 60_000);
  if (!(minutes >= 1)) return 'just now';
  if (minutes < 60) return `${minutes}m ago`;
  return minutes < 60 * 24 ? `${Math.floor(minutes / 60)}h ago` : `${Math.floor(minutes / 60 / 24)}d ago`;
}
