/** Every sentence of `entire explain`. */

import { dayOf, type Tombstone } from '../../session/tombstones.ts';

export const FLAGS = {
  session: 'Only checkpoints of this session (its id, or the beginning of it)',
  commit: 'Explain the checkpoint of a commit',
  checkpoint: 'Explain a checkpoint (its id, or the beginning of it)',
  short: 'Only what was wanted and what came of it',
  full: 'The transcript of the whole session',
  rawTranscript: 'The stored transcript, byte for byte',
  generate: "Have the agent's own program summarise the checkpoint, and store the summary",
  force: 'Replace a summary that is there',
  noPager: 'Print directly',
  searchAll: 'Look for the commits of a checkpoint on all branches',
  json: 'Print JSON (see docs/json.md)',
} as const;
export const TARGET =
  'A commit, a checkpoint, a session, or a turn as <session>:<n> (:-1 is the newest here)';
export const noTranscriptOfTurn = (name: string): string =>
  `of ${name} only what it did to files is kept by itself`;
export const EXPLAIN_CHECKPOINT = 'Name the checkpoint: `entire log` shows which commit it went into.';
export const moreOfTurn = (name: string, session: string): string =>
  `What it changed: entire diff ${name}\nThe whole session: entire explain ${session}`;

export const DISABLED_GUARD = 'Entire is disabled. Run `entire enable` to re-enable.';
export const SEVERAL_TARGETS = 'cannot specify multiple of --session, --commit, --checkpoint';
export const needs = (flag: string, other: string): string => `--${flag} requires ${other} flag`;
export const CHECKPOINT_FLAG = '--checkpoint/-c';
export const exclusiveGroup = (group: readonly string[], given: readonly string[]): string =>
  `if any flags in the group [${group.join(' ')}] are set none of the others can be; [${[...given].sort().join(' ')}] were all set`;

export const NO_CHECKPOINTS = `No checkpoints found on this branch.
Checkpoints will appear here after you save changes during an agent session.`;
export const missingCheckpoints = (count: number): string =>
  count === 1
    ? 'Note: a commit of this branch names a checkpoint that this repository does not have.'
    : `Note: commits of this branch name ${count} checkpoints that this repository does not have.`;
export const forgottenCheckpoints = (count: number): string =>
  count === 1
    ? 'Note: a commit of this branch names a checkpoint that was forgotten (`entire forget`).'
    : `Note: commits of this branch name ${count} checkpoints that were forgotten (\`entire forget\`).`;
export const sessionNotFound = (id: string): string => `Error: session not found: ${id}`;
export const sessionForgotten = (stone: Pick<Tombstone, 'sessionId' | 'atMs'>): string =>
  `Error: session ${stone.sessionId} was forgotten on ${dayOf(stone)}`;
export const UNKNOWN_SESSION = '(unknown)';
export const detached = (commit: string): string => `HEAD (${commit})`;
export const UNBORN = 'HEAD (no commits yet)';
export const UNKNOWN_TIME = '(unknown)';
export const NO_PROMPT = '(no prompt)';
export const forgottenPrompt = (stone: Pick<Tombstone, 'atMs'>): string => `(forgotten on ${dayOf(stone)})`;
export const NOT_GENERATED = '(not generated)';
export const NOT_AVAILABLE = '(not available)';
export const NO_COMMITS_FOUND = 'No commits found on this branch';
export const NO_COMMITS_AT_ALL = 'No commits found';
export const UNREADABLE_TRANSCRIPT = '  (failed to parse transcript)';
export const NO_TRANSCRIPT = '  (none)';
export const moreFiles = (count: number): string => `  … and ${count} more (--full shows all)`;
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
