/** What `entire pause` says, and what other commands say of a private stretch. */

import type { Pause } from '../../session/record/pause.ts';
import { renderJson } from '../ui/terminal.ts';

export const FLAGS = {
  session: 'Only this session (id or prefix)',
  end: 'End the pause: record again from here on',
  all: 'With --end: every pause in this repository',
  json: 'Print the report as JSON',
} as const;

export const ALL_NEEDS_END = '--all needs --end';
export const NOT_ENABLED = 'Entire is not enabled here: nothing is recorded anyway.';

/** What became of a call of `entire pause`. */
export interface PauseReport {
  readonly did: 'begun' | 'goes-on' | 'ended' | 'nothing';
  readonly pauses: readonly Pause[];
  /** Other stretches that go on when one was to be ended. */
  readonly others?: readonly Pause[];
}

export function renderPause({ did, pauses: [pause], others = [] }: PauseReport, worktreeId: string): string {
  const still = others.map((one) => describePause(one, worktreeId).replace(/^Paused:/, 'Still paused:'));
  return [renderOne({ did, pause, isAlone: still.length === 0 }), ...still].join('\n');
}

function renderOne({
  did,
  pause,
  isAlone,
}: Pick<PauseReport, 'did'> & { readonly pause: Pause | undefined; readonly isAlone: boolean }): string {
  const what = pause?.scope.kind === 'session' ? `session ${pause.scope.sessionId}` : 'this worktree';
  switch (did) {
    case 'begun':
      return `Paused: nothing of ${what} is recorded. To record again: \`${endOf(pause)}\`.`;
    case 'goes-on':
      return `Paused already: nothing of ${what} is recorded. To record again: \`${endOf(pause)}\`.`;
    case 'ended':
      return pause
        ? `The pause is over: ${what} is recorded again. What was said and done in it stays out.`
        : 'The record of pauses was set aside; everything is recorded again.';
    case 'nothing':
      return isAlone ? 'Nothing was paused.' : 'What was to be ended was not paused.';
  }
}

const endOf = (pause: Pause | undefined): string =>
  pause?.scope.kind === 'session'
    ? `entire pause --end --session ${pause.scope.sessionId}`
    : 'entire pause --end';

/** The report for programs; documented in docs/json.md. */
export const renderPauseJson = ({ did, pauses }: PauseReport): string =>
  renderJson({ did, pauses: pauses.map((pause) => toJson(pause)) });

/** @param worktreeId the worktree that somebody asks from, where that matters */
export const toJson = ({ atMs, scope }: Pause, worktreeId?: string) => ({
  scope: scope.kind,
  since: new Date(atMs).toISOString(),
  ...(worktreeId === undefined
    ? {}
    : { this_worktree: scope.kind === 'worktree' && scope.worktreeId === worktreeId }),
  worktree_id: scope.kind === 'worktree' ? scope.worktreeId : null,
  session_id: scope.kind === 'session' ? scope.sessionId : null,
});

/** One private stretch in `entire status`. */
export function describePause({ scope }: Pause, worktreeId: string): string {
  if (scope.kind === 'session')
    return `Paused: session ${scope.sessionId} (\`entire pause --end --session ${scope.sessionId}\`)`;
  if (scope.worktreeId === worktreeId) return 'Paused: nothing here is recorded (`entire pause --end`)';
  return `Paused: worktree ${scope.worktreeId || '(the main one)'}`;
}

export const PAUSES_UNREADABLE =
  'Paused: the record of pauses cannot be read, and nothing is recorded (`entire pause --end --all`)';
