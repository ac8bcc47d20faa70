import { resolve } from 'node:path';
import { EntireError } from '../../base/errors.ts';
import { lstatIfExists } from '../../base/file/disk.ts';
import type { ObjectId } from '../../base/ids.ts';
import type { Repo } from '../../git/locate.ts';
import { readBranch } from '../../history/branch.ts';
import type { CommitShares } from '../../origin/commit-shares.ts';
import { readWhy } from '../../origin/why.ts';
import { workIn } from '../../strategy/work.ts';
import { defineCommand } from '../command.ts';
import type { Sought } from '../names/named.ts';
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
      const { findStoredCheckpoint } = await import('./stored-session.ts');
      const stored = findStoredCheckpoint(repo, word);
      if (stored) return readWhy(repo, stored, () => readSetUp(repo));
      // Half of the product: loaded only where nothing goes by that name.
      const { isTurnName, refuseName } = await import('../names/find-named.ts');
      if (!(isTurnName(word) || (word !== '' && lstatIfExists(resolve(word))))) throw error;
      throw await refuseName(readBranch(repo), word, TAKEN);
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

const TAKEN = {
  kinds: ['checkpoint', 'commit', 'session'],
  command: 'entire why',
  forFiles: text.filesHint,
} as const satisfies Sought;
