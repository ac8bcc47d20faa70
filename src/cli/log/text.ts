import type { VerdictReason } from '../../session/record/verdicts.ts';

/** What `entire log` says. */

export const FLAGS = {
  range: 'Commits as `git log` takes them (main..feature, v1.0..), or a session; by default this branch',
  limit: 'Show at most this many lines',
  session: 'Only what this session did (id or prefix)',
  agent: 'Only what this agent did',
  graph: 'Draw sessions side by side, each from its first line to its last',
  noPager: 'Do not use a pager',
  json: 'Print the list as JSON',
} as const;

/** A turn without a step yet. */
export const NOW = 'now';
/** A turn of which undo, or a rewind, left nothing to commit. */
export const TAKEN_BACK = 'taken back';
/** A turn of which nothing is left to commit, whoever saw to that. */
export const NOTHING_LEFT = 'nothing uncommitted';
export const EMPTY = 'Nothing here yet: no commit, and no turn of an agent.';
export const NOTHING = 'No turn and no commit matches.';
export const more = (limit: number): string => `There are older ones: --limit ${limit * 4}`;
export const noRange = (range: string): string => `no such range, session or file: ${range}`;
export const twoSessions = (flag: string, word: string): string =>
  `one session at a time: --session ${flag}, or ${word}`;
export const RANGE_HINT = 'For files that are gone: entire log -- <paths>';
export const notHere = (id: string): string => `${id.slice(0, 8)} is not in this clone: entire fetch`;
export const MISFIT = 'names the checkpoint of another commit';

export const reverts = (commit: string): string => `reverts ${commit.slice(0, 7)}`;
export const pickedFrom = (commit: string): string => `picked from ${commit.slice(0, 7)}`;

/** Of a commit that nothing led to, as far as its hook saw that. */
export const UNLINKED: Readonly<Partial<Record<VerdictReason, string>>> = {
  'no-session': 'no session',
  'no-overlap': 'not linked',
  paused: 'recording was paused',
  'switched-off': 'made with ENTIRE=0',
  'trailer-missing': 'the message lacks the trailer',
  'condense-failed': 'storing failed: entire why',
  merge: 'merge',
  forgotten: 'forgotten',
};
