import { plainLine } from '../base/text/lines.ts';
import type { KeptLines } from './kept-lines.ts';

/** Which turns are asked what they brought. */
export interface Stretch {
  /** The item of the transcript that the part of the session begins with: what stands before it was committed. */
  readonly start: number;
  /** What was over later is not looked at. */
  readonly untilMs: number;
}

/**
 * Tells whether a turn brought a line, whatever the transcript says: where going back cut the turn off, and left the file, nothing else does.
 * Such a turn began no earlier than what came in its place.
 *
 * @param names what the file was called
 */
export function openBrought(
  kept: readonly KeptLines[],
  names: readonly string[],
  { start, untilMs }: Stretch,
): (line: string) => boolean {
  let added: ReadonlySet<string> | undefined;
  const found = turnsWithin(kept, { start, untilMs });
  for (const turn of found) turn.expect(names);
  const find = (): ReadonlySet<string> =>
    new Set(found.flatMap(({ addedTo }) => names.flatMap((name) => [...addedTo(name)])));
  return (line) => {
    if (!added && !found.some((turn) => names.some((name) => turn.canHaveAdded(name, line)))) return false;
    added ??= find();
    return added.has(plainLine(line));
  };
}

const turnsWithin = (kept: readonly KeptLines[], { start, untilMs }: Stretch): KeptLines[] =>
  // A time that cannot be read says nothing.
  kept.filter(({ items, endedMs }) => !(endedMs > untilMs) && (items === undefined || items >= start));

/** Whether a turn found one of these files changed, and left it alone. @param names what the file was called */
export const wasLeftAlone = (
  kept: readonly KeptLines[],
  names: readonly string[],
  stretch: Stretch,
): boolean => turnsWithin(kept, stretch).some(({ leftAlone }) => names.some(leftAlone));
