import type { LogEntry } from '../../history/log.ts';

/** So many sessions side by side are told apart; those beyond have no lane. */
const MOST_LANES = 8;

/** A lane in one row: whether its session goes on above and below, and whether the row is its own. */
interface Crossing {
  readonly isAbove: boolean;
  readonly isBelow: boolean;
  readonly isOwn: boolean;
}

/**
 * What stands in front of each line of `entire log --graph`: the branch to the left, and a lane for each session from its newest line to its
 * oldest. A commit reaches out to the lanes of the sessions that led to it, a turn stands in its own. A session with a single line needs
 * no lane.
 *
 * @param markOf how the line itself is marked, in one column
 * @returns one text for each entry, in the same order
 */
export function renderGraph(entries: readonly LogEntry[], markOf: (entry: LogEntry) => string): string[] {
  const lanes = assignLanes(entries);
  return entries.map((entry, row) => {
    const crossings = lanes.map((spans): Crossing | undefined => {
      const span = spans.find(({ first, last }) => first <= row && row <= last);
      if (!span) return undefined;
      const isOwn = sessionsOf(entry).includes(span.session);
      return { isAbove: span.first < row, isBelow: row < span.last, isOwn };
    });
    const mark = markOf(entry);
    return entry.kind === 'turn' ? turnLine(crossings, mark) : commitLine(crossings, mark);
  });
}

const sessionsOf = (entry: LogEntry): string[] =>
  (entry.kind === 'turn' ? [entry.session] : entry.sessions).map(({ sessionId }) => sessionId);

/** Where a session's lines are, by their rows. */
interface Span {
  readonly session: string;
  readonly first: number;
  readonly last: number;
}

/** Each session gets the leftmost lane that is free as long as it has lines. */
function assignLanes(entries: readonly LogEntry[]): Span[][] {
  const spans = new Map<string, Span>();
  for (const [row, entry] of entries.entries())
    for (const session of sessionsOf(entry))
      spans.set(session, { session, first: spans.get(session)?.first ?? row, last: row });
  const lanes: Span[][] = [];
  for (const span of spans.values()) {
    if (span.first === span.last) continue;
    const free = lanes.find((lane) => (lane.at(-1)?.last ?? -1) < span.first);
    if (free) free.push(span);
    else if (lanes.length < MOST_LANES) lanes.push([span]);
  }
  return lanes;
}

/** Above all commits, so that the branch begins below. */
function turnLine(crossings: readonly (Crossing | undefined)[], mark: string): string {
  const isInLane = crossings.some((crossing) => crossing?.isOwn);
  const cells = crossings.map((crossing) => (crossing ? (crossing.isOwn ? mark : '│') : ' '));
  return [isInLane ? ' ' : mark, ...cells].join(' ').trimEnd();
}

function commitLine(crossings: readonly (Crossing | undefined)[], mark: string): string {
  const furthest = crossings.findLastIndex((crossing) => crossing?.isOwn);
  return crossings
    .reduce((line, crossing, at) => {
      const isReached = at <= furthest;
      const gap = isReached ? '─' : ' ';
      if (!crossing) return `${line}${gap}${gap}`;
      return `${line}${gap}${crossing.isOwn ? cornerOf(crossing, at < furthest) : '│'}`;
    }, mark)
    .trimEnd();
}

/** Where a commit meets the lane of one of its sessions. */
function cornerOf({ isAbove, isBelow }: Crossing, goesOn: boolean): string {
  if (isAbove && isBelow) return goesOn ? '┼' : '┤';
  if (isAbove) return goesOn ? '┴' : '┘';
  return goesOn ? '┬' : '┐';
}
