import type { TurnStop } from '../../agents/shared/session/message.ts';

/** What `entire session` says. */
export const SESSION = 'A name or id (or prefix), as `entire session list` shows it, or of a run';
export const SESSIONS = 'Names or ids (or prefixes)';

export const NO_FORK = '--branch is the name of what --fork makes.';

export const unknownSession = (word: string) => ({
  unknown: `no session is kept under ${word}.`,
  hint: '`entire session list` lists them.',
});

export const LOG_ONLY = 'only the log: the session was deleted, or never kept';

/** Of a session nothing but logs of runs is left. */
export const logOnly = (id: string) => ({
  message: `of ${id} only the log is left: it was deleted, or never kept.`,
  hint: `\`entire session show ${id}\` shows it, \`entire session delete --log ${id}\` deletes it.`,
});

export const notOurs = (id: string, agent: string) => ({
  message: `${id} is kept by ${agent}, not by Entire: nothing was deleted.`,
  hint: `Delete it there.`,
});

export const deleted = (id: string, withLog: boolean): string =>
  `Deleted ${id}${withLog ? ' and its log' : ''}.`;
export const deletedLog = (id: string): string => `Deleted the log of ${id}.`;
export const logStays = (id: string): string =>
  `Its log stays: \`entire session delete --log ${id}\` deletes it.`;

export const begins = (agent: string, folder: string): string =>
  `Talking with ${agent} in ${folder}. Lines you type while it works are passed on to it. Ctrl-C cancels the turn; Ctrl-C twice or Ctrl-D exits.`;

export const NO_AGENT = {
  message: 'no coding agent that can be driven from here is installed.',
  hint: 'Install one, or put it on PATH; --agent names it.',
};

export const NO_MESSAGE = {
  message: 'there is nothing to say.',
  hint: 'Give a message, pipe one in, or start it in a terminal.',
};

export const PROMPT = '> ';
export const QUEUED = 'Queued until this turn ends.';
export const STEERED = 'heard';
export const CANCELLING = 'Cancelling; Ctrl-C again leaves.';
export const LEAVES = 'Ctrl-C again leaves.';

export const STOPPED: Readonly<Record<TurnStop, string>> = {
  cancelled: 'The turn was cancelled. What was said until then is kept.',
  failed: 'The turn failed. What was said until then is kept.',
  'timed-out': 'The turn timed out. What was said until then is kept.',
  unfinished: 'The turn was running when this was kept; how it went on is not known.',
};

export const notSaved = (why: string): string => `The session is not saved: ${why}`;

/** @param word what it can be named by */
export const forked = (word: string, from: string): string =>
  `Forked ${from}. To continue: entire session chat --resume ${word}`;

export const badName = (name: string): string =>
  `"${name}" is not a name for a session: it is empty, begins with a dash, has blanks around it, or control characters in it.`;

export const nameTaken = (name: string, id: string) => ({
  message: `there is a session of that name: ${id}.`,
  hint: `Choose another one, or continue it: entire session chat --resume ${name}`,
});

export const notLogged = (why: string): string => `The log of this run is incomplete: ${why}`;

export const movedTo = (id: string, parent: string): string =>
  `Another process has gone on with ${parent} meanwhile. This conversation is kept as ${id}, a fork of it.`;

export const goOn = (id: string): string => `To continue: entire session chat --resume ${id}`;

/** What `entire session list`, `show` and `stats` say. */
export const NONE_HERE =
  'No session of this repository. `entire session list --everywhere` lists those of other folders.';
export const NO_CHATS = 'No chats yet. `entire session list` lists the sessions of agents.';
export const NONE = 'No such session.';
export const MORE = 'There are more: --limit or --all.';

/** Git explains itself in several lines. */
export const notTold = (why: string): string =>
  `what this repository has of sessions is not told: ${why.split('\n')[0]}`;
