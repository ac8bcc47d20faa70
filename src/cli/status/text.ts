/** What `entire status` says. */

export const FLAGS = {
  detailed: 'Show all of it: settings files, hooks, every open session, the last five commits',
  json: 'Print the report as JSON',
} as const;

export const recorded = (agents: readonly string[]): string => `Recording: ${agents.join(', ')}`;
export const NO_AGENTS = 'No agent hooks';
export const elsewhere = (count: number): string =>
  count === 1
    ? '1 more session in another worktree has uncommitted work.'
    : `${count} more sessions in other worktrees have uncommitted work.`;
export const LAST_COMMIT = 'Last commit:';
export const SESSIONS = 'Active Sessions:';
export const LAST_COMMITS = 'Last commits:';
export const PROBLEMS = 'Problems:';
export const ENABLE_NEXT = 'Next: `entire enable`';
export const DOCTOR_NEXT = 'Next: `entire doctor` says what to do about it.';
export const COMMIT_NEXT = 'Next: commit, review (`entire diff`), or undo the last turn (`entire undo`).';
export const AT_WORK = 'An agent is at work in this worktree.';
export const PROMPT_NEXT = 'Next: prompt your agent. The commit of what it writes is linked to the session.';
export const MORE = 'More: `entire status --detailed`';
