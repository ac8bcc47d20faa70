import { EntireError } from '../../base/errors.ts';
import type { ObjectId } from '../../base/ids.ts';
import type { Repo } from '../../git/locate.ts';
import type { CommitShares } from '../../origin/commit-shares.ts';
import { readWhy } from '../../origin/why.ts';
import { workIn } from '../../strategy/work.ts';
import { defineCommand } from '../command.ts';
import { withLinks } from '../ui/hyperlink.ts';
import { readJudging, readSetUp, requireRepo } from '../ui/repo.ts';
import { fitted, plain, say } from '../ui/terminal.ts';
import { tinted } from '../ui/tint.ts';
import { findCommitOfLines } from './lines.ts';
import * as text from './text.ts';
import { renderWhy, renderWhyJson, TONES } from './view.ts';

export const whyCommand = defineCommand({
  positionals: { commit: { type: 'string', describe: text.COMMIT } },
  options: { json: { type: 'boolean', describe: 'Print the answer as JSON' } },
  completes: { commit: 'target' },
  examples: ['entire why', 'entire why HEAD~3', 'entire why src/greet.ts:8'],
  async run({ commit: word = 'HEAD', json }) {
    const repo = await requireRepo('why');
    const asked = findCommitOfLines(repo, word) ?? word;
    const report = await readWhy(repo, asked, () => readSetUp(repo)).catch(async (error: unknown) => {
      const isMissing =
        error instanceof EntireError && error.code === 'NOT_FOUND' && error.hint === undefined;
      if (!isMissing) throw error;
      const { findOtherwise } = await import('./otherwise.ts');
      return readWhy(repo, await findOtherwise(repo, word), () => readSetUp(repo));
    });
    if (json) return say(renderWhyJson(report));
    const commits = [report.commit, ...(report.replayed === undefined ? [] : [report.replayed])];
    const files = report.sessions.flatMap((share) => share.files);
    const isCounted = report.sessions.length > 0 && !report.isMerge;
    const counted = isCounted ? await countLines(repo, report.commit) : undefined;
    say(withLinks(repo, fitted(tinted(plain(renderWhy(report, counted)), TONES)), { commits, files }));
  },
});

/** What checkpoints store is an estimate, and was counted for the commits that they were made for. */
async function countLines(repo: Repo, commit: ObjectId): Promise<CommitShares | undefined> {
  const { countCommitLines } = await import('../../origin/commit-shares.ts');
  return countCommitLines(workIn(repo), commit, readJudging(repo));
}
