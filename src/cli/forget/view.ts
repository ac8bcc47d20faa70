import { MIN_BEGINNING } from '../../base/ids.ts';
import { replacesThere } from '../../checkpoint/remote-refs.ts';
/** What `entire forget` says. */

import { localDay } from '../../base/clock.ts';
import { counted, showPath } from '../../base/text/text.ts';
import type { ForgetPlan } from '../../doctor/forget/find.ts';
import type { Forgotten } from '../../doctor/forget/forget.ts';
import { dayOf, type Tombstone } from '../../session/tombstones.ts';
import { removesThere } from '../push/leaving-text.ts';
import { renderJson } from '../ui/terminal.ts';

export const FLAGS = {
  what: 'A session (id or prefix), or a turn as <session>:<n> (:-1 is the newest here)',
  dryRun: 'Say what would be forgotten, and change nothing',
  yes: 'Forget without asking',
  json: 'Print the report as JSON',
} as const;

export const QUESTION = { title: 'Forget it?', yes: 'Forget', no: 'Cancel', initial: false } as const;
export const CANCELLED = 'Cancelled; nothing was changed.';
export const FORGETTING = 'Removing it everywhere';
export const NOBODY_TO_ASK = {
  message: 'cannot ask for confirmation: this is not an interactive terminal',
  hint: 'Run the command with --yes, or see with --dry-run what it would do. Nothing was changed.',
};
export const nothingIs = (what: string): string =>
  what.length < MIN_BEGINNING
    ? `${what} is too short for an id: it takes ${MIN_BEGINNING} characters of it`
    : `no session and no turn begins with ${what}`;
export const WHERE_IDS =
  '`entire log` shows turns; `entire session list` shows sessions. For an old session give the whole id.';
export const STILL_OPEN = 'that turn is not over yet, and nothing of it is stored as such';
export const OPEN_HINT = 'Forget it when the agent has stopped, or the whole session now.';
export const several = (what: string, names: readonly string[]): string =>
  `several sessions and turns begin with ${what}: ${names.join(', ')}`;

/** A turn by its prompt and its files. */
export const aboutTurn = (subject: string, files: readonly string[]): string =>
  [subject, files.map((file) => showPath(file)).join(', ')].filter(Boolean).join(': ');

const nameOf = ({ target }: ForgetPlan, turn: string | undefined): string =>
  turn === undefined ? `session ${target.sessionId}` : `turn ${turn}`;

function checkpointsOf({ checkpoints, target }: ForgetPlan): string[] {
  if (checkpoints === 0) return [];
  const count = counted(checkpoints, 'checkpoint');
  const what = target.turn
    ? `its part of ${count} of its session on entire/checkpoints/v1, where they have one`
    : `${count} on entire/checkpoints/v1, without the session`;
  return [`  ${what}; all commits of it are rewritten`];
}

/** What would go. */
export const renderPlan = (plan: ForgetPlan, turn?: string, about?: string): string =>
  [
    `To be forgotten: ${nameOf(plan, turn)}`,
    ...(about === undefined ? [] : [`  ${about}`]),
    ...checkpointsOf(plan),
    ...(plan.branches > 0
      ? [`  its steps on ${counted(plan.branches, 'step branch', 'step branches')}`]
      : []),
    '  what is kept for undo, transcript caches and copies, records beside its state',
    'Files in the working directory and the commits of your branches stay as they are. This cannot be undone.',
    ...outOfReach(plan),
  ].join('\n');

/** What was done, and what is out of our reach. */
export const renderForgotten = (plan: ForgetPlan, done: Forgotten, turn?: string): string =>
  [
    `Forgotten: ${nameOf(plan, turn)}`,
    `  ${counted(done.checkpoints, 'checkpoint')}, ${counted(done.branches.length, 'step branch', 'step branches')}, ${counted(done.files, 'file')}`,
    ...outOfReach(plan),
  ].join('\n');

function outOfReach({ pushed, remotes, atRefs, pushedSteps, transcript }: ForgetPlan): string[] {
  const left = pushed.map(
    ({ at, remote, url, isSure }) =>
      `  - ${isSure ? '' : 'perhaps '}pushed on ${localDay(at)} to ${remote} (${url})`,
  );
  return [
    'Out of reach:',
    ...left,
    ...(remotes.length > 0
      ? [
          `  - ${remotes.join(', ')} ${remotes.length === 1 ? 'has' : 'have'} it still, as far as this clone knows: the next \`git push\` or \`entire fetch\` meets it there, leaves it out and says so; replace the branch there with \`git push --force\``,
        ]
      : []),
    ...atRefs.map(
      (name) => `  - on ${name} it is no branch: \`${replacesThere(name, 'ref')}\` replaces it there`,
    ),
    ...[...new Set(pushedSteps.map(({ remote }) => remote))].map((name) =>
      stepsAt(
        name,
        pushedSteps.flatMap(({ remote, branch }) => (remote === name ? branch : [])),
      ),
    ),
    '  - unreachable objects stay until `git gc --prune=now`, and other clones keep what they have',
    ...(transcript === '' ? [] : [`  - the agent's own transcript: ${transcript}`]),
  ];
}

const stepsAt = (remote: string, branches: readonly string[]): string =>
  `  - ${remote} has ${branches.length === 1 ? 'a step branch' : 'step branches'} with it, as far as this clone knows: ${removesThere(remote, branches)}, and ${branches.map((branch) => `${remote}/${branch}`).join(', ')} here`;

/** The report for programs; documented in docs/json.md. */
export const renderForgetJson = (plan: ForgetPlan, done: Forgotten | undefined): string =>
  renderJson({
    dry_run: done === undefined,
    session_id: plan.target.sessionId,
    turn: plan.target.turn?.id ?? null,
    checkpoints: done?.checkpoints ?? plan.checkpoints,
    branches: done ? done.branches : plan.branches,
    pushed: plan.pushed.map(({ at, remote, url, result, isSure }) => ({
      ...{ at, remote, url, result },
      sure: isSure,
    })),
    remotes: plan.remotes,
    remote_branches: plan.pushedSteps,
    transcript: plan.transcript || null,
  });

/** A session of which something was forgotten, in `why` and `explain`. */
export const forgottenOn = (sessionId: string, atMs: number, isWhole: boolean): string =>
  `${isWhole ? 'Session' : 'A part of session'} ${sessionId} was forgotten on ${dayOf({ atMs })}.`;

/** Forgotten before, and there again: an earlier version, or a merge by hand, took it from a remote. */
export const cameBack = (stone: Tombstone): string =>
  `Warning: session ${stone.sessionId}, forgotten here on ${dayOf(stone)}, came back with what the remote has. Forget it again, and replace the branch there with \`git push --force\`.`;
