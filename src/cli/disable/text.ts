import { counted } from '../../base/text/text.ts';
import { GIT_HOOKS } from '../../hooks/git/shims.ts';

/** What `entire disable` says. */

export const DISABLED = 'Entire is now disabled.';
export const stillEnabled = (written: string, winner: string): string =>
  `Entire is now disabled in ${written}, but ${winner} still enables it in this worktree.`;

export const UNINSTALL_REFUSAL = 'Nothing to uninstall.';
export const NOT_INSTALLED = 'Entire is not installed in this repository.';
export const UNINSTALL_QUESTION = {
  title: 'Are you sure you want to uninstall Entire?',
  yes: 'Yes, uninstall',
  no: 'Cancel',
  initial: false,
};
export const UNINSTALL_CANCELLED = 'Uninstall cancelled.';
export const UNINSTALL_NEEDS_FORCE = {
  message: 'cannot ask for confirmation: this is not an interactive terminal.',
  hint: 'Run `entire disable --uninstall --force`. Nothing was removed.',
};
export const uninstallPlan = (lines: readonly string[]): string =>
  `\nThis will completely remove Entire from this repository:\n${lines.map((line) => `  - ${line}\n`).join('')}`;
/** What uninstalling takes away: before, as a line of the list, and after. */
export const PARTS = {
  folder: { plan: '.entire/ directory', removed: '.entire directory' },
  homeFolder: {
    plan: 'Settings, logs and temporary files in the .entire/ directory',
    removed: 'settings, logs and temporary files in the .entire directory',
    stays: 'Kept in ~/.entire: what does not belong to this repository alone',
  },
  gitHooks: {
    plan: `Git hooks (${GIT_HOOKS.join(', ')})`,
    removed: (count: number): string => `git hooks (${count})`,
  },
  states: {
    plan: (count: number): string => `Session state files (${count})`,
    removed: (count: number): string => `session states (${count})`,
    stays:
      'Kept in .git/entire, without contents: when recording was paused, what was forgotten, and the list of pushes',
  },
  branches: {
    plan: (count: number): string => `Step branches (${count})`,
    removed: (count: number): string => `${count} step ${count === 1 ? 'branch' : 'branches'}`,
  },
  snapshots: {
    name: 'what undo keeps',
    plan: (count: number): string => `What undo keeps (${counted(count, 'session')})`,
    removed: (count: number): string => `what undo kept (${counted(count, 'session')})`,
  },
  replacedLogs: {
    name: 'replaced logs',
    plan: (count: number): string =>
      `Logs that were replaced by restored ones (${counted(count, 'session')})`,
    removed: (count: number): string => `replaced logs (${counted(count, 'session')})`,
  },
  config: {
    name: "git's configuration",
    plan: "Your answer about session logs in git's configuration",
    removed: "your answer about session logs from git's configuration",
  },
  agentHooks: (agent: string) => ({ plan: `Agent hooks (${agent})`, removed: `${agent} hooks` }),
} as const;
export const UNINSTALLING = '\nUninstalling Entire CLI...';
export const removed = (what: string): string => `  Removed ${what}`;
export const kept = (what: string): string => `  ${what}`;
export const removalFailed = (what: string, reason: string): string =>
  `Warning: failed to remove ${what}: ${reason}`;
/** What is the user's, of every repository, and stays. */
export const userIndexKept = (path: string): string =>
  `  Kept ${path}, the index of \`entire search --all\`. To remove it: rm ${path}*`;
export const UNINSTALLED = '\nEntire CLI uninstalled successfully.';
export const UNINSTALLED_PARTLY = {
  message: 'Entire CLI is uninstalled, except for what the warnings name.',
  hint: 'Correct what they say and run the command again.',
};
