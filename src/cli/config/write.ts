import { dirname, join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { SessionId } from '../../base/ids.ts';
import { isObject } from '../../base/text/json.ts';
import type { Repo } from '../../git/locate.ts';
import { hasOwnConfig, readOwnConfig, writeOwnConfig } from '../../git/own-config.ts';
import { gitFor } from '../../git/run.ts';
import { withSessionLock } from '../../session/lock.ts';
import { dropIdle } from '../../session/record/idle.ts';
import type { AskedKey } from '../../settings/config/find-key.ts';
import type { SettingPlace } from '../../settings/config/places.ts';
import { renderSetting, type SettingValue } from '../../settings/config/typed-value.ts';
import { adoptSettings, settingsRoot } from '../../settings/followed.ts';
import { ensureExcluded } from '../../settings/gitignore.ts';
import { SHOWN_PLACE } from '../../settings/keys.ts';
import { LOCAL_SETTINGS_FILE, SETTINGS_FILE, userSettingsFile } from '../../settings/layers.ts';
import {
  editSettingsFile,
  editUserSettingsFile,
  readSettingsFile,
  readUserSettingsFile,
} from '../../settings/settings-file.ts';
import { isLocalTracked } from './setting.ts';

const LOCK = 'settings' as SessionId;

/**
 * Runs `body` while no other command changes a setting. The lock lies in the git folder, which all worktrees share and no repository
 * brings along; for what holds in all repositories, beside that file.
 *
 * @throws {EntireError} `LOCKED`
 */
export const withSettingsLock = <T>(
  { commonDir }: Repo,
  body: () => T,
  place: SettingPlace = 'local',
): Promise<T> => {
  const dir = place === 'global' ? dirname(userSettingsFile(process.env)) : join(commonDir, 'entire');
  return withSessionLock(dir, LOCK, body);
};

const REACHES = { local: 'clone', project: 'clone', global: 'machine' } as const;

const fileOf = (place: Exclude<SettingPlace, 'global'>): string =>
  place === 'project' ? SETTINGS_FILE : LOCAL_SETTINGS_FILE;

/** Whether git's configuration of this clone says the same as the local file, so that both are the person's word for this clone. */
export const isSaidTwice = (repo: Repo, { key, isGits }: AskedKey, place: SettingPlace): boolean =>
  !isGits && place === 'local' && key.git !== undefined && hasOwnConfig(gitFor(repo), key.git);

/** Whether a place says just that of a key already; `undefined` for nothing. */
export function saysAlready(
  repo: Repo,
  asked: AskedKey,
  place: SettingPlace,
  value: SettingValue | undefined,
): boolean {
  const { key, path, isGits } = asked;
  if (isGits || isSaidTwice(repo, asked, place)) {
    const told = value === undefined ? [] : [renderSetting(key.takes, value)];
    const isSame = isDeepStrictEqual(readOwnConfig(gitFor(repo), key.git ?? '', REACHES[place]), told);
    if (isGits || !isSame) return isSame;
  }
  const values =
    place === 'global'
      ? readUserSettingsFile(process.env)
      : readSettingsFile(settingsRoot(repo), fileOf(place));
  const there = path.reduce<unknown>((object, word) => (isObject(object) ? object[word] : undefined), values);
  return isDeepStrictEqual(there, value);
}

/**
 * Sets a key in a place, or takes it away with `undefined`. The local file and git's configuration of this clone are one place where
 * `enable` has written both.
 */
export function changePlace(
  repo: Repo,
  asked: AskedKey,
  place: SettingPlace,
  value: SettingValue | undefined,
): void {
  const { key } = asked;
  const told = value === undefined ? undefined : renderSetting(key.takes, value);
  const git = gitFor(repo);
  const isTwice = isSaidTwice(repo, asked, place);
  if (!asked.isGits) changeFile(repo, asked, place, value);
  if (key.git !== undefined && (asked.isGits || isTwice)) writeOwnConfig(git, key.git, told, REACHES[place]);
  // A no, and no answer, take along for which places a yes was given.
  if (asked.name === 'pushSessions' && place !== 'global' && value !== true)
    writeOwnConfig(git, SHOWN_PLACE, undefined);
  if (asked.name === 'enabled' && value === false) dropIdle(repo); // whatever the clock says
}

function changeFile(
  repo: Repo,
  { path }: AskedKey,
  place: SettingPlace,
  value: SettingValue | undefined,
): void {
  const edits = [{ path, value }];
  if (place === 'global') return void editUserSettingsFile(process.env, edits);
  adoptSettings(repo, () => isLocalTracked(repo));
  editSettingsFile(repo.worktreeRoot, fileOf(place), edits);
  if (place === 'local') ensureExcluded(repo.commonDir);
}
