import type { EditRecord } from '../agents/shared/transcript/transcript.ts';
import { lstatInWorktree } from '../base/file/disk.ts';
import { once } from '../base/once.ts';
import type { RepoPath } from '../base/repo-path.ts';
import { readTree } from '../git/object/objects.ts';
import { readTurns } from '../history/transcript-turns.ts';
import { readPauses, UNREADABLE } from '../session/record/pause.ts';
import type { SessionState } from '../session/state.ts';
import { readStateIfReadable } from '../session/state-store.ts';
import { isAlive, listParticipants, type Participant, readTouched } from '../strategy/sessions.ts';
import { readLive } from '../strategy/transcript/live.ts';
import { readPart } from '../strategy/transcript/part.ts';
import type { Work } from '../strategy/work.ts';
import { openBrought, wasLeftAlone } from './brought.ts';
import { withoutCarried } from './carried.ts';
import type { Suspect } from './classify.ts';
import { editsOf, gatherEvidence, isWatched } from './evidence.ts';
import type { KeptOf } from './kept-lines.ts';
import { openPuts } from './put-lines.ts';
import { openWriters } from './turns.ts';

/** A session that is known in this worktree. */
export interface LiveSession {
  readonly sessionId: string;
  readonly agent: string;
  readonly prompt: string | undefined;
  readonly checkpoint: undefined;
}

/** What is known of sessions here whose work may not be committed; looked for when it is asked for first. */
export interface Live {
  /** Those that touched a file no commit has yet, and what their transcripts say they wrote into it. */
  suspects(path: string): Suspect<LiveSession>[];
  /**
   * The only one whose tools put a line into a file that is in it since that turn, by what is kept of its turns and by its transcript;
   * `unknown` where several did, or one may have whose transcript does not say.
   *
   * @param madeMs when the commit was made that has the line, in milliseconds since 1970: what came later does not count
   */
  writerOf(path: string, line: string, madeMs: number): LiveSession | 'unknown' | undefined;
}

export function openLive(work: Work, keptOf: KeptOf): Live {
  const sessions = once(() =>
    listParticipants(work).map((session) => ({ session, touched: readTouched(work, session).all })),
  );
  const known = new Map<string, Suspect<LiveSession>[]>();
  const stateOf = remember(({ sessionId }) => readStateIfReadable(work.sessions, sessionId));
  // One object for each: by it sessions are told apart.
  const nameOf = remember((session) => toLive(session, stateOf(session)));
  const putsOf = remember((session) =>
    openPuts(work, stateOf(session), keptOf(session.sessionId), readTouched(work, session).all),
  );
  return {
    suspects(path) {
      const found = known.get(path) ?? findLiveSuspects(work, path, sessions(), { keptOf, stateOf, nameOf });
      known.set(path, found);
      return found;
    },
    writerOf(path, line, madeMs) {
      const found = sessions().flatMap(({ session }) => {
        const put = putsOf(session)(path, line, madeMs);
        return put === 'no' ? [] : [{ session, put }];
      });
      const [writer] = found;
      if (!writer) return undefined;
      return found.length === 1 && writer.put === 'yes' ? nameOf(writer.session) : 'unknown';
    },
  };
}

/** What is looked up once for each session. */
function remember<T>(read: (session: Participant) => T): (session: Participant) => T {
  const known = new Map<string, { readonly value: T }>();
  return (session) => {
    const found = known.get(session.sessionId) ?? { value: read(session) };
    known.set(session.sessionId, found);
    return found.value;
  };
}

/**
 * Tells whether hooks that are on know of everything that an agent may have written into a file lately: nothing is paused, and no session is
 * in a turn whose shell may be at work on it. Looked for once, when it is asked for first; `suspects` are those that are known to have touched
 * the file.
 */
export function openAllSeen(work: Work): (suspects: readonly unknown[]) => boolean {
  let isOpen: boolean | undefined;
  let isBusy: boolean | undefined;
  return (suspects) => {
    const pauses = isOpen === undefined ? readPauses(work.repo.commonDir) : [];
    isOpen ??= pauses !== UNREADABLE && pauses.length === 0;
    if (!isOpen || suspects.length > 0) return isOpen;
    isBusy ??= listParticipants(work).some((session) => session.phase === 'active' && isAlive(work, session));
    return !isBusy;
  };
}

/** A session of this worktree, and the files that it touched and that no commit has yet. */
interface Known {
  readonly session: Participant;
  readonly touched: readonly string[];
}

/** What is known of sessions. */
interface Lookup {
  readonly keptOf: KeptOf;
  readonly stateOf: (session: Participant) => SessionState | undefined;
  readonly nameOf: (session: Participant) => LiveSession;
}

function findLiveSuspects(
  work: Work,
  path: string,
  sessions: readonly Known[],
  lookup: Lookup,
): Suspect<LiveSession>[] {
  let isNew: boolean | undefined;
  return sessions.flatMap(({ session, touched }) => {
    const gone = touched.filter((name) => !lstatInWorktree(work.repo.worktreeRoot, name as RepoPath));
    // Somebody may have renamed the file since.
    if (gone.length > 0) isNew ??= !readTree(work.git, 'HEAD', [path])?.has(path);
    const names = [path, ...(isNew ? gone : [])].filter((name) => touched.includes(name));
    return names.length > 0 ? [toSuspect(work, session, names, touched, lookup)] : [];
  });
}

function toSuspect(
  work: Work,
  session: Participant,
  names: readonly string[],
  touched: readonly string[],
  { keptOf, stateOf, nameOf }: Lookup,
): Suspect<LiveSession> {
  const state = stateOf(session);
  const none: EditRecord = { edits: [], agents: [], isComplete: false };
  const live = state && readLive(work.repo.commonDir, state);
  const part = live && readPart(live, state.checkpointTranscriptStart);
  const record = live && part ? withoutCarried(live.format.readEdits(part.text)) : none;
  const editsIn = (found: EditRecord) => names.flatMap((name) => editsOf(found, name, touched));
  const edits = editsIn(record);
  const kept = keptOf(session.sessionId);
  const isComplete = record.isComplete && part?.isWhole === true && record.agents.length === 0;
  const isSeen = names.every((name) => isWatched(record, name, touched));
  const stretch = { start: state?.checkpointTranscriptStart ?? 0, untilMs: Number.POSITIVE_INFINITY };
  const isLeftAlone = edits.length === 0 && session.phase !== 'active' && wasLeftAlone(kept, names, stretch);
  const isFromBeginning = state?.checkpointTranscriptStart === 0 && state.firstPrompt !== '';
  return {
    session: nameOf(session),
    evidence: gatherEvidence(edits, isComplete && isSeen, isLeftAlone),
    writerOf:
      live && part && edits.length > 0
        ? openWriters({
            turns: readTurns(live.format, part.text, isFromBeginning ? [state.firstPrompt] : []),
            firstItem: state.checkpointTranscriptStart,
            ...{ kept, names, editsIn },
          })
        : undefined,
    hasBrought: openBrought(kept, names, stretch),
  };
}

const toLive = ({ sessionId }: Participant, state: SessionState | undefined): LiveSession => ({
  sessionId,
  agent: state?.agentType ?? '',
  prompt: state?.firstPrompt || undefined,
  checkpoint: undefined,
});
