/** Where a session stands: between turns, in a turn, or reported as over. */
export type Phase = 'idle' | 'active' | 'ended';

export type SessionEvent = 'turn-start' | 'turn-end' | 'git-commit' | 'session-start' | 'session-stop';

/** What a caller has to do about a transition; the function itself does nothing. */
export type Action =
  | 'touch' // last_interaction_time = now
  | 'clear-ended-at'
  | 'condense'
  | 'condense-if-files-touched'
  | 'discard-if-no-files'
  | 'warn-stale-session';

export interface Circumstances {
  readonly filesTouched: boolean;
  /** A rebase, cherry-pick or revert is replaying commits. */
  readonly sequenceInProgress: boolean;
}

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
export function transition(phase: Phase, event: SessionEvent, circumstances: Circumstances): Transition {
  switch (event) {
    case 'turn-start':
      return { next: 'active', actions: phase === 'ended' ? ['clear-ended-at', 'touch'] : ['touch'] };
    case 'turn-end':
      return phase === 'active' ? { next: 'idle', actions: ['touch'] } : { next: phase, actions: [] };
    case 'git-commit':
      return { next: phase, actions: commitActions(phase, circumstances) };
    case 'session-start':
      if (phase === 'ended') return { next: 'idle', actions: ['clear-ended-at'] };
      return { next: phase, actions: phase === 'active' ? ['warn-stale-session'] : [] };
    case 'session-stop':
      return { next: 'ended', actions: phase === 'ended' ? [] : ['touch'] };
  }
}

function commitActions(phase: Phase, { filesTouched, sequenceInProgress }: Circumstances): readonly Action[] {
  if (sequenceInProgress) return [];
  if (phase !== 'ended') return ['condense', 'touch'];
  return [filesTouched ? 'condense-if-files-touched' : 'discard-if-no-files', 'touch'];
}
