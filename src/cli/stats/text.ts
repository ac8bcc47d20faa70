import { counted, showPath } from '../../base/text/text.ts';
import type { LineReason } from '../../origin/classify.ts';
import type { LineStats } from '../../origin/line-stats.ts';
import type { CommitRange } from '../../origin/range.ts';

/** What `entire stats` says. */

export const FLAGS = {
  range:
    'Commits as `git log` takes them (main..feature, v1.0..); by default those of this branch that the default branch does not have, and on the default branch the last 100',
  by: 'What the table is sorted by; by default by agent and by person',
  format: 'A table for a terminal, or one to paste into a pull request',
  json: 'Print all tables as JSON',
} as const;

export function whichCommits(range: CommitRange): string {
  const { kind, name = 'HEAD', commits, hasMore, paths } = range;
  const which = {
    named: `Commits of ${name}`,
    branch: `Commits of ${name} that the default branch does not have`,
    newest: `${hasMore ? 'The last commits' : 'Commits'} of ${name}`,
  }[kind];
  const of = paths.length === 0 ? '' : `, in ${paths.map(showPath).join(', ')}`;
  return `${which}${of}: ${commits.length}`;
}

export const isNoRange = (word: string, kind: 'session' | 'checkpoint'): string =>
  `${word} is a ${kind}; \`entire stats\` counts commits`;
export const namedHint = (word: string, kind: 'session' | 'checkpoint'): string =>
  kind === 'session'
    ? `\`entire log ${word}\` lists what it did, \`entire why ${word}\` shows the newest commit that it led to.`
    : `\`entire why ${word}\` shows the commit that it led to.`;
/** What is in no sum. */
export const leftOut = ({ range: { merges, cutOff }, unread, setUp }: LineStats): string[] => [
  ...(merges > 0
    ? [`${counted(merges, 'merge')} not counted: what they merged was added by other commits.`]
    : []),
  ...(cutOff > 0
    ? [
        `${counted(cutOff, 'commit')} not counted: this clone is shallow and ends there, so that what they added cannot be told. \`git fetch --unshallow\` gets the rest.`,
      ]
    : []),
  ...(setUp > 0 ? [`${counted(setUp, 'line')} of Entire's own set-up not counted.`] : []),
  ...(unread > 0 ? [`${counted(unread, 'commit')} not counted: too large to be read.`] : []),
];

export const nothing = (range: CommitRange): string =>
  range.cutOff > 0
    ? `No commits of ${range.name ?? 'HEAD'} that can be counted.`
    : range.paths.length > 0
      ? `No commits of ${range.name ?? 'HEAD'} in ${range.paths.map(showPath).join(', ')}.`
      : range.kind === 'branch'
        ? `${range.name ?? 'HEAD'} has no commits that the default branch does not have. \`entire stats HEAD\` counts its whole history.`
        : range.kind === 'named'
          ? `No commits in ${range.name}.`
          : 'No commits yet.';

export const OLDER = '`entire stats HEAD` counts the whole history.';
export const NO_LINES = 'These commits add no lines.';
export const NO_END = 'The range has several ends, so that what is left of it is not counted.';
export const missing = (count: number): string =>
  `${counted(count, 'commit')} ${count === 1 ? 'names a checkpoint that is' : 'name checkpoints that are'} not in this clone: run \`entire fetch\`.`;

/** What would tell more; nothing where that is not known to be of use. */
export function findRecord({ unlinked, unknown, hasCheckpoints }: LineStats, hasRemote: boolean): string[] {
  if (unlinked > 0)
    return [
      `${counted(unlinked, 'commit')} ${unlinked === 1 ? 'has' : 'have'} lines of sessions, and no link to them: \`entire relink\` links those where it finds a proof.`,
    ];
  return !hasCheckpoints && hasRemote && unknown.has('no-record') ? [NO_CHECKPOINTS] : [];
}
const NO_CHECKPOINTS =
  'There are no checkpoints here: `entire fetch` brings those of a remote, if it has any.';

/** Why nobody knows whose lines are: behind how many. */
export const UNKNOWN: Readonly<Partial<Record<LineReason, string>>> = {
  'no-record': 'in commits without a record',
  unseen: 'something in a session may have written them',
  reformatted: 'formatted since a session wrote others beside them',
  elsewhere: 'a session may have written them for another commit',
  'foreign-checkpoint': 'in commits that name the checkpoint of another one',
  'checkpoint-missing': 'in commits whose checkpoint is not in this clone',
};
