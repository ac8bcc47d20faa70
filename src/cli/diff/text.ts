import { counted, showPath } from '../../base/text/text.ts';
import { quoteWord } from '../ui/quote-word.ts';

/** What `entire diff` says. */

export const FLAGS = {
  what: 'A session, a turn of it as <session>:<n> (<session>:-1 is its newest), a commit or a checkpoint (default: the newest turn here). After --: files or folders to limit it to',
  stat: 'Only how many lines changed in each file, as `git show --stat`',
  nameOnly: 'Only the names of files',
  wordDiff: 'Changed words instead of lines, as `git show --word-diff`',
  noPager: 'Do not use a pager',
  json: 'Print turns and their files as JSON',
} as const;

export const READING = 'Reading what is kept of files';
export const NOTHING_YET = 'No turn of an agent changed anything in this worktree yet, as far as is kept.';
export const OFF =
  'Contents are not kept here: `strategy_options.snapshots.enabled` is false in the settings.';
export const nothingOf = (session: string): string =>
  `No turn of session ${session} that is kept changed anything in this worktree.`;
/** @param name of the newest of them */
export const allUndone = (name: string, count: number): string => {
  const session = name.replace(/:\d+$/, '');
  return count === 1
    ? `The only kept turn of session ${session} was undone; \`entire diff ${name}\` still shows it.`
    : `All ${count} kept turns of session ${session} were undone; \`entire diff ${name}\` still shows the last.`;
};
export const someUndone = (name: string, count: number): string =>
  `Not shown: ${counted(count, 'undone turn')} of this session (newest: ${name})`;
export const nothingAt = (paths: readonly string[]): string =>
  `Nothing of that changed ${paths.map((path) => showPath(path)).join(', ')}.`;
export const notTheNewest = (why: string): string => `Note: ${why}.`;

export const filesHint = (word: string): string => `For files: entire diff -- ${quoteWord(word)}`;
export const GIT_FAILED = 'git could not show it; it says why above.';

export const STATES = {
  over: '',
  open: ', not over yet',
  'broken-off': ', broken off',
  undone: ', undone since',
} as const;
export const LATER_PART = ', after somebody else had written';
export const UNKNOWN_AGENT = 'not known';
export const NO_PROMPT = '(prompt not known)';
export const unshown = (path: string, why: string): string => `Not shown: ${showPath(path)}: ${why}`;
export const partlyUnshown = (path: string, why: string): string =>
  `Shown in part: ${showPath(path)}: ${why}`;
export const doubt = (path: string, why: string): string => `Not sure: ${showPath(path)}: ${why}`;
export const othersTouched = (count: number, commit: string): string =>
  `${counted(count, 'other file')} in this commit ${count === 1 ? 'was' : 'were'} not touched by any session above: git show ${commit}`;
export const partlyUndone = (count: number): string =>
  `${counted(count, 'file')} of this turn ${count === 1 ? 'was' : 'were'} undone since, and ${count === 1 ? 'is' : 'are'} left out.`;
