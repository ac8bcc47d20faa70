import { EntireError } from '../../base/errors.ts';
import { readActivation } from '../../settings/enabled.ts';
import { noteRulesApplied } from '../../settings/unruled.ts';
import { scrub } from '../../strategy/scrub/scrub.ts';
import { workIn } from '../../strategy/work.ts';
import { defineCommand } from '../command.ts';
import { requireRepo } from '../ui/repo.ts';
import { plain, say } from '../ui/terminal.ts';
import { renderScrub, renderScrubJson } from './view.ts';

export const scrubCommand = defineCommand({
  options: {
    'dry-run': { type: 'boolean', describe: 'Say what would change, and change nothing' },
    rewrite: { type: 'boolean', describe: 'Write older commits of entire/checkpoints/v1 again, too' },
    json: { type: 'boolean', describe: 'Print the report as JSON' },
  },

  async run(flags) {
    const repo = await requireRepo('scrub');
    const activation = readActivation(repo);
    const [refused] = activation.kind === 'not-set-up' ? [] : activation.refused;
    if (refused)
      throw new EntireError('CONFIG_UNREADABLE', `${refused.file} is unreadable (${refused.reason}).`, {
        hint: 'Correct the file and run the command again: it may ask for more to be replaced.',
      });
    const root = activation.kind === 'not-set-up' ? repo.worktreeRoot : activation.root;
    const options = { dryRun: flags['dry-run'] ?? false, rewrite: flags.rewrite ?? false };
    const report = await scrub(workIn(repo), root, options);
    if (!options.dryRun && report.branches.every(({ olderCommits }) => !olderCommits))
      noteRulesApplied(repo.commonDir);
    say(flags.json ? renderScrubJson(report) : plain(renderScrub(report)));
  },
});
