/** What `entire session list`, `show` and `stats` say. */
export const NONE_OF_OURS =
  'No session is kept by us. `entire session list --all-clis` lists those that agents keep themselves.';
export const NONE = 'No session.';
export const MORE = 'There are more: --limit or --all.';

/** Git explains itself in several lines. */
export const notTold = (why: string): string =>
  `what this repository has of sessions is not told: ${why.split('\n')[0]}`;

export const WALK_FLAGS = {
  'all-clis': { type: 'boolean', describe: 'list: also what every agent keeps itself' },
  here: { type: 'boolean', describe: 'list: only sessions that were begun in this worktree' },
  limit: { type: 'number', describe: 'list: so many at most (default: 20)' },
  all: { type: 'boolean', describe: 'list: all of them' },
  log: { type: 'boolean', describe: 'delete: also the logs of its runs' },
  'no-commits': { type: 'boolean', describe: 'Do not look for commits and lines that survive' },
  'no-pager': { type: 'boolean', describe: 'show: print directly' },
  since: { type: 'string', describe: 'stats: since a date, or so long ago: 2026-11-01, 7d, 12h' },
} as const;
