import { locateRepo } from '../../git/locate.ts';
import { defineCommand } from '../command.ts';
import { BARE_STATUS, NOT_A_REPO_STATUS, NOT_SET_UP } from '../messages.ts';
import { withLinks } from '../ui/hyperlink.ts';
import { isBareRepo } from '../ui/repo.ts';
import { fitted, plain, renderJson, say } from '../ui/terminal.ts';
import { ABSOLUTE, wishAbsolute } from '../ui/time.ts';
import { tinted } from '../ui/tint.ts';
import { terminalWidth } from '../ui/width.ts';
import { readStatusReport } from './report.ts';
import { TONES } from './rows.ts';
import * as text from './text.ts';
import { renderDetailed, renderStatus, renderStatusJson } from './view.ts';

export const statusCommand = defineCommand({
  options: {
    detailed: { type: 'boolean', describe: text.FLAGS.detailed },
    absolute: ABSOLUTE,
    json: { type: 'boolean', describe: text.FLAGS.json },
  },

  async run(flags) {
    wishAbsolute(flags.absolute);
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
    if (!report) return say(NOT_SET_UP);
    const render = flags.detailed ? renderDetailed : renderStatus;
    const commits = report.verdicts.map(({ commit }) => commit);
    const files = report.sessions.flatMap(({ here, waiting }) => (here ? waiting : []));
    const shown = fitted(tinted(plain(render(report, terminalWidth())), TONES));
    say(withLinks(repo, shown, { commits, files }));
  },
});
