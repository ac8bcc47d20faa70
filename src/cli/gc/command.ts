import { settingsRoot } from '../../settings/followed.ts';
import { readSnapshotBudget } from '../../settings/snapshots.ts';
import { collectGarbage } from '../../snapshot/store/collect.ts';
import { defineCommand } from '../command.ts';
import { withProgress } from '../ui/progress.ts';
import { requireRepo } from '../ui/repo.ts';
import { plain, say } from '../ui/terminal.ts';
import { renderCollected, renderCollectedJson } from './view.ts';

export const gcCommand = defineCommand({
  options: {
    'dry-run': { type: 'boolean', describe: 'Say what would be removed, and remove nothing' },
    json: { type: 'boolean', describe: 'Print the report as JSON' },
  },

  async run(flags) {
    const repo = await requireRepo('gc');
    const budgetBytes = readSnapshotBudget(settingsRoot(repo));
    const isDryRun = flags['dry-run'] ?? false;
    const report = await withProgress(({ step: onProgress }) =>
      collectGarbage(repo.commonDir, { budgetBytes, isDryRun, onProgress }),
    );
    const render = flags.json ? renderCollectedJson : renderCollected;
    const text = render(report, budgetBytes, isDryRun);
    say(flags.json ? text : plain(text));
  },
});
