import { join } from 'node:path';
import type { JsonObject } from '../../base/text/json.ts';
import { readConfig, table, userConfig } from './config.ts';

/** Settings of the machine: what an administrator demands, and what is so unless a user says otherwise. */
const SYSTEM_FOLDER = '/etc/codex';

/**
 * The settings file that switches off all hooks of a project, ours included; `undefined` where none does. What an
 * administrator demands stands above all; of the others that say something the nearest counts.
 *
 * @see https://developers.openai.com/codex/hooks
 */
export function findHookSwitch(root: string, env: NodeJS.ProcessEnv): string | undefined {
  const demanded = join(SYSTEM_FOLDER, 'requirements.toml');
  const demands = readConfig(demanded);
  if (demands.allow_managed_hooks_only === true || hooksFeature(demands) === false) return demanded;
  const files = [join(root, '.codex', 'config.toml'), userConfig(env), join(SYSTEM_FOLDER, 'config.toml')];
  const saying = files.find((file) => hooksFeature(readConfig(file)) !== undefined);
  return saying !== undefined && hooksFeature(readConfig(saying)) === false ? saying : undefined;
}

/** The switch, by its name and by the one it had before; `undefined` where the file has neither. */
function hooksFeature(config: JsonObject): boolean | undefined {
  const { hooks, codex_hooks: before } = table(config, 'features');
  return [hooks, before].find((value) => typeof value === 'boolean');
}
