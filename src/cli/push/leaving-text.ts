/** Sentences about what leaves this machine. */

import { counted } from '../../base/text/text.ts';
import type { Kept } from '../../checkpoint/remote-refs.ts';
import { KEYS } from '../../settings/keys.ts';
import type { Proposal, PushSettings } from '../../settings/push.ts';
import { UNRULED } from '../../settings/unruled.ts';
import { describeUnseen } from '../../sync/route.ts';
import type { StepsElsewhere } from '../../sync/steps-elsewhere.ts';
import { quoteWord } from '../ui/quote-word.ts';
import { oneLine } from '../ui/terminal.ts';
import { ago } from '../ui/time.ts';
import type { Leaving } from './leaving.ts';
import { keptAt } from './text.ts';
import type { ShownRemote } from './view.ts';

const HOW = '`entire enable --push-sessions` sends them along with your pushes';

/** Why a yes does not count, or is not there to count. */
export const describeProposal = ({ wanted, agreed }: Proposal): string =>
  wanted === ''
    ? `the repository no longer asks for ${agreed}, and nobody here has agreed to another place`
    : `the repository asks for ${wanted}, which nobody here has agreed to`;

const OWN_ANSWER = `git's ${KEYS.pushSessions.git}`;

/** Where a yes or a no comes from, and what is missing. */
export function describeConsent(
  { permission: { given, by }, proposal }: PushSettings,
  unseen: readonly string[] = [],
): string {
  if (given === false)
    return by === OWN_ANSWER ? `no, by git config ${KEYS.pushSessions.git}` : `refused by ${by}`;
  if (given === undefined) return 'not decided here';
  if (proposal) return `not given: ${describeProposal(proposal)}`;
  return unseen.length > 0 ? `not given: ${describeUnseen(unseen)}` : `given by ${by}`;
}

/** Why there is no place to go to. */
export const NO_PLACE = {
  'no-remote': 'there is no remote to push them to',
  'unknown-remote': 'the settings name a remote that does not exist',
  'other-remote': 'they go to another remote',
  mirror: 'the remote is a mirror, and takes every branch along by itself',
  'bad-checkpoint-remote': 'checkpoint_remote names no repository',
} as const;

/** One line, always: what leaves and where to, or that nothing does and why. */
export function sessionLogsLine({ settings, to, reason, unseen, lastPush }: Leaving): string {
  // Where everybody looks for them needs no word.
  const at = settings.pushTo === 'branch' ? '' : `, ${keptAt(settings.pushTo)}`;
  if (to)
    return `Session logs: go along with your pushes to ${placeOf(to)}${at}, ${describeConsent(settings)}`;
  const why = whyNot(settings, reason ?? 'undecided', unseen);
  if (!lastPush) return `Session logs: stay on this machine (${why})`;
  const left = lastPush.result === 'pushed' ? 'pushed' : 'may have been pushed';
  const place = placeOf({ remote: oneLine(lastPush.remote), url: oneLine(lastPush.url) });
  return `Session logs: ${left} to ${place} ${ago(lastPush.at)}; they do not go along with your pushes (${why})`;
}

/** What a push of the user's own took along, and what takes it away again. */
export const stepsElsewhereLine = ({ remote, branches }: StepsElsewhere): string =>
  `On ${remote}, as far as git knows: ${counted(branches.length, 'step branch', 'step branches')}, with transcripts and files that were never committed. ${removesThere(remote, branches)}.`;

/** The command that takes branches off a remote. */
export const removesThere = (remote: string, branches: readonly string[]): string =>
  `\`git push ${quoteWord(remote)} --delete ${branches.join(' ')}\` removes ${branches.length === 1 ? 'it' : 'them'} there`;

const placeOf = ({ remote, url }: ShownRemote): string => (remote === url ? remote : `${remote} (${url})`);

function whyNot(
  settings: PushSettings,
  reason: NonNullable<Leaving['reason']>,
  unseen: readonly string[],
): string {
  switch (reason) {
    case 'disabled':
      return 'Entire is not enabled';
    case 'refused':
      return describeConsent(settings);
    case 'undecided':
      return `nobody here has decided; ${HOW}`;
    case 'not-agreed':
      return `${settings.proposal ? describeProposal(settings.proposal) : ''}; run \`entire enable --push-sessions\` to review it and agree`;
    case 'not-shown':
      return `${describeUnseen(unseen)}; run \`entire enable --push-sessions\` to review it and agree`;
    case 'unruled':
      return UNRULED;
    default:
      return NO_PLACE[reason];
  }
}

export const summariesLine = (by: string | undefined): string =>
  `Summaries: claude is started for new checkpoints, after each turn (${by} says so)`;

export const unheardLine = (where: string, key: string): string =>
  `Ignored: "${key}" in ${where}; each person decides that, with \`entire enable\` or \`git config\``;

export const pushQuestion = (place: string, record: Kept) => ({
  title: 'Push session logs along with your own pushes?',
  details: `Session transcripts, with secrets removed, would go to: ${place}
${keptAt(record)}. Otherwise they stay on this machine.`,
  yes: 'Yes',
  no: 'No',
  initial: false,
});
export const goesAlong = (place: string): string => `Session logs go along with your pushes to: ${place}`;
export const staysFor = (settings: PushSettings, unseen: readonly string[]): string =>
  `session logs stay on this machine: ${describeConsent(settings, unseen)}.\n  entire enable --push-sessions`;
export const LOCAL_IS_SHARED =
  'Warning: a branch has .entire/settings.local.json, so it is not yours alone: your answer stands in the configuration of git.';
