import { now } from '../../base/clock.ts';
import { describeError } from '../../base/errors.ts';
import { isChangedAfter } from '../../base/file/change-time.ts';
import { log } from '../../base/log.ts';
import type { RepoPath } from '../../base/repo-path.ts';
import type { Commit } from '../../git/commit/commits.ts';
import { isClientGone } from '../../session/client-process.ts';
import { readBaseline, type TurnBaseline } from '../../session/record/turn-snapshot.ts';
import type { Verdict } from '../../session/record/verdicts.ts';
import { readStateIfReadable } from '../../session/state-store.ts';
import type { Participant } from '../sessions.ts';
import { isRecent } from '../signs-of-life.ts';
import { transcriptTime } from '../transcript/file.ts';
import { readLive } from '../transcript/live.ts';
import { readPart } from '../transcript/part.ts';
import type { Work } from '../work.ts';

/** A shell outlives the client that was killed. */
const OUTLIVES_MS = 60_000;

/** More names would push the verdicts of other commits out of their file. */
const MOST_NAMES = 100;

/**
 * Paths of a commit that may be the work of a turn which is not over, though nobody has reported them: a shell runs in it, or was broken
 * off, and what that changed is looked for at the turn's end only. They changed since the turn began, and before its client was gone.
 */
export function findUnsure(
  work: Work,
  sessions: readonly Participant[],
  { changes }: Pick<Commit, 'changes'>,
): Verdict['unsure'] {
  const paths = findUnsurePaths(work, sessions, [...changes.keys()]);
  if (paths.length > MOST_NAMES) return true;
  return paths.length > 0 ? paths : undefined;
}

function findUnsurePaths(
  work: Work,
  sessions: readonly Participant[],
  paths: readonly RepoPath[],
): RepoPath[] {
  const root = work.repo.worktreeRoot;
  const turns = sessions
    .filter(({ phase, isVisitor }) => phase === 'active' && !isVisitor)
    .flatMap((session) => readOpenTurn(work, session) ?? []);
  const mayBeOf = (path: RepoPath, { fromMs, toMs }: OpenTurn): boolean => {
    try {
      return isChangedAfter(root, path, fromMs) && !isChangedAfter(root, path, toMs);
    } catch {
      return true; // a name that the disk refuses, or a folder nobody may look into: not known, and no reason to record less
    }
  };
  return paths.filter((path) => turns.some((turn) => mayBeOf(path, turn)));
}

/** When somebody may have written without a report. */
interface OpenTurn {
  readonly fromMs: number;
  readonly toMs: number;
}

function readOpenTurn({ repo, sessions }: Work, { sessionId }: Participant): OpenTurn | undefined {
  try {
    const state = readStateIfReadable(sessions, sessionId);
    const baseline = state && readBaseline(repo.commonDir, sessionId, state.turnId);
    if (!baseline) return undefined;
    const live = readLive(repo.commonDir, state);
    const { text, isWhole } = readPart(live, baseline.items);
    const { isComplete, agents } = live.format.readEdits(text);
    if (isComplete && isWhole && agents.length === 0) return undefined;
    return { fromMs: baseline.takenAtMs, toMs: endOf(baseline, transcriptTime(state.transcriptPath)) };
  } catch (error) {
    log('info', 'open turn not looked at', { session_id: sessionId, error: describeError(error) });
    return undefined;
  }
}

const endOf = ({ client }: TurnBaseline, writtenMs: number): number =>
  isClientGone(client) || !isRecent(writtenMs, now().getTime())
    ? writtenMs + OUTLIVES_MS
    : Number.POSITIVE_INFINITY;
