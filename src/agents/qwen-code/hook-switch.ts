import { join } from 'node:path';
import { readObject, settingsOutside } from './user-settings.ts';

/**
 * The settings file by which the client runs no hooks of a project; `undefined` where it runs them. An administrator's
 * settings count before the project's, those before the user's.
 */
export function findHookSwitch(root: string, env: NodeJS.ProcessEnv): string | undefined {
  const { system, user, defaults } = settingsOutside(env);
  const files = [system, join(root, '.qwen', 'settings.json'), user, defaults];
  const saying = files.find((file) => typeof readObject(file).disableAllHooks === 'boolean');
  return saying !== undefined && readObject(saying).disableAllHooks === true ? saying : undefined;
}
