import { join } from 'node:path';
import type { TimeSpan } from '../../base/clock.ts';
import { lstatIfExists, lstatInWorktree } from '../../base/file/disk.ts';
import { readOwnText } from '../../base/file/small-file.ts';
import { once } from '../../base/once.ts';
import type { RepoPath } from '../../base/repo-path.ts';
import { isObject, parseJson } from '../../base/text/json.ts';
import { openLedger } from './record-edit.ts';

/** What a transcript tells of the time that a turn took. */
export interface ToolTimes {
  /** When the turn began, in milliseconds since 1970. */
  readonly sinceMs: number;
  /** When tools of the agent were at work: all of them. */
  readonly calls: readonly TimeSpan[];
}

/** Clocks of file systems lag behind, and what a command started may be at work a moment longer: so long before and after. */
const MARGIN_MS = 1_000;
/** A hook notes what a call did so long after its answer at most. */
const HOOK_MS = 10_000;
/** The clock of a file system that differs more from ours is another one: that of a server, or of another machine. */
const SKEW_MS = 2_000;

/**
 * Tells which files of a turn somebody else wrote last: their content and their inode changed in the turn, and both while no tool of the
 * agent was at work. Times of contents alone say nothing, since tools set them; nor do those of inodes, which a backup changes.
 *
 * A ledger has the times of hooks, and lies on a file system whose clock it tells: where the transcript tells of other times, or the
 * file is on another file system, nothing is known.
 *
 * @param ledger the newest of the turn; `undefined` for the one that is open
 */
export function betweenTools(
  { store, root }: { readonly store: string; readonly root: string },
  times: ToolTimes | undefined,
  ledger: string | undefined,
): (path: RepoPath) => boolean {
  if (!times || times.sinceMs <= 0) return () => false;
  const device = once(() => soundDevice(ledger ? join(store, ledger) : openLedger(store), times));
  const isAtRest = (ms: number): boolean =>
    times.calls.every(({ fromMs, toMs }) => ms < fromMs - MARGIN_MS || ms > toMs + MARGIN_MS);
  return (path) => {
    const stat = lstatInWorktree(root, path);
    if (!stat || stat.dev !== device() || stat.ctimeMs < times.sinceMs) return false; // older: its folder was moved
    return isAtRest(stat.ctimeMs) && isAtRest(stat.mtimeMs);
  };
}

/** The file system of a ledger all of whose lines were noted while tools were at work, by the same clock. */
function soundDevice(file: string, { calls }: ToolTimes): number | undefined {
  const stat = lstatIfExists(file);
  const noted = (readOwnText(file, 'list') ?? '').split('\n').flatMap((line) => {
    const value = parseJson(line);
    return isObject(value) && typeof value.at === 'string' ? Date.parse(value.at) : [];
  });
  const last = noted.at(-1);
  if (!stat || last === undefined || !(Math.abs(stat.mtimeMs - last) < SKEW_MS)) return undefined;
  const isTold = (ms: number) => calls.some(({ fromMs, toMs }) => fromMs <= ms && ms <= toMs + HOOK_MS);
  return noted.every(isTold) ? stat.dev : undefined;
}
