import { readUsage } from '../../doctor/usage.ts';
import { workIn } from '../../strategy/work.ts';
import { defineCommand } from '../command.ts';
import { withProgress } from '../ui/progress.ts';
import { requireRepo } from '../ui/repo.ts';
import { plain, say } from '../ui/terminal.ts';
import { terminalWidth } from '../ui/width.ts';
import { renderUsage, renderUsageJson } from './view.ts';

export const duCommand = defineCommand({
  options: {
    json: { type: 'boolean', describe: 'Print the report as JSON, with all sessions' },
  },

  async run({ json }) {
    const repo = await requireRepo('du');
    const report = await withProgress((progress) => {
      progress.step('Adding up what is kept');
      return readUsage(workIn(repo));
    });
    say(json ? renderUsageJson(report) : plain(renderUsage(report, terminalWidth())));
  },
});
