import { readConfig } from '../ref/refs.ts';
import type { Git } from '../run.ts';

/** What of a file's mode the file system does not keep, so that git goes by what it has. */
export interface ModeConfig {
  /** The executable bit. */
  readonly ignoresModes: boolean;
  /** That it is a symbolic link: git writes it as a file. */
  readonly ignoresLinks: boolean;
}

/** Names of the settings, as a pattern. */
const MODE_CONFIG = '^core\\.(filemode|symlinks)$';

const isOff = (value: string | undefined): boolean => /^(false|no|off|0*)$/i.test(value ?? 'true');

/** Reads what {@link MODE_CONFIG} names. */
export const parseModeConfig = (config: ReadonlyMap<string, string>): ModeConfig => ({
  ignoresModes: isOff(config.get('core.filemode')),
  ignoresLinks: isOff(config.get('core.symlinks')),
});

/** {@link parseModeConfig} of a repository. One process. */
export const readModeConfig = (git: Git): ModeConfig => parseModeConfig(readConfig(git, MODE_CONFIG));
