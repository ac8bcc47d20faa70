/** What `entire blame` says. */

import { showPath } from '../../base/text/text.ts';
import type { LineReason } from '../../origin/classify.ts';
import type { EditWay } from '../../origin/evidence.ts';
import { quoteWord } from '../ui/quote-word.ts';

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
  why: 'Say how each is known: the commits it came by, the session, turn and edit, or what is missing',
  noPager: 'Do not use a pager',
  json: 'Print the answer as JSON',
} as const;

export const linesTwice = (word: string, file: string): string =>
  `lines are given twice: by --lines, and by ${showPath(word)} (of the file ${showPath(file)})`;
export const isFolder = (folder: string): string => `${showPath(folder)} is a folder, not a file`;
export const folderHint = (folder: string): string =>
  `\`entire log -- ${quoteWord(folder)}\` says which commits changed it, \`entire stats HEAD --by file -- ${quoteWord(folder)}\` whose its lines are.`;
/** A commit has it, and the worktree has not. */
export const isGone = (file: string): string => `${showPath(file)} is not in the worktree any more`;
export const goneHint = (file: string): string =>
  `\`entire blame --rev HEAD ${quoteWord(file)}\` shows it as the last commit has it.`;
export const isRenamed = (file: string, name: string, commit: string): string =>
  `${showPath(file)} was renamed to ${showPath(name)} (in ${commit} at first)`;
export const renamedHint = (name: string, rev: string | undefined): string =>
  `\`entire blame ${rev === undefined ? '' : `--rev ${quoteWord(rev)} `}${quoteWord(name)}\` says who wrote its lines.`;
export const isDeleted = (file: string, commit: string): string =>
  `${showPath(file)} was deleted in ${commit}`;
export const deletedHint = (file: string, commit: string): string =>
  `\`entire blame --rev ${commit}~1 ${quoteWord(file)}\` shows it as it was before.`;
export const notHere = (file: string): string => `there is no ${showPath(file)} in the current folder`;
export const meantFromTop = (file: string): string =>
  `Paths are taken from the current folder; did you mean \`${quoteWord(file)}\`?`;
/** How it is known whose a line is, or why it is not. */
export const REASONS: Readonly<Record<LineReason, string>> = {
  written: 'the transcript of the session has it',
  'made-again': 'the session wrote it for another commit, which this one was made of',
  'git-ai': 'a note of git-ai says so; Entire has no record of the commit',
  neighbours: 'too short to tell by itself; taken to be whose the line beside it is',
  untouched: 'no session had uncommitted work in the file',
  'not-written': 'all that the sessions wrote is on record, and it is not among it',
  'no-session': 'it was committed while no session had uncommitted work in the file',
  elsewhere: 'a session may have written it, and not for this commit',
  unseen: 'a session may have written it: not all that was written is on record',
  reformatted: 'what sessions wrote was formatted before it was committed, and it may have come of that',
  'no-record': 'nothing is recorded about the commit',
  'foreign-checkpoint': 'the commit names a checkpoint that does not fit it',
  'checkpoint-missing': 'the checkpoint of the commit is not in this clone; `entire fetch` may bring it',
};

/** Of a line that many files have. */
export const TOO_SHORT = 'too short to tell by itself, and nothing beside it that came with it tells';

/** How an edit of a session wrote a line. */
export const WAYS: Readonly<Record<EditWay, string>> = {
  edit: 'by an edit',
  file: 'with the whole file',
  part: 'by an edit of a part of it',
  command: 'by a command, as the client reported what it changed',
};

export const NOT_COMMITTED = 'not committed yet';
export const reverts = (commit: string): string => `the commit reverts ${commit}`;
export const replays = (commit: string): string => `the commit was replayed from ${commit}`;
export const movedFrom = (place: string): string => `moved, or laid out anew: it was in ${place}`;
export const copiedFrom = (place: string): string =>
  `copied, or typed once more: another line of the file has its text from ${place}`;
export const madeOf = (place: string): string =>
  `it was first in ${place}, a commit that is not in this history (squashed, rebased or amended into its commit)`;
export const ledBack = (place: string): string => `it was in ${place} before`;
export const among = (sessions: string): string => `not all on record of: ${sessions}`;
export const inFile = (commit: string, path: string): string => `${commit} (${showPath(path)})`;
