import { dirname, join } from 'node:path';
import { readTextIfExists } from '../../base/disk.ts';
import { isObject, type JsonObject, parseJson } from '../../base/json.ts';
import { configDir } from './session-home.ts';

/** Settings that an administrator deploys. */
const SYSTEM: Partial<Readonly<Record<NodeJS.Platform, string>>> = {
  darwin: '/Library/Application Support/QwenCode/settings.json',
  win32: 'C:\\ProgramData\\qwen-code\\settings.json',
};

/**
 * The settings file by which the client runs no hooks of a project; `undefined` where it runs them. An administrator's
 * settings count before the project's, those before the user's. In a folder that the user does not trust, where trust is
 * asked for at all, the client does not look at the project's settings.
 */
export function findHookSwitch(root: string, env: NodeJS.ProcessEnv): string | undefined {
  const system =
    env.QWEN_CODE_SYSTEM_SETTINGS_PATH || SYSTEM[process.platform] || '/etc/qwen-code/settings.json';
  const user = join(configDir(env), 'settings.json');
  const defaults = env.QWEN_CODE_SYSTEM_DEFAULTS_PATH || join(dirname(system), 'system-defaults.json');
  const files = [system, join(root, '.qwen', 'settings.json'), user, defaults];
  const saying = files.find((file) => typeof read(file).disableAllHooks === 'boolean');
  if (saying !== undefined && read(saying).disableAllHooks === true) return saying;
  const asksForTrust = [system, user, defaults].find((file) => trustSetting(file) !== undefined);
  if (asksForTrust === undefined || trustSetting(asksForTrust) !== true) return undefined;
  return isTrusted(root, env) ? undefined : trustFile(env);
}

const trustFile = (env: NodeJS.ProcessEnv): string =>
  env.QWEN_CODE_TRUSTED_FOLDERS_PATH || join(configDir(env), 'trustedFolders.json');

function trustSetting(file: string): unknown {
  const { security } = read(file);
  const trust = isObject(security) ? security.folderTrust : undefined;
  return isObject(trust) ? trust.enabled : undefined;
}

/** What is said of the folder itself, else of the nearest one above it; a rule may also be about all beside a folder. */
function isTrusted(root: string, env: NodeJS.ProcessEnv): boolean {
  const rules = new Map<string, boolean>();
  for (const [path, rule] of Object.entries(read(trustFile(env))))
    rules.set(rule === 'TRUST_PARENT' ? dirname(path) : path, rule !== 'DO_NOT_TRUST');
  for (let folder = root; ; folder = dirname(folder)) {
    const said = rules.get(folder);
    if (said !== undefined || folder === dirname(folder)) return said === true;
  }
}

/** What cannot be read says nothing here. */
function read(file: string): JsonObject {
  try {
    const value = parseJson(readTextIfExists(file) ?? '');
    return isObject(value) ? value : {};
  } catch {
    return {};
  }
}
