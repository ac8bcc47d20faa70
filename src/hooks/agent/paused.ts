import type { AgentEvent } from '../../agents/event.ts';
import type { AnyAgent } from '../../agents/names.ts';
import { typeOf } from '../../agents/registry.ts';
import type { Repo } from '../../git/locate.ts';
import { covers, readPauses } from '../../session/record/pause.ts';
import { noteSeen, type SeenSession } from '../../session/record/pause-notes.ts';

const PHASES: Partial<Record<AgentEvent['type'], SeenSession['phase']>> = {
  TurnStart: 'active',
  TurnEnd: 'idle',
  SessionEnd: 'ended',
};

/**
 * A hook of a session that is paused: nothing of what it tells is kept, but that there is such a session, and where its transcript
 * lies. Without that nobody would know at the end of the stretch what to leave out.
 */
export function noteInPause({ commonDir, worktreeId }: Repo, agent: AnyAgent, event: AgentEvent): void {
  const pauses = readPauses(commonDir);
  if (pauses === 'unreadable') return;
  const seen = {
    agentType: typeOf(agent),
    transcriptPath: event.transcriptPath ?? '',
    phase: PHASES[event.type],
  };
  for (const pause of pauses)
    if (covers(pause, worktreeId, event.sessionId)) noteSeen(commonDir, pause.id, event.sessionId, seen);
}
