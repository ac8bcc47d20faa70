import { EntireError } from '../../base/errors.ts';
import { isObject } from '../../base/text/json.ts';
import type { AgentSettings } from '../shared/hook-settings.ts';
import { ask, call, INSTALL, misfit, type Plugin, QUESTION } from './call.ts';
import type { PluginInfo } from './info.ts';

/**
 * Our hooks in the settings of an agent, which its executable writes. It says whether they are there, all or none; how many
 * there are is the number of the verbs that it names.
 */
export function externalSettings(
  plugin: Plugin,
  { hookNames, capabilities, type }: PluginInfo,
): AgentSettings {
  const expected = Math.max(1, hookNames.length);
  const areInstalled = (): boolean => {
    if (!capabilities.has('hooks')) return false;
    const command = 'are-hooks-installed';
    const answer = ask(plugin, [command], QUESTION);
    if (isObject(answer) && typeof answer.installed === 'boolean') return answer.installed;
    throw misfit(plugin.program, command, 'no "installed"');
  };
  return {
    file: plugin.program,
    install(_place, { force = false } = {}) {
      if (!capabilities.has('hooks'))
        throw new EntireError(
          'UNSUPPORTED',
          `${plugin.program} says that it cannot install hooks for ${type}.`,
        );
      const command = 'install-hooks';
      const answer = ask(plugin, force ? [command, '--force'] : [command], INSTALL);
      const count = isObject(answer) ? answer.hooks_installed : undefined;
      if (typeof count !== 'number' || !Number.isSafeInteger(count) || count < 0)
        throw misfit(plugin.program, command, 'no "hooks_installed"');
      return { installed: count, removed: 0 };
    },
    uninstall() {
      if (!areInstalled()) return 0;
      call(plugin, ['uninstall-hooks'], INSTALL);
      return expected;
    },
    inspect: () => ({
      expected,
      current: areInstalled() ? expected : 0,
      ...{ outdated: 0, surplus: 0, obsolete: 0, unmet: 0 },
    }),
    list: () => [],
  };
}
