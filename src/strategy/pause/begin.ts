import { transcriptFormatOf } from '../../agents/registry.ts';
import { describeError } from '../../base/errors.ts';
import { parseSessionId, type SessionId } from '../../base/ids.ts';
import { log } from '../../base/log.ts';
import { locateRepo } from '../../git/locate.ts';
import { readStatus } from '../../git/worktree/status.ts';
import { withSessionLock } from '../../session/lock.ts';
import { listIntroduced, readIntroduction } from '../../session/record/introduction.ts';
import type { PauseScope } from '../../session/record/pause.ts';
import type { PauseBegin, TranscriptEnd } from '../../session/record/pause-notes.ts';
import { fingerprints } from '../../session/record/turn-snapshot.ts';
import type { SessionState } from '../../session/state.ts';
import { listStates } from '../../session/state-store.ts';
import { trackAgain } from '../../session/tracking-file.ts';
import { filesInTranscript } from '../sessions.ts';
import { readRange, transcriptSize } from '../transcript/file.ts';
import { keepOpenTurn } from '../turn/keep.ts';
import { findShellEdits } from '../turn/shell.ts';
import { type Work, workIn } from '../work.ts';

/**
 * What is so when a private stretch begins: where the transcripts end, and what the files are. A turn that goes on is closed for
 * undo with what was done in it so far, and what its shell wrote is on record as its own.
 */
export async function lookBefore(work: Work, scope: PauseScope): Promise<PauseBegin> {
  const states = listStates(work.sessions).states;
  const sessions = new Map<SessionId, TranscriptEnd>();
  for (const state of states) {
    const id = parseSessionId(state.sessionId);
    if (id && isIn(scope, state)) sessions.set(id, endOf(state));
  }
  for (const id of listIntroduced(work.repo.commonDir)) {
    const known = sessions.has(id) ? undefined : readIntroduction(work.repo.commonDir, id);
    if (known && (scope.kind === 'worktree' || scope.sessionId === id)) sessions.set(id, endOf(known));
  }
  const places = workplaces(work, scope, states);
  for (const place of places) {
    const open = states.filter(
      (state) => isIn(scope, state) && state.phase === 'active' && state.worktreeId === place.repo.worktreeId,
    );
    for (const { sessionId } of open) await settleTurn(place, sessionId as SessionId);
  }
  const worktrees = new Map(
    places.map((place) => {
      const root = place.repo.worktreeRoot;
      return [place.repo.worktreeId, { root, paths: fingerprintsOf(place) }] as const;
    }),
  );
  return { worktrees, sessions };
}

const isIn = (scope: PauseScope, { sessionId, worktreeId }: SessionState): boolean =>
  scope.kind === 'worktree' ? scope.worktreeId === worktreeId : scope.sessionId === sessionId;

/** The worktree in which the stretch is: this one, or that of the session. */
export function workplaces(work: Work, scope: PauseScope, states: readonly SessionState[]): Work[] {
  if (scope.kind === 'worktree') return [work];
  const home = states.find(({ sessionId }) => sessionId === scope.sessionId);
  if (!home || home.worktreeId === work.repo.worktreeId) return [work];
  const repo = locateRepo(home.worktreePath);
  return repo?.commonDir === work.repo.commonDir ? [workIn(repo)] : [];
}

/** Mode, size and time of each file that differs from HEAD. */
export const fingerprintsOf = (work: Work): Map<string, string> =>
  fingerprints(work.repo.worktreeRoot, [...readStatus(work.git).changes.keys()]);

/** What a turn did up to here is its own. A failure costs accuracy, not privacy. */
async function settleTurn(work: Work, id: SessionId): Promise<void> {
  try {
    await withSessionLock(work.sessions, id, async () => {
      trackAgain(work.sessions, id, [...filesInTranscript(work, id), ...findShellEdits(work, id)]);
      await keepOpenTurn(work, id, { isOver: false });
    });
  } catch (error) {
    log('warn', 'turn not closed before a private stretch', { session_id: id, error: describeError(error) });
  }
}

/** Where a transcript ends by now. */
export function endOf({
  agentType,
  transcriptPath,
}: Pick<SessionState, 'agentType' | 'transcriptPath'>): TranscriptEnd {
  const bytes = transcriptSize(transcriptPath, transcriptFormatOf(agentType)) ?? 0;
  return { agentType, transcriptPath, bytes, items: countMessages(agentType, transcriptPath, bytes) };
}

/** Of a transcript that is one document. */
function countMessages(agentType: string, path: string, bytes: number): number {
  const format = transcriptFormatOf(agentType);
  if (!format.isDocument || bytes === 0) return 0;
  try {
    if (!/^\s*\{/.test(readRange(path, 0, Math.min(bytes, 64)).toString('latin1'))) return 0;
    const text = readRange(path, 0, bytes).toString('utf8');
    return format.isDocument(text) ? format.countItems(text) : 0;
  } catch (error) {
    log('warn', 'transcript is unreadable', { file: path, error: describeError(error) });
    return 0;
  }
}
