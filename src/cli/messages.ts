/** Sentences that several commands say. What one command says stands in its `text.ts`, a failure where it is thrown. */

import { either, showPath } from '../base/text/text.ts';
import type { HookManager } from '../hooks/git/hook-managers.ts';
import type { HookNotice } from '../hooks/git/install.ts';
import type { WhyReason } from '../origin/reason.ts';
import { quoteWord } from './ui/quote-word.ts';

export const DESCRIPTIONS = {
  agent: 'List agents and which are set up here, add one, or remove one',
  blame: 'Show who wrote each line of a file: agent, person or unknown',
  clean: 'List what sessions left behind; --force deletes it',
  completion: 'Print a completion script for a shell',
  config: 'Show settings and where they come from; change them',
  context: 'Combine files into one text for a model',
  'curl-bash-post-install': 'Offer shell completion, for installers',
  diff: 'Show what a turn, a session or a linked commit changed',
  disable: 'Turn Entire off in this worktree',
  doctor: 'Find out why something is not recorded, and fix it',
  du: 'Show disk usage, by kind and by session',
  enable: 'Set up Entire in this repository',
  explain: 'Show the conversation behind a commit, turn or line',
  export: 'Export who wrote which lines: for git-ai, Agent Trace, JSON',
  fetch: 'Fetch checkpoints from a remote and merge them',
  files: 'List the files a session read and changed',
  forget: 'Erase what was recorded of a session or a turn',
  gc: 'Delete undo data no longer needed, and what is over the limit',
  help: 'Show help for a command',
  import: 'Go by authorship notes of git-ai where Entire has no record',
  log: 'Show what happened here: turns and commits, one line each',
  pause: 'Stop recording for a while, here or for one session',
  push: 'Push checkpoints to a remote, or preview what would be pushed',
  redo: 'Bring back what the last undo took back',
  relink: 'Link rewritten commits with the work they hold again',
  resume: 'Continue a session: the newest, or by branch, commit or id',
  reset: 'Discard uncommitted session data; your files stay as they are',
  rewind: 'Go back to an earlier turn or commit, with the conversation',
  scrub: "Apply today's redaction rules to what is stored",
  search: 'Search prompts, answers, commands and files of sessions',
  session: 'Chat with an agent; list, show, fork, export sessions; stats',
  status: 'Show what is recorded here, and what is not committed',
  stats: 'Count lines that commits added, by agent, person and unknown',
  statusline: 'Print one line for a status line or a shell prompt',
  undo: 'Take back what the last turn of an agent did to files',
  verify: 'Check stored data for damage; --read-data reads all of it',
  version: 'Show version and build',
  why: 'Show what a commit is linked to, or why it is not',
  worktree: 'Create, list, remove worktrees for tasks, without losing work',
} as const;

export const ABOUT =
  'Entire remembers how your code came to be: it records the sessions of coding agents and links them to your git commits.';

export const ENVIRONMENT = [
  ['ACCESSIBLE', 'Set it for plain questions, one line each, and no pager.'],
  ['CLICOLOR, CLICOLOR_FORCE', 'CLICOLOR=0: no colours. CLICOLOR_FORCE=1: colours in pipes, too.'],
  ['COLUMNS', 'How wide lists and sentences are, in pipes, too. Default: as wide as the terminal.'],
  ['ENTIRE=0', 'Turns every hook off, e.g. for one commit that should not be linked.'],
  ['ENTIRE_DEBUG=1', 'Makes hooks print what they do to stderr.'],
  ['ENTIRE_LOG_LEVEL', 'Log level of .entire/logs/entire.log: debug, info, warn, error.'],
  ['FORCE_COLOR', 'Colours in pipes, too; with 0 none.'],
  ['FORCE_HYPERLINK', '0: no links on commits and files; 1: links in every terminal, and in pipes.'],
  ['NO_COLOR', 'Set it to turn colours off. --color overrides all of these.'],
  ['PAGER', 'Program that shows what is longer than the screen. Default: less.'],
] as const;

export const EXIT_CODES = [
  [0, 'The command did what it was asked, or had nothing to do.'],
  [1, 'It could not, or found problems; it says why, and what to do about it.'],
  [2, 'Wrong usage: an unknown command or flag, or flags that exclude each other.'],
  [70, 'Internal error: a bug in entire.'],
] as const;

export const FILES = [
  ['.entire/settings.json', 'Settings of the project.'],
  ['.entire/settings.local.json', "Your own settings; they override the project's."],
  ['.entire/logs/entire.log', 'What hooks did, and why they did nothing.'],
  ['.entire/context.toml', 'Presets of `entire context`; yours are in ~/.config/entire/context.toml.'],
  [
    '.git/entire, .git/entire-sessions',
    'Running sessions, what undo needs, and why each commit is linked or not.',
  ],
  ['~/.entire', 'Chats, and a cache for session lists.'],
] as const;

export const HOOKS_GROUP = `Entry points for agents and git; people have no use for them.

Usage:
  entire hooks <agent> <verb>    called by an agent, payload on stdin
  entire hooks git <hook>        called by git`;

export const seeHelp = (command: string | undefined): string =>
  `See \`entire help${command === undefined ? '' : ` ${command}`}\`.`;
export const invalidUsage = (what: string): string => `Invalid usage: ${what}`;
/** Behind what to do about a failure of the file system. */
export const RUN_AGAIN = 'Then run the command again.';
export const unknownCommand = (name: string, parent: string, meant?: string): string =>
  `unknown command "${name}" for "${parent}"${meant ? `; did you mean "${meant}"?` : ''}`;
export const unknownArguments = (names: string, meant?: string): string =>
  `unknown ${names.startsWith('-') ? 'flag' : 'argument'}: ${names}${meant ? `; did you mean ${meant}?` : ''}`;
export const comesFirst = (word: string, command: string): string =>
  `flags go after the command: ${['entire', command, word].filter(Boolean).join(' ')} [flags]`;
export const noValue = (flag: string): string => `--${flag} takes no value`;
export const wrongValue = (flag: string, value: string, words: readonly string[]): string =>
  `--${flag} takes ${either(words)}, not "${value}"`;
export const noNumber = (flag: string): string => `--${flag} takes a number`;
export const missingValue = (flag: string): string => `--${flag} takes a value`;
export const missingArgument = (args: string): string => `missing argument: ${args}`;
export const unknownShell = (shell: string, known: readonly string[]) => ({
  message: `no completion script for shell: ${shell}`,
  hint: `Supported: ${known.join(', ')}.`,
});
export const NO_COMPLETION =
  'Note: Shell completion not available for your shell. Supported: zsh, bash, fish.';
export const NO_TERMINAL = 'cannot ask for confirmation: this is not an interactive terminal';
export const completionThere = (file: string): string => `✓ Shell completion already configured in ${file}`;
export const completionAdded = (file: string): string =>
  `✓ Shell completion added to ${file}\n  Restart your shell to activate`;
export const completionSkipped = (reason: string): string =>
  `Note: Shell completion setup skipped: ${reason}`;
export const completionQuestion = (shell: string) => ({
  title: `Enable shell completion? (detected: ${shell})`,
  yes: 'Yes',
  no: 'No',
  initial: true,
});

export const BARE = {
  message: 'This is a bare repository: there is no working tree for an agent to work in.',
  hint: 'Run the command in a clone, or in a worktree made with `git worktree add`.',
};
export const pleaseRun = (command: string): string =>
  `Please run 'entire ${command}' from within a git repository.`;
export const notARepo = (refusal: string) => ({
  message: `Not a git repository. ${refusal}`,
  hint: 'Change to a repository, or make one with `git init`.',
});
export const outsideWorktree = (file: string): string => `no file of this worktree: ${file}`;
export const hasLineBreak = (file: string): string =>
  `${showPath(file)} has a line break in its name: nothing is recorded of such a file`;
export const LINE_BREAK_HINT = '`git blame` says which commits its lines come from.';

export const branchInUse = (ref: string, worktree: string): string =>
  `Warning: ${ref.replace('refs/heads/', '')} is checked out in ${worktree} and stays`;
export const blameHint = (file: string, range: string): string =>
  `\`entire blame -L ${range} ${quoteWord(file)}\` says who wrote it.`;
export const exclusive = (a: string, b: string): string => `cannot specify both --${a} and --${b}`;
export const NO_COMMITS_YET = 'this repository has no commits yet';
export const NO_COMMITS = `Note: This repository has no commits yet. What agents do is recorded, and stored with your
first commit.
`;

export const unknownStrategy = (name: string): string =>
  `unknown strategy: ${name} (use manual-commit or auto-commit)`;
export const strategyIgnored = (name: string): string =>
  `Warning: the settings ask for strategy "${name}"; this version works as manual-commit.`;
export const strategyOverridden = (file: string, name: string): string =>
  `Warning: ${file} sets strategy to ${name}, and it wins in this worktree.`;

export const GIT_HOOKS_DONE = '✓ Hooks installed';
export const BRANCH_DONE = {
  made: "✓ Created orphan branch 'entire/checkpoints/v1' for session metadata",
  taken: "✓ Branch 'entire/checkpoints/v1' begins with the session metadata that origin has",
};
export const configured = (file: string): string => `✓ Project configured (${file})`;
export const READY = '\nReady.';
export const SAVING_LOCALLY = `Info: Project settings exist. Saving to settings.local.json instead.
  Use --project to update the project settings file.`;
export const enabledLocally = (file: string): string =>
  `Info: ${file} had switched Entire off; it is switched on there as well.`;
export const STAYS_LOCAL = `Session logs stay on this machine. To push them along with your own pushes:
  entire enable --push-sessions`;

export const unknownKey = (file: string, key: string): string =>
  `Warning: ${file}: unknown key "${key}" (kept as it is)`;

export function hookNotice(notice: HookNotice): string {
  switch (notice.kind) {
    case 'backed-up':
      return `[entire] Backed up existing ${notice.hook} to ${notice.backup}`;
    case 'not-executable':
      return `[entire] Warning: ${notice.backup} is not executable, so it does not run (git did not run it either)`;
    case 'extended':
      return `[entire] Warning: ${notice.hook} has lines of your own beside Entire's; left as it is`;
    case 'backup-left':
      return `[entire] Warning: ${notice.hook} was modified since install; backup ${notice.backup} left in place`;
  }
}

export function hookManager({ name, path }: HookManager): string {
  return [
    `\nNote: ${name} (${path}) writes its git hooks over Entire's when it installs them. Entire's come back with`,
    '  the next prompt of an agent, or with `entire enable`.',
  ].join('\n');
}

export const toCommit = (paths: readonly string[]): string =>
  ['\nTo share this with your team, commit:', ...paths.map((path) => `  ${showPath(path)}`)].join('\n');

export const NOT_A_REPO_STATUS = '✕ not a git repository';
export const BARE_STATUS = '✕ a bare repository: there is no working tree for an agent to work in';
/** The first thing that a person has to know. */
export const NO_AGENT_HOOKS =
  '✕ Nothing is recorded in this worktree: no agent hooks are installed. Run `entire enable` here.';
export const NOT_SET_UP = '○ not set up (run `entire enable` to get started)';
/** Why a commit is linked, or is not. */
export const VERDICTS: Readonly<Record<WhyReason, string>> = {
  linked: 'linked',
  kept: 'keeps its link',
  'no-session': 'not linked: no session was open in this worktree',
  'no-overlap': 'not linked: holds no work of a session',
  'trailer-missing': 'not linked: the message lacks the trailer',
  'unknown-checkpoint': 'names a checkpoint that no session here knows',
  'foreign-checkpoint': 'not linked: the message names the checkpoint of another commit',
  merge: 'not linked: a merge, or made of earlier commits',
  paused: 'not linked: made while recording was paused',
  'switched-off': 'not linked: made with ENTIRE=0',
  sequence: 'not linked: replayed by rebase, cherry-pick or revert',
  'condense-failed': 'storing failed',
  forgotten: 'not linked: what it was linked to was forgotten here',
  trailer: 'linked by the id in its message or git note',
  'made-of': 'linked by what it was made of',
  'metadata-missing': 'names a checkpoint that is not in this clone',
  'not-set-up': 'not linked: Entire is not set up here',
  disabled: 'not linked: Entire is disabled here',
  'auto-commit': 'not linked: not made by auto-commit',
  'hooks-missing': 'not linked: git hooks are missing',
  'before-records': 'not linked: older than the records here',
  'no-record': 'not linked: made in another clone, or without the git hooks',
};
/** Of settings that cannot be read. */
export const RULES_MISSING = '. Its own rules of redaction, if it has any, are not applied';

/** A replayed commit whose message names a checkpoint: it leads there like the one it was made of. */
export const REPLAYED_LINK = 'keeps its link: replayed by rebase, cherry-pick or revert';

/** Behind the first prompt of several: `+ 2 more`. */
export const andMore = (count: number): string => `+ ${count} more`;
