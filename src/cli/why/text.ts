/** What `entire why` says: one sentence for each reason, and what can be done about it. */

import { counted, showPath } from '../../base/text/text.ts';
import type { LinkPlace } from '../../git/commit/links.ts';
import type { WhyReason } from '../../origin/reason.ts';
import type { WhyReport } from '../../origin/why.ts';
import { quoteWord } from '../ui/quote-word.ts';

export const COMMIT =
  'A commit, or `<file>:<line>` for the one a line comes from; or a session, turn or checkpoint, for the newest it led to. Default: HEAD';

export const filesHint = (file: string, isFolder: boolean): string =>
  isFolder
    ? `\`entire log -- ${quoteWord(file)}\` says which commits changed it.`
    : `\`entire blame ${quoteWord(file)}\` says who wrote its lines, \`entire log -- ${quoteWord(file)}\` which commits changed it.`;
export const turnTakenBack = (name: string): string => `turn ${name} was taken back, and is in no commit`;
export const turnWithoutCommit = (name: string): string => `no commit that is known here has turn ${name}`;
export const turnHint = (name: string): string =>
  `\`entire diff ${name}\` shows what it changed, \`entire explain ${name}\` what was said.`;
/** @param commits that lines of a file come from, where there is not one alone; `undefined` for lines that no commit has yet */
export function noOneCommit(place: string, commits: readonly (string | undefined)[]): string {
  const known = commits.flatMap((oid) => oid?.slice(0, 7) ?? []);
  if (known.length === 0) return `${showPath(place)} is not committed yet`;
  return known.length < commits.length
    ? `${showPath(place)}: partly ${known.join(', ')}, partly not committed yet`
    : `${showPath(place)} comes from several commits: ${known.join(', ')}`;
}

interface Explanation {
  readonly sentence: string | ((report: WhyReport) => string);
  /** What to do, one line each; commands stand in back quotes. None where all is well, or nothing helps. */
  advise(report: WhyReport): readonly string[];
}

const none = (): readonly string[] => [];

/** Makes the commit again, with the same message and author: our hooks then see what it holds. */
const REMAKE = '`git reset --soft HEAD~1 && git commit --reuse-message=ORIG_HEAD`';
const FETCH = 'If a colleague or another clone has the checkpoint: `entire fetch`.';

/** A session's conversation is stored from where the last checkpoint of it ends. */
const STAYS =
  'What was said and done stays with the session, and is stored with the next commit that holds new work of it.';

/** A commit can be made again as long as nothing stands on it. */
function remake({ isHead, isMerge, isLookedAt, waiting, verdict }: WhyReport): readonly string[] {
  const sessions = waiting.length > 0 ? waiting : (verdict?.sessions ?? []);
  if (sessions.length === 0) return [];
  if (isLookedAt) return ['The next prompt of an agent in this worktree links it, by a git note.'];
  if (isMerge) return [STAYS];
  if (!isHead)
    return ['Later commits build on it, so it cannot be linked any more without rewriting them.', STAYS];
  return [`To link it, if you have not shared it yet: ${REMAKE}.`];
}

/** Whose lines are in it. */
const explains = ({ madeOf }: WhyReport): readonly string[] =>
  madeOf.length > 0
    ? [`What was said for those: ${madeOf.map((id) => `\`entire explain ${id}\``).join(', ')}.`]
    : [];

/** What was made of other commits is found by its content. */
const relinks = ({ status, commit, madeOf, hasCheckpoints }: WhyReport): readonly string[] => {
  if (status !== 'not-linked' || !hasCheckpoints) return [];
  const which = madeOf.length > 0 ? 'them' : 'the work of sessions that it holds, if any';
  return [`To link it with ${which}: \`entire relink ${commit.slice(0, 7)}\`.`];
};

const original = ({ replayed, isRevert }: WhyReport): readonly string[] => {
  if (!replayed) return [];
  const short = replayed.slice(0, 7);
  return [`${isRevert ? 'It reverts' : 'It was replayed from'} ${short}: \`entire why ${short}\`.`];
};

function replayed({ status, isRevert }: WhyReport): string {
  if (isRevert)
    return status === 'linked'
      ? 'it takes back what another commit did, and brings back what sessions wrote'
      : 'it takes back what another commit did, and holds no new work of a session';
  return status === 'linked'
    ? 'it was replayed by rebase or cherry-pick, and has the trailer of the commit that it is made of'
    : 'it was replayed by rebase, cherry-pick or revert, which bring a trailer along where there is one';
}

export const EXPLANATIONS: Readonly<Record<WhyReason, Explanation>> = {
  linked: {
    sentence: 'it holds work of the sessions below, stored under the id in its trailer',
    advise: none,
  },
  kept: { sentence: 'it was amended, and kept the link it had', advise: none },
  paused: {
    sentence: 'it was made during a pause (`entire pause`), of which nothing is recorded',
    advise: none,
  },
  'switched-off': { sentence: 'it was made with ENTIRE=0, which switches every hook off', advise: remake },
  sequence: {
    sentence: replayed,
    advise: (report) => [...original(report), ...relinks(report)],
  },
  trailer: { sentence: 'the id in its trailer leads to a checkpoint that is here', advise: none },
  'made-of': {
    sentence: 'it names the checkpoints of the commits that it was made of, as by a squash',
    advise: none,
  },
  'no-session': {
    sentence: 'no agent session was known in this worktree when it was made',
    advise: (report) =>
      report.waiting.length > 0
        ? remake(report)
        : ['If an agent made it: see `entire status` for whether its hooks are installed.'],
  },
  'no-overlap': {
    sentence: 'nothing in it is uncommitted work of a session in this worktree',
    advise: remake,
  },
  'trailer-missing': {
    sentence:
      'it holds work of a session, but its message has no trailer: it was removed, or the hook that writes it did not run',
    advise: remake,
  },
  'unknown-checkpoint': {
    sentence:
      'its trailer names a checkpoint for which no session here had anything; it may be copied or made up',
    advise: () => [FETCH],
  },
  'foreign-checkpoint': {
    sentence: 'its trailer names a checkpoint that is not its own; it may have been copied from another one',
    advise: remake,
  },
  merge: {
    sentence: ({ isMerge, madeOf }) =>
      !isMerge && madeOf.length > 0
        ? 'it has lines that sessions wrote for other commits, and does not name the checkpoints of those'
        : 'it is a merge or a squash, which is not linked itself; what it was made of has links of its own',
    advise: (report) => [
      ...(report.isMerge
        ? [`What it merged: \`entire why ${report.commit.slice(0, 7)}^2\`.`]
        : [...explains(report), ...relinks(report)]),
    ],
  },
  'condense-failed': {
    sentence: 'its checkpoint could not be stored',
    advise: ({ isOwed }) => [
      isOwed ? 'The next hook in this worktree tries again: prompt the agent, or commit.' : STAYS,
      'The error is in .entire/logs/entire.log; `entire status` shows recent ones.',
    ],
  },
  forgotten: {
    sentence: 'what it was linked to was forgotten here (`entire forget`)',
    advise: none,
  },
  'metadata-missing': {
    sentence: 'its trailer names a checkpoint, but the checkpoint is not in this clone',
    advise: ({ isOwed }) =>
      isOwed ? ['The next hook in this worktree stores it: prompt the agent, or commit.'] : [FETCH],
  },
  'not-set-up': {
    sentence: 'Entire is not set up here, so nothing was recorded, and its message names no checkpoint',
    advise: () => ['For commits to come: `entire enable`.'],
  },
  disabled: {
    sentence: 'Entire is disabled here, and there is no record from when it was made',
    advise: () => ['For commits to come: `entire enable`.'],
  },
  'auto-commit': {
    sentence:
      'with the strategy auto-commit, what the agent does is committed for it, and a commit that you make yourself gets no checkpoint',
    advise: none,
  },
  'hooks-missing': {
    sentence: "there is no record of it, and not all of Entire's git hooks are installed",
    advise: (report) => [
      'To put the hooks back: `entire enable`.',
      ...(report.waiting.length > 0 ? remake(report) : relinks(report)),
    ],
  },
  'before-records': {
    sentence: 'it is older than the oldest record here, and its message names no checkpoint',
    advise: remake,
  },
  'no-record': {
    sentence:
      'there is no record of it: it was made in another clone, without the git hooks, or while Entire was disabled',
    advise: (report) => (report.waiting.length > 0 ? remake(report) : relinks(report)),
  },
};

export const STATUS_WORDS = {
  linked: 'Linked',
  incomplete: 'Incomplete',
  'not-linked': 'Not linked',
} as const;

export const PLACES: Readonly<Record<LinkPlace, string>> = {
  trailer: 'in another trailer',
  message: 'elsewhere in its message',
  note: 'in its git note',
};
export const MENTIONED = 'Ids that it names besides, and that link nothing:';
export const NOT_HERE = 'not in this clone';
export const WAITING = 'Sessions that changed these files, with work that is not in a checkpoint yet:';
export const estimate = (agent: number, added: number, changed: number): string =>
  `Estimate for this session (moved lines count as new): ${counted(agent, 'line')} by the agent, ${added} added and ${changed} changed by others. Line by line: \`entire blame <file>\`.`;
export const NO_PROMPT = '(no prompt)';
/** Lines of a session in a commit that was made of others. */
export const ownLines = (count: number): string => `Lines: ${count} of those that this commit adds`;
export const added = (shares: string): string =>
  `This commit adds ${shares}. Line by line: \`entire blame <file>\`.`;

const MORE_SHOWN = 5;

/** A command for each checkpoint; of many the first ones. */
export function more(ids: readonly string[]): string[] {
  const shown = ids.slice(0, ids.length > MORE_SHOWN + 1 ? MORE_SHOWN : ids.length);
  const left = ids.length - shown.length;
  const [first, ...others] = shown.map((id) => `\`entire explain --checkpoint ${id}\``);
  if (first === undefined) return [];
  if (others.length === 0) return [`More: ${first}.`];
  return [
    'More:',
    ...[first, ...others].map((one) => `  ${one}`),
    ...(left > 0 ? [`  and ${left} more`] : []),
  ];
}
