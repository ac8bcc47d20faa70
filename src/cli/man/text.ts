/** What stands in the manual and nowhere else. */

/** What a page is called: `entire-log` of `log`. */
export const manualOf = (command: string): string => `entire-${command}`;

export const BEGIN = 'To begin, run `entire enable` in a repository.';
export const HOOKS_EXIT = 'Hooks that agents and git call always exit with 0.';
/** Of commands that help does not list. */
export const OTHERS = 'Shells';
export const withoutCommand = (name: string, bare: string): string =>
  `\`entire ${name}\` alone is \`entire ${name} ${bare}\`, and takes its flags.`;

/** What git has for the same thing. */
export const RELATED: Readonly<Record<string, readonly string[]>> = {
  blame: ['git-blame'],
  config: ['git-config'],
  diff: ['git-diff'],
  fetch: ['git-fetch'],
  gc: ['git-gc'],
  log: ['git-log'],
  push: ['git-push'],
  reset: ['git-reset'],
  worktree: ['git-worktree'],
};

/** Below the help of a command, at a terminal. @param what a page, or its file */
export const readManual = (what: string): string =>
  `Manual: \`man ${/\s/.test(what) ? `'${what}'` : what}\`.`;
