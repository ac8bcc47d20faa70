import { isObject } from '../../base/text/json.ts';
import { KEY_NAMES } from '../../settings/config/find-key.ts';
import { readInForce } from '../../settings/config/in-force.ts';
import { renderSetting } from '../../settings/config/typed-value.ts';
import { defineCommand } from '../command.ts';
import { requireRepo } from '../ui/repo.ts';
import { plain, say, sayAsIs } from '../ui/terminal.ts';
import { terminalWidth } from '../ui/width.ts';
import { listUnknownKeys, requireKey, requireSources } from './setting.ts';
import * as text from './text.ts';
import { listInForce, renderList, renderListJson, renderOneJson } from './view.ts';

export const listCommand = defineCommand({
  options: { json: { type: 'boolean', describe: 'Print the list as JSON' } },
  async run({ json }) {
    const sources = requireSources(await requireRepo('config'));
    const settings = listInForce(sources);
    const unknown = listUnknownKeys(sources);
    if (json) return say(renderListJson(settings, unknown));
    say(renderList(settings, unknown, terminalWidth()));
  },
});

export const getCommand = defineCommand({
  positionals: { key: { type: 'string', demandOption: true, describe: text.FLAGS.key } },
  options: { json: { type: 'boolean', describe: 'Print it as JSON, with where it is set' } },
  completes: { key: KEY_NAMES },
  examples: ['entire config get strategy'],
  async run({ key: name, json }) {
    const repo = await requireRepo('config');
    const asked = requireKey(name);
    const found = readInForce(asked.name, requireSources(repo));
    const label = asked.path[asked.key.path.length];
    const own = isObject(found.value) && label !== undefined ? found.value[label] : undefined;
    const value = label === undefined ? found.value : own;
    if (json) return say(renderOneJson({ ...found, value }));
    sayAsIs(plain(renderSetting(asked.key.takes, value)));
  },
});
