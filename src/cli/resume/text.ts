/** Sentences of `entire resume`. */

import type { Question } from '../ui/terminal.ts';

export const TARGET =
  'A branch, checkpoint, session or commit; without one, the newest session of this repository';
export const FLAGS = {
  force:
    'Ask nothing: fetch, resume from an older checkpoint, replace newer local transcripts (which are kept)',
  agent: 'Continue in this agent; a different agent gets the conversation so far as context',
  exec: "Run the agent's own resume command; arguments after -- are passed to it",
  dryRun: 'Say what would happen and where logs would be written, and do nothing',
  json: 'Print the result as JSON; asks nothing',
} as const;

const yesOrNo = { yes: 'Yes', no: 'No', initial: false } as const;
const FORCE = 'Run the command again with --force to go on without the question.';

/** A question, and what is said where nobody can answer it. */
export interface Asked {
  readonly question: Question;
  readonly refusal: { readonly message: string; readonly hint: string };
}

export const fetchBranch = (branch: string): Asked => ({
  question: { title: `Branch '${branch}' not found locally. Fetch from origin?`, ...yesOrNo },
  refusal: {
    message: `branch '${branch}' exists only on origin, and this is not an interactive terminal, so fetching it cannot be confirmed`,
    hint: FORCE,
  },
});
export const fetchingBranch = (branch: string): string => `Fetching branch '${branch}' from origin...`;
export const wouldFetch = (branch: string): string => `Would fetch branch '${branch}' from origin.`;
export const switched = (branch: string): string => `Switched to branch '${branch}'`;
export const wouldSwitch = (branch: string): string => `Would switch to branch '${branch}'.`;
export const leftHead = (commit: string): string =>
  `HEAD was detached at ${commit}; \`git switch --detach ${commit}\` goes back there.`;
export const switchFailed = (reason: string): string => `Failed to checkout branch: ${reason}`;
export const branchFetchFailed = (reason: string): string => `Failed to fetch branch: ${reason}`;

export const DIRTY = {
  message: 'you have uncommitted changes. Please commit or stash them first',
  hint: 'Untracked files are fine: `git stash` is enough.',
};
export const inProgress = (operation: string) => ({
  message: `a ${operation} is in progress in this worktree`,
  hint: 'Finish or abort it first.',
});

export const noCheckpoint = (branch: string): string => `No Entire checkpoint found on branch '${branch}'`;
export const unlinked = (commit: string): string => `No Entire checkpoint found in commit ${commit}`;
export const NO_SESSION = 'No session found in this repository';

export const olderCommit = (newer: number, commit: string, subject: string): string =>
  `Found checkpoint in an older commit.
${newer === 1 ? 'There is 1 newer commit' : `There are ${newer} newer commits`} on this branch without checkpoints.
Checkpoint from: ${commit} ${subject}
`;
export const OLDER: Asked = {
  question: { title: 'Resume from this older checkpoint?', ...yesOrNo },
  refusal: {
    message:
      'the checkpoint is from an older commit, and this is not an interactive terminal, so that cannot be confirmed',
    hint: FORCE,
  },
};
export const CANCELLED = 'Resume cancelled.';
export const WOULD_ASK = 'Would ask that, unless --force is given.';

export const noMetadata = (id: string, hasBranch: boolean): string =>
  [
    `Checkpoint '${id}' found in commit but session metadata not available`,
    ...(hasBranch ? [] : ['The entire/checkpoints/v1 branch may not exist locally or on the remote.']),
    'If a remote has it, `entire fetch` brings it here.',
  ].join('\n');
export const FETCHING_METADATA = 'Fetching session metadata from origin...';
export const metadataFetchFailed = (reason: string): string => `Failed to fetch metadata: ${reason}`;
export const BY_HAND = 'You can try manually: git fetch origin entire/checkpoints/v1:entire/checkpoints/v1';
export const FETCHING_MISSING = 'Fetching what this partial clone lacks...';
export const GOING_ON = 'Going on with what was fetched before.';

export const NEWER_HERE = '\nWarning: Local session log(s) have newer entries than the checkpoint:';
export const APART =
  '\nWarning: The checkpoint ends later than local session log(s), and lacks messages that they have. Somebody else may have written it:';
export const OTHERS = '\nThese other session(s) will also be restored:';
export const WILL_LOSE = '\nOverwriting will lose the newer local entries.\n';
export const WILL_LOSE_OWN = '\nOverwriting will lose the local entries that the checkpoint lacks.\n';
/** @param commands that go on with the newer logs */
export const overwrite = (commands: readonly string[], isApart: boolean): Asked => ({
  question: { title: 'Overwrite local session logs with checkpoint versions?', ...yesOrNo },
  refusal: {
    message: `local session logs have ${isApart ? 'entries that the checkpoint lacks' : 'newer entries than the checkpoint'}; nothing was written`,
    hint: `To go on with what is here: ${commands.join(', ')}. With --force it is replaced, and kept in the git folder.`,
  },
});
export const KEPT_LOCAL = 'Resume cancelled. Local session logs preserved.';
export const WOULD_REFUSE = 'Would ask before that, unless --force is given.';
export const wouldWrite = (text: string): string =>
  text
    .replaceAll('Writing to', 'Would write to')
    .replace('Writing transcript to', 'Would write transcript to')
    .replace('Restoring ', 'Would restore ');

export const session = (id: string): string => `Session: ${id}`;
export const restoredTo = (file: string): string => `Session restored to: ${file}`;
export const TO_CONTINUE = 'To continue this session, run:';
export const LEAD = 'To continue, run:';
export const toGoOnIn = (agent: string): string => `To go on with it in ${agent}, run:`;
export const leadIn = (agent: string): string => `To go on in ${agent}, run:`;
export const whatIsTold = (agent: string): string =>
  `\n${agent} starts a new session and is given the prompts and answers so far, without tool calls.`;
export const cannotBeTold = (agent: string, others: readonly string[]) => ({
  message: `${agent} can only continue its own sessions`,
  hint: `Agents that can take over another agent's session: ${others.join(', ')}.`,
});
export const nothingToTell = (id: string, agent: string) => ({
  message: `nothing of what was said in ${id} is here, so ${agent} cannot be told of it`,
  hint: 'If a colleague or another clone has it: `entire fetch`.',
});
export const noLog = (id: string): string =>
  `Session '${id}' found in commit trailer but session log not available`;
export const launchIn = (folder: string): string => `In the folder it belongs to: ${folder}`;

export const oddLog = (problem: string): string => `Warning: ${problem}`;
export const nothingRestored = (id: string) => ({
  message: `no session of checkpoint ${id} could be restored`,
  hint: 'The warnings say why.',
});
export const notStarted = (program: string, reason: string) => ({
  message: `${program} could not be started: ${reason}`,
  hint: 'Install the agent, or put it on the PATH. The session is restored all the same.',
});
export const EXEC_ALONE = 'cannot specify --exec with --json or --dry-run';
