import { locateRepo } from '../../git/locate.ts';
import { defineCommand } from '../command.ts';
import { BARE_STATUS, NOT_A_REPO_STATUS, NOT_SET_UP } from '../messages.ts';
import { isBareRepo } from '../ui/repo.ts';
import { plain, renderJson, say } from '../ui/terminal.ts';
import { readStatusReport } from './report.ts';
import { renderStatus, renderStatusJson } from './view.ts';

export const statusCommand = defineCommand({
  options: {
    detailed: { type: 'boolean', describe: 'Show each settings file on its own' },
    json: { type: 'boolean', describe: 'Print the report as JSON' },
  },

  async run(flags) {
    const repo = locateRepo(process.cwd());
    if (!repo) {
      const isBare = await isBareRepo(process.cwd());
      const nothing = { enabled: false, reason: isBare ? 'bare-repository' : 'not-a-repository' };
      say(flags.json ? renderJson(nothing) : isBare ? BARE_STATUS : NOT_A_REPO_STATUS);
      process.exitCode = 1;
      return;
    }
    const report = await readStatusReport(repo);
    if (flags.json)
      return say(report ? renderStatusJson(report) : renderJson({ enabled: false, reason: 'not-set-up' }));
    say(report ? plain(renderStatus(report, flags.detailed ?? false)) : NOT_SET_UP);
  },
});
