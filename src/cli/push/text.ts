/** Sentences of `entire push` and `entire fetch`. */

import { type Kept, REMOTE_REFS } from '../../checkpoint/remote-refs.ts';
import type { NoDestination } from '../../sync/destination.ts';
import type { Failure } from '../../sync/transport.ts';

export const NOTHING_THERE = 'There are no checkpoints to push.';
export const NOTHING_NEW = (remote: string): string => `Everything up-to-date with ${remote}.`;
export const NO_PUSHES = 'Entire has pushed nothing from this repository.';
export const NOT_LISTED = 'What `git push --all` takes along is not listed here.';
export const badTimeout = (value: unknown): string =>
  `--timeout takes seconds from 1 to 3600, not "${value}"`;

export const consentQuestion = (remote: string, url: string) => ({
  title: `Push checkpoints to ${remote} (${url}) now?`,
  details:
    'The settings do not let checkpoints leave this machine by themselves. This pushes them once;\n`entire enable --push-sessions` lets them go along with your own pushes.',
  yes: 'Yes',
  no: 'No',
  initial: false,
});
export const NOT_PUSHED = 'Nothing was pushed.';
export const CONSENT_MISSING = {
  message: 'Pushing is not allowed: push_sessions is off.',
  hint: 'Look at `entire push --preview`; then `entire push --yes` for this once, or `entire enable --push-sessions`.',
};
export const unruled = (why: string) => ({
  message: `Pushing is not allowed: ${why}.`,
  hint: 'Correct the file, run that command, and push again.',
});
export const notAgreed = (why: string) => ({
  message: `Pushing is not allowed: ${why}.`,
  hint: 'Look at `entire push --preview`; `entire enable --push-sessions` shows the place and agrees to it.',
});

export function noDestination(none: NoDestination): { message: string; hint: string } {
  switch (none.none) {
    case 'no-remote':
      return {
        message: 'There is no remote to use.',
        hint: 'Add one with `git remote add`, or name one of several: `git remote -v` lists them.',
      };
    case 'unknown-remote':
      return { message: `There is no remote ${none.name}.`, hint: '`git remote -v` lists them.' };
    case 'mirror':
      return {
        message: `${none.name} is a mirror: every push to it takes all branches along.`,
        hint: `Use \`git push ${none.name}\`.`,
      };
    case 'other-remote':
      return {
        message: `Checkpoints of this repository go to ${none.usual ?? 'no remote'}, and nowhere else.`,
        hint: 'checkpoint_remote and checkpoint_push_remote in .entire/settings.json decide that.',
      };
    case 'bad-checkpoint-remote':
      return {
        message:
          'checkpoint_remote in the settings names no repository, and no other remote is used in its place.',
        hint: 'Write {"provider": "github", "repo": "owner/name"} (or "gitlab").',
      };
  }
}

const HINTS: Readonly<Record<Failure['code'], string>> = {
  timeout: 'Try again with a longer --timeout. What was to be pushed is still here.',
  offline: 'Look at the connection and at `git remote -v`, and try again. Nothing is lost.',
  auth: 'Sign in as for `git push`, and try again.',
  missing: 'Look at `git remote -v`.',
  refused: `The remote has a rule against it; its administrator can allow ${REMOTE_REFS.branch}.`,
  moved: 'Others pushed at the same moment. Try again.',
  unsound: 'Nothing was taken over. Find out who wrote to entire/checkpoints/v1 there.',
  locked: 'When no git process is running in this repository, delete that file, and try again.',
  failed: 'Try again, or look closer with `GIT_TRACE=1`.',
};

/** A branch is known by its short name. */
export const shortRef = (record: Kept): string => REMOTE_REFS[record].replace(/^refs\/heads\//, '');

export const keptAt = (record: Kept): string =>
  record === 'branch' ? `on the branch ${shortRef(record)}` : `at ${shortRef(record)}`;

export const keptFromNowOn = (record: Kept): string =>
  `The remote keeps checkpoints ${keptAt(record)}, from the next push on. What it has ${keptAt(record === 'ref' ? 'branch' : 'ref')} moves with \`entire push --move\`.`;
export const unknownPushTo = (name: string): string => `unknown place: ${name} (use branch or ref)`;
export const alsoAt = (remote: string, other: Kept, record: Kept): string =>
  `${remote} still has checkpoints ${keptAt(other)}, too: \`entire push --move\` takes what is there along to ${shortRef(record)}, and then removes it there.`;
export const movedTo = (remote: string, record: Kept, removed: Kept): string =>
  `${remote} keeps checkpoints ${keptAt(record)} now; ${shortRef(removed)} is removed there.`;
export const nothingToMove = (remote: string, record: Kept): string =>
  `${remote} keeps checkpoints ${keptAt(record)}, and nowhere else: there is nothing to move.`;
export const notRemoved = (remote: string, other: Kept, { reason, code }: Failure) => ({
  message: `${remote} has everything at its new place, and ${shortRef(other)} could not be removed there: ${reason}.`,
  hint:
    code === 'refused'
      ? `Its rules keep it, or it is the default branch there. An administrator can remove it; until then it does no harm.`
      : HINTS[code],
});

/** Not every server takes refs that are no branches and no tags. */
const REF_REFUSED = `The remote may take branches and tags alone, or have a rule against ${REMOTE_REFS.ref}. \`entire enable --push-to branch\` goes back to the branch, and nothing is lost.`;

export const failed = (what: 'push' | 'fetch', remote: string, failure: Failure, record: Kept) => ({
  message: failedTo(what, 'checkpoints', remote, failure),
  hint: record === 'ref' && failure.code === 'refused' ? REF_REFUSED : HINTS[failure.code],
});

export const notesFailed = (what: 'push' | 'fetch', remote: string, failure: Failure) => ({
  message: failedTo(what, 'notes of commits', remote, failure),
  hint: {
    ...HINTS,
    refused: `The remote takes no notes; its administrator can allow ${REMOTE_REFS.notes}. They are still here.`,
    unsound: `The notes here are as they were. Find out who wrote to ${REMOTE_REFS.notes} there.`,
  }[failure.code],
});

const failedTo = (what: 'push' | 'fetch', things: string, remote: string, { reason }: Failure): string =>
  `Failed to ${what} ${things} ${what === 'push' ? 'to' : 'from'} ${remote}: ${reason}.`.replace(
    /\.\.$/,
    '.',
  );
