/** What `entire reset` says. */

import { collapse } from '../../base/text/text.ts';
import type { ListedBranch } from '../../checkpoint/shadow-branch.ts';
import type { ResetPlan, ResetStep } from '../../doctor/reset.ts';
import type { SessionState } from '../../session/state.ts';

export const unsupported = (strategy: string): string => `strategy ${strategy} does not support reset`;

/** Which other worktree a session is of; nothing for one of this. */
const inWorktree = (home: string | undefined, before = ' (', after = ')'): string =>
  home === undefined ? '' : `${before}worktree ${collapse(home)}${after}`;

type Homes = ResetPlan['homes'];

export const activeSessions = (active: readonly SessionState[], homes: Homes): string =>
  [
    'Active sessions detected on current HEAD:',
    ...active.map(
      ({ sessionId }) => `  ${sessionId} (phase: active${inWorktree(homes.get(sessionId), ', ', '')})`,
    ),
    'Use --force to override or wait for sessions to finish.',
  ].join('\n');

export const nothingToReset = (branch: string): string => `Nothing to reset for ${branch}`;

export const HEAD_QUESTION = {
  title: 'Reset session data?',
  yes: 'Reset',
  no: 'Cancel',
  initial: false,
} as const;

/** What would go, before the question. */
export const plan = (sessions: readonly string[], homes: Homes, branch: string | undefined): string =>
  [
    ...sessions.map((id) => `Session state: ${id}${inWorktree(homes.get(id))}`),
    ...(branch === undefined ? [] : [`Step branch: ${branch}`]),
    'Files in the working directory stay as they are.',
  ].join('\n');

export const sessionQuestion = (id: string, state: SessionState | undefined, home: string | undefined) => ({
  ...HEAD_QUESTION,
  title: `Reset session ${id}?`,
  details: state
    ? `Phase: ${state.phase}, Checkpoints: ${state.checkpointCount}${inWorktree(home, ', ', '')}`
    : 'Its state cannot be read, and is set aside.',
});

export const loadFailed = (reason: string) => ({
  message: `failed to load session: ${reason}`,
  hint: 'With --force the file is set aside, and the rest of the session goes.',
});

export const nobodyToAsk = {
  message: 'cannot ask for confirmation: this is not an interactive terminal',
  hint: 'Run the command with --force. Nothing was changed.',
};

/** While it is being done, which may be a wait for a hook of the session. */
export const resetting = (id: string): string => `Resetting session ${id}`;
export const SETTLING = 'Completing checkpoints that are owed';

export const sessionReset = (id: string): string =>
  `Session ${id} has been reset. File changes remain in the working directory.`;

export const sessionNotReset = (id: string): string => `reset session failed: ${id} is as it was`;

/** One thing that happened. */
export function describeStep(step: ResetStep): string {
  switch (step.kind) {
    case 'cleared':
      return `Cleared session state for ${step.id}${inWorktree(step.home)}`;
    case 'not-cleared':
      return `Warning: failed to clear session state for ${step.id}: ${step.reason}`;
    case 'deleted':
      return `Deleted step branch ${step.branch.name}\n${bringBack([step.branch])}`;
    case 'shared':
      return `Kept step branch ${step.branch.name}: another session has steps on it`;
    case 'not-deleted':
      return `Warning: failed to clean up step branch ${step.branch.name}: ${step.reason}`;
  }
}

/** How to have deleted branches and refs again, until git's own clean-up. */
export const bringBack = (branches: ReadonlyArray<Pick<ListedBranch, 'name' | 'tip'>>): string =>
  [
    `To bring ${branches.length === 1 ? 'it' : 'them'} back, until \`git gc\` removes what no branch has:`,
    ...branches.map(
      ({ name, tip }) => `  git ${name.startsWith('refs/') ? 'update-ref' : 'branch'} ${name} ${tip}`,
    ),
  ].join('\n');
