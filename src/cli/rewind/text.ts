import type { LeaveReason } from '../../restore/rewind/plan.ts';
import { quoteWord } from '../ui/quote-word.ts';

/** What `entire rewind` says. */

export const FLAGS = {
  list: 'List the points to go back to; as JSON when stdout is not a terminal',
  json: 'With --list: as JSON, also at a terminal',
  to: 'Go back to a point: a turn as <session>:<n>, a commit, or an id of the list',
  logsOnly: 'Restore the transcripts of the point alone, and no file',
  reset: 'Move the branch to the commit of the point, as `git reset --hard` does',
  force: 'Also cut off turns whose session has uncommitted files (what is cut off is kept)',
  sessionOnly:
    "Go back only in this point's session: other sessions keep their work, and its files become exactly what they were",
  diff: 'Show what would change as a diff, and change nothing',
  dryRun: 'Show what would happen to each path, and change nothing',
} as const;

export const JSON_LISTS = '--json needs --list';
export const needsPoint = (flag: string): string =>
  `--${flag} requires a point: entire rewind --to <point> --${flag}`;
export const TWO_POINTS = 'cannot specify both a point and --to';
export const NO_TERMINAL = {
  message: 'there is no terminal to choose a point in',
  hint: 'Run `entire rewind --list`, and then `entire rewind --to <id>`.',
};
export const noStepOf = (name: string) => ({
  message: `turn ${name} is no longer a point to go back to`,
  hint: `A commit has them by now, or they were not saved: \`entire log\` shows which. \`entire diff ${name}\` shows what it changed.`,
});
/** @param turns of it that are points, the newest first */
export const isSession = (word: string, session: string, turns: readonly string[]) => ({
  message: `${word} is a session, not a point`,
  hint:
    turns.length > 0
      ? `To what was there after a turn of it, the newest first: ${turns.map((turn) => `\`entire rewind --to ${turn}\``).join(', ')}. \`entire resume ${session}\` continues it.`
      : `It has no step here that is not committed. \`entire resume ${session}\` continues it; \`entire rewind --list\` shows the points there are.`,
});
export const inOtherWorktree = (word: string, session: string, worktree: string) => ({
  message: `${word} is not a point in this worktree: session ${session} works in ${worktree}`,
  hint: `Go back there: cd ${quoteWord(worktree)}`,
});
export const NOT_LOGS_ONLY = {
  message: 'failed to restore logs: not a logs-only rewind point',
  hint: 'The branch can be moved to a commit alone. Without --reset the files are restored, and the branch stays.',
};

export const becomeAsThen = (paths: readonly string[]): string =>
  `\nThese files become what they were at that point:\n${list(paths)}`;
export const uncommittedDeleted = (paths: readonly string[]): string =>
  `\nWarning: The following untracked files will be DELETED:\n${list(paths)}`;
export const trackedDeleted = (paths: readonly string[]): string =>
  `\nWarning: The following tracked files will be deleted, as they were at that point:\n${list(paths)}`;
export const othersWorkGoes = (paths: readonly string[]): string =>
  `\nWarning: What you or others wrote into these files since that point goes, too. \`entire undo\` brings it back:\n${list(paths)}`;
const list = (paths: readonly string[]): string => paths.map((path) => `  - ${path}\n`).join('');

const LEFT: Readonly<Record<LeaveReason, string>> = {
  protected: 'it belongs to git, to Entire or to the settings of an agent',
  ignored: 'git ignores it',
  'was-there': 'it was there before the session',
  'other-session': 'another session wrote it since then',
  contradicted: 'it was changed since',
  submodule: 'it is a submodule there',
  folder: 'it is a folder now',
  special: 'it is neither a file nor a link now',
  unreadable: 'it cannot be read',
  'beyond-link': 'a folder on its way is a link now',
  'beyond-file': 'a folder on its way is a file now',
  'in-repository': 'it is in a repository of its own now',
};
export const whyLeft = (reason: LeaveReason, { other, why }: Detail): string =>
  `${why ?? LEFT[reason]}${other === undefined ? '' : `: ${other}`}`;
export const leftPath = (path: string, reason: LeaveReason, detail: Detail): string =>
  `  Left: ${path} (${whyLeft(reason, detail)})`;
interface Detail {
  readonly other?: string | undefined;
  readonly why?: string | undefined;
}
export const goesAlong = (session: string, agent: string, paths: readonly string[]): string =>
  `\nWhat session ${session}${agent === '' ? '' : ` (${agent})`} did since then goes back, too; its conversation stays:\n${list(paths)}`;
export const allTheSame = (paths: readonly string[]): string =>
  `  With --session-only ${paths.length === 1 ? 'it becomes what it was' : 'they become what they were'} all the same, and what is there now is kept: ${paths.join(', ')}`;
export const mergedFiles = (paths: readonly string[]): string =>
  `\nLines in these files that no session wrote stay:\n${list(paths)}`;
export const leftFor = (path: string, why: string): string => `  Left: ${path} (${why})`;
export const restoredPath = (path: string): string => `  Restored: ${path}`;
export const deletedPath = (path: string): string => `  Deleted: ${path}`;
export const wouldRestore = (path: string): string => `  Would restore: ${path}`;
export const wouldDelete = (path: string): string => `  Would delete: ${path}`;
export const wouldWrite = (file: string): string => `  Would write: ${file}`;
export const logStays = (file: string): string => `  Is as it was then: ${file}`;
const MOST_NAMES = 3;
/** @param prompts of the turns that go */
export const cutsOff = (session: string, prompts: readonly string[]): string => {
  if (prompts.length === 0) return `  Cuts off the end of the last turn of session ${session}`;
  const shown = prompts.slice(0, MOST_NAMES).map((prompt) => `“${prompt}”`);
  const more = prompts.length - shown.length;
  const turns = prompts.length === 1 ? 'turn' : 'turns';
  return `  Cuts off ${prompts.length} later ${turns} of session ${session}: ${shown.join(', ')}${more > 0 ? `, and ${more} more` : ''}`;
};
export const notCommitted = (session: string, files: readonly string[]): string =>
  `session ${session} wrote ${files.slice(0, MOST_NAMES).join(', ')}${files.length > MOST_NAMES ? ` and ${files.length - MOST_NAMES} more` : ''}`;
/** @param work whose work is not committed */
export const cutOff = (work: string) => ({
  question: {
    title: 'Cut off these turns all the same?',
    details: `Not committed yet: ${work}.
Without these turns their lines are no longer known to be an agent's. What is cut off is kept: \`entire undo\` brings it back.`,
    yes: 'Yes',
    no: 'No',
    initial: false,
  },
  refusal: {
    message: `turns would be cut off while work of their session is not committed: ${work}; nothing was changed`,
    hint: "Commit that work first, or go back to a step, which takes its files back, too (`entire rewind --list`). With --force the turns are cut off, and kept for `entire undo`; the lines are then no longer known to be an agent's.",
  },
});
export const WOULD_ASK =
  'Work of that session is not committed: would ask before that, unless --force is given.';

export const ALL_LEFT = 'No file changes: each that differs is left, for the reason above.';
export const NOTHING_GOES =
  'Nothing would go back, the conversation neither: each file that differs is left, for the reason above.';
export const NOTHING_DIFFERS = 'No file differs from what it was at that point.';
export const LEFT_LINES =
  "  Lines that these turns wrote into files that are left are then no longer known to be an agent's.";
export const DRY_RUN = 'Dry run: nothing was changed.';

export const branchReset = (branch: string, step: string): string =>
  `[entire] Step branch ${branch} is back at ${step}`;
export const othersKept = (count: number): string =>
  `[entire] ${count} later ${count === 1 ? 'step of another session stays' : 'steps of other sessions stay'} on it, with new ids`;
export const restoredFiles = (step: string): string => `\nRestored files from shadow commit ${step}\n`;
export const deletedFiles = (step: string): string =>
  `\nDeleted files that shadow commit ${step} does not have\n`;
export const truncated = (file: string): string => `Writing truncated transcript to: ${file}`;
export const logFailed = (why: string, isLeftOut: boolean): string =>
  `Warning: failed to restore session transcript: ${why}${isLeftOut ? '. Checkpoints leave out what was said since that point.' : ''}`;
export const rewound = (step: string, command: string): string => `Rewound to ${step}. ${command}`;
export const rewoundTask = (command: string): string => `Rewound to task checkpoint. ${command}`;
export const goOnWith = (agent: string): string => `Continue the session in ${agent}: how is not known here.`;
export const takeBack = (command: string): string => `To reverse this: ${command}`;
export const inTurn = (session: string): string =>
  `Warning: session ${session} is in the middle of a turn: its agent may write files at this moment.`;

export const RESUME_LEAD = 'Resume with:';
export const UNCHANGED_WORKTREE =
  'Note: Working directory unchanged. Use interactive mode for full checkout.';

export const WILL_REVERT = 'The following uncommitted changes will be reverted:';
export const willOverwrite = (paths: readonly string[]): string =>
  `• The following untracked files are overwritten or deleted:\n${paths.map((path) => `  - ${path}`).join('\n')}`;
export const orphaned = (count: number): string => `• ${count} commit(s) after this point will be orphaned`;
export const keptFiles = (count: number): string =>
  `${count} ${count === 1 ? 'file' : 'files'} with uncommitted changes kept`;
export const keptStaged = (ref: string): string => `What was staged, and nowhere else, is kept by ${ref}`;
export const UNCOMMITTED = 'You have uncommitted changes:';
export const COMMIT_OR_STASH = 'Please commit or stash your changes before rewinding.';
export const branchMoved = (commit: string): string => `Reset branch to ${commit}.`;
/** @param commands the way back, in the order that loses nothing */
export const undoReset = (commands: readonly string[]): string =>
  commands.length === 1
    ? `\nTo undo this reset: ${commands[0]}`
    : `\nTo undo this reset, in this order:\n${commands.map((command) => `  ${command}`).join('\n')}`;
export const resetToCommit = (commit: string): string => `\nReset to commit ${commit}\n`;
export const wouldReset = (commit: string): string => `Would reset the branch to ${commit}.`;

export const NO_POINTS = `No points to go back to.
Each turn of an agent that changed files here is one until it is committed, and so is each commit with a checkpoint.`;
export const LIST_TITLE = 'Points to go back to, the newest first:';
export const KINDS = { step: 'step', task: 'task', commit: 'commit' } as const;
export const LIST_HINTS = {
  step: 'Step or task: `entire rewind --to <id>` restores the files as they were then; --dry-run only shows which.',
  commit: 'Commit: restores its transcripts and leaves files alone; --reset also moves the branch to it.',
  own: 'Commit only on this branch: moves the branch back to it, and later commits leave it.',
} as const;
export const MENU = {
  title: 'Where do you want to go back to?',
  step: 'Step or task: restores the files as they were then. You see which before you say yes.',
  commit: 'Commit: restores its transcripts and leaves files alone; moving the branch is offered, too.',
  own: 'Commit only on this branch: moves the branch back to it.',
} as const;
export const CANCEL = 'Cancel';
export const CANCELLED = 'Rewind cancelled.';
export const selected = (what: string): string => `\nSelected: ${what}`;
export const STEP = '[Step] ';
export const TASK = '[Task] ';
export const MISFIT = '[not its own checkpoint] ';
export const confirmStep = (step: string, message: string) => ({
  title: `Go back to ${step}?`,
  details: `This goes back to: ${message}\nWhat is there now is kept: \`entire undo\` brings it back.`,
  yes: 'Yes',
  no: 'No',
  initial: false,
});
export const confirmOwnCommit = (commit: string, message: string) => ({
  title: `Move the branch back to ${commit}?`,
  details: `This goes back to: ${message}\nLater commits leave the branch; the command that brings them back is printed.`,
  yes: 'Yes',
  no: 'No',
  initial: false,
});
export const logsMenu = (commit: string) => ({
  title: `Logs-only point: ${commit}`,
  details: 'This commit has session logs but no checkpoint state. Choose an action:',
});
export const LOGS_ACTIONS = {
  logs: 'Restore logs only (keep current files)',
  checkout: 'Checkout commit (detached HEAD, for viewing)',
  reset: 'Reset branch to this commit (destructive!)',
  cancel: CANCEL,
} as const;
export const LOGS_RESTORED = 'Restored session logs.';
export const CHECKOUT_QUESTION = {
  title: 'Create detached HEAD?',
  details: `This will checkout the commit directly. You'll be in 'detached HEAD' state.
Uncommitted changes stay; git refuses where it would overwrite one, or a file that it ignores.`,
  yes: 'Yes',
  no: 'No',
  initial: false,
};
export const CHECKOUT_CANCELLED = 'Checkout cancelled. Session logs were still restored.';
export const checkedOut = (commit: string): string => `Checked out ${commit} (detached HEAD).`;
export const resetQuestion = (commit: string, warnings: string) => ({
  title: warnings === '' ? `Reset branch to ${commit}?` : '⚠️  Reset branch with warnings?',
  details: `This will move your branch pointer to this commit.
Commits after this point will be orphaned (but recoverable via reflog).${warnings === '' ? '' : `\n${warnings}`}`,
  yes: 'Yes',
  no: 'No',
  initial: false,
});
export const RESET_CANCELLED = 'Reset cancelled. Session logs were still restored.';

/** What the list at a terminal says of the point under the cursor. */
export const BECOMES = { restored: 'restored', deleted: 'deleted', left: 'left' } as const;
export const LOOKING = 'Looking at what changes …';
export const MERGED = 'lines that no session wrote stay';
export const OTHERS_GO = 'what others wrote since goes, too';
export const OVERWRITES = 'overwrites what is there';
export const FILES_STAY = 'Files stay as they are.';
export const MAY_MOVE =
  'To check the commit out, or to move the branch to it, is offered next; d shows what that changes.';
export const NO_TRANSCRIPT = 'No transcript of it can be restored.';
export const CONVERSATION = {
  ends: (session: string): string => `The conversation of ${session} ends at this point.`,
  endsWithTask: (session: string): string =>
    `The conversation of ${session} ends with what its sub-agent returned.`,
  isAsThen: (session: string): string => `The conversation of ${session} is as it was then.`,
  stays: (session: string): string => `The conversation of ${session} stays: no transcript can be restored.`,
  isLong: (session: string): string =>
    `The transcript of ${session} is long: what is cut off is said before it is done.`,
  isThere: (session: string): string => `The transcript of ${session} is there, and stays.`,
  isRestored: (session: string): string => `The transcript of ${session} is restored.`,
} as const;
export const alsoGoesBack = (session: string): string =>
  `What session ${session} did since goes back, too; its conversation stays.`;
export const notItsOwn = (why: string): string => `The checkpoint that it names does not fit: ${why}.`;
export const branchGoesBack = (later: number): string =>
  `The branch moves back to it${later === 0 ? '' : `, and ${later === 1 ? '1 later commit leaves' : `${later} later commits leave`} it`}.`;
export const moreFiles = (count: number): string => `… and ${count} more; d shows them`;
export const NO_MATCH = 'No point matches.';
export const KEYS: ReadonlyArray<readonly [key: string, does: string]> = [
  ['enter', 'choose'],
  ['/', 'filter'],
  ['d', 'diff'],
  ['?', 'keys'],
  ['q', 'cancel'],
];
export const CLEAR_KEY = ['esc', 'clear'] as const;
export const FILTER_KEYS: typeof KEYS = [['enter', 'keep'], CLEAR_KEY];
export const HELP: typeof KEYS = [
  ['↑ ↓ k j', 'the point above, the one below'],
  ['PgUp PgDn', 'a screen up, a screen down'],
  ['Home End', 'the newest, the last'],
  ['enter', 'go back to this point: you are asked first'],
  ['d', 'show what would change, as a diff'],
  ['/', 'only points with these words in prompt, subject, agent or id'],
  ['esc', 'clear the filter; without one, cancel'],
  ['q', 'cancel: nothing is changed'],
];
