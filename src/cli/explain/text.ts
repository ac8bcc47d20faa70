/** Every sentence of `entire explain`. */

import { counted, showPath } from '../../base/text/text.ts';
import { dayOf, type Tombstone } from '../../session/tombstones.ts';
import { quoteWord } from '../ui/quote-word.ts';

export const FLAGS = {
  session: 'Only checkpoints of this session (id or prefix)',
  commit: 'Explain the checkpoint of a commit',
  checkpoint: 'Explain a checkpoint (id or prefix)',
  short: 'Only what it is, and what was asked for',
  full: 'Show everything; for a checkpoint, or a step given with --checkpoint, the whole session',
  rawTranscript: 'The stored transcript, byte for byte',
  generate: "Have the agent's own program summarise the checkpoint, and store the summary",
  force: 'Replace a summary that is there',
  noPager: 'Do not use a pager',
  searchAll: 'Look for the commits of a checkpoint on all branches',
  json: 'Print JSON (see docs/json.md)',
} as const;
export const TARGET =
  'A commit, a checkpoint, a session, a turn as <session>:<n> (:-1 is the newest here), or a line as <file>:<line>';
export const filesHint = (file: string, isFolder: boolean): string =>
  isFolder
    ? `\`entire log -- ${quoteWord(file)}\` says which commits changed it.`
    : `\`entire explain ${quoteWord(`${file}:1`)}\` explains what wrote its first line, \`entire blame ${quoteWord(file)}\` shows all of them.`;
/** @param isHuman a person is known to have written all of it */
export const noWriter = (place: string, isHuman: boolean): string =>
  isHuman
    ? `a person wrote ${showPath(place)}, no session`
    : `no session is known to have written ${showPath(place)}`;
export const severalWriters = (place: string, writers: readonly string[]): string =>
  `${showPath(place)} comes from several: ${writers.join(', ')}`;
export const noTranscriptOfTurn = (name: string): string => `no transcript is stored for ${name} alone`;
export const EXPLAIN_CHECKPOINT = 'Name the checkpoint: `entire log` shows which commit it went into.';
const more = (commands: readonly string[]): string =>
  `More: ${commands.map((command) => `\`entire ${command}\``).join(', ')}`;
/** @param isNewest it is what undo would take back of its session */
export const moreOfTurn = (name: string, isNewest: boolean): string =>
  more([`diff ${name}`, ...(isNewest ? [`undo ${name}`] : [])]);
export const moreOfStep = (step: string): string => more([`explain -c ${step} --full`]);
/** @param commit one that leads to it, if there is one here */
export const moreOfCheckpoint = (
  id: string,
  commit: string | undefined,
  isFull: boolean,
): string | undefined => {
  const commands = [...(commit ? [`diff ${commit}`] : []), ...(isFull ? [] : [`explain ${id} --full`])];
  return commands.length > 0 ? more(commands) : undefined;
};

export const DISABLED_GUARD = 'Entire is disabled. Run `entire enable` to re-enable.';
export const SEVERAL_TARGETS = 'cannot specify multiple of --session, --commit, --checkpoint';
export const needs = (flag: string, other: string): string => `--${flag} requires ${other} flag`;
export const CHECKPOINT_FLAG = '--checkpoint/-c';
export const exclusiveGroup = (group: readonly string[], given: readonly string[]): string =>
  `if any flags in the group [${group.join(' ')}] are set none of the others can be; [${[...given].sort().join(' ')}] were all set`;

export const NO_CHECKPOINTS = `No checkpoints found on this branch.
Checkpoints will appear here after you save changes during an agent session.`;
export const noneOfSession = (session: string): string =>
  `No commit of this branch has work of session ${session} yet.\n\`entire session show ${quoteWord(session)}\` shows what was said in it.`;
export const missingCheckpoints = (count: number): string =>
  count === 1
    ? 'Note: a commit of this branch names a checkpoint that this repository does not have.'
    : `Note: commits of this branch name ${count} checkpoints that this repository does not have.`;
export const forgottenCheckpoints = (count: number): string =>
  count === 1
    ? 'Note: a commit of this branch names a checkpoint that was forgotten (`entire forget`).'
    : `Note: commits of this branch name ${count} checkpoints that were forgotten (\`entire forget\`).`;
export const sessionNotFound = (id: string): string => `no such session: ${id}`;
export const SESSIONS_HINT = '`entire session list` shows sessions, `entire log` what they did.';
export const sessionForgotten = (stone: Pick<Tombstone, 'sessionId' | 'atMs'>): string =>
  `session ${stone.sessionId} was forgotten on ${dayOf(stone)}`;
export const UNKNOWN_SESSION = '(unknown)';
export const detached = (commit: string): string => `HEAD (${commit})`;
export const UNBORN = 'HEAD (no commits yet)';
export const UNKNOWN_TIME = '(unknown)';
export const NO_PROMPT = '(no prompt)';
export const forgottenPrompt = (stone: Pick<Tombstone, 'atMs'>): string => `(forgotten on ${dayOf(stone)})`;
export const NO_COMMITS_FOUND = 'none on this branch (--search-all looks everywhere)';
export const NO_COMMITS_AT_ALL = 'none';
export const UNREADABLE_TRANSCRIPT = '(the transcript cannot be read)';
export const NO_TRANSCRIPT = '(no transcript)';
export const moreFiles = (count: number): string => `  … and ${count} more (--full shows all)`;
export const moreLines = (count: number): string => `… ${count} more lines (--full)`;
export const turnsLeftOut = (count: number, title: string): string =>
  `… ${counted(count, 'turn')} without work in this checkpoint: “${title}”${count > 1 ? `, …` : ''} (--full)`;
export const ofSessionSoFar = (tokens: string): string => `${tokens}, of the session up to here`;
export const linesLong = (count: number): string => counted(count, 'line');
export const STEERED = 'Said while the agent was at work:';
export const COMPACTED = '(The conversation before this was summed up here.)';
export const attached = (name: string, type: string): string =>
  `(attached: ${[name, type].filter(Boolean).join(', ') || 'a file'})`;
export const exited = (code: number): string => `exit ${code}`;
export const FAILED = 'failed';
export const estimate = (agent: number, added: number, changed: number): string =>
  `${agent} by the agent; ${added} added and ${changed} changed by others (estimate)`;
/** Where what is stored was counted for another commit. */
export const ownLines = (own: number, all: number): string =>
  `${own} of the ${all} that the commit adds (\`entire blame <file>\` shows them)`;
const FILES_NAMED = 3;
const namedFiles = (files: readonly string[]): string => {
  const shown = files.slice(0, files.length > FILES_NAMED + 1 ? FILES_NAMED : files.length).map(showPath);
  const left = files.length - shown.length;
  return [...shown, ...(left > 0 ? [`and ${left} more`] : [])].join(', ');
};
/** @param others checkpoints, with the files of the commit that they touched */
export const alsoHas = (
  others: readonly { readonly id: string; readonly files: readonly string[] }[],
): string =>
  [
    'The commit has work of other checkpoints, too:',
    ...others.map(({ id, files }) =>
      [`  \`entire explain ${id}\``, ...(files.length > 0 ? [namedFiles(files)] : [])].join('  '),
    ),
  ].join('\n');
export const unlinked = (commit: string, why: string): string => `No associated Entire checkpoint

Commit ${commit} does not have an Entire-Checkpoint trailer.
Not linked: ${why}.
More: \`entire why ${commit}\`.`;
export const otherTranscripts = (shown: string, sessions: number): string =>
  `Note: the checkpoint has ${sessions} sessions; this is the transcript of the latest, ${shown}.`;

export const onlyOnRemote = (id: string) => ({
  message: `checkpoint ${id} is only on a remote`,
  hint: 'Run `entire fetch`, or `entire fetch origin`, and try again.',
});
export const noTranscript = (id: string): string => `checkpoint ${id} has no transcript`;
export const nothingToSummarise = (id: string): string => `checkpoint ${id} has no transcript to summarize`;
export const nothingInScope = (id: string): string =>
  `checkpoint ${id} has no transcript content for this checkpoint (scoped)`;
export const hasSummary = (id: string): string =>
  `checkpoint ${id} already has a summary (use --force to regenerate)`;
export const notForTemporary = (id: string): string =>
  `cannot generate summary for temporary checkpoint ${id} (only committed checkpoints supported)`;
export const SUMMARY_SAVED = '✓ Summary generated and saved';
