import { tmpdir } from 'node:os';
import { now } from '../../base/clock.ts';
import { describeError } from '../../base/errors.ts';
import { log, openLog } from '../../base/log.ts';
import { startDetached } from '../../base/process/program.ts';
import { locateRepo, type Repo } from '../../git/locate.ts';
import { listPending } from '../../history/pending-summaries.ts';
import { readActivation } from '../../settings/enabled.ts';
import { readPermission } from '../../settings/permissions.ts';
import { parseRedaction, useRedaction } from '../../settings/redaction.ts';
import { failOpenAsync } from '../fail-open.ts';
import { runningProgram } from '../git/install.ts';
import { openSources } from './sources.ts';

/**
 * Whether checkpoints are summarised by themselves here. It starts a program, which costs money and sends the transcript to its
 * maker: nobody decides that but the person at this clone.
 */
function maySummarise(repo: Repo): boolean {
  try {
    return readPermission('summarize', openSources(repo)).given === true;
  } catch (error) {
    log('warn', 'no summaries made', { error: describeError(error) });
    return false; // git does not answer: nobody has said yes
  }
}

/**
 * Starts a process of its own that summarises the checkpoints of new commits, if there are any. It outlives the hook,
 * and neither the agent nor a commit waits for it. It stands in a folder that nobody wants to remove.
 */
export function startSummaries(repo: Repo): void {
  if (listPending(repo.commonDir, now().getTime()).length === 0 || !maySummarise(repo)) return;
  const [program = '', ...args] = runningProgram();
  startDetached({
    program,
    args: [...args, 'hooks', 'summaries', repo.worktreeRoot],
    cwd: tmpdir(),
    env: process.env,
  });
}

/** What that process does: `entire hooks summaries <worktree>`. One at a time in a repository. */
export async function runSummaries(root: string | undefined): Promise<void> {
  await failOpenAsync('summaries', async () => {
    const repo = root === undefined ? undefined : locateRepo(root);
    const activation = repo && readActivation(repo);
    if (!repo || activation?.kind !== 'enabled' || !maySummarise(repo)) return;
    openLog(activation.root, activation.logLevel, { component: 'summaries' });
    useRedaction(parseRedaction(activation.redaction));
    const { summarisePending } = await import('../../history/summarise-pending.ts');
    try {
      await summarisePending(repo);
    } catch (error) {
      // Another process is at it, and will find what is new.
      log('info', 'no summaries made', { error: describeError(error) });
    }
  });
}
