import { join } from 'node:path';
import { readUserText } from '../../base/file/small-file.ts';
import { asObject, parseJson } from '../../base/text/json.ts';
import { configDir } from './session-home.ts';

/** Settings that an administrator deploys stand above all others. */
const MANAGED: Partial<Readonly<Record<NodeJS.Platform, string>>> = {
  darwin: '/Library/Application Support/ClaudeCode/managed-settings.json',
  linux: '/etc/claude-code/managed-settings.json',
  win32: 'C:\\Program Files\\ClaudeCode\\managed-settings.json',
};

/**
 * The settings file that switches off all hooks of a project, ours included; `undefined` where none does. Of several
 * that say something the nearest counts: an administrator's, the user's own for the project, the project's, the user's.
 *
 * @see https://code.claude.com/docs/en/settings
 */
export function findHookSwitch(root: string, env: NodeJS.ProcessEnv): string | undefined {
  const managed = MANAGED[process.platform];
  const files = [
    join(root, '.claude', 'settings.local.json'),
    join(root, '.claude', 'settings.json'),
    join(configDir(env), 'settings.json'),
  ];
  if (managed !== undefined && read(managed).allowManagedHooksOnly === true) return managed;
  const saying = [...(managed ? [managed] : []), ...files].find(
    (file) => typeof read(file).disableAllHooks === 'boolean',
  );
  return saying !== undefined && read(saying).disableAllHooks === true ? saying : undefined;
}

/** What cannot be read says nothing here. */
function read(file: string): Readonly<Record<string, unknown>> {
  try {
    return asObject(parseJson(readUserText(file, 'home') ?? ''));
  } catch {
    return {};
  }
}
