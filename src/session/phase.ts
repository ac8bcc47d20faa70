/** Where a session stands: between turns, in a turn, or reported as over. */
export type Phase = 'idle' | 'active' | 'ended';

/** What happens to a session. */
export type SessionEvent = 'turn-start' | 'turn-end' | 'git-commit' | 'session-start' | 'session-stop';

/** What a transition does to the times: `last_interaction_time` becomes now; `ended_at` is taken back. */
export type Action = 'touch' | 'clear-ended-at';

/** Where an event leads. */
export interface Transition {
  readonly next: Phase;
  readonly actions: readonly Action[];
}

/** Reads a stored phase. The legacy `active_committed` is active; everything unknown is idle. */
export function parsePhase(text: unknown): Phase {
  if (text === 'active' || text === 'active_committed') return 'active';
  return text === 'ended' ? 'ended' : 'idle';
}

/** Decides what an event means for a session in `phase`. */
export function transition(phase: Phase, event: SessionEvent): Transition {
  switch (event) {
    case 'turn-start':
      return { next: 'active', actions: phase === 'ended' ? ['clear-ended-at', 'touch'] : ['touch'] };
    case 'turn-end':
      return phase === 'active' ? { next: 'idle', actions: ['touch'] } : { next: phase, actions: [] };
    case 'git-commit':
      return { next: phase, actions: ['touch'] };
    case 'session-start':
      return phase === 'ended' ? { next: 'idle', actions: ['clear-ended-at'] } : { next: phase, actions: [] };
    case 'session-stop':
      return { next: 'ended', actions: phase === 'ended' ? [] : ['touch'] };
  }
}
