import { basename, join } from 'node:path';
import { listNames, lstatIfExists } from '../base/disk.ts';
import { LOCAL_SETTINGS_FILE, readSettingsObject, SETTINGS_FILE } from './enabled.ts';

/** The key by which the user of this machine lets executables speak for agents. */
export const EXTERNAL_AGENTS = 'external_agents';

/**
 * Whether agents that are not built in may be asked. `shared`: the wish stands only where everybody who can write to the
 * repository can write it, and is not heard.
 */
export type ExternalAgentsWish = 'on' | 'off' | 'shared';

/**
 * What the settings below `root` say. Only `true` in a local file that git does not track counts: a repository must not be
 * able to have anything started on the machine of whoever clones it. Asks about the index only where the wish is there.
 *
 * @param isTracked whether git tracks `.entire/settings.local.json`, or what stands for it
 */
export function readExternalAgentsWish(root: string, isTracked: () => boolean): ExternalAgentsWish {
  if (wishes(root, LOCAL_SETTINGS_FILE)) return isPlain(root) && !isTracked() ? 'on' : 'shared';
  return wishes(root, SETTINGS_FILE) ? 'shared' : 'off';
}

/**
 * The file and its folder are themselves: a link could lead to something that git does track, and so could a name that the
 * file system takes for theirs, of which there are more than git folds (`ſettings.local.json` on APFS).
 */
const isPlain = (root: string): boolean =>
  isNamed(root, '.entire') &&
  isNamed(join(root, '.entire'), basename(LOCAL_SETTINGS_FILE)) &&
  lstatIfExists(join(root, '.entire'))?.isDirectory() === true &&
  lstatIfExists(join(root, LOCAL_SETTINGS_FILE))?.isFile() === true;

const isNamed = (dir: string, name: string): boolean => listNames(dir).includes(name);

function wishes(root: string, file: string): boolean {
  try {
    return readSettingsObject(root, file)?.[EXTERNAL_AGENTS] === true;
  } catch {
    return false; // what cannot be read says nothing
  }
}
