import { EntireError } from '../../base/errors.ts';
import type { Repo } from '../../git/locate.ts';
import { gitFor } from '../../git/run.ts';
import { findTracked } from '../../git/worktree/tracked.ts';
import { type OpenSources, openSources } from '../../hooks/agent/sources.ts';
import { type AskedKey, findKey, KEY_NAMES, keysBelow, listUnknown } from '../../settings/config/find-key.ts';
import { settingsRoot } from '../../settings/followed.ts';
import { AGREED_REMOTE, KEYS, type Key, SHOWN_PLACE } from '../../settings/keys.ts';
import { LOCAL_SETTINGS_FILE, refuseUnreadable, SETTINGS_FILE, whereOf } from '../../settings/layers.ts';
import { loadSettings } from '../../settings/settings.ts';
import { readSettingsFile, readUserSettingsFile } from '../../settings/settings-file.ts';
import { findMeant } from '../did-you-mean.ts';
import * as text from './text.ts';

/** The key that somebody names. @throws {EntireError} `NOT_FOUND` for none */
export function requireKey(name: string): AskedKey {
  const found = findKey(name);
  if (found) return found;
  const below = keysBelow(name);
  // Who leaves the sections out means the last word of a key.
  const meant = findMeant(name, KEY_NAMES) ?? KEY_NAMES.find((one) => one.endsWith(`.${name}`));
  throw new EntireError('NOT_FOUND', text.unknown(name, below.length > 0 ? undefined : meant), {
    hint: below.length > 0 ? text.section(below) : text.UNKNOWN_HINT,
  });
}

/** All that settings are read from. @throws {EntireError} `CONFIG_UNREADABLE`, as every command that acts on settings */
export function requireSources(repo: Repo): OpenSources {
  requireReadable(repo);
  loadSettings(settingsRoot(repo));
  const sources = openSources(repo);
  refuseUnreadable(sources.layers);
  return sources;
}

/** The files can be edited, whatever they hold. @throws {EntireError} `CONFIG_UNREADABLE` with the line */
export function requireReadable(repo: Repo): void {
  const root = settingsRoot(repo);
  for (const file of [SETTINGS_FILE, LOCAL_SETTINGS_FILE]) readSettingsFile(root, file);
  readUserSettingsFile(process.env);
}

/** A key that nobody knows, and where it stands. */
export interface UnknownKey {
  readonly key: string;
  readonly where: string;
}

/** Keys that no release knows, such as a misspelt one: in the files, and in git's configuration. */
export function listUnknownKeys({ layers, witness }: OpenSources): UnknownKey[] {
  const known = [...Object.values<Key>(KEYS).flatMap(({ git }) => git ?? []), AGREED_REMOTE, SHOWN_PLACE];
  const ofGit = witness
    .gitValues()
    .filter(({ key }) => !known.some((name) => name.toLowerCase() === key))
    .map(({ key }) => ({ key, where: "git's configuration" }));
  const ofFiles = layers.flatMap((layer) =>
    listUnknown(layer.values).map((key) => ({ key, where: whereOf(layer) })),
  );
  return [...ofFiles, ...ofGit];
}

/** Whether git has the local settings file at all, so that it is nobody's own. */
export const isLocalTracked = (repo: Repo): boolean =>
  findTracked(gitFor(repo), [LOCAL_SETTINGS_FILE]).size > 0;
