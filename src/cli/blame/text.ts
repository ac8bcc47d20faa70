import { showPath } from '../../base/text/text.ts';
import { quoteWord } from '../ui/quote-word.ts';

/** What `entire blame` says. */

export const FILE = 'File to look at; `file:8` or `file:8-12` for some lines';

export const FLAGS = {
  lines: 'Only these lines, as `git blame -L` takes them: 10,20',
  rev: 'The file as it was in this commit, instead of in the worktree',
  ignoreWhitespace: 'Ignore whitespace changes, as `git blame -w`',
  moved: 'Look where lines were moved from in the file, as `git blame -M`',
  copied: 'Look where lines were moved from in other files, as `git blame -C`',
  porcelain: "Print what `git blame --porcelain` does, with Entire's lines in its headers",
  linePorcelain: 'The same, with the whole header for every line',
  incremental: 'Headers without the text, as `git blame --incremental`',
  noPager: 'Do not use a pager',
  json: 'Print the answer as JSON',
} as const;

export const isFolder = (folder: string): string => `${showPath(folder)} is a folder, not a file`;
export const folderHint = (folder: string): string =>
  `\`entire log -- ${quoteWord(folder)}\` says which commits changed it, \`entire stats HEAD --by file -- ${quoteWord(folder)}\` whose its lines are.`;
/** A commit has it, and the worktree has not. */
export const isGone = (file: string): string => `${showPath(file)} is not in the worktree any more`;
export const goneHint = (file: string): string =>
  `\`entire blame --rev HEAD ${quoteWord(file)}\` shows it as the last commit has it.`;
