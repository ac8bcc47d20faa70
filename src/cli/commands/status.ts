import { locateRepo } from '../../git/locate.ts';
import { defineCommand } from '../command.ts';
import { renderJson } from '../json-output.ts';
import { NOT_A_REPO_STATUS, NOT_SET_UP } from '../messages.ts';
import { readStatusReport } from '../status-report.ts';
import { renderStatus, renderStatusJson } from '../status-view.ts';
import { plain, say } from '../terminal.ts';

export const statusCommand = defineCommand({
  options: {
    detailed: { type: 'boolean', describe: 'Show each settings file on its own' },
    json: { type: 'boolean', describe: 'Print the report as JSON' },
  },

  async run(flags) {
    const repo = locateRepo(process.cwd());
    const report = repo && (await readStatusReport(repo));
    if (flags.json) {
      const nothing = { enabled: false, reason: repo ? 'not-set-up' : 'not-a-repository' };
      return say(report ? renderStatusJson(report) : renderJson(nothing));
    }
    if (!report) return say(repo ? NOT_SET_UP : NOT_A_REPO_STATUS);
    say(plain(renderStatus(report, flags.detailed ?? false)));
  },
});
