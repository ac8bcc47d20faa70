import type { Deaf } from '../../settings/config/in-force.ts';
import type { PlaceRefusal } from '../../settings/config/places.ts';
import { LOCAL_SETTINGS_FILE } from '../../settings/layers.ts';

/** What `entire config` says. Values and files come in as they are; who prints it makes them safe. */

export const FLAGS = {
  local: 'In .entire/settings.local.json, for you in this worktree (the default)',
  project: 'In .entire/settings.json, for everybody who has the repository',
  global: 'In ~/.config/entire/settings.json, for you in all repositories',
  key: 'Name of a setting, such as log_level',
  value: 'The new value',
} as const;

export const DEFAULT = 'default';
export const NONE = '(none)';

export const unknown = (key: string, meant: string | undefined): string =>
  `no such setting: ${key}${meant === undefined ? '' : `; did you mean ${meant}?`}`;
export const UNKNOWN_HINT = '`entire config list` shows all of them.';
export const section = (keys: readonly string[]): string => `Below it are ${keys.join(', ')}.`;
export const wrongValue = (key: string, value: string, takes: string): string =>
  `${key} takes ${takes}, not ${value}`;
export const NOT_SET_UP = {
  message: 'Entire is not set up in this repository.',
  hint: 'Run `entire enable` first. With --global a setting holds in all repositories.',
};

/** Why a place is refused. */
export const REFUSED: Readonly<Record<PlaceRefusal, (key: string) => string>> = {
  unused: (key) => `${key} is kept for other releases, and has no effect in this one`,
  'not-shared': (key) =>
    `${key} is a key of git's configuration, which does not come along with a repository`,
  repository: (key) =>
    `${key} is ignored in .entire/settings.json: what a repository has committed cannot allow it`,
  'shared-local': (key) =>
    `${key} is ignored in ${LOCAL_SETTINGS_FILE}: a branch has that file, so it is not yours alone`,
  'in-worktree': () => 'your settings for all repositories lie in this worktree, so they are ignored here',
};
export const heardFrom = (key: string, git: string | undefined): string =>
  git === undefined
    ? `It only counts in your own files: --local or --global.`
    : `It only counts in your own files (entire config set ${key} <value>, --local or --global) and in git's configuration (entire config set ${git} <value>, --local or --global).`;

export const wasSet = (key: string, value: string, where: string): string =>
  `✓ ${key} set to ${value} (${where})`;
export const alreadySet = (key: string, value: string, where: string): string =>
  `${key} is already ${value} in ${where}; nothing changed.`;
export const wasUnset = (key: string, where: string): string => `✓ ${key} is no longer set in ${where}`;
export const notSet = (key: string, where: string): string =>
  `${key} is not set in ${where}; nothing changed.`;
export const inForce = (value: string, from: string): string => `  In effect: ${value} (${from})`;
export const stillInForce = (value: string, from: string): string =>
  `Warning: ${value} is still in effect, from ${from}, which wins.`;
export const adopted = (root: string): string =>
  `This worktree has settings of its own now; they begin with those of ${root}, which it followed.`;

/** Why what is set does not count. */
export const DEAF: Readonly<Record<Deaf, string>> = {
  shared: 'each person decides that, and what a repository has committed cannot',
  wrong: 'it is nothing that the key takes',
  proposal:
    'the repository asks for it, and nobody here has agreed; run `entire enable --push-sessions` to review it and agree',
  unused: 'it is kept for other releases, and has no effect in this one',
};
export const deafLine = (key: string, value: string, where: string, deaf: Deaf): string =>
  deaf === 'unused'
    ? `${key} = ${value}: set in ${where}; ${DEAF[deaf]}`
    : `${key} = ${value}: set in ${where}, ignored there: ${DEAF[deaf]}`;
export const unknownLine = (key: string, where: string): string =>
  `${key}: unknown key in ${where}, kept as it is`;
export const NOTES = 'Not in effect:';
