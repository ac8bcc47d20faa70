import { counted, showPath } from '../../base/text/text.ts';
import { quoteWord } from '../ui/quote-word.ts';

/** What `entire undo` and `entire redo` say. */

export const FLAGS = {
  steps: 'How many turns (default: 1). With --list: how many to show',
  session: 'Only steps of this session (id or prefix)',
  files: 'Only these files or folders, ignored ones included',
  dryRun: 'Show what would happen to each file, and change nothing',
  diff: 'Show what would change as a diff, and change nothing',
  force: 'Also for files changed since then; their current content is kept',
  filesOnly: 'Files only (the default)',
  conversation: 'Also save the conversation up to that point as a new session',
  list: 'List the steps, and change nothing',
  continue: 'Finish what was interrupted',
  abort: 'Roll back what was interrupted',
  json: 'Print the report as JSON',
} as const;

/** What `--steps` counts where undos are redone. */
export const UNDOS = 'How many undos (default: 1). With --list: how many to show';
export const EITHER_OR = 'cannot specify both --files-only and --conversation';
export const UNDO_ONLY = '--conversation is only for undo: the old conversation is still there';
export const forked = (command: string): string =>
  `The conversation up to there is a session of its own. To continue it, run:\n  ${command}`;
export const BAD_STEPS = '--steps takes a whole number, 1 or more';
export const ONE_OF_THESE = 'only one of --list, --continue and --abort can be used';
export const NOT_INTERRUPTED = 'nothing was interrupted.';
export const nothing = (direction: 'undo' | 'redo'): string => `nothing to ${direction} in this worktree.`;
export const noneTouched = (paths: readonly string[]): string =>
  `no turn that can be undone touched ${paths.map(showPath).join(', ')}.`;
const FILES_SHOWN = 10;
export const theseTouched = (paths: readonly string[]): string => {
  const more = paths.length > FILES_SHOWN ? `, and ${paths.length - FILES_SHOWN} more` : '';
  return `Files that can be undone: ${paths.slice(0, FILES_SHOWN).map(showPath).join(', ')}${more}`;
};
export const NOTHING_HINT = {
  undo: 'A session has steps once a turn of it has changed files here; `entire status` shows the sessions.',
  redo: 'A redo reverses an undo. A rewind is reversed by `entire undo`; `entire undo --list` shows what there is.',
} as const;
export const SEVERAL_UNFINISHED = 'undos, redos or rewinds of several sessions were interrupted:';
export const IN_TURN = 'another session is in the middle of a turn; its work is one of these:';
export const SEVERAL_CONVERSATIONS =
  'these are steps of several sessions; a conversation goes on from before the steps of one of these:';
export const laterOnSameLines = (paths: readonly string[]): string =>
  `another session wrote on the same lines later (${paths.map(showPath).join(', ')}):`;
export const damagedSession = (id: string): string =>
  `What session ${id} did here cannot be read, and is passed over; \`entire undo --session ${id}\` says why.`;
export const WHICH_SESSION = 'Which session?';
export const CANCELLED = 'Cancelled; nothing was changed.';
export const ID = 'A session, as --session; or a turn alone, as <session>:<n> or as `entire log` names it';
export const TWO_SESSIONS = 'the session is named twice.';
export const isFile = (word: string): string => `${word} is a file, not a session or a turn`;
export const isRow = (word: string): string => `${word} is not a session or a turn`;
export const stepsHint = (direction: string, word: string): string =>
  `For the ${word} newest turns: entire ${direction} --steps ${word}`;
export const TURN_AND_STEPS = '--steps counts from the newest turn, and a turn names one: give one of them';
export const alreadyBack = (name: string): string => `turn ${name} was undone already.`;
export const GONE_ON = 'It cannot be brought back any more: the session went on since.';
export const notAlone = (name: string, others: number): string =>
  `turn ${name} was undone along with ${counted(others, 'other')}.`;
export const REDO_LIST = '`entire redo --list` shows what can be brought back.';
export const notBack = (name: string): string => `turn ${name} was not undone.`;
export const nothingLeftOf = (name: string, paths: readonly string[]): string =>
  paths.length === 0
    ? `nothing of turn ${name} can be undone.`
    : `turn ${name} did nothing to ${paths.map(showPath).join(', ')} that is not undone already.`;
export const belowRewind = (name: string): string => `turn ${name} is below a rewind of its session.`;
export const wentAlong = (name: string): string =>
  `turn ${name} went back along with a rewind of another session.`;
export const rewindBack = (command: string, later: number): string =>
  `\`${command}\` takes back the rewind${later > 0 ? `, with ${counted(later, 'later step')}` : ''}.`;
export const notLast = (name: string): string => `turn ${name} is not what was undone last of its session.`;
export const leftFiles = (count: number, isDryRun: boolean): string =>
  `${counted(count, 'file')} ${isDryRun ? 'would be left' : 'left'} as ${count === 1 ? 'it is' : 'they are'}.`;
export const notBackFiles = (count: number, isDryRun: boolean): string =>
  `${counted(count, 'file')} ${isDryRun ? 'would not come back' : 'did not come back'}.`;
export const laterTurns = (names: readonly string[], where: string): string =>
  `Later turns wrote to ${where}: ${names.join(', ')}.`;
export const takeLater = (command: string): string => `\`${command}\` takes those back with it;`;
export const byForce = (command: string, isUndo: boolean, count: number): string =>
  `\`${command}\` takes the ${isUndo ? 'earlier' : 'other'} version all the same: what you and others wrote in ${count === 1 ? 'that file' : 'those files'} goes, too; \`entire ${isUndo ? 'redo' : 'undo'}\` brings it back.`;
export const WHY_LEFT = 'The list gives the reason for each. Fix that, and run the command again.';
export const ALL_LOST = 'No earlier version is kept.';
export const redoOrder = (command: string): string => `\`${command}\` brings back all that was undone last.`;
export const wentOn = (name: string): string =>
  `the session went on meanwhile: ${name} is not its newest turn`;
export const AGAIN = 'Nothing was changed. `entire undo --list` shows what there is now.';
export const filesHint = (direction: string, word: string): string =>
  `For files: entire ${direction} --files ${quoteWord(word)}`;
export const nothingOf = (session: string): string =>
  `session ${session} has nothing to undo in this worktree`;
export const ABORTED = 'Rolled back: the files are as they were before.';
export const FINISHED = 'Finished.';
export const UNDO_OFF = 'Undo: off, no contents of files are kept (strategy_options.snapshots.enabled)';
export const STEP_STATES = { over: '', open: ', not over yet', 'broken-off': ', broken off' } as const;
export const nothingListed = (direction: 'undo' | 'redo'): string => `Nothing to ${direction}.`;
export const listTitle = (direction: 'undo' | 'redo'): string =>
  direction === 'undo'
    ? 'What can be undone, the newest first:'
    : 'What was undone and can be redone, the newest first:';
export const olderSteps = (direction: 'undo' | 'redo', rest: number, all: number): string =>
  `  ${counted(rest, 'older one')} not shown: entire ${direction} --list --steps ${all}`;
export const otherDirection = (direction: 'undo' | 'redo', count: number): string =>
  direction === 'undo'
    ? `${counted(count, 'undo', 'undos')} can be redone: entire redo --list`
    : `${counted(count, 'step')} can be undone: entire undo --list`;
export const ofSession = (id: string): string => `[session ${id}]`;
export const fewer = (direction: 'undo' | 'redo', count: number, asked: number): string =>
  `\nThat is all there is to ${direction}: ${counted(count, 'step')}, not ${asked}.`;
export const notThere = (turns: readonly string[]): string =>
  `nothing of ${turns.length === 1 ? 'this turn' : 'these turns'} is in the worktree: ${turns.join('; ')}`;
export const MAY_BE_STASHED = 'It may be in a stash: `git stash list`.';
export const goesPast = (command: string, count: number): string =>
  `\`${command}\` goes past ${count === 1 ? 'it' : 'them'}.`;
export const conversationsStay = (files: readonly string[]): string =>
  `nothing would come back: the conversation was changed since, and stays as it is: ${files.join(', ')}`;
export const keptIn = (files: readonly string[]): string => `What it was before is in ${files.join(', ')}.`;
export const takeBack = (command: string): string => `\nTo reverse this: ${command}`;
export const HIDDEN = {
  paused: 'the session went on in a pause after this; nothing of that is kept, and it stays',
  forgotten: 'a later turn was forgotten; what it did stays',
} as const;
export const LAST_IS_HIDDEN = {
  paused: 'the last thing this session did was in a pause: nothing of it is kept, and it cannot be undone.',
  forgotten: 'the last turn of this session was forgotten, and cannot be undone.',
} as const;
export const undoBehindHidden = (command: string, step: string): string =>
  `\`${command}\` takes back what is kept before it: ${step}`;
export const OFF_HINT =
  'No contents of files are kept for undo: `strategy_options.snapshots.enabled` is false in the settings.';
export const NOBODY_SAYS = 'no tool says who wrote it: a shell command of the agent, or you';
export const NO_TOOL = 'it changed during the turn, and no tool of the agent says so';
export const PARTLY_SHELLS =
  'with what was written into it while a shell command of the agent ran: by that, or by you';
export const CONVERSATION_ALONE = 'the conversation alone';
export const OTHERS_STAY = 'your lines and those of others stay';
export const notSure = (why: string): string => `${why}; it stays as it is`;
