/** Sentences of `entire push` and `entire fetch`. */

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
  refused: 'The remote has a rule against it; its administrator can allow refs/heads/entire/checkpoints/v1.',
  moved: 'Others pushed at the same moment. Try again.',
  unsound: 'Nothing was taken over. Find out who wrote to entire/checkpoints/v1 there.',
  failed: 'Try again, or look closer with `GIT_TRACE=1`.',
};

export const failed = (what: 'push' | 'fetch', remote: string, { code, reason }: Failure) => ({
  message: `Failed to ${what} checkpoints ${what === 'push' ? 'to' : 'from'} ${remote}: ${reason}.`.replace(
    /\.\.$/,
    '.',
  ),
  hint: HINTS[code],
});
