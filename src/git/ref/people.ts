/**
 * Which refs are people's, and which are ours or git's own, as `git log` and `git rev-list` take them. A pattern that is left out counts up to
 * the next option that names refs.
 *
 * @see https://git-scm.com/docs/git-rev-list#Documentation/git-rev-list.txt---excludeglob-pattern
 */
const without = (patterns: readonly string[]): string[] => patterns.map((pattern) => `--exclude=${pattern}`);

/** What we write: steps and checkpoints, here and as remotes have them, and notes. */
const OURS = ['refs/heads/entire/*', 'refs/remotes/*/entire/*', 'refs/entire/*', 'refs/notes/*'];
/** What git keeps for somebody to go back to. */
const KEPT = ['refs/stash', 'refs/original/*'];

/** Everything but what we write, and HEAD. */
export const ALL_BUT_OURS: readonly string[] = [...without(OURS), '--all'];

/** What people have: branches, tags, branches of remotes, and HEAD. */
export const REFS_OF_PEOPLE: readonly string[] = [...without(KEPT), ...ALL_BUT_OURS];

/** Branches of this repository alone. */
export const BRANCHES_OF_PEOPLE: readonly string[] = [...without(['entire/*']), '--branches'];

/** Branches of remotes alone, as they were last fetched or pushed. */
export const REMOTES_OF_PEOPLE: readonly string[] = [...without(['*/entire/*']), '--remotes'];
