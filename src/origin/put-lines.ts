import type { RecordedEdit } from '../agents/shared/transcript/transcript.ts';
import { once } from '../base/once.ts';
import type { SessionState } from '../session/state.ts';
import { readLive } from '../strategy/transcript/live.ts';
import { openStretches, type Stretch } from '../strategy/transcript/stretches.ts';
import type { Work } from '../strategy/work.ts';
import { withoutCarried } from './carried.ts';
import { editsOf, gatherWritten, isWritten, type Written } from './evidence.ts';
import type { KeptLines } from './kept-lines.ts';

/** Whether tools put a line into a file. What cannot be read says nothing: not that they did not. */
export type Put = 'yes' | 'no' | 'unknown';

/**
 * Tells whether a session put a line into a file with its tools, in a turn since which the line is there.
 *
 * @param untilMs what it put there later does not count, in milliseconds since 1970; where only the turn is known, what it began later
 */
export type HasPut = (path: string, line: string, untilMs: number) => Put;

/** What tools of a turn wrote into a file, by the transcript. */
interface Told {
  readonly all: Written;
  /** Of that whole lines alone, from calls of which the transcript says what was there before. */
  readonly fresh: Written;
  /** The transcript has no call that wrote into it. */
  readonly isEmpty: boolean;
}

/** A turn, by the part of the transcript that is its own. */
interface ReadTurn extends Pick<Stretch, 'isWhole' | 'isShort'> {
  readonly beganMs: number;
  /** What its tools wrote into a file. */
  readonly toldOf: (path: string) => Told;
}

/**
 * {@link HasPut} of a session. What git brings in a turn is no work of it, nor is what its tools write once more of that: what a transcript
 * does not say of a call that wrote the whole file, its hook does.
 *
 * @param kept all turns of it that are kept
 * @param touched files of it that are known
 */
export function openPuts(
  work: Work,
  state: SessionState | undefined,
  kept: readonly KeptLines[],
  touched: readonly string[],
): HasPut {
  const open = openTurns(work, state, kept, touched);
  return (path, line, untilMs) => {
    let isOpen = false;
    for (const turn of kept) {
      if (!turn.canHaveAdded(path, line) || turn.fateOf(path, line) !== 'added') continue;
      const put = hasPutIn(turn, open, path, line, untilMs);
      if (put === 'yes') return put;
      isOpen ||= put === 'unknown';
    }
    return isOpen ? 'unknown' : 'no';
  };
}

/** Reads turns, each when it is asked for first; `undefined` for one that cannot be read. */
function openTurns(
  work: Work,
  state: SessionState | undefined,
  kept: readonly KeptLines[],
  touched: readonly string[],
): (turn: KeptLines) => ReadTurn | undefined {
  const transcript = once(() => {
    const live = state && readLive(work.repo.commonDir, state);
    const begins = kept.flatMap(({ items }) => items ?? []);
    return live && { format: live.format, read: openStretches(live, begins) };
  });
  const readTurn = ({ items, endedMs }: KeptLines): ReadTurn | undefined => {
    const { format, read } = transcript() ?? {};
    // Turns that changed nothing are not kept: where the next one begins is not where this one ended.
    const part = items === undefined ? undefined : read?.(items, endedMs);
    if (!format || !part) return undefined;
    const { edits } = withoutCarried(format.readEdits(part.text));
    const known = new Map<string, Told>();
    return {
      ...{ isWhole: part.isWhole, isShort: part.isShort },
      beganMs: format.readTime(part.text) ?? Number.NaN,
      toldOf: (path) => {
        const told = known.get(path) ?? toldOf(editsOf({ edits }, path, touched));
        known.set(path, told);
        return told;
      },
    };
  };
  const known = new Map<KeptLines, ReadTurn | undefined>();
  return (turn) => {
    if (!known.has(turn)) known.set(turn, readTurn(turn));
    return known.get(turn);
  };
}

function hasPutIn(
  turn: KeptLines,
  open: (turn: KeptLines) => ReadTurn | undefined,
  path: string,
  line: string,
  untilMs: number,
): Put {
  const { how, atMs } = turn.meets(path, line) ?? { how: 'untold', atMs: Number.NaN };
  if (how === 'put-by-sub-agent') return atMs < untilMs ? 'yes' : 'no'; // what it wrote is in a transcript of its own
  if (how === 'found' || atMs >= untilMs) return 'no';
  const found = open(turn);
  const putMs = how === 'put' ? atMs : (found?.beganMs ?? Number.NaN);
  if (putMs >= untilMs) return 'no';
  // Of what is cut it is not even known whether it says later where the line was before.
  if (!found?.isWhole) return 'unknown';
  const told = found.toldOf(path);
  if (isWritten(line, how === 'put' ? told.all : told.fresh)) return putMs < untilMs ? 'yes' : 'unknown';
  // A hook told of a call that the transcript has not: it is one of another text, or says nothing of calls.
  return found.isShort || (how === 'put' && told.isEmpty) ? 'unknown' : 'no';
}

function toldOf(edits: readonly RecordedEdit[]): Told {
  const own = edits.filter(({ isByCommand, isBroughtByGit }) => !isByCommand && !isBroughtByGit);
  const telling = own.filter(({ isWhole }) => !isWhole);
  return {
    isEmpty: edits.length === 0,
    all: gatherWritten(own),
    fresh: gatherWritten(telling.map((edit) => ({ ...edit, fragments: [] }))),
  };
}
