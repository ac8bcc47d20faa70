/** What `entire doctor` says of stuck sessions. The findings have their texts in `findings.ts`. */

import { collapse } from '../../base/text/text.ts';
import type { StuckReason, StuckSession } from '../../doctor/examine/stuck.ts';

export const NO_STUCK_SESSIONS = 'No stuck sessions found.';
export const stuckSessions = (count: number): string => `Found ${count} stuck session(s):\n`;

/** The lines on one session. */
export function describeStuck({ state, reason, shadow }: StuckSession): string {
  const lines = [
    `  Session: ${state.sessionId}`,
    `  Phase:   ${state.phase}`,
    `  Reason:  ${stuckReason(reason)}`,
  ];
  if (state.agentType) lines.push(`  Agent:   ${collapse(state.agentType)}`);
  if (state.lastInteractionTime) lines.push(`  Last interaction: ${toSeconds(state.lastInteractionTime)}`);
  lines.push(
    `  Step branch: ${shadow.exists ? `exists (${shadow.name})` : 'not found'}`,
    `  Checkpoints: ${state.checkpointCount}, Files touched: ${state.filesTouched.length}`,
  );
  return lines.join('\n');
}

export function stuckReason(reason: StuckReason): string {
  switch (reason.kind) {
    case 'silent':
      return `active, last interaction ${renderMinutes(reason.quietMs)} ago`;
    case 'never-heard':
      return 'active, no recorded interaction time';
    case 'client-gone':
      return 'active, and its client has ended';
    case 'uncondensed':
      return 'ended with uncommitted work';
  }
}

/** `2h5m0s`, whole minutes: as version 0.4.4 writes durations. */
function renderMinutes(ms: number): string {
  const minutes = Math.floor(ms / 60_000);
  const hours = Math.floor(minutes / 60);
  return `${hours > 0 ? `${hours}h` : ''}${minutes % 60}m0s`;
}

/** RFC 3339 without a fraction; anything else as it is. */
const toSeconds = (time: string): string => time.replace(/\.\d+(?=Z|[+-])/, '');

export const fixQuestion = (id: string): string => `Fix session ${id}?`;
export const CHOICES = {
  condense: 'Store as a checkpoint',
  discard: 'Discard (remove session data)',
  skip: 'Skip (leave as-is)',
} as const;
/** While it is being done. */
export const treating = (wish: 'condense' | 'discard' | 'end', id: string): string =>
  `${{ condense: 'Storing', discard: 'Discarding', end: 'Ending the turn of' }[wish]} session ${id}`;
export const condensed = (id: string): string => `  -> Stored session ${id}\n`;
export const discarded = (id: string): string => `  -> Discarded session ${id}\n`;
export const LEFT = '  -> Left as it is: it went on meanwhile, or its agent is at work\n';
export const SKIPPED = '  -> Skipped\n';
export const condenseFailed = (id: string, reason: string): string =>
  `Warning: failed to store session ${id}: ${reason}`;
export const discardFailed = (id: string, reason: string): string =>
  `Warning: failed to discard session ${id}: ${reason}`;
export const turnEnded = (id: string): string =>
  `  -> Ended the turn of session ${id}; its work waits for a commit\n`;
export const turnNotEnded = (id: string, reason: string): string =>
  `Warning: failed to end the turn of session ${id}: ${reason}`;
export const STUCK_HINT =
  'To decide for each of them run `entire doctor` in a terminal; with --force what can be is stored, and the rest discarded.\n';
