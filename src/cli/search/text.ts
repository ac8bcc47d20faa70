import { counted } from '../../base/text/text.ts';

/** What `entire search` says. */

export const FLAGS = {
  words: 'What to look for: all of these words, or the beginnings of them; "in quotes" words in a row',
  all: 'Also what every agent keeps on this machine, of any folder',
  kind: 'Only these; several with a comma between them, or the flag again',
  session: 'Only this session (id or prefix)',
  agent: 'Only what this agent said and did',
  limit: 'Show at most this many turns',
  noPager: 'Do not use a pager',
  json: 'Print what was found as JSON',
} as const;

export const NOT_COMMITTED = 'not committed';
/** Of a checkpoint whose commit is not in this clone, or gone. */
export const NO_COMMIT = 'its commit is not here';
export const READING = 'Looking for sessions';

export const notFound = (words: string): string => `Nothing found: ${words}`;
export const NOTHING_HERE =
  'There is no session to search here. `entire search --all` also searches those of other folders.';
export const NOTHING_ANYWHERE = 'There is no session to search.';
export const NO_WORDS = 'say what to look for: a word of letters or digits';
export const NO_WORDS_HINT = 'entire search "rate limit"';
export const more = (shown: number, total: number, limit: number): string =>
  `${counted(shown, 'hit')} of ${total}. More: --limit ${limit * 4}`;
export const moreInTurn = (count: number): string => `… ${counted(count, 'more hit')} in this turn`;
export const noSessionHint = (all: boolean): string =>
  all
    ? '`entire session list --everywhere` lists them.'
    : '`entire session list` lists those of this repository; --all looks at every one.';
