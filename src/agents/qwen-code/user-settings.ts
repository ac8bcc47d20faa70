import { dirname, join } from 'node:path';
import { readUserText } from '../../base/file/small-file.ts';
import { asObject, type JsonObject, parseJson } from '../../base/text/json.ts';
import { configDir } from './session-home.ts';

/** Settings that an administrator deploys. */
const SYSTEM: Partial<Readonly<Record<NodeJS.Platform, string>>> = {
  darwin: '/Library/Application Support/QwenCode/settings.json',
  win32: 'C:\\ProgramData\\qwen-code\\settings.json',
};

/** Settings files that are not a project's: those of an administrator count before the user's, the defaults after them. */
export function settingsOutside(env: NodeJS.ProcessEnv): { system: string; user: string; defaults: string } {
  const system =
    env.QWEN_CODE_SYSTEM_SETTINGS_PATH || SYSTEM[process.platform] || '/etc/qwen-code/settings.json';
  return {
    system,
    user: join(configDir(env), 'settings.json'),
    defaults: env.QWEN_CODE_SYSTEM_DEFAULTS_PATH || join(dirname(system), 'system-defaults.json'),
  };
}

/** An object in a JSON file; what cannot be read says nothing. */
export function readObject(file: string): JsonObject {
  try {
    return asObject(parseJson(readUserText(file, 'home') ?? ''));
  } catch {
    return {};
  }
}
