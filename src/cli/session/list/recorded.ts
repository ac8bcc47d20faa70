import { isBuiltIn } from '../../../agents/names.ts';
import { findAgent } from '../../../agents/registry.ts';
import type { SessionRecord } from '../../../conversation/walk/session-record.ts';
import type { Repo } from '../../../git/locate.ts';
import type { SessionState } from '../../../session/state.ts';
import { listStates } from '../../../session/state-store.ts';
import { sessionsDir } from '../../../session/tracking-file.ts';
import { heardMs } from '../../../strategy/signs-of-life.ts';
import { transcriptTime } from '../../../strategy/transcript/file.ts';

/**
 * Sessions that hooks recorded in a repository and that its agents' stores do not show as begun there: an agent that was started
 * in a folder above, or before the repository was moved.
 *
 * @param shown what is listed of it anyway
 */
export function listRecorded(repo: Repo, shown: readonly SessionRecord[]): SessionRecord[] {
  const known = new Set<string>(shown.map(({ agentSessionId, sessionId }) => agentSessionId ?? sessionId));
  return listStates(sessionsDir(repo.commonDir))
    .states.filter(({ sessionId }) => !known.has(sessionId))
    .map(toRecord);
}

function toRecord(state: SessionState): SessionRecord {
  const { sessionId, transcriptPath, worktreePath, startedAt, firstPrompt } = state;
  const agent = findAgent(state.agentType);
  const writtenMs = Math.max(heardMs(state), transcriptTime(transcriptPath));
  return {
    ...{ sessionId, agentSessionId: sessionId, kind: 'agent', isStored: false, runId: undefined, runs: [] },
    cliOrigin: agent !== undefined && isBuiltIn(agent) ? agent : '',
    path: transcriptPath,
    transcript: transcriptPath || undefined,
    folder: worktreePath || undefined,
    startedAt,
    updatedAt: new Date(writtenMs).toISOString(),
    branch: undefined,
    summary: firstPrompt ? { title: firstPrompt } : {},
  };
}
