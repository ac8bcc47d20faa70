import { EntireError } from '../../base/errors.ts';
import type { Repo } from '../../git/locate.ts';
import { readBranch } from '../../history/branch.ts';
import { relink } from '../../origin/relink/relink.ts';
import { workIn } from '../../strategy/work.ts';
import { defineCommand } from '../command.ts';
import { withProgress } from '../ui/progress.ts';
import { requireRepo } from '../ui/repo.ts';
import { plain, say } from '../ui/terminal.ts';
import { terminalWidth } from '../ui/width.ts';
import * as text from './text.ts';
import { renderRelink, renderRelinkJson } from './view.ts';

export const relinkCommand = defineCommand({
  positionals: { range: { type: 'string', describe: text.FLAGS.range } },
  options: {
    'dry-run': { type: 'boolean', describe: text.FLAGS.dryRun },
    json: { type: 'boolean', describe: text.FLAGS.json },
  },
  examples: ['entire relink', 'entire relink --dry-run main..HEAD', 'entire relink HEAD~1..HEAD'],
  async run({ range, 'dry-run': isDry = false, json }) {
    const repo = await requireRepo('relink');
    const report = await withProgress((progress) => {
      progress.step('Comparing commits with checkpoints');
      return relink(workIn(repo), { range, isDry });
    });
    if (!report) throw await refuseRange(repo, range ?? 'HEAD');
    say(json ? renderRelinkJson(report) : plain(renderRelink(report, range, terminalWidth())));
  },
});

/** That a word is no range; where it is a session or a checkpoint, what shows its commit. */
async function refuseRange(repo: Repo, range: string): Promise<EntireError> {
  const { lookForNamed } = await import('../names/find-named.ts');
  const named = await lookForNamed(readBranch(repo), range, { kinds: ['session', 'checkpoint'] });
  return named
    ? new EntireError('NOT_FOUND', text.isNoCommit(range, named.kind), { hint: text.ledToHint(range) })
    : new EntireError('NOT_FOUND', text.noRange(range), { hint: text.RANGE_HINT });
}
