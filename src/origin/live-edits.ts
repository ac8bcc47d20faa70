import type { EditRecord } from '../agents/shared/transcript/transcript.ts';
import { lstatInWorktree } from '../base/file/disk.ts';
import type { RepoPath } from '../base/repo-path.ts';
import { readTree } from '../git/object/objects.ts';
import { readTurns } from '../history/transcript-turns.ts';
import { readPauses, UNREADABLE } from '../session/record/pause.ts';
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
import { openWriters } from './turns.ts';

/** A session that is known in this worktree. */
export interface LiveSession {
  readonly sessionId: string;
  readonly agent: string;
  readonly prompt: string | undefined;
  readonly checkpoint: undefined;
}

/** {@link findLiveSuspects}, looked for when the first line of a file is met that no commit has. */
export function openLive(work: Work, keptOf: KeptOf): (path: string) => Suspect<LiveSession>[] {
  const known = new Map<string, Suspect<LiveSession>[]>();
  return (path) => {
    const found = known.get(path) ?? findLiveSuspects(work, path, keptOf);
    known.set(path, found);
    return found;
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

/** Sessions of this worktree that touched a file no commit has yet, and what their transcripts say they wrote into it. */
function findLiveSuspects(work: Work, path: string, keptOf: KeptOf): Suspect<LiveSession>[] {
  let isNew: boolean | undefined;
  return listParticipants(work).flatMap((session) => {
    const touched: readonly string[] = readTouched(work, session).all;
    const gone = touched.filter((name) => !lstatInWorktree(work.repo.worktreeRoot, name as RepoPath));
    // Somebody may have renamed the file since.
    if (gone.length > 0) isNew ??= !readTree(work.git, 'HEAD', [path])?.has(path);
    const names = [path, ...(isNew ? gone : [])].filter((name) => touched.includes(name));
    return names.length > 0 ? [toSuspect(work, session, names, touched, keptOf)] : [];
  });
}

function toSuspect(
  work: Work,
  session: Participant,
  names: readonly string[],
  touched: readonly string[],
  keptOf: KeptOf,
): Suspect<LiveSession> {
  const state = readStateIfReadable(work.sessions, session.sessionId);
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
    session: {
      sessionId: session.sessionId,
      agent: state?.agentType ?? '',
      prompt: state?.firstPrompt || undefined,
      checkpoint: undefined,
    },
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
