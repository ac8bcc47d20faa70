import type { RecordedEdit } from '../agents/shared/transcript/transcript.ts';
import { once } from '../base/once.ts';
import type { SessionState } from '../session/state.ts';
import { readLive } from '../strategy/transcript/live.ts';
import { readPart } from '../strategy/transcript/part.ts';
import type { Work } from '../strategy/work.ts';
import { withoutCarried } from './carried.ts';
import { editsOf, gatherWritten, isWritten, type Written } from './evidence.ts';
import type { KeptLines } from './kept-lines.ts';

/**
 * Tells whether a turn put a line into a file with its tools.
 *
 * @param untilMs what it put there later does not count, in milliseconds since 1970; where only the turn is known, what it began later
 */
export type HasPut = (turn: KeptLines, path: string, line: string, untilMs: number) => boolean;

/** What tools of a turn wrote into a file, by the transcript. */
interface Told {
  readonly all: Written;
  /** Of that whole lines alone, from calls of which the transcript says what was there before. */
  readonly fresh: Written;
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
  const live = once(() => state && readLive(work.repo.commonDir, state));
  const readTurn = ({ items }: KeptLines) => {
    const transcript = live();
    if (!transcript || items === undefined) return undefined;
    const { format } = transcript;
    const part = readPart(transcript, items);
    if (!part.isWhole) return undefined;
    const next = Math.min(
      ...kept.flatMap((turn) => ((turn.items ?? 0) > items ? (turn.items as number) : [])),
    );
    const { edits } = format.readEdits(part.text);
    const later = Number.isFinite(next) ? format.readEdits(readPart(transcript, next).text).edits : [];
    const own = edits.slice(0, edits.length - later.length);
    const record = withoutCarried({ edits: own, agents: [], isComplete: true });
    return {
      beganMs: format.readTime(part.text) ?? Number.NaN,
      edits: record.edits,
      files: new Map<string, Told>(),
    };
  };
  const known = new Map<KeptLines, ReturnType<typeof readTurn>>();
  const open = (turn: KeptLines) => {
    if (!known.has(turn)) known.set(turn, readTurn(turn));
    return known.get(turn);
  };
  return (turn, path, line, untilMs) => {
    const { how, atMs } = turn.meets(path, line) ?? { how: 'untold', atMs: Number.NaN };
    if (how === 'put-by-sub-agent') return atMs < untilMs; // what it wrote is in a transcript of its own
    if (how === 'found') return false;
    const found = open(turn);
    if (!found || !((how === 'put' ? atMs : found.beganMs) < untilMs)) return false;
    const told = found.files.get(path) ?? toldOf(editsOf(found, path, touched));
    found.files.set(path, told);
    return isWritten(line, how === 'put' ? told.all : told.fresh);
  };
}

function toldOf(edits: readonly RecordedEdit[]): Told {
  const own = edits.filter(({ isByCommand, isBroughtByGit }) => !isByCommand && !isBroughtByGit);
  const telling = own.filter(({ isWhole }) => !isWhole);
  return {
    all: gatherWritten(own),
    fresh: gatherWritten(telling.map((edit) => ({ ...edit, fragments: [] }))),
  };
}
