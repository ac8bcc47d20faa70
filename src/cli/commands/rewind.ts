import { readBranch } from '../../history/branch.ts';
import { readRewindPoints } from '../../restore/points.ts';
import { readActivation } from '../../settings/enabled.ts';
import { defineCommand } from '../command.ts';
import { DISABLED_GUARD } from '../explain-messages.ts';
import { requireRepo } from '../repo.ts';
import * as text from '../rewind-messages.ts';
import { renderPointsJson } from '../rewind-view.ts';
import { say } from '../terminal.ts';

const options = {
  list: { type: 'boolean', describe: text.FLAGS.list },
} as const;

export const rewindCommand = defineCommand({
  options,

  async run() {
    const repo = await requireRepo('rewind');
    const activation = readActivation(repo);
    if (activation.kind === 'disabled') return say(DISABLED_GUARD);
    const strategy = activation.kind === 'enabled' ? activation.strategy : undefined;
    const branch = readBranch(repo);
    say(`${renderPointsJson(await readRewindPoints(branch, strategy))}\n`);
  },
});
